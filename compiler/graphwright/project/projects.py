"""Finds the project and source root of a graph, which determine its id.

The id of a graph is its path below a source root without the suffix, so it does not depend on the working directory.
Source roots are the configured ones; otherwise, the nearest `.ai/tools` above the file; otherwise, the given folder.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from pathlib import Path

from graphwright.presence import home, is_folder, is_there
from graphwright.project.config import Config, ConfigError, find_config
from graphwright.project.ownership import Ancestor, OwnershipError, ancestors
from graphwright.record import Record

#: Suffixes of graph files.
SUFFIXES = (".yaml", ".yml")
#: Suffixes of tools written in Python.
PYTHON = (".py",)
#: The file with the hooks that all graphs of a project have, relative to the folder of the project.
HOOKS = ".graphwright/hooks.yaml"


class Project(Record):
    """A folder with its configuration. Generated modules name their sources relative to `folder`.

    `hooks` is the file with the hooks of all its graphs, which need not exist; None if the files belong to no project.
    """

    folder: Path
    config: Config
    hooks: Path | None = None

    @property
    def roots(self) -> tuple[Path, ...]:
        """The source roots, as absolute paths; they need not exist."""
        return tuple(absolute(self.folder / root) for root in self.config.roots)

    @property
    def output(self) -> Path:
        """The absolute path of the output folder for generated modules."""
        return absolute(self.folder / self.config.output)


class SourceFile(Record):
    """A file with its project.

    `file` is absolute. `graph_id` is relative to `root`. `source` is the path relative to the project folder, with `/`,
    that generated modules name as their source.
    """

    file: Path
    root: Path
    graph_id: str
    source: str
    project: Project


class _FolderInfo(Record):
    """What all files of one folder have in common. `ids` and `sources` are the prefixes of their ids and sources."""

    project: Project
    root: Path
    ids: str
    sources: str


class Projects:
    """Finds the projects of files; caches the result for each folder."""

    def __init__(self) -> None:
        self._own: dict[Ancestor, Project | None] = {}
        self._found: dict[tuple[Path, Path | None], Project] = {}
        self._repositories: dict[Path, Path | None] = {}
        self._folders: dict[tuple[str, Path], _FolderInfo] = {}

    def source_file(self, file: Path, given: Path) -> SourceFile:
        """The source file for an absolute path. `given` is its source root if there is no other.

        Raises ConfigError.
        """
        folder = str(file)[: -len(file.name)]  # creating and hashing a Path would take as long as all the rest
        around = self._folders.get((folder, given))
        if around is None:
            around = self._folders[folder, given] = self._folder_info(file.parent, given)
        return SourceFile(file, around.root, around.ids + file.stem, around.sources + file.name, around.project)

    def _folder_info(self, folder: Path, given: Path) -> _FolderInfo:
        project = self.of(folder, given)
        inside = [root for root in project.roots if folder == root or root in folder.parents]
        root = max(inside, key=lambda each: len(each.parts)) if inside else _ai_tools(folder) or given
        return _FolderInfo(project, root, _below(folder, root), _below(folder, project.folder))

    def of(self, folder: Path, given: Path | None = None) -> Project:
        """The project of a folder: the nearest folder with a configuration, otherwise with `.ai/tools` or hooks,
        otherwise the top of its repository, otherwise `given`.

        Raises ConfigError if a configuration is invalid, or another user could have written it or the hooks.
        """
        if (folder, given) not in self._found:
            self._found[folder, given] = self._search(folder, given)
        return self._found[folder, given]

    def _search(self, folder: Path, given: Path | None) -> Project:
        configured = next(self._projects(folder), None)
        if configured is not None:
            return configured
        tools = _ai_tools(folder)
        top = tools.parent.parent if tools else _with_tools(folder) or self.repository(folder)
        if top is not None:
            return _project(top, Config())
        # Files without a project: their modules go to the working directory.
        return Project(given or folder, Config(output=str(Path.cwd() / Config().output)))

    def of_output(self, folder: Path) -> Project:
        """The project that generated modules in `folder` belong to: the nearest one whose output folder contains them.

        A project inside the output folder of another one is ignored, so that a configuration or trust file that someone
        put next to the modules does not affect whether they are trusted. If no output folder contains them, it is the
        project of the working directory, provided that its folder contains them; otherwise, the project of `folder`.
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
        """The nearest folder at or above this one that is the top of a git repository."""
        if folder not in self._repositories:
            found = (
                each.folder for each in ancestors(folder) if is_there(each.folder / ".git") and _applies(each, ".git")
            )
            self._repositories[folder] = next(found, None)
        return self._repositories[folder]

    def _projects(self, folder: Path) -> Iterator[Project]:
        """The projects that have a configuration, at or above a folder, nearest first."""
        for each in ancestors(folder):
            if each not in self._own:
                try:
                    config = find_config(each.folder, each.applies)
                except OwnershipError as error:
                    raise ConfigError(str(error)) from error
                self._own[each] = None if config is None else _project(each.folder, config)
            own = self._own[each]
            if own is not None:
                yield own


def _project(folder: Path, config: Config) -> Project:
    """The project in a folder. Raises ConfigError if another user could have written its hooks."""
    hooks = folder / HOOKS
    if is_there(hooks):
        _applies(Ancestor(folder, folder), HOOKS)
    return Project(folder, config, hooks)


def _holds(project: Project, folder: Path) -> bool:
    """Whether the output folder of a project, unless it is the project folder itself, is or contains a folder."""
    return project.output != project.folder and project.output in (folder, *folder.parents)


def _applies(each: Ancestor, name: str) -> bool:
    """Whether the entry `name` of the folder applies. Raises ConfigError."""
    try:
        return each.applies(each.folder / name)
    except OwnershipError as error:
        raise ConfigError(str(error)) from error


def _ai_tools(folder: Path) -> Path | None:
    """The nearest `.ai/tools` at or above a folder."""
    return next(filter(is_tool_folder, (folder, *folder.parents)), None)


def is_tool_folder(folder: Path) -> bool:
    """Whether a folder is named `.ai/tools`."""
    return folder.name == "tools" and folder.parent.name == ".ai"


def _with_tools(folder: Path) -> Path | None:
    """The nearest folder at or above this one that has `.ai/tools` or hooks; the search ends at a repository or the
    home.
    """
    own = home()
    for each in ancestors(folder):
        if each.folder == own:
            return None
        if is_folder(each.folder / ".ai" / "tools") and _applies(each, ".ai/tools"):
            return each.folder
        if is_there(each.folder / HOOKS) and _applies(each, HOOKS):
            return each.folder
        if is_there(each.folder / ".git"):
            return None
    return None


def _below(folder: Path, top: Path) -> str:
    """The prefix of paths of files in `folder`, relative to `top`."""
    below = Path(os.path.relpath(folder, top)).as_posix()
    return "" if below == "." else f"{below}/"


def source_of(file: Path, project: Project) -> str:
    """The path of a source file relative to the project folder, with `/`, as generated modules name it."""
    return _below(file.parent, project.folder) + file.name


def hooks_of(project: Project, file: Path) -> SourceFile:
    """The file with the hooks of a project as a source file."""
    return SourceFile(file, file.parent, file.stem, HOOKS, project)


def candidates(item_id: str, root: Path, suffixes: Iterable[str]) -> tuple[Path, ...]:
    """The paths below `root`, with these suffixes, of files that could contain the tool or graph `item_id`."""
    parts = item_id.split("/")
    if not is_id(parts):
        return ()
    base = root.joinpath(*parts)
    return tuple(base.with_name(base.name + suffix) for suffix in suffixes)


def is_id(parts: Iterable[str]) -> bool:
    """Whether these are valid parts of an id; parts that could lead out of the root are not."""
    return not any(part in ("", ".", "..") or "\0" in part for part in parts)


def user_tools() -> tuple[Path, ...]:
    """The folders with tools and graphs of the user that belong to no project."""
    own = home()
    return () if own is None else (own / ".ai" / "tools",)


def absolute(path: Path | str) -> Path:
    """The absolute, normalized form of a path; symbolic links are not resolved."""
    return Path(os.path.normpath(Path.cwd() / path))


def shown(path: Path | str) -> str:
    """A path as messages show it: relative to the working directory if it is below it, with `/`."""
    full, here = absolute(path), Path.cwd()
    return (full.relative_to(here) if here in full.parents else Path(path)).as_posix()
