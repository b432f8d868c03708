"""How git is asked: without running anything that the repository could configure."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import Final

#: Of folders of the project, only one that is named `.git` is a repository: a graph may write a `config` and a `HEAD`,
#: and git would run what such a folder configures. Versions before 2.38 know no `safe.bareRepository`; of all that can
#: be configured, the commands here would run only the monitor.
_TRUSTING_LITTLE: Final = ("-c", "safe.bareRepository=explicit", "-c", "core.fsmonitor=false")


class GitError(Exception):
    """Git has no answer; `str()` says why, `started` whether git could be started."""

    def __init__(self, reason: str, *, started: bool = True) -> None:
        super().__init__(reason)
        self.started = started


def git(folder: Path, *arguments: str) -> bytes:
    """What a command of git prints. Raises `GitError`."""
    command: Sequence[str] = ("git", *_TRUSTING_LITTLE, *arguments)
    try:
        done = subprocess.run(command, cwd=folder, capture_output=True, stdin=subprocess.DEVNULL, check=False)
    except OSError as error:
        raise GitError(f"git cannot be started: {error.strerror}", started=False) from error
    if done.returncode:
        raise GitError(done.stderr.decode("utf-8", "replace").strip().partition("\n")[0].removeprefix("fatal: "))
    return done.stdout


def content_at(folder: Path, revision: str, path: str) -> bytes:
    """What a file held at a revision. `path` counts from the top of the repository, or with `./` from `folder`.

    Raises `GitError`.
    """
    if revision.startswith("-"):
        raise GitError(f"`{revision}` is not a revision")
    return git(folder, "cat-file", "blob", f"{revision}:{path}")


def top_of(folder: Path) -> Path:
    """The top of the repository around `folder`, absolute; links stay as they are written. Raises `GitError`."""
    above = git(folder, "rev-parse", "--show-cdup").rstrip(b"\n")
    return folder / os.fsdecode(above)
