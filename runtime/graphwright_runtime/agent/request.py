"""The request of another process to cancel a thread: a file `cancel` in the folder of the thread."""

from __future__ import annotations

import asyncio
import contextlib
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from graphwright_runtime.run import Run

#: Seconds between two looks.
_POLL: Final = 0.5


class CancelledByRequest(asyncio.CancelledError):
    """A thread was cancelled by itself, and not with its run."""


class Request:
    """Ends the thread of a kept run by its `deadline` if another process asks for it; `came` says whether it did."""

    def __init__(self, run: Run, thread_id: str, deadline: asyncio.Timeout) -> None:
        self.came = False
        self._deadline = deadline
        self._timer: asyncio.TimerHandle | None = None
        self._file = None
        if run.recorder is not None:
            from graphwright_runtime.durable.layout import Layout

            self._file = Layout(run.project, "", thread_id).cancel

    def __enter__(self) -> None:
        """Begin to look; an older request has been fulfilled."""
        if self._file is not None:
            with contextlib.suppress(OSError):
                self._file.unlink(missing_ok=True)
            self._look()

    def __exit__(self, *_: object) -> None:
        """Stop looking."""
        if self._timer is not None:
            self._timer.cancel()

    def _look(self) -> None:
        loop = asyncio.get_running_loop()
        if self._file is None or not self._file.exists():
            self._timer = loop.call_later(_POLL, self._look)
        elif not self._deadline.expired():
            self.came = True
            self._deadline.reschedule(loop.time())
