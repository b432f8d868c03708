"""Whose cancellation it is: the run's, which passes through everything, or a tool's own, which is an error of its node.

A run works in a task of its own, which nobody else holds. Whoever cancels the run cancels the task that awaits it; that
one says so in the `Cancellation` before it cancels the work. So a `CancelledError` that nobody asked for comes from a
tool, and a tool that swallows one cannot hide that it was asked for. (How often asyncio counts a task as cancelled says
neither: a TaskGroup in a tool cancels the task it runs in, and up to Python 3.12 leaves it counted.)
"""

from __future__ import annotations

import asyncio
import functools
import signal
import threading
from collections.abc import Callable, Coroutine, Sequence
from typing import TypeVar

T = TypeVar("T")


class Interruption(asyncio.CancelledError):
    """The run was asked to end while code kept the event loop busy: it has to leave the run, whoever it meets."""


class Cancellation:
    """Whether some work was asked to end, or what it is a part of (`above`); `task` does the work."""

    __slots__ = ("_above", "_asked", "task")

    def __init__(self, above: Cancellation | None = None, task: asyncio.Task[object] | None = None) -> None:
        self.task = task
        self._above = above
        self._asked = False

    @property
    def asked(self) -> bool:
        """Whether somebody asked for it."""
        return self._asked or (self._above is not None and self._above.asked)

    def ask(self) -> None:
        """Ask for it. The task is to be cancelled as well."""
        self._asked = True

    def check(self) -> None:
        """Raise CancelledError where it was asked for, though a tool may have swallowed it."""
        if self.asked:
            raise asyncio.CancelledError

    def leaving(self, error: BaseException) -> BaseException | None:
        """What has to leave the run, given what came out of foreign code; None where that is at fault itself."""
        running = _running()
        if isinstance(error, GeneratorExit) and (running is None or running is not self.task):
            return error  # the coroutine is being closed: nothing can be awaited any more
        if isinstance(error, Interruption) or (isinstance(error, KeyboardInterrupt) and _from_keyboard()):
            return error
        if self.asked:
            return error if isinstance(error, (asyncio.CancelledError, KeyboardInterrupt)) else asyncio.CancelledError()
        while running is not None and running is self.task and running.cancelling():  # by foreign code, which is over
            running.uncancel()
        return None

    def check_error(self, error: BaseException) -> None:
        """Raise what has to leave the run; returning means that the code that raised `error` is at fault."""
        leaving = self.leaving(error)
        if leaving is error:
            raise error
        if leaving is not None:
            raise leaving from error


class Unjudged(Cancellation):
    """For calls that a tool makes: it may cancel them, and whoever called it judges what comes of that."""

    __slots__ = ()

    def check(self) -> None:
        """Leaves it to the call around this one."""

    def leaving(self, error: BaseException) -> BaseException | None:
        """Lets a cancellation pass, whoever asked for it."""
        return error if isinstance(error, asyncio.CancelledError) else super().leaving(error)


class LateError(Exception):
    """Work was not done in time."""


async def attended(
    work: Coroutine[object, object, T],
    cancellation: Cancellation,
    seconds: float | None,
    told: Callable[[], None] | None = None,
) -> T:
    """Do `work` in a task of its own, to its end.

    When the caller is cancelled, or `seconds` are over, that is noted in `cancellation`, `told` is called, and the task
    is cancelled; what it gives then does not count. Raises CancelledError, LateError, or what the work raises.
    """
    loop = asyncio.get_running_loop()
    end = None if seconds is None else loop.time() + seconds
    task = cancellation.task = asyncio.create_task(work)
    cancelled: asyncio.CancelledError | None = None
    late = False
    while not task.done():
        try:
            await asyncio.wait([task], timeout=None if end is None or late else max(0.0, end - loop.time()))
            if task.done() or late:
                continue
            late = True
        except asyncio.CancelledError as error:
            cancelled = error
        except GeneratorExit:  # this coroutine is being closed
            task.cancel()
            raise
        cancellation.ask()
        if told is not None:
            told()
        task.cancel()
    if cancelled is not None or late:
        if not task.cancelled():
            task.exception()  # it has been looked at
        raise cancelled or LateError
    return task.result()


async def ended(tasks: Sequence[asyncio.Task[object]]) -> None:
    """Cancel what still runs and wait until it is gone, however often this is cancelled meanwhile."""
    again: asyncio.CancelledError | None = None
    for task in tasks:
        task.cancel()
    while any(not task.done() for task in tasks):
        try:
            await asyncio.wait(tasks)
        except asyncio.CancelledError as error:
            again = error
    if again is not None:
        raise again


def _running() -> asyncio.Task[object] | None:
    try:
        return asyncio.current_task()
    except RuntimeError:  # no event loop is running
        return None


def _from_keyboard() -> bool:
    """Whether a KeyboardInterrupt may be Ctrl-C.

    asyncio.run turns the first Ctrl-C into a cancellation of its main task, and only the next one into an exception,
    for code that keeps the event loop from delivering the cancellation.
    """
    if threading.current_thread() is not threading.main_thread():
        return False
    handler = signal.getsignal(signal.SIGINT)
    main = handler.keywords.get("main_task") if isinstance(handler, functools.partial) else None
    return handler is signal.default_int_handler or (isinstance(main, asyncio.Task) and main.cancelling() > 0)
