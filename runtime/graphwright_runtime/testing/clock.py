"""Time that passes only when everything waits: a clock, and an event loop that leaps to its next timer."""

from __future__ import annotations

import asyncio
import selectors
from collections.abc import Callable, Coroutine
from typing import Never, TypeVar, cast

T = TypeVar("T")


class SimulatedCrash(Exception):  # noqa: N818 - what happened, not what went wrong
    """The process "died" in the middle of a run, as the test asked: nothing was cleaned up, nobody was told."""


class Clock:
    """The time of a test: `elapsed` seconds after `start`, which is in seconds since the epoch."""

    def __init__(self, start: float) -> None:
        self.start = start
        self.elapsed = 0.0

    @property
    def now(self) -> float:
        """Seconds since the epoch."""
        return self.start + self.elapsed

    def advance(self, seconds: float) -> None:
        """Let time pass."""
        self.elapsed += max(0.0, seconds)


class VirtualLoop(asyncio.SelectorEventLoop):
    """An event loop on which nobody waits: when nothing else can happen, its clock leaps to the next timer.

    `asyncio.sleep`, timeouts and deadlines behave as ever, without taking time. What comes from outside, such as the
    answer of a server, does not arrive any earlier: it is not for code that waits for such things with a timeout.
    """

    def __init__(self, clock: Clock) -> None:
        self.clock = clock
        self.crash: str | None = None
        super().__init__(_Leaping(clock.advance))

    def time(self) -> float:
        """The time of the clock, from its start."""
        return self.clock.elapsed


class _Leaping(selectors.DefaultSelector):
    """A selector that lets the clock advance instead of waiting."""

    def __init__(self, advance: Callable[[float], None]) -> None:
        super().__init__()
        self._advance = advance

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        """What is ready by now; the clock has advanced by `timeout` seconds where nothing is."""
        if timeout is None or timeout <= 0:
            return super().select(timeout)
        ready = super().select(0)
        if not ready:
            self._advance(timeout)
        return ready


def run_virtually(work: Coroutine[object, object, T], clock: Clock) -> T:
    """Do `work` on a loop of its own, to its end. Raises SimulatedCrash where it called `crash`."""
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
    """Die as a process does that is killed: nothing of the run is executed from here on.

    Raises RuntimeError on another loop, where that cannot be had.
    """
    loop = asyncio.get_running_loop()
    if not isinstance(loop, VirtualLoop):
        raise RuntimeError("a crash can only be simulated in a run by `run_scripted`")
    loop.crash = where
    loop.stop()
    await loop.create_future()
    raise AssertionError("a run went on after its crash")


def _abandon(loop: VirtualLoop) -> None:
    """Drop what still runs where it is. (A cancellation would let the run write its end.)"""
    loop.set_exception_handler(_ignored)  # asyncio warns of tasks that are dropped
    for task in asyncio.all_tasks(loop):
        coroutine = cast("Coroutine[object, object, object] | None", task.get_coro())
        if coroutine is not None:
            coroutine.close()


def _ignored(_loop: asyncio.AbstractEventLoop, _context: dict[str, object]) -> None:
    """What asyncio has to say of a loop whose run has crashed."""
