"""Which files git tracks, as git itself says: what is committed counts, whatever ignore files say about it."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import Final

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


#: Of folders of the project, only one that is named `.git` is a repository: a graph may write a `config` and a `HEAD`,
#: and git would run what such a folder configures. Versions before 2.38 know no `safe.bareRepository`; of all that can
#: be configured, the commands here would run only the monitor.
_TRUSTING_LITTLE: Final = ("-c", "safe.bareRepository=explicit", "-c", "core.fsmonitor=false")


def _git(folder: Path, *arguments: str) -> bytes:
    command: Sequence[str] = ("git", *_TRUSTING_LITTLE, *arguments)
    try:
        done = subprocess.run(command, cwd=folder, capture_output=True, stdin=subprocess.DEVNULL, check=False)
    except OSError as error:
        raise NotTracked(f"git cannot be started: {error.strerror}") from error
    if done.returncode:
        reason = done.stderr.decode("utf-8", "replace").strip().partition("\n")[0]
        raise NotTracked(f"git cannot list the files that it tracks: {reason}")
    return done.stdout
