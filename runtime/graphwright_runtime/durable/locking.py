"""Locks the log of a run, so that only one process writes it. The lock tells whether a run is alive: the system
releases it when the process ends for any reason. A process id would not be reliable, because ids are reused.
"""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path
from typing import Final

#: Seconds within which another process that only tests the lock releases it.
_MOMENT: Final = 0.1

#: The logs that this process has locked: the handle of each, and that of its lock, which may be the same.
_held: Final[dict[int, int]] = {}


def hold(handle: int, log: Path) -> bool:
    """Lock an open log until `close`. Returns False if another process has locked it. Raises OSError."""
    lock = _lock_of(handle, log)
    if not _take(lock):
        time.sleep(_MOMENT)
        if not _take(lock):
            if lock != handle:
                os.close(lock)
            return False
    _held[handle] = lock
    return True


def close(handle: int) -> None:
    """Close a log and release its lock."""
    lock = _held.pop(handle, handle)
    os.close(handle)
    if lock != handle:
        os.close(lock)


def is_held(log: Path) -> bool:
    """Whether any process, including this one, has locked a log."""
    try:
        handle = _opened(log)
    except OSError:
        return False
    try:
        return not _take(handle, shared=True)
    finally:
        os.close(handle)


if sys.platform == "win32":
    import msvcrt

    #: A separate file, because Windows does not let others read a locked file.
    _NAME: Final = "lock"

    def _lock_of(_handle: int, log: Path) -> int:
        return os.open(log.with_name(_NAME), os.O_RDWR | os.O_CREAT | os.O_NOINHERIT, 0o600)

    def _opened(log: Path) -> int:
        return os.open(log.with_name(_NAME), os.O_RDWR | os.O_NOINHERIT)

    def _take(handle: int, *, shared: bool = False) -> bool:
        """Windows has no shared locks here, so testing a lock briefly blocks others."""
        del shared
        try:
            msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)
        except OSError:
            return False
        return True

else:
    import fcntl

    def _lock_of(handle: int, _log: Path) -> int:
        return handle

    def _opened(log: Path) -> int:
        return os.open(log, os.O_RDONLY | os.O_NONBLOCK)  # do not hang if the log was replaced by a pipe

    def _take(handle: int, *, shared: bool = False) -> bool:
        try:
            fcntl.flock(handle, (fcntl.LOCK_SH if shared else fcntl.LOCK_EX) | fcntl.LOCK_NB)
        except OSError:
            return False
        return True

    def _leave_to_the_parent() -> None:
        """Drop the locks in a forked process, which would otherwise hold them after the run has ended."""
        nowhere = os.open(os.devnull, os.O_RDWR)
        for handle in _held:
            os.dup2(nowhere, handle, inheritable=False)
        os.close(nowhere)
        _held.clear()

    os.register_at_fork(after_in_child=_leave_to_the_parent)
