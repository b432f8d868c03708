"""Ending a run in order when its process is asked to end, by a signal or by the file that cancels the run.

A handler of a signal tells the event loop, which cancels the run. Code that keeps the loop busy is interrupted by an
exception. Python swallows an exception that a handler raises at certain moments, such as in the callback of a weak
reference, so a request is noted before anything is raised, and code is interrupted until the loop has heard of it.
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

#: Seconds that the event loop has to notice a signal or the file, before the code that keeps it busy is interrupted.
_PATIENCE: Final = 0.7
#: Seconds between two looks for the file.
_POLL: Final = 0.5

#: Whether signals can be handled while the event loop runs.
_POSIX: Final = os.name == "posix"


class Interruptible(NamedTuple):
    """A run that can be ended: its task, and the file that cancels it, None if the run is not kept."""

    host: InProcessHost
    running: asyncio.Task[RunResult[object, object]]
    cancel_file: Path | None


class Interruption:
    """Listens to what asks the process to end. `signal` is the number of the signal, None if there was none."""

    def __init__(self) -> None:
        self.signal: int | None = None
        self._run: Interruptible | None = None
        self._over = threading.Event()
        self._lock = threading.Lock()  # no signal is sent once it is over

    @contextmanager
    def noticed(self) -> Iterator[None]:
        """While the block lasts, Ctrl-C raises KeyboardInterrupt, and is not forgotten if that gets lost."""
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
        """While the block lasts, SIGINT, SIGTERM, SIGHUP and the file end a run; not a SIGHUP that `nohup` ignores."""
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
            if self.signal is not None:  # the run begins first, so that there is something to end
                run.running.get_loop().call_soon(self._end, self.signal)
            yield
        finally:
            self._run = None  # from here on nothing is interrupted
            with self._lock:
                self._over.set()
            signal.setitimer(signal.ITIMER_REAL, 0)
            for number, handler in before.items():
                signal.signal(number, handler or signal.SIG_DFL)

    def _note(self, number: int, _frame: FrameType | None) -> NoReturn:
        self.signal = number
        raise KeyboardInterrupt

    def _ask(self, number: int, _frame: FrameType | None) -> None:
        """Tell the event loop; code that keeps it from listening is interrupted."""
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
        """Have the code that keeps the event loop busy leave the run."""
        from graphwright_runtime.cancellation import Interruption as Leaving

        run = self._run
        if run is None:
            return
        loop = run.running.get_loop()
        if self.signal is None:  # it is the file, which the run cannot see
            run.host.cancel("cancel")
            loop.call_soon_threadsafe(run.running.cancel)
        if asyncio.current_task(loop) is not None:
            raise Leaving

    def _watch(self, cancel_file: Path) -> None:
        """Interrupt code that keeps the run from seeing the file, which it does by itself otherwise."""
        while not self._over.wait(_POLL):
            if cancel_file.exists() and self._is_busy():
                with self._lock:
                    if not self._over.is_set():
                        signal.pthread_kill(threading.main_thread().ident or 0, signal.SIGALRM)

    def _is_busy(self) -> bool:
        """Whether the event loop does not get to do anything."""
        heard, run = threading.Event(), self._run
        if run is None:
            return False
        try:
            run.running.get_loop().call_soon_threadsafe(heard.set)
        except RuntimeError:  # it was closed: the run is over
            return False
        return not heard.wait(_PATIENCE)
