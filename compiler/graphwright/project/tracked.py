"""Which files git tracks, as git itself says: what is committed counts, whatever ignore files say about it."""

from __future__ import annotations

import os
from pathlib import Path

from graphwright.project.git import GitError, git
from graphwright.project.projects import SUFFIXES, absolute


class NotTracked(Exception):  # noqa: N818 - an answer for the user
    """Git cannot say which files it tracks; `str()` says why."""


def tracked(folder: Path) -> frozenset[Path]:
    """Every file that is in the index of the repository around `folder`, absolute. Raises NotTracked."""
    above = _git(folder, "rev-parse", "--show-cdup").rstrip(b"\n")
    repository = absolute(folder / os.fsdecode(above))  # not what git calls it: links stay as they are written
    return frozenset(repository / name for name in _names(_git(repository, "ls-files", "-z", "--cached")))


def tracked_but_ignored(folder: Path) -> list[str]:
    """The YAML files below `folder` that are in the index although ignore rules match them, as paths from it.

    There are none where there is no git, or no repository.
    """
    suffixes = (f"*{suffix}" for suffix in SUFFIXES)
    try:
        said = _git(folder, "ls-files", "-z", "--cached", "--ignored", "--exclude-standard", "--", *suffixes)
    except NotTracked:
        return []
    return _names(said)


def _names(said: bytes) -> list[str]:
    return [os.fsdecode(name) for name in said.split(b"\0") if name]


def _git(folder: Path, *arguments: str) -> bytes:
    try:
        return git(folder, *arguments)
    except GitError as error:
        raise NotTracked(
            f"git cannot list the files that it tracks: {error}" if error.started else str(error)
        ) from error
