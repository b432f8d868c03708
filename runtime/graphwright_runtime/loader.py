"""Verified imports: a package's modules run only if a trusted key signed them.

    from graphwright_runtime import loader

    loader.install("generated")            # before the first import of it
    from generated.billing import invoices

or, for a whole process and its children, `GRAPHWRIGHT_VERIFY=require:generated` in the environment (`require`, `warn`
or `off`; several packages are separated by commas). Each module is read once, verified, and compiled from the verified
bytes. Bytecode files, extension modules, zip files and symbolic links cannot replace it.

`truststore.py` describes the trust files. The project is the one at or above the current working directory, unless
`trust` or GRAPHWRIGHT_TRUST names its trust file. A trust file inside the package is never used.
"""

from __future__ import annotations

import os
import sys
import warnings
from collections.abc import Mapping, MutableMapping, Sequence
from importlib.machinery import ModuleSpec
from pathlib import Path
from types import ModuleType

from graphwright_runtime.trust.finder import (
    Finder,
    Rule,
    VerificationError,
    VerificationWarning,
    VerifiedLoader,
    trusted_keys,
    warn,
)
from graphwright_runtime.trust.limits import graph_id_of
from graphwright_runtime.trust.manifest import MANIFEST
from graphwright_runtime.trust.naming import absent_package, invalid_name, unlikely_name
from graphwright_runtime.trust.needed import import_needed
from graphwright_runtime.trust.package import Refused, open_package, read
from graphwright_runtime.trust.truststore import VARIABLE as TRUST_VARIABLE
from graphwright_runtime.trust.truststore import TrustError, TrustStore, load_trust, project_file, user_file
from graphwright_runtime.trust.verification import POLICIES, Policy, Refusal, check, policy_of

__all__ = (
    "VARIABLE",
    "VerificationError",
    "VerificationWarning",
    "check_packages",
    "install",
    "install_from_environment",
    "installed",
    "keep_first",
    "load_verified",
    "locate",
    "pinned",
    "remove",
    "requested",
)

VARIABLE = "GRAPHWRIGHT_VERIFY"
_FINDER = Finder()


def install(
    *packages: str,
    policy: Policy = "require",
    trust: Path | str | None = None,
    path: Sequence[Path | str] | None = None,
    inherit: bool = True,
) -> None:
    """Verify all imports of these packages (importable names, such as `app.generated`) and of their modules.

    `trust` is the trust file of the project. `path` are the folders to search for the packages instead of `sys.path`.
    With `inherit`, child processes verify them, too (through environment variables). If a package is installed twice,
    the stricter policy applies.

    Raises VerificationError if a module is already imported and the policy is `require`; TrustError if there is no
    trust file; ImportError if a module that verification needs is missing; ValueError for an invalid name or policy,
    and if child processes, which can only inherit one trust file, would use a different one for some package.
    """
    for name in packages:
        if (problem := invalid_name(name)) is not None:
            raise ValueError(problem)
    policy_of(policy)
    if policy == "off":
        return
    import_needed()
    file = (Path(trust) if trust is not None else project_file()).absolute()
    others = {rule.trust for rule in _FINDER.rules.values()} - {file}
    if inherit and others:
        text = f"{min(others)} is already the trust file, and child processes can only inherit one"
        raise ValueError(f"{text}: name that file, add the keys of {file} to it, or install with inherit=False")
    for name in packages:
        known = _FINDER.rules.get(name)
        if known is None or POLICIES.index(known.policy) < POLICIES.index(policy):
            _FINDER.rules[name] = Rule(name, policy, file, None if path is None else tuple(map(str, path)))
    keep_first()
    if inherit:
        _inherit(os.environ, file)
    for name in packages:
        _complain_if_imported(name, policy)


def install_from_environment(environ: Mapping[str, str] | None = None) -> None:
    """Install what GRAPHWRIGHT_VERIFY requests; called when Python starts. Raises SystemExit if its value is invalid.

    Reads the trust files once, so that an invalid one ends the process at once and not at the first import.
    """
    text = (os.environ if environ is None else environ).get(VARIABLE, "")
    try:
        import_needed()  # also if only tools are verified (GRAPHWRIGHT_TRUST_TOOLS)
        asked = requested(text)
        if any(policy != "off" for policy in asked.values()):
            load_trust(project_file(), user_file())
        for name, policy in asked.items():
            if policy != "off" and (problem := unlikely_name(name)) is not None:
                raise ValueError(problem)
            install(name, policy=policy)
    except (ValueError, TrustError, ImportError, OSError) as error:  # VerificationError is an ImportError
        raise SystemExit(f"{VARIABLE}={text}: {error}") from None


def requested(text: str) -> dict[str, Policy]:
    """The packages and policies in a value of GRAPHWRIGHT_VERIFY, such as `require:a,b,warn:c`. Raises ValueError.

    If a package has two policies, the stricter one applies.
    """
    found: dict[str, Policy] = {}
    policy: Policy = "require"
    for item in filter(None, (part.strip() for part in text.split(","))):
        before, colon, name = (part.strip() for part in item.rpartition(":"))
        if colon:
            policy = policy_of(before)
        elif item in POLICIES:
            raise ValueError(f"`{item}` needs a package name, such as `{item}:generated`")
        if (problem := invalid_name(name)) is not None:
            raise ValueError(problem)
        found[name] = max(policy, found.get(name, policy), key=POLICIES.index)
    if text and not found:
        raise ValueError("it does not name a package; write it as `require:generated`")
    return found


def installed() -> dict[str, Policy]:
    """The packages that this process verifies, with their policies."""
    return {name: rule.policy for name, rule in _FINDER.rules.items()}


def check_packages() -> None:
    """Check that the packages to verify exist; called whenever a graph is created.

    Until then, a package that cannot be found may still appear. When graphs are used and it is still missing, its name
    is a mistake, and what runs is not verified. Raises VerificationError, or warns if the policy is `warn`.
    """
    for rule in _FINDER.rules.values():
        if rule.exists or rule.package is not None:
            continue
        problem = absent_package(rule.name, rule.path)
        if problem is not None:
            origin = VARIABLE if rule.name in os.environ.get(VARIABLE, "") else "loader.install"
            text = f"{origin} names `{rule.name}`, which cannot be verified: {problem}"
            if rule.policy == "require":
                raise VerificationError(text, name=rule.name)
            warnings.warn(text, VerificationWarning, stacklevel=4)  # where the module creates its graph
        rule.exists = True


def locate(package: str, folder: Path) -> None:
    """Search for a package in this folder instead of `sys.path`, if it is to be verified and was not imported."""
    rule = _FINDER.rules.get(package)
    if rule is not None and rule.package is None and rule.path is None:
        rule.path = (str(folder),)


def pinned(name: str) -> str | None:
    """The sha256 that an item's file had when the graphs were built, according to the verified packages.

    `name` is its `pin_name`. None if it is not pinned.
    """
    opened = [rule.package for rule in _FINDER.rules.values() if rule.package is not None]
    return next((pin for package in opened if (pin := package.pin(name)) is not None), None)


def remove(*packages: str) -> None:
    """Stop verifying these packages; modules that are already imported remain."""
    for name in packages:
        _FINDER.rules.pop(name, None)
    if not _FINDER.rules and _FINDER in sys.meta_path:
        sys.meta_path.remove(_FINDER)


def keep_first() -> None:
    """Move the finder before all others, such as those that a test runner added later."""
    if _FINDER.rules and sys.meta_path[:1] != [_FINDER]:
        if _FINDER in sys.meta_path:
            sys.meta_path.remove(_FINDER)
        sys.meta_path.insert(0, _FINDER)


def load_verified(
    path: Path | str, *, policy: Policy = "require", trust: Path | str | None = None, graph_id: str | None = None
) -> ModuleType:
    """Execute a verified module from a file of a signed package, without adding it to `sys.modules`.

    With `graph_id`, the file must be the module of that graph, and may also be outside a package. Raises
    VerificationError if the policy is `require` and the file is refused.
    """
    file = Path(path).absolute()
    found = next((above for above in file.parents if (above / MANIFEST).is_file()), None)
    name = ".".join(file.relative_to(found.parent).with_suffix("").parts) if found is not None else file.stem
    try:
        data = _verified(
            file, found, trusted_keys(Path(trust) if trust is not None else project_file(), name), graph_id
        )
    except Refused as refused:
        if policy == "require":
            raise VerificationError.of(refused, name) from None
        data = refused.data if refused.data is not None else read(file)
        if policy == "warn":
            warn(refused, name)
    loader = VerifiedLoader(name, str(file), data)
    module = ModuleType(name)
    module.__file__ = str(file)
    module.__spec__ = ModuleSpec(name, loader, origin=str(file))
    loader.exec_module(module)
    return module


def _verified(file: Path, folder: Path | None, trust: TrustStore, graph_id: str | None) -> bytes:
    if folder is not None:
        found = open_package(folder, trust).module(file.relative_to(folder).as_posix())
        data, listed = found.data, found.graph
    elif graph_id is None:
        text = f"it is not listed in a {MANIFEST} in a folder above it"
        raise Refused(
            file, Refusal("unlisted", text, "build into a package, or pass the graph that it must be"), read(file)
        )
    else:
        data, listed = read(file), graph_id
        verdict = check("module", data, trust, subject=graph_id)
        if isinstance(verdict, Refusal):
            raise Refused(file, verdict, data)
    if graph_id is not None and not listed == graph_id_of(data) == graph_id:
        text = f"it is the module of `{graph_id_of(data) or listed}`, not of `{graph_id}`"
        raise Refused(file, Refusal("replaced", text, "pass the graph that it is, or build the other one"), data)
    return data


def _inherit(environ: MutableMapping[str, str], trust: Path) -> None:
    environ[VARIABLE] = ",".join(f"{policy}:{name}" for name, policy in installed().items())
    environ[TRUST_VARIABLE] = str(trust)


def _complain_if_imported(name: str, policy: Policy) -> None:
    for module in sorted(sys.modules):
        if module == name or module.startswith(name + "."):
            spec = getattr(sys.modules[module], "__spec__", None)
            if spec is None or not (isinstance(spec.loader, VerifiedLoader) or spec.origin is None):
                text = f"{module} was imported before it could be verified; install the verification first"
                if policy == "require":
                    raise VerificationError(text, name=module)
                warnings.warn(text, VerificationWarning, stacklevel=3)
