"""Applies the configuration of a project to a run: trust for modules, tools and items, and where it may write."""

from __future__ import annotations

from pathlib import Path

from graphwright.cli.command import UsageError
from graphwright.cli.locating import Location
from graphwright.project.projects import Projects, absolute
from graphwright_runtime import loader
from graphwright_runtime.tools.protection import Protection
from graphwright_runtime.trust.items import ItemTrust
from graphwright_runtime.trust.truststore import TrustError, find_trust, project_file
from graphwright_runtime.trust.verification import POLICIES, policy_of


def protect(location: Location) -> None:
    """Set up verification of a module's package before it is imported, unless the policy of its project is `off`.

    If GRAPHWRIGHT_VERIFY names the package, it is verified in any case, in the folder of the location.

    If the path contains links, the stricter policy of the linked and the real project applies. Raises VerificationError
    if the policy requires signatures and the module is not in a package that can be signed.
    """
    loader.locate(location.package, location.folder)
    known = Projects()
    folder = location.package_folder
    projects = [known.of_output(folder), known.of_output(folder.resolve())]
    project = max(projects, key=lambda each: POLICIES.index(policy_of(each.config.trust.modules)))
    policy = policy_of(project.config.trust.modules)
    if policy == "off":
        return
    if location.package:
        trust = project_file(project.folder)
        loader.install(location.package, policy=policy, trust=trust, path=[location.folder], inherit=False)
    elif policy == "require":
        raise loader.VerificationError(f"{location.name} is not in a signed package", name=location.name)


def trusted_tools(folder: Path) -> ItemTrust | None:
    """The policy `trust.tools` of a project for the tools of a run; None if it is off."""
    project = Projects().of(folder)
    policy = policy_of(project.config.trust.tools)
    if policy == "off":
        return None
    try:
        return ItemTrust(policy, find_trust(project.folder), loader.pinned)
    except TrustError as error:
        raise UsageError(str(error)) from error


def file_protection(folder: Path) -> Protection:
    """The protected files of a project according to its configuration, and its `writable` folders."""
    project = Projects().of(folder)
    config = project.config
    named = [*config.roots, config.output, *([] if config.templates is None else [config.templates])]
    protected = [absolute(project.folder / each) for each in named]
    files = [each for each in (config.file, project_file(project.folder)) if each is not None]
    return Protection(
        tuple(each for each in (*protected, *files) if each not in (folder, project.folder)),
        tuple(absolute(project.folder / each) for each in config.writable),
    )
