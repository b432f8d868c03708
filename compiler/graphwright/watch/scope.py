"""Which folders have to be watched, and which changes in them can matter.

Each folder is watched by itself, not with everything below it: a project may contain virtual environments and caches
with tens of thousands of folders. Folders above are watched for configuration files, and to notice that a folder on the
way was removed and created again.
"""

from __future__ import annotations

import os
from collections.abc import Collection, Iterable, Iterator
from pathlib import Path
from typing import Final

from graphwright.project.config import ConfigError
from graphwright.project.projects import SUFFIXES, Project, Projects, absolute, user_tools
from graphwright.record import Record
from graphwright_runtime.trust.truststore import user_folder

#: Folders without anything that a check or a build reads, whatever they contain.
_SKIPPED: Final = frozenset(
    {".git", ".hg", ".svn", ".jj", "__pycache__", "node_modules", ".venv", ".tox", ".nox"}
    | {".mypy_cache", ".ruff_cache", ".pytest_cache", ".hypothesis", ".idea", ".vscode"}
)
#: What marks a virtual environment, whatever its name.
_ENVIRONMENT: Final = "pyvenv.cfg"
#: The state of runs, which a check does not read.
_RUNS: Final = f"{os.sep}.ai{os.sep}state"
#: Files that matter in folders above.
_ABOVE: Final = frozenset({"graphwright.toml", "pyproject.toml", ".git", ".gitignore", ".ai", ".graphwright"})
#: Suffixes of files that can matter anywhere: graphs, manifests, settings, Python, directives and templates.
_SUFFIXES: Final = (*SUFFIXES, ".json", ".toml", ".py", ".md", ".j2")
_NAMES: Final = frozenset({".gitignore"})


class Scope(Record):
    """What to watch: `folders`, each without those below it.

    In a folder of `above`, only some names matter. In `tools`, every file does: a tool can have any suffix. `files` are
    other files that matter, `ignored` are folders and files that do not.
    """

    folders: frozenset[str]
    above: frozenset[str] = frozenset()
    tools: tuple[str, ...] = ()
    files: frozenset[str] = frozenset()
    ignored: frozenset[str] = frozenset()

    def matters(self, path: str) -> bool:
        """Whether a change of this path can change a result."""
        folder, _, name = path.rpartition(os.sep)
        if path in self.files or path in self.folders:
            return True
        if path in self.ignored or name in _SKIPPED or f"{folder}{os.sep}".startswith(self._ignored_folders()):
            return False
        if folder in self.above:
            return name in _ABOVE
        if name.endswith(_SUFFIXES) or name in _NAMES:
            return True
        return os.path.isdir(path) or f"{folder}{os.sep}".startswith(self.tools)  # noqa: PTH112 - called for each event

    def _ignored_folders(self) -> tuple[str, ...]:
        return tuple(f"{each}{os.sep}" for each in self.ignored)


def scope_of(
    paths: Iterable[str | Path],
    *,
    files: Iterable[Path] = (),
    folders: Iterable[Path] = (),
    ignored: Iterable[Path] = (),
) -> Scope:
    """The scope of a check of `paths`. `files` and `folders` matter, too; paths in `ignored` do not.

    A configuration that cannot be used is watched like any other file.
    """
    given = [absolute(path) for path in paths]
    projects = list(_projects(given))
    skipped = frozenset(str(absolute(each)) for each in ignored)
    roots = [root for project in projects for root in (*project.roots, project.folder / ".ai" / "tools")]
    tools = [*roots, *user_tools()]
    linking = [*tools, *(project.folder / name for project in projects for name in (".ai", ".graphwright"))]
    tops = [
        *(path for path in given if path.is_dir()),
        *(project.folder for project in projects),
        *(absolute(each.folder / each.config.templates) for each in projects if each.config.templates),
        *linking,
        *(folder.with_name("directives") for folder in user_tools()),
        *(() if (own := user_folder()) is None else (own,)),
        *folders,
    ]
    tree = _Tree(skipped)
    for top in dict.fromkeys(map(str, linking)):
        tree.add(top, linking=True)
    for top in dict.fromkeys(map(str, tops)):
        tree.add(top)
    extra = [*map(absolute, files), *map(Path, tree.linked)]
    above = {str(parent) for path in (*given, *map(absolute, tops), *extra) for parent in path.parents}
    above -= tree.folders
    return Scope(
        frozenset(tree.folders.union(each for each in above if os.path.isdir(each))),  # noqa: PTH112
        frozenset(above),
        tuple(f"{each}{os.sep}" for each in dict.fromkeys(map(str, tools))),
        frozenset(map(str, (*given, *tops, *extra, *above))),
        skipped,
    )


def _projects(given: Iterable[Path]) -> Iterator[Project]:
    """The projects of the given paths, without those whose configuration cannot be used."""
    known = Projects()
    found: dict[Path, Project] = {}
    for path in given:
        try:
            project = known.of(path if path.is_dir() else path.parent)
        except (ConfigError, OSError):
            continue
        found.setdefault(project.folder, project)
    yield from found.values()


class _Tree:
    """The `folders` below some tops, without skipped ones, and the targets of links to files that can matter."""

    def __init__(self, ignored: Collection[str]) -> None:
        self.folders: set[str] = set()
        self.linked: set[str] = set()
        self._ignored = ignored
        self._followed: set[str] = set()

    def add(self, top: str, *, linking: bool = False) -> None:
        """Add a folder and those below it; `linking`: also those that links lead to, as a tool's id can."""
        if top in self.folders or top in self._ignored:
            return
        try:
            with os.scandir(top) as listing:
                entries = list(listing)
        except OSError:
            return
        if any(entry.name == _ENVIRONMENT for entry in entries):
            return
        self.folders.add(top)
        for entry in entries:
            if entry.name in _SKIPPED or entry.path.endswith(_RUNS):
                continue
            if entry.is_dir(follow_symlinks=False) or (linking and self._is_new_link(entry)):
                self.add(entry.path, linking=linking)
            elif entry.is_symlink() and entry.name.endswith(_SUFFIXES):
                self.linked.add(os.path.realpath(entry.path))

    def _is_new_link(self, entry: os.DirEntry[str]) -> bool:
        """Whether a link leads to a folder that no other link does, and that does not contain the link itself."""
        if not entry.is_symlink() or not os.path.isdir(entry.path):  # noqa: PTH112 - is_dir raises for circular links
            return False
        target = os.path.realpath(entry.path)
        around = os.path.realpath(os.path.dirname(entry.path))  # noqa: PTH120 - called for each entry
        if target in self._followed or f"{around}{os.sep}".startswith(f"{target.rstrip(os.sep)}{os.sep}"):
            return False
        self._followed.add(target)
        return True
