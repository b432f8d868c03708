"""Asks git which files it tracks; ignore files do not apply to those."""

from __future__ import annotations

import os
from pathlib import Path

from graphwright.project.git import GitError, git
from graphwright.project.projects import SUFFIXES, absolute


class NotTracked(Exception):  # noqa: N818 - an outcome, reported to the user
    """Git cannot list the files that it tracks. `str()` says why."""


def tracked(folder: Path) -> frozenset[Path]:
    """The absolute paths of all files in the index of the repository of `folder`. Raises NotTracked."""
    above = _git(folder, "rev-parse", "--show-cdup").rstrip(b"\n")
    repository = absolute(folder / os.fsdecode(above))  # `--show-toplevel` would resolve links
    return frozenset(repository / name for name in _names(_git(repository, "ls-files", "-z", "--cached")))


def tracked_but_ignored(folder: Path) -> list[str]:
    """The relative paths of YAML files below `folder` that git tracks although an ignore pattern matches them.

    Empty if git is not installed or there is no repository.
    """
    suffixes = (f"*{suffix}" for suffix in SUFFIXES)
    try:
        output = _git(folder, "ls-files", "-z", "--cached", "--ignored", "--exclude-standard", "--", *suffixes)
    except NotTracked:
        return []
    return _names(output)


def _names(output: bytes) -> list[str]:
    return [os.fsdecode(name) for name in output.split(b"\0") if name]


def _git(folder: Path, *arguments: str) -> bytes:
    try:
        return git(folder, *arguments)
    except GitError as error:
        raise NotTracked(
            f"git cannot list the files that it tracks: {error}" if error.started else str(error)
        ) from error
