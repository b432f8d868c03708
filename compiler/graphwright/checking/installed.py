"""Finds the tools that installed packages provide, and their folders with manifests.

Both are named by entry points: one in `graphwright.tools` has the id of a tool and its function, one in
`graphwright.contracts` (under any name) the dotted name of a package whose folder contains manifests like `contracts/`
of a project. Only the metadata of packages is read, and their files are located: no package is imported.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Final

from graphwright.checking.cache import installed_packages
from graphwright.content import content_of
from graphwright.presence import is_file, is_folder
from graphwright.record import Record

_CONTRACTS: Final = "graphwright.contracts"
_TOOLS: Final = "graphwright.tools"
_ENTRY_POINTS: Final = "entry_points.txt"


class Supplied(Record):
    """A folder of manifests. `package`: the dotted name in the entry point."""

    package: str
    folder: Path


class InstalledTool(Record):
    """A function that is a tool. `origin`: module and name; `file`: its file; `root`: the folder it imports from."""

    origin: str
    function: str
    file: Path
    root: Path


class Installed(Record):
    """Everything that installed packages provide, in the order of `sys.path`; `tools` are by id."""

    folders: tuple[Supplied, ...]
    tools: Mapping[str, InstalledTool]


def installed(look: Callable[[str], object]) -> Installed:
    """Read the packages that are installed next to this one. `look` is called with every path that is read."""
    folders: dict[str, Supplied] = {}
    tools: dict[str, InstalledTool] = {}
    for base in dict.fromkeys(filter(None, sys.path)):
        look(f"{base}/*.dist-info")
        for name in installed_packages(base):
            metadata = f"{base}/{name}/{_ENTRY_POINTS}"
            for group, key, value in _entry_points(metadata):
                look(metadata)
                if group == _TOOLS and key not in tools and (tool := _tool(value)) is not None:
                    tools[key] = tool
                elif group == _CONTRACTS and value not in folders and (folder := _folder(value)) is not None:
                    folders[value] = Supplied(value, folder)
    return Installed(tuple(folders.values()), tools)


def _entry_points(metadata: str) -> Iterator[tuple[str, str, str]]:
    """The group, name and value of each of graphwright's entry points in the `entry_points.txt` of a package."""
    try:
        text = content_of(metadata).decode()
    except (OSError, ValueError):
        return
    section = ""
    for line in map(str.strip, text.splitlines()):
        if line.startswith("[") and line.endswith("]"):
            section = line[1:-1].strip()
        elif section in (_CONTRACTS, _TOOLS) and line and line[0] not in "#;":
            key, _, value = line.partition("=")
            yield section, key.strip(), value.partition("[")[0].strip()


def _folder(package: str) -> Path | None:
    """The folder of an importable package; None if there is none."""
    return next((folder for top, below in _places(package) if is_folder(folder := top.joinpath(*below))), None)


def _tool(value: str) -> InstalledTool | None:
    """The function that `package.module:function` names; None if it does not exist."""
    module, _, function = value.partition(":")
    if not function.isidentifier():
        return None
    for top, below in _places(module):
        base = top.joinpath(*below)
        for file in (base / "__init__.py", base.with_name(f"{base.name}.py")):
            if is_file(file):
                return InstalledTool(value, function, file, top.parent)
    return None


def _places(dotted: str) -> Iterator[tuple[Path, list[str]]]:
    """The folders that may contain the top level of a dotted name, each with the names below it.

    Only the top level is looked up: finding anything below it would import its parents.
    """
    from importlib.util import find_spec

    top, *below = dotted.split(".")
    try:
        spec = find_spec(top) if all(part.isidentifier() for part in (top, *below)) else None
    except (ImportError, ValueError):
        return
    if spec is not None and spec.submodule_search_locations is not None:
        yield from ((Path(each), below) for each in spec.submodule_search_locations)
    elif spec is not None and spec.origin is not None and not below:
        yield Path(spec.origin).with_suffix(""), below
