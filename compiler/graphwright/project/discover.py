"""Which files a command looks at: the named ones, and the YAML files below the named folders.

Below a folder, what the version control system ignores and what the configuration excludes is left out (both with the
rules of gitignore files); a file that git tracks is not ignored, whatever the rules say, and a file that is named is
always looked at.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Collection, Iterator, Sequence
from pathlib import Path

from graphwright.presence import is_file, is_folder
from graphwright.project.config import ConfigError
from graphwright.project.gitignore import Rules, is_ignored, patterns, rules_above, rules_of
from graphwright.project.projects import SUFFIXES, Projects, absolute, shown
from graphwright.record import Record, replace
from graphwright.suggest import nearest

#: Folders that never hold a project's own graphs, with or without an ignore file.
_NEVER = frozenset({".git", ".hg", ".svn", ".jj", "__pycache__", "node_modules", ".venv", ".tox", ".nox"})


class FileProblem(Record):
    """Why a path cannot be read: missing, permission or other; and what the system says."""

    reason: str
    detail: str


_NOT_REGULAR = FileProblem("other", "it is not a regular file")


class Found(Record):
    """A file to look at.

    `file` is absolute, `shown` the path for messages, `given` the folder that its id counts from where no source root
    holds it, `named` whether the caller named it rather than a folder around it. `problem` says why it cannot be read.
    """

    file: Path
    shown: str
    given: Path
    named: bool
    problem: FileProblem | None = None


def find_files(paths: Sequence[str], projects: Projects, held: Collection[Path] = ()) -> list[Found]:
    """Every file to look at, each once, ordered by path; files in `held` need not exist. Raises `ConfigError`."""
    found: dict[Path, Found] = {}
    folders = [path for path in paths if absolute(path) not in held and is_folder(Path(path))]
    for path in folders:
        for each in _Walk(projects, absolute(path)).start(path):
            found.setdefault(each.file, each)
    files = [path for path in paths if path not in folders]
    named = [
        Found(file, shown(path), Path(), True, None if file in held else _unreadable(path))
        for path in files
        for file in [absolute(path)]
    ]
    readable = [each.file.parent for each in named if each.problem is None]
    common = Path(os.path.commonpath(readable)) if readable else Path()
    for each in named:
        given = found[each.file].given if each.file in found else common
        found[each.file] = replace(each, given=given)
    return sorted(found.values(), key=lambda each: each.shown.split("/"))


def problem_of(error: OSError) -> FileProblem:
    """What an error of the operating system means for the user."""
    reason = {FileNotFoundError: "missing", PermissionError: "permission"}.get(type(error), "other")
    return FileProblem(reason, error.strerror or str(error))


def _unreadable(path: str) -> FileProblem | None:
    """Why a named path is not a file to read; opening a pipe or a device could wait for ever."""
    try:
        mode = Path(path).stat().st_mode
    except OSError as error:
        return problem_of(error)
    except ValueError as error:  # a null character
        return FileProblem("other", str(error))
    return None if stat.S_ISREG(mode) else _NOT_REGULAR


def _is_special(entry: os.DirEntry[str]) -> bool:
    """Whether an entry of a folder is a pipe or a device; links that lead nowhere or in a circle are not."""
    try:
        mode = entry.stat().st_mode
    except OSError:
        return False
    return not (stat.S_ISREG(mode) or stat.S_ISDIR(mode))


def near_path(path: str) -> str | None:
    """A file or folder next to a path that is not there, of nearly its name."""
    folder, _, name = path.rpartition("/")
    try:
        with os.scandir(folder or (path[:1] if path[:1] == "/" else ".")) as listing:
            beside = [each.name for each in listing if each.name.endswith(SUFFIXES) or each.is_dir()]
    except (OSError, ValueError):
        return None
    near = nearest(name, beside)
    return None if near is None else f"{folder}/{near}" if folder else near


class _Walk:
    """The walk over one named folder."""

    def __init__(self, projects: Projects, given: Path) -> None:
        self._projects = projects
        self._given = given
        self._excluded: dict[Path, tuple[Rules, ...]] = {}
        self._passed_over = False

    def start(self, path: str) -> Iterator[Found]:
        """The YAML files below the named folder, which the user calls `path`."""
        top = self._projects.repository(self._given) or self._projects.of(self._given).folder
        called = shown(path)
        prefix = "" if called == "." else f"{called}/"
        yield from self._below(self._given, prefix, rules_above(self._given, top))
        if self._passed_over and self._projects.repository(self._given) is not None:
            yield from self._tracked(prefix)

    def _tracked(self, prefix: str) -> Iterator[Found]:
        """What was skipped although it is committed. Git is asked only where something was skipped."""
        from graphwright.project.tracked import tracked_but_ignored

        for name in tracked_but_ignored(self._given):
            file = self._given / name
            if is_file(file) and not self._is_excluded(file):
                yield Found(file, f"{prefix}{name}", self._given, False)

    def _is_excluded(self, file: Path) -> bool:
        """Whether the configuration excludes a file, or a folder that it lies in; or it is in one that never counts."""
        between = [each for each in file.parents if self._given in each.parents]
        if any(each.name in _NEVER for each in between):
            return True
        rules = self._exclusions(file.parent)
        return is_ignored(file, rules, folder=False) or any(is_ignored(each, rules, folder=True) for each in between)

    def _below(self, folder: Path, prefix: str, above: tuple[Rules, ...]) -> Iterator[Found]:
        try:
            with os.scandir(folder) as listing:
                entries = list(listing)
        except OSError as error:
            yield Found(folder, prefix.rstrip("/") or ".", self._given, True, problem_of(error))
            return
        rules = above + rules_of(folder)
        effective = rules + self._exclusions(folder)
        for entry in entries:
            if entry.is_dir(follow_symlinks=False):
                if entry.name in _NEVER:
                    continue
                if is_ignored(entry.path, effective, folder=True):
                    self._passed_over = True
                else:
                    yield from self._below(folder / entry.name, f"{prefix}{entry.name}/", rules)
            elif not entry.name.endswith(SUFFIXES):
                continue
            elif is_ignored(entry.path, effective, folder=False):
                self._passed_over = True
            elif is_file(entry):
                yield Found(folder / entry.name, f"{prefix}{entry.name}", self._given, False)
            elif _is_special(entry):
                yield Found(folder / entry.name, f"{prefix}{entry.name}", self._given, False, _NOT_REGULAR)

    def _exclusions(self, folder: Path) -> tuple[Rules, ...]:
        """What the configuration of `folder`'s project excludes."""
        project = self._projects.of(folder, self._given)
        if not project.config.exclude:
            return ()
        if project.folder not in self._excluded:
            try:
                self._excluded[project.folder] = (patterns(project.folder, project.config.exclude),)
            except ValueError as error:
                raise ConfigError(f"{project.config.file}: `exclude` has an invalid pattern: {error}") from error
        return self._excluded[project.folder]
