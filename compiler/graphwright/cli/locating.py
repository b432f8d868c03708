"""Where a generated module that a command names lies, and how it is imported from there.

The search path stays as it is: a folder of the project in front of it would have its `tomllib.py` or `nacl.py` imported
in place of the real one. A finder of our own knows the places of the few modules that were asked for.
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
    """A module by its dotted name, and the folder that the first part of the name lies in.

    `package`: the name of the package that a manifest speaks for; empty where there is none.
    """

    name: str
    folder: Path
    package: str = ""

    @property
    def package_folder(self) -> Path:
        """The folder of that package; without one, the folder that the module lies in."""
        return self.folder.joinpath(*(self.package or self.name.rpartition(".")[0]).split("."))


def locate(target: str) -> Location:
    """What a path (`generated/reports/weekly.py`) or a dotted name means.

    A path counts as it is written: a link next to the modules must not lead to another project and its rules. Dotted
    names are looked for in the working directory, then on the search path.
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
    """The folder of the package that a file belongs to.

    That is the output of its project, whatever has become of what lies there; else the nearest folder with a manifest;
    else what Python would call the package.
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
    """Finds the top-level modules that were asked for where they lie, before anybody else is asked."""

    def __init__(self) -> None:
        self.folders: dict[str, str] = {}

    def find_spec(
        self,
        fullname: str,
        path: Sequence[str] | None,  # noqa: ARG002
        target: ModuleType | None = None,
    ) -> ModuleSpec | None:
        """The spec of a module that has a place."""
        folder = self.folders.get(fullname)
        found = None if folder is None else PathFinder.find_spec(fullname, [folder], target)
        if found is None or found.loader is not None:
            return found
        bare = ModuleSpec(fullname, None, is_package=True)  # a folder without __init__.py, which stays where it is
        bare.submodule_search_locations = list(found.submodule_search_locations or ())
        return bare


_PLACES = _Places()


def place(name: str, folder: Path) -> None:
    """Have the first part of a dotted name imported from this folder."""
    _PLACES.folders[name.partition(".")[0]] = str(folder)
    if _PLACES not in sys.meta_path:
        sys.meta_path.insert(0, _PLACES)
