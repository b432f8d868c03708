"""A clock that advances only when all tasks wait, and an event loop that skips to its next timer."""

from __future__ import annotations

import asyncio
import selectors
from collections.abc import Callable, Coroutine
from typing import Never, TypeVar, cast

T = TypeVar("T")


class SimulatedCrash(Exception):  # noqa: N818 - what happened, not what went wrong
    """The simulated death of the process during a run: nothing was cleaned up or reported."""


class Clock:
    """The clock of a test: `elapsed` seconds after `start`, which is in seconds since the epoch."""

    def __init__(self, start: float) -> None:
        self.start = start
        self.elapsed = 0.0

    @property
    def now(self) -> float:
        """Seconds since the epoch."""
        return self.start + self.elapsed

    def advance(self, seconds: float) -> None:
        """Advance the clock."""
        self.elapsed += max(0.0, seconds)


class VirtualLoop(asyncio.SelectorEventLoop):
    """An event loop that never waits for a timer: when all tasks wait, its clock advances to the next timer.

    `asyncio.sleep`, timeouts and deadlines behave as usual but take no time. External events, such as the response of
    a server, do not arrive earlier, so do not use this loop for code that waits for them with a timeout.
    """

    def __init__(self, clock: Clock) -> None:
        self.clock = clock
        self.crash: str | None = None
        super().__init__(_Leaping(clock.advance))

    def time(self) -> float:
        """Seconds since the start of the clock."""
        return self.clock.elapsed


class _Leaping(selectors.DefaultSelector):
    """A selector that advances the clock instead of waiting."""

    def __init__(self, advance: Callable[[float], None]) -> None:
        super().__init__()
        self._advance = advance

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        """The files that are ready now; if there are none, the clock advances by `timeout` seconds."""
        if timeout is None or timeout <= 0:
            return super().select(timeout)
        ready = super().select(0)
        if not ready:
            self._advance(timeout)
        return ready


def run_virtually(work: Coroutine[object, object, T], clock: Clock) -> T:
    """Run a coroutine on a new loop to its end. Raises SimulatedCrash if it called `crash`."""
    loop = VirtualLoop(clock)
    try:
        task = loop.create_task(work)
        task.add_done_callback(lambda _: loop.stop())
        loop.run_forever()
        if loop.crash is not None:
            _abandon(loop)
            raise SimulatedCrash(loop.crash)
        return task.result()
    finally:
        loop.close()


async def crash(where: str) -> Never:
    """End the run as if the process had been killed: none of its code is executed afterwards.

    Raises RuntimeError if the event loop is not a VirtualLoop.
    """
    loop = asyncio.get_running_loop()
    if not isinstance(loop, VirtualLoop):
        raise RuntimeError("a crash can only be simulated in a run by `run_scripted`")
    loop.crash = where
    loop.stop()
    await loop.create_future()
    raise AssertionError("a run went on after its crash")


def _abandon(loop: VirtualLoop) -> None:
    """Drop all tasks. (If they were cancelled, the run would still record its end.)"""
    loop.set_exception_handler(_ignored)  # asyncio warns about dropped tasks
    for task in asyncio.all_tasks(loop):
        coroutine = cast("Coroutine[object, object, object] | None", task.get_coro())
        if coroutine is not None:
            coroutine.close()


def _ignored(_loop: asyncio.AbstractEventLoop, _context: dict[str, object]) -> None:
    """Ignore what asyncio reports about a loop whose run has crashed."""
