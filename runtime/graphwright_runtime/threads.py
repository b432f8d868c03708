"""Functions that block, next to the event loop."""

from __future__ import annotations

import asyncio
import contextlib
import contextvars
import threading
from collections.abc import Callable


async def in_thread(function: Callable[..., object], *arguments: object) -> object:
    """What a function returns or raises, called in a thread of its own.

    Nothing waits for the thread once this is cancelled: not the timeout of a node, not the end of the program, and as
    many run at once as somebody calls. (asyncio's own threads are a handful, and `asyncio.run` waits for each.)
    """
    loop = asyncio.get_running_loop()
    answer: asyncio.Future[object] = loop.create_future()
    context = contextvars.copy_context()

    def settle(result: object, error: BaseException | None) -> None:
        if answer.done():  # cancelled meanwhile
            return
        if error is None:
            answer.set_result(result)
        elif isinstance(error, (StopIteration, GeneratorExit)):  # they mean something to who waits for a future
            answer.set_exception(RuntimeError(f"the tool raised {type(error).__name__}"))
        else:
            answer.set_exception(error)

    def work() -> None:
        result, error = None, None
        try:
            result = context.run(function, *arguments)
        except BaseException as raised:  # it belongs to whoever waits
            error = raised
        with contextlib.suppress(RuntimeError):  # the loop is closed: nobody waits any more
            loop.call_soon_threadsafe(settle, result, error)

    threading.Thread(target=work, name="graphwright-tool", daemon=True).start()
    return await answer
