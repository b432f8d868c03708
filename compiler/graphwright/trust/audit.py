"""Verifies a whole signed package: every listed module, modules that are missing, and files that are not listed."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Final

from graphwright.content import content_of
from graphwright.pattern import pattern
from graphwright.record import Record
from graphwright_runtime.trust.manifest import MANIFEST
from graphwright_runtime.trust.package import UNLISTED, Found, Refused, open_package
from graphwright_runtime.trust.truststore import TrustStore

#: Suffixes of files that Python would import if imports were not verified.
_CODE = (".py", ".pyc", ".pyo", ".so", ".pyd", ".pth")
#: The path, as JSON, at the start of a line of a manifest.
_NAMED: Final = pattern(rb'^\{"module": ("(?:[^"\\\n]|\\.)*")', re.MULTILINE)


class Audit(Record):
    """The verified modules and the refused files, each sorted by path."""

    verified: tuple[Found, ...]
    refused: tuple[Refused, ...]


def audit(folder: Path, trust: TrustStore) -> Audit:
    """Verify every module of a package. If its manifest cannot be read, that is the only refusal."""
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
            refused_files.append(Refused(file, UNLISTED))
    return Audit(tuple(verified), tuple(sorted(refused_files, key=lambda each: str(each.path))))


def signed_modules(folder: Path) -> frozenset[str]:
    """The paths that the manifest in a folder lists, relative to it; none if it has no manifest.

    Verifies no signatures, and also reads a manifest that a merge left with conflict markers, or with other line ends.
    """
    try:
        return frozenset(map(json.loads, _NAMED.findall(content_of(folder / MANIFEST))))
    except (OSError, ValueError):
        return frozenset()


def packages(path: Path) -> list[Path]:
    """The signed packages at or below a folder, that is, the folders that contain a manifest."""
    return sorted(file.parent for file in path.rglob(MANIFEST))


def package_of(file: Path) -> Path | None:
    """The innermost signed package that contains a file."""
    return next((folder for folder in file.absolute().parents if (folder / MANIFEST).is_file()), None)


def _code(folder: Path) -> list[Path]:
    """The files below a folder that Python could run, except those in `__pycache__`, which verified imports ignore."""
    return sorted(
        file
        for file in folder.rglob("*")
        if file.suffix in _CODE and "__pycache__" not in file.relative_to(folder).parts
    )
