"""Where a graph belongs: its project, its source root, and so its id.

A graph's id is its path below a source root, without suffix: the same whatever folder the command runs in. Source
roots are those that the project configures, else the nearest `.ai/tools` around the file, else the folder given.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from pathlib import Path

from graphwright.presence import home, is_folder, is_there
from graphwright.project.config import Config, ConfigError, find_config
from graphwright.project.ownership import Ancestor, OwnershipError, ancestors
from graphwright.record import Record

#: What the name of a graph's file ends in.
SUFFIXES = (".yaml", ".yml")
#: What the name of a tool in Python ends in.
PYTHON = (".py",)


class Project(Record):
    """A folder with its configuration. Generated code names its sources relative to `folder`."""

    folder: Path
    config: Config

    @property
    def roots(self) -> tuple[Path, ...]:
        """The source roots, as absolute paths; they need not exist."""
        return tuple(absolute(self.folder / root) for root in self.config.roots)

    @property
    def output(self) -> Path:
        """The folder that generated modules go to."""
        return absolute(self.folder / self.config.output)


class SourceFile(Record):
    """Where one file belongs.

    `file` is absolute, `root` is what `graph_id` counts from, `source` is the file's path from the project folder,
    with `/`: what generated modules call their source.
    """

    file: Path
    root: Path
    graph_id: str
    source: str
    project: Project


class _Neighbourhood(Record):
    """What all files of one folder have in common: ids and sources begin with these texts."""

    project: Project
    root: Path
    ids: str
    sources: str


class Projects:
    """Finds the project of a file; each folder is looked at once."""

    def __init__(self) -> None:
        self._own: dict[Ancestor, Project | None] = {}
        self._configured: dict[Path, Project | None] = {}
        self._repositories: dict[Path, Path | None] = {}
        self._neighbourhoods: dict[tuple[str, Path], _Neighbourhood] = {}

    def source_file(self, file: Path, given: Path) -> SourceFile:
        """Where `file` (absolute) belongs; `given` is the folder that counts as its root where nothing else does."""
        folder = str(file)[: -len(file.name)]  # a path would take as long to make and to find as all the rest
        around = self._neighbourhoods.get((folder, given))
        if around is None:
            around = self._neighbourhoods[folder, given] = self._neighbourhood(file.parent, given)
        return SourceFile(file, around.root, around.ids + file.stem, around.sources + file.name, around.project)

    def _neighbourhood(self, folder: Path, given: Path) -> _Neighbourhood:
        project = self.of(folder, given)
        inside = [root for root in project.roots if folder == root or root in folder.parents]
        root = max(inside, key=lambda each: len(each.parts)) if inside else _ai_tools(folder) or given
        return _Neighbourhood(project, root, _below(folder, root), _below(folder, project.folder))

    def of(self, folder: Path, given: Path | None = None) -> Project:
        """The project around `folder`: that of its configuration, of its `.ai`, of its repository, else `given`.

        Raises ConfigError where one of these is broken, or belongs to someone else.
        """
        configured = self._configuration(folder)
        if configured is not None:
            return configured
        tools = _ai_tools(folder)
        top = tools.parent.parent if tools else _with_tools(folder) or self.repository(folder)
        if top is not None:
            return Project(top, Config())
        # Files that belong nowhere: what they become goes to where the command runs.
        return Project(given or folder, Config(output=str(Path.cwd() / Config().output)))

    def of_output(self, folder: Path) -> Project:
        """The project that generated modules in `folder` belong to: the nearest whose output holds them.

        A configuration or trust file that somebody puts next to the modules does not affect whether they are
        trusted: a project inside the output of another one is ignored. If no project has them as its output, it is the
        one that the command runs in, otherwise the one around them.
        """
        around = (folder, *folder.parents)
        claiming = [own for own in self._projects(folder) if own.output in around]
        nearest = next((own for own in claiming if not any(_holds(other, own.folder) for other in claiming)), None)
        if nearest is not None:
            return nearest
        here = self.of(Path.cwd())
        contains = here.config.file is not None and here.folder in around
        return here if contains else self.of(folder)

    def repository(self, folder: Path) -> Path | None:
        """The nearest folder, this one or above, that is the top of a git repository."""
        if folder not in self._repositories:
            found = (
                each.folder for each in ancestors(folder) if is_there(each.folder / ".git") and _applies(each, ".git")
            )
            self._repositories[folder] = next(found, None)
        return self._repositories[folder]

    def _configuration(self, folder: Path) -> Project | None:
        if folder not in self._configured:
            self._configured[folder] = next(self._projects(folder), None)
        return self._configured[folder]

    def _projects(self, folder: Path) -> Iterator[Project]:
        """The projects with a configuration at or above a folder, the nearest first."""
        for each in ancestors(folder):
            if each not in self._own:
                try:
                    config = find_config(each.folder, each.applies)
                except OwnershipError as error:
                    raise ConfigError(str(error)) from error
                self._own[each] = None if config is None else Project(each.folder, config)
            own = self._own[each]
            if own is not None:
                yield own


def _holds(project: Project, folder: Path) -> bool:
    """Whether a folder is or lies in the output of a project, where that is a folder of its own."""
    return project.output != project.folder and project.output in (folder, *folder.parents)


def _applies(each: Ancestor, name: str) -> bool:
    """Whether what is called so in the folder applies. Raises ConfigError."""
    try:
        return each.applies(each.folder / name)
    except OwnershipError as error:
        raise ConfigError(str(error)) from error


def _ai_tools(folder: Path) -> Path | None:
    """The nearest `.ai/tools` that `folder` is or lies in."""
    return next(filter(is_tool_folder, (folder, *folder.parents)), None)


def is_tool_folder(folder: Path) -> bool:
    """Whether tools are looked for in a folder: it is called `.ai/tools`."""
    return folder.name == "tools" and folder.parent.name == ".ai"


def _with_tools(folder: Path) -> Path | None:
    """The nearest folder, this one or above, that has `.ai/tools`; nothing beyond a repository or the user's own."""
    own = home()
    for each in ancestors(folder):
        if each.folder == own:
            return None
        if is_folder(each.folder / ".ai" / "tools") and _applies(each, ".ai/tools"):
            return each.folder
        if is_there(each.folder / ".git"):
            return None
    return None


def _below(folder: Path, top: Path) -> str:
    """How paths of files in `folder` begin when they count from `top`."""
    below = Path(os.path.relpath(folder, top)).as_posix()
    return "" if below == "." else f"{below}/"


def source_of(file: Path, project: Project) -> str:
    """What generated modules call a source file: its path from the project folder."""
    return _below(file.parent, project.folder) + file.name


def candidates(item_id: str, root: Path, suffixes: Iterable[str]) -> tuple[Path, ...]:
    """The files below `root` with one of these suffixes that could hold the tool or graph `item_id`."""
    parts = item_id.split("/")
    if not is_id(parts):
        return ()
    base = root.joinpath(*parts)
    return tuple(base.with_name(base.name + suffix) for suffix in suffixes)


def is_id(parts: Iterable[str]) -> bool:
    """Whether these can be the parts of an id: none leads out of the folder that ids count from."""
    return not any(part in ("", ".", "..") or "\0" in part for part in parts)


def user_tools() -> tuple[Path, ...]:
    """Where the tools and graphs of the user are, beyond those of any project."""
    own = home()
    return () if own is None else (own / ".ai" / "tools",)


def absolute(path: Path | str) -> Path:
    """`path` from the root of the file system, `..` taken out, symbolic links left alone."""
    return Path(os.path.normpath(Path.cwd() / path))


def shown(path: Path | str) -> str:
    """A path as messages show it: relative to the working directory where it lies below, with `/`."""
    full, here = absolute(path), Path.cwd()
    return (full.relative_to(here) if here in full.parents else Path(path)).as_posix()
