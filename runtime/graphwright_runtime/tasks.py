"""Tasks of asyncio that are never left behind."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine, Sequence


async def ended(tasks: Sequence[asyncio.Task[None]]) -> None:
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


async def bounded(work: Coroutine[object, object, None], seconds: float) -> None:
    """Do `work` in a task of its own, which a cancellation of the caller reaches only after `seconds`.

    For what has to be done while a cancellation is on its way. Raises what the work raises.
    """
    task = asyncio.create_task(work)
    try:
        await asyncio.wait([task], timeout=seconds)
    finally:
        await ended([task])
    if not task.cancelled():
        task.result()
