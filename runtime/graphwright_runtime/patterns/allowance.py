"""The time limit that several searches share: all of one check, or all that a task makes in one turn of the event loop.

Each search is limited, but checking a list of a hundred thousand strings needs as many searches, and a request to
cancel the run is not noticed until they are finished.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    import asyncio

#: Seconds of processor time for all searches together, and the additional time for each search and each character.
_BASE: Final = 0.25
_PER_SEARCH: Final = 2e-5
_PER_CHARACTER: Final = 1e-6


class Allowance:
    """The remaining processor time for a series of searches, in seconds, and the number of searches."""

    __slots__ = ("left", "searches")

    def __init__(self) -> None:
        self.left = _BASE
        self.searches = 0

    def grant(self, characters: int) -> float:
        """Add the time for one more search in a string of that length. Returns the time left, which may be negative."""
        self.searches += 1
        self.left += _PER_SEARCH + _PER_CHARACTER * characters
        return self.left


class _Current(threading.local):
    """The current allowance of this thread; in an event loop, it belongs to `task`."""

    allowance: Allowance | None = None
    task: asyncio.Task[object] | None = None
    shared: bool = False


_current: Final = _Current()


@contextmanager
def shared(allowance: Allowance | None = None) -> Iterator[None]:
    """Make all searches of this thread share one allowance, by default a new one, until the end of the block."""
    before = _current.allowance, _current.task, _current.shared
    _current.allowance, _current.task, _current.shared = allowance or Allowance(), None, True
    try:
        yield
    finally:
        _current.allowance, _current.task, _current.shared = before


def current() -> Allowance:
    """The allowance for a search: that of the block, otherwise of the task's turn, otherwise a new one."""
    if _current.shared and _current.allowance is not None:
        return _current.allowance
    import asyncio

    try:
        loop = asyncio.get_running_loop()
    except RuntimeError:
        return Allowance()
    task = asyncio.current_task(loop)
    if _current.allowance is None or _current.task is not task:
        _current.allowance, _current.task = Allowance(), task
        loop.call_soon(_end_turn)
    return _current.allowance


def _end_turn() -> None:
    if not _current.shared:
        _current.allowance = _current.task = None
