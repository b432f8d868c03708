"""Has generated modules that a command imports verified, as `trust.modules` of their project says."""

from __future__ import annotations

import sys
from pathlib import Path

from graphwright.cli.command import UsageError
from graphwright.project.projects import Projects
from graphwright_runtime import loader
from graphwright_runtime.trust.items import ItemTrust
from graphwright_runtime.trust.manifest import MANIFEST
from graphwright_runtime.trust.truststore import TrustError, find_trust, project_file
from graphwright_runtime.trust.verification import policy_of


def protect(module: str) -> None:
    """Before `module` (a dotted name) is imported: verify its package, unless the policy is off.

    Raises VerificationError where the policy asks for signatures and the module is in no package that could have one.
    """
    package, folder = _package(module.split("."))
    project = Projects().of_output(folder)
    policy = policy_of(project.config.trust.modules)
    if policy == "off":
        return
    if package:
        loader.install(package, policy=policy, trust=project_file(project.folder), inherit=False)
    elif policy == "require":
        raise loader.VerificationError(f"{module} is in no signed package", name=module)


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


def _package(parts: list[str]) -> tuple[str, Path]:
    """The package that a signed manifest would speak for, by name, and its folder; no name where there is none.

    The first entry of the search path is where the module was asked for.
    """
    entries = [Path(entry).absolute() for entry in sys.path]
    for entry in entries:
        for depth in range(1, len(parts)):
            folder = entry.joinpath(*parts[:depth])
            if (folder / MANIFEST).is_file():
                return ".".join(parts[:depth]), folder
    bare = next((entry for entry in entries if len(parts) > 1 and (entry / parts[0]).is_dir()), None)
    return ("", entries[0]) if bare is None else (parts[0], bare / parts[0])
