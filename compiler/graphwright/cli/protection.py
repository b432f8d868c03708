"""What the configuration of a project asks of a run: which modules, tools and items it trusts, and where it writes."""

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
    """Before a module is imported: verify its package, unless the policy of its project is `off`.

    Where a link leads to the package, the project that it lies in applies, too: the stricter policy counts. Raises
    VerificationError where the policy asks for signatures and the module is in no package that could have one.
    """
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
    """What `trust.tools` of a project asks of the tools that a run loads; None where it asks nothing."""
    project = Projects().of(folder)
    policy = policy_of(project.config.trust.tools)
    if policy == "off":
        return None
    try:
        return ItemTrust(policy, find_trust(project.folder), loader.pinned)
    except TrustError as error:
        raise UsageError(str(error)) from error


def file_protection(folder: Path) -> Protection:
    """Where the tools of a run do not write: what the configuration names. Its `writable` folders are open."""
    project = Projects().of(folder)
    config = project.config
    named = [*config.roots, config.output, *([] if config.templates is None else [config.templates])]
    protected = [absolute(project.folder / each) for each in named]
    files = [each for each in (config.file, project_file(project.folder)) if each is not None]
    return Protection(
        tuple(each for each in (*protected, *files) if each not in (folder, project.folder)),
        tuple(absolute(project.folder / each) for each in config.writable),
    )
