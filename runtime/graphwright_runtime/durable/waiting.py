"""Waits for the end of a run in an event loop. A run of this process notifies those who wait; the lock of a run in
another process is polled twice a second.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
from collections.abc import Callable
from pathlib import Path
from typing import Final

from graphwright_runtime.durable.layout import Layout
from graphwright_runtime.durable.locking import is_held

#: Seconds between two checks of a run in another process.
_POLL: Final = 0.5

#: Callbacks of those who wait, by the log of the run.
_waiting: Final[dict[Path, list[Callable[[], None]]]] = {}


async def until_ended(project: str | os.PathLike[str], run_id: str, seconds: float | None = None) -> bool:
    """Wait until a run is no longer alive, at most `seconds`. Returns whether it ended in that time.

    `survey.run_status` tells how it ended. A run that does not exist is not alive.
    """
    loop, log = asyncio.get_running_loop(), Layout(Path(project).absolute(), "", run_id).log
    until = None if seconds is None else loop.time() + seconds
    over = asyncio.Event()

    def wake() -> None:
        with contextlib.suppress(RuntimeError):  # the loop was closed meanwhile
            loop.call_soon_threadsafe(over.set)

    _waiting.setdefault(log, []).append(wake)
    try:
        while is_held(log):
            left = _POLL if until is None else min(_POLL, until - loop.time())
            if left <= 0:
                return False
            over.clear()
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(left):
                    await over.wait()
        return True
    finally:
        _waiting[log].remove(wake)
        if not _waiting[log]:
            del _waiting[log]


def tell_ended(log: Path) -> None:
    """Notify all who wait in this process for the run with this log, which was closed."""
    for wake in tuple(_waiting.get(log, ())):
        wake()
