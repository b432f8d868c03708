"""Looks at a whole signed package: every listed module, what is missing, and what is there next to them."""

from __future__ import annotations

from pathlib import Path

from graphwright.record import Record
from graphwright_runtime.trust.manifest import MANIFEST
from graphwright_runtime.trust.package import Found, Refused, open_package
from graphwright_runtime.trust.truststore import TrustStore
from graphwright_runtime.trust.verification import Refusal

#: What Python would import, were imports not verified.
_CODE = (".py", ".pyc", ".pyo", ".so", ".pyd", ".pth")


class Audit(Record):
    """The modules that verified, and everything that did not, by path."""

    verified: tuple[Found, ...]
    refused: tuple[Refused, ...]


def audit(folder: Path, trust: TrustStore) -> Audit:
    """Verify a package, whatever its policy. A broken manifest is the only complaint then."""
    try:
        package = open_package(folder, trust)
    except Refused as refused:
        return Audit((), (refused,))
    verified: list[Found] = []
    refused_files: list[Refused] = []
    for path in sorted(package.manifest.modules):
        try:
            verified.append(package.module(path))
        except Refused as refused:
            refused_files.append(refused)
    for file in _code(folder):
        path = file.relative_to(folder).as_posix()
        if path not in package.manifest.modules:
            text = "the signed manifest does not list it: it was added after the build"
            refused_files.append(Refused(file, Refusal("unlisted", text, "remove it, or run `graphwright build`")))
    return Audit(tuple(verified), tuple(sorted(refused_files, key=lambda each: str(each.path))))


def packages(path: Path) -> list[Path]:
    """The signed packages at or below a folder: the folders that hold a manifest."""
    return sorted(file.parent for file in path.rglob(MANIFEST))


def package_of(file: Path) -> Path | None:
    """The signed package that a file lies in."""
    return next((folder for folder in file.absolute().parents if (folder / MANIFEST).is_file()), None)


def _code(folder: Path) -> list[Path]:
    """The files below a folder that Python could run; what it wrote into `__pycache__` is never looked at."""
    return sorted(
        file
        for file in folder.rglob("*")
        if file.suffix in _CODE and "__pycache__" not in file.relative_to(folder).parts
    )
