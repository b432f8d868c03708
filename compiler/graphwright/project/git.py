"""Runs git commands without executing programs that the repository could configure."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import Final

#: Do not treat project folders as bare repositories: a graph could write `config` and `HEAD` files, and git would run
#: the commands that they configure. Before version 2.38, git does not support `safe.bareRepository`; for the commands
#: used here, `core.fsmonitor` is the only setting that could run a program.
_SAFE_OPTIONS: Final = ("-c", "safe.bareRepository=explicit", "-c", "core.fsmonitor=false")


class GitError(Exception):
    """A git command failed. `str()` says why, `started` whether git could be started."""

    def __init__(self, reason: str, *, started: bool = True) -> None:
        super().__init__(reason)
        self.started = started


def git(folder: Path, *arguments: str) -> bytes:
    """The output of a git command. Raises `GitError`."""
    command: Sequence[str] = ("git", *_SAFE_OPTIONS, *arguments)
    try:
        done = subprocess.run(command, cwd=folder, capture_output=True, stdin=subprocess.DEVNULL, check=False)
    except OSError as error:
        raise GitError(f"git cannot be started: {error.strerror}", started=False) from error
    if done.returncode:
        raise GitError(done.stderr.decode("utf-8", "replace").strip().partition("\n")[0].removeprefix("fatal: "))
    return done.stdout


def content_at(folder: Path, revision: str, path: str) -> bytes:
    """The content of a file at a revision. Raises `GitError`.

    `path` is relative to the top of the repository or, if it begins with `./`, to `folder`.
    """
    if revision.startswith("-"):
        raise GitError(f"`{revision}` is not a revision")
    return git(folder, "cat-file", "blob", f"{revision}:{path}")


def top_of(folder: Path) -> Path:
    """The absolute path of the top of the repository of `folder`; links are not resolved. Raises `GitError`."""
    above = git(folder, "rev-parse", "--show-cdup").rstrip(b"\n")
    return folder / os.fsdecode(above)
