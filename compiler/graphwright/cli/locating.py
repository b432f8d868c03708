"""Locates a generated module that an argument names, and imports it.

The search path is not changed: with a folder of the project at its beginning, a `tomllib.py` or `nacl.py` there would
be imported instead of the real one. Instead, a finder knows the folders of the requested modules.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from importlib.machinery import ModuleSpec, PathFinder
from pathlib import Path
from types import ModuleType

from graphwright.project.projects import Projects, absolute
from graphwright.record import Record
from graphwright_runtime.trust.manifest import MANIFEST


class Location(Record):
    """A module by its dotted name, and the folder that contains the first part of the name.

    `package` is the name of the package with a manifest; empty if there is none.
    """

    name: str
    folder: Path
    package: str = ""

    @property
    def package_folder(self) -> Path:
        """The folder of that package, or else the folder of the module."""
        return self.folder.joinpath(*(self.package or self.name.rpartition(".")[0]).split("."))


def locate(target: str) -> Location:
    """Locate a module by its path (`generated/reports/weekly.py`) or dotted name.

    Links in a path are not resolved, so that they cannot lead to a project with other rules. Dotted names are searched
    for in the working directory, then on the search path.
    """
    if target.endswith(".py"):
        return _of_file(absolute(target))
    parts = target.split(".")
    folders = [Path.cwd(), *(Path(entry).absolute() for entry in sys.path if entry)]
    for folder in folders:
        for depth in range(1, len(parts)):
            if (folder.joinpath(*parts[:depth]) / MANIFEST).is_file():
                return Location(target, folder, ".".join(parts[:depth]))
    there = next((each for each in folders if PathFinder.find_spec(parts[0], [str(each)]) is not None), folders[0])
    return Location(target, there, parts[0] if len(parts) > 1 else "")


def _of_file(file: Path) -> Location:
    top = _package_around(file)
    if top is None or not top.name:
        return Location(file.stem, file.parent)
    below = file.relative_to(top)
    module = below.parent if file.name == "__init__.py" else below.with_suffix("")
    return Location(".".join((top.name, *module.parts)), top.parent, top.name)


def _package_around(file: Path) -> Path | None:
    """The folder of the package that contains a file.

    This is the output folder of its project, even without a manifest; otherwise the nearest folder with a manifest;
    otherwise the package according to Python.
    """
    output = Projects().of_output(file.parent).output
    if output in file.parents and output.name.isidentifier():
        return output
    top = next((each for each in file.parents if (each / MANIFEST).is_file()), None)
    above = file.parent
    while top is None and (above / "__init__.py").exists():
        if not (above.parent / "__init__.py").exists():
            top = above
        above = above.parent
    return top


class _Places:
    """Finds the requested top-level modules in their folders, before other finders."""

    def __init__(self) -> None:
        self.folders: dict[str, str] = {}

    def find_spec(
        self,
        fullname: str,
        path: Sequence[str] | None,  # noqa: ARG002
        target: ModuleType | None = None,
    ) -> ModuleSpec | None:
        """The spec of a requested module."""
        folder = self.folders.get(fullname)
        found = None if folder is None else PathFinder.find_spec(fullname, [folder], target)
        if found is None or found.loader is not None:
            return found
        bare = ModuleSpec(fullname, None, is_package=True)  # a folder without __init__.py
        bare.submodule_search_locations = list(found.submodule_search_locations or ())
        return bare


_PLACES = _Places()


def place(name: str, folder: Path) -> None:
    """Import the first part of a dotted name from this folder."""
    _PLACES.folders[name.partition(".")[0]] = str(folder)
    if _PLACES not in sys.meta_path:
        sys.meta_path.insert(0, _PLACES)
