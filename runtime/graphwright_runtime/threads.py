"""Runs blocking functions in threads, so that they do not block the event loop, and calls the event loop from there."""

from __future__ import annotations

import asyncio
import contextlib
import contextvars
import threading
from collections.abc import Callable, Coroutine
from concurrent.futures import CancelledError
from typing import TypeVar

T = TypeVar("T")


async def in_thread(function: Callable[..., object], *arguments: object) -> object:
    """Call a function in a new thread, and return its result or raise its exception.

    If this is cancelled, it does not wait for the thread, and neither does the end of the program. The number of
    threads is not limited. (asyncio has a small pool of threads, and `asyncio.run` waits for all of them.)
    """
    loop = asyncio.get_running_loop()
    answer: asyncio.Future[object] = loop.create_future()
    context = contextvars.copy_context()

    def settle(result: object, error: BaseException | None) -> None:
        if answer.done():  # cancelled in the meantime
            return
        if error is None:
            answer.set_result(result)
        elif isinstance(error, (StopIteration, GeneratorExit)):  # a future cannot hold these, or treats them specially
            answer.set_exception(RuntimeError(f"the tool raised {type(error).__name__}"))
        else:
            answer.set_exception(error)

    def work() -> None:
        result, error = None, None
        try:
            result = context.run(function, *arguments)
        except BaseException as raised:  # it is raised in the awaiting task
            error = raised
        with contextlib.suppress(RuntimeError):  # the loop is closed, so nothing awaits the result
            loop.call_soon_threadsafe(settle, result, error)

    threading.Thread(target=work, name="graphwright-tool", daemon=True).start()
    return await answer


def in_loop(work: Coroutine[object, object, T], loop: asyncio.AbstractEventLoop) -> T:
    """Do work in the event loop of another thread, and wait for its result.

    Raises what the work raises, asyncio.CancelledError if it was cancelled, and RuntimeError if the loop is closed.
    """
    try:
        answer = asyncio.run_coroutine_threadsafe(work, loop)
    except RuntimeError:
        work.close()
        raise
    try:
        return answer.result()
    except CancelledError:  # that of futures is an ordinary exception, which tools catch by mistake
        raise asyncio.CancelledError from None


def running_loop() -> asyncio.AbstractEventLoop | None:
    """The event loop that runs in this thread, if any. The caller need not act inside an `except`: exceptions of tools
    would then have the caught one as their context.
    """
    try:
        return asyncio.get_running_loop()
    except RuntimeError:
        return None
