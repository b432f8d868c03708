"""Tasks of asyncio that are never left behind."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence


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
