"""Ends a run properly when a signal, or the file that cancels the run, requests it.

A signal handler notifies the event loop, which cancels the run. Code that blocks the loop is interrupted by an
exception. In some situations, such as callbacks of weak references, Python ignores exceptions of signal handlers, so a
request is recorded first, and code is interrupted again until the loop has received it.
"""

from __future__ import annotations

import asyncio
import os
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple, NoReturn

if TYPE_CHECKING:
    from types import FrameType

    from graphwright_runtime.inprocess import InProcessHost
    from graphwright_runtime.result import RunResult

#: Seconds that the event loop has to react to a signal or the file before code that blocks it is interrupted.
_PATIENCE: Final = 0.7
#: Seconds between two checks for the file.
_POLL: Final = 0.5

#: Whether signals can be handled while the event loop runs.
_POSIX: Final = os.name == "posix"


class Interruptible(NamedTuple):
    """A run that can be ended: its task, and the file that cancels it (None if the run is not recorded)."""

    host: InProcessHost
    running: asyncio.Task[RunResult[object, object]]
    cancel_file: Path | None


class Interruption:
    """Handles requests to end the process. `signal` is the number of the signal; None if there was none."""

    def __init__(self) -> None:
        self.signal: int | None = None
        self._run: Interruptible | None = None
        self._over = threading.Event()
        self._lock = threading.Lock()  # no signal is sent after the run has ended

    @contextmanager
    def noticed(self) -> Iterator[None]:
        """While the block runs, Ctrl-C raises KeyboardInterrupt, and is recorded in case that exception gets lost."""
        if not _POSIX:
            yield
            return
        before = signal.signal(signal.SIGINT, self._note)
        try:
            yield
        finally:
            signal.signal(signal.SIGINT, before or signal.SIG_DFL)

    @contextmanager
    def ending(self, run: Interruptible) -> Iterator[None]:
        """While the block runs, SIGINT, SIGTERM, SIGHUP (except under `nohup`) and the file end a run."""
        if not _POSIX:
            yield
            return
        self._run = run
        numbers = [signal.SIGINT, signal.SIGTERM]
        if signal.getsignal(signal.SIGHUP) is not signal.SIG_IGN:
            numbers.append(signal.SIGHUP)
        before = {number: signal.signal(number, self._ask) for number in numbers}
        before[signal.SIGALRM] = signal.signal(signal.SIGALRM, self._interrupt)
        if (file := run.cancel_file) is not None:
            threading.Thread(target=self._watch, args=(file,), name="graphwright-cancel", daemon=True).start()
        try:
            if self.signal is not None:  # start the run first, so that it can be ended
                run.running.get_loop().call_soon(self._end, self.signal)
            yield
        finally:
            self._run = None  # do not interrupt anything from here on
            with self._lock:
                self._over.set()
            signal.setitimer(signal.ITIMER_REAL, 0)
            for number, handler in before.items():
                signal.signal(number, handler or signal.SIG_DFL)

    def _note(self, number: int, _frame: FrameType | None) -> NoReturn:
        self.signal = number
        raise KeyboardInterrupt

    def _ask(self, number: int, _frame: FrameType | None) -> None:
        """Notify the event loop, and interrupt code that blocks it."""
        self.signal = number
        signal.setitimer(signal.ITIMER_REAL, _PATIENCE, _PATIENCE)
        if self._run is not None:
            self._run.running.get_loop().call_soon_threadsafe(self._end, number)

    def _end(self, number: int) -> None:
        signal.setitimer(signal.ITIMER_REAL, 0)
        if self._run is not None:
            self._run.host.cancel(signal.Signals(number).name)
            self._run.running.cancel()

    def _interrupt(self, _number: int, _frame: FrameType | None) -> None:
        """Raise an exception in the code that blocks the event loop."""
        from graphwright_runtime.cancellation import Interruption as Leaving

        run = self._run
        if run is None:
            return
        loop = run.running.get_loop()
        if self.signal is None:  # the file, which the blocked run cannot see
            run.host.cancel("cancel")
            loop.call_soon_threadsafe(run.running.cancel)
        if asyncio.current_task(loop) is not None:
            raise Leaving

    def _watch(self, cancel_file: Path) -> None:
        """Interrupt code that blocks the event loop when the file exists; an unblocked run sees the file itself."""
        while not self._over.wait(_POLL):
            if cancel_file.exists() and self._is_busy():
                with self._lock:
                    if not self._over.is_set():
                        signal.pthread_kill(threading.main_thread().ident or 0, signal.SIGALRM)

    def _is_busy(self) -> bool:
        """Whether the event loop is blocked."""
        heard, run = threading.Event(), self._run
        if run is None:
            return False
        try:
            run.running.get_loop().call_soon_threadsafe(heard.set)
        except RuntimeError:  # the loop is closed because the run has ended
            return False
        return not heard.wait(_PATIENCE)
