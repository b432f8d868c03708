"""Finds the files that a command reads: the named files, and the YAML files below the named folders.

Below a folder, files that git ignores or the configuration excludes are skipped (both use gitignore patterns). Files
that git tracks are not skipped, even if they match an ignore pattern, and named files are never skipped.
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

#: Folders that are always skipped.
_SKIPPED = frozenset({".git", ".hg", ".svn", ".jj", "__pycache__", "node_modules", ".venv", ".tox", ".nox"})


class FileProblem(Record):
    """Why a path cannot be read. `reason` is missing, permission or other; `detail` is the message of the system."""

    reason: str
    detail: str


_NOT_REGULAR = FileProblem("other", "it is not a regular file")


class Found(Record):
    """A file to read.

    `file` is its absolute path, `shown` its path in messages. `given` is the folder that its id is relative to if it is
    not in a source root. `named` tells whether the caller named the file itself, not a folder that contains it.
    `problem` says why it cannot be read.
    """

    file: Path
    shown: str
    given: Path
    named: bool
    problem: FileProblem | None = None


def find_files(paths: Sequence[str], projects: Projects, held: Collection[Path] = ()) -> list[Found]:
    """The files to read, without duplicates, sorted by path. Files in `held` need not exist. Raises `ConfigError`."""
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
    """The problem that an error of the operating system indicates."""
    reason = {FileNotFoundError: "missing", PermissionError: "permission"}.get(type(error), "other")
    return FileProblem(reason, error.strerror or str(error))


def _unreadable(path: str) -> FileProblem | None:
    """Why a named path cannot be read. Pipes and devices are not opened, because that could block forever."""
    try:
        mode = Path(path).stat().st_mode
    except OSError as error:
        return problem_of(error)
    except ValueError as error:  # a null character
        return FileProblem("other", str(error))
    return None if stat.S_ISREG(mode) else _NOT_REGULAR


def _is_special(entry: os.DirEntry[str]) -> bool:
    """Whether an entry of a folder is a pipe or a device; false for broken and circular links."""
    try:
        mode = entry.stat().st_mode
    except OSError:
        return False
    return not (stat.S_ISREG(mode) or stat.S_ISDIR(mode))


def near_path(path: str) -> str | None:
    """A file or folder with a name similar to that of a path that does not exist, in the same folder."""
    folder, _, name = path.rpartition("/")
    try:
        with os.scandir(folder or (path[:1] if path[:1] == "/" else ".")) as listing:
            candidates = [each.name for each in listing if each.name.endswith(SUFFIXES) or each.is_dir()]
    except (OSError, ValueError):
        return None
    near = nearest(name, candidates)
    return None if near is None else f"{folder}/{near}" if folder else near


class _Walk:
    """The walk over one named folder."""

    def __init__(self, projects: Projects, given: Path) -> None:
        self._projects = projects
        self._given = given
        self._excluded: dict[Path, tuple[Rules, ...]] = {}
        self._has_ignored = False

    def start(self, path: str) -> Iterator[Found]:
        """The YAML files below the named folder; `path` is how the user spelled it."""
        top = self._projects.repository(self._given) or self._projects.of(self._given).folder
        called = shown(path)
        prefix = "" if called == "." else f"{called}/"
        yield from self._below(self._given, prefix, rules_above(self._given, top))
        if self._has_ignored and self._projects.repository(self._given) is not None:
            yield from self._tracked(prefix)

    def _tracked(self, prefix: str) -> Iterator[Found]:
        """The YAML files that were skipped although git tracks them."""
        from graphwright.project.tracked import tracked_but_ignored

        for name in tracked_but_ignored(self._given):
            file = self._given / name
            if is_file(file) and not self._is_excluded(file):
                yield Found(file, f"{prefix}{name}", self._given, False)

    def _is_excluded(self, file: Path) -> bool:
        """Whether the configuration excludes a file or one of its folders, or the folder is always skipped."""
        between = [each for each in file.parents if self._given in each.parents]
        if any(each.name in _SKIPPED for each in between):
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
                if entry.name in _SKIPPED:
                    continue
                if is_ignored(entry.path, effective, folder=True):
                    self._has_ignored = True
                else:
                    yield from self._below(folder / entry.name, f"{prefix}{entry.name}/", rules)
            elif not entry.name.endswith(SUFFIXES):
                continue
            elif is_ignored(entry.path, effective, folder=False):
                self._has_ignored = True
            elif is_file(entry):
                yield Found(folder / entry.name, f"{prefix}{entry.name}", self._given, False)
            elif _is_special(entry):
                yield Found(folder / entry.name, f"{prefix}{entry.name}", self._given, False, _NOT_REGULAR)

    def _exclusions(self, folder: Path) -> tuple[Rules, ...]:
        """The patterns that the configuration of the project of `folder` excludes."""
        project = self._projects.of(folder, self._given)
        if not project.config.exclude:
            return ()
        if project.folder not in self._excluded:
            try:
                self._excluded[project.folder] = (patterns(project.folder, project.config.exclude),)
            except ValueError as error:
                raise ConfigError(f"{project.config.file}: `exclude` has an invalid pattern: {error}") from error
        return self._excluded[project.folder]
