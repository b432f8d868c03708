"""Distinguishes cancellation of a run, which always propagates, from that by a tool, which is an error of its node.

A run works in its own task, to which nothing else has a reference. Cancelling the run cancels the task that awaits it,
which notes the request in a `Cancellation` before it cancels the work. So a `CancelledError` without a request comes
from a tool, and a tool that suppresses one cannot hide the request. (asyncio's counter of cancellation requests is not
enough: a TaskGroup in a tool cancels its own task and, up to Python 3.12, does not reset the counter.)
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
    """The run was asked to end while code blocked the event loop. It propagates out of the run."""


class Cancellation:
    """Whether cancellation of some work, or of the work that includes it (`above`), was requested; `task` does it."""

    __slots__ = ("_above", "_asked", "task")

    def __init__(self, above: Cancellation | None = None, task: asyncio.Task[object] | None = None) -> None:
        self.task = task
        self._above = above
        self._asked = False

    @property
    def asked(self) -> bool:
        """Whether cancellation was requested."""
        return self._asked or (self._above is not None and self._above.asked)

    def ask(self) -> None:
        """Request cancellation. The caller must also cancel the task."""
        self._asked = True

    def check(self) -> None:
        """Raise CancelledError if cancellation was requested, even if a tool suppressed it."""
        if self.asked:
            raise asyncio.CancelledError

    def leaving(self, error: BaseException) -> BaseException | None:
        """The exception to raise for an `error` of foreign code; None if it is only an error of that code."""
        running = _running()
        if isinstance(error, GeneratorExit) and (running is None or running is not self.task):
            return error  # the coroutine is being closed: it can no longer await anything
        if isinstance(error, Interruption) or (isinstance(error, KeyboardInterrupt) and _from_keyboard()):
            return error
        if self.asked:
            return error if isinstance(error, (asyncio.CancelledError, KeyboardInterrupt)) else asyncio.CancelledError()
        while running is not None and running is self.task and running.cancelling():  # by foreign code, which has ended
            running.uncancel()
        return None

    def check_error(self, error: BaseException) -> None:
        """Raise the exception that must propagate (see `leaving`); return if there is none."""
        leaving = self.leaving(error)
        if leaving is error:
            raise error
        if leaving is not None:
            raise leaving from error


class Unjudged(Cancellation):
    """For calls by a tool, which may cancel them: the call of that tool decides what a cancellation means."""

    __slots__ = ()

    def check(self) -> None:
        """Do nothing: the call of the tool checks."""

    def leaving(self, error: BaseException) -> BaseException | None:
        """Propagates every cancellation."""
        return error if isinstance(error, asyncio.CancelledError) else super().leaving(error)


class LateError(Exception):
    """Work exceeded its time limit."""


async def attended(
    work: Coroutine[object, object, T],
    cancellation: Cancellation,
    seconds: float | None,
    told: Callable[[], None] | None = None,
) -> T:
    """Do `work` in a new task and return its result.

    If the caller is cancelled, or after `seconds`, cancellation is requested, `told` is called, and the task is
    cancelled; its result is then discarded. Raises CancelledError, LateError, and exceptions of the work.
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
            task.exception()  # mark the exception as retrieved
        raise cancelled or LateError
    return task.result()


async def ended(tasks: Sequence[asyncio.Task[object]]) -> None:
    """Cancel unfinished tasks and wait for their end, even if this is cancelled in the meantime."""
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

    asyncio.run converts the first Ctrl-C to a cancellation of its main task, and only the next one to an exception, in
    case code blocks the event loop so that the cancellation has no effect.
    """
    if threading.current_thread() is not threading.main_thread():
        return False
    handler = signal.getsignal(signal.SIGINT)
    main = handler.keywords.get("main_task") if isinstance(handler, functools.partial) else None
    return handler is signal.default_int_handler or (isinstance(main, asyncio.Task) and main.cancelling() > 0)
