"""How long searches may take together: all of one check, or all that a task makes before others have their turn.

Each of them is bounded, but a list of a hundred thousand texts would make a hundred thousand of them, and nothing that
asks a run to end is noticed meanwhile.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    import asyncio

#: Seconds of processor time that searches may take in any case, and those that each of them and each character add.
_BASE: Final = 0.25
_PER_SEARCH: Final = 2e-5
_PER_CHARACTER: Final = 1e-6


class Allowance:
    """What is left of the time of some searches, in seconds, and how many there were."""

    __slots__ = ("left", "searches")

    def __init__(self) -> None:
        self.left = _BASE
        self.searches = 0

    def grant(self, characters: int) -> float:
        """The time for one more search, in a text of that length; none is left where it is not positive."""
        self.searches += 1
        self.left += _PER_SEARCH + _PER_CHARACTER * characters
        return self.left


class _Current(threading.local):
    """The allowance of this thread; in an event loop, `task` is whose it is."""

    allowance: Allowance | None = None
    task: asyncio.Task[object] | None = None
    shared: bool = False


_current: Final = _Current()


@contextmanager
def shared(allowance: Allowance | None = None) -> Iterator[None]:
    """Give all searches of this thread one allowance, a fresh one by default, until the end of the block."""
    before = _current.allowance, _current.task, _current.shared
    _current.allowance, _current.task, _current.shared = allowance or Allowance(), None, True
    try:
        yield
    finally:
        _current.allowance, _current.task, _current.shared = before


def current() -> Allowance:
    """The allowance that a search draws on: that of the block, else of the task's turn, else one of its own."""
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
