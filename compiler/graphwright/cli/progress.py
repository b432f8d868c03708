"""How far a build is, on standard error, once it takes longer than a second."""

from __future__ import annotations

import sys
import threading
import time
from types import TracebackType
from typing import TYPE_CHECKING, Final, Self

from graphwright.building.making import TYPES

if TYPE_CHECKING:
    from graphwright_runtime.statusline import StatusLine

#: Seconds until something is shown, between two states of the bar, and between two lines where there is no terminal.
_PATIENCE_S: Final = 1.0
_BAR_S: Final = 0.1
_LINES_S: Final = 10.0
#: As many graphs are worth a line.
_MANY: Final = 20
#: The width of the bar.
_CELLS: Final = 30


class Progress:
    """Shows the phase of a build while the block lasts: a bar on a terminal, elsewhere a line now and then.

    A thread shows it, so that telling it how far the build is costs nothing.
    """

    def __init__(self, *, shown: bool) -> None:
        self._phase: tuple[str, int, int] = ("building", 0, 0)
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._show, name="graphwright-progress", daemon=True) if shown else None

    def __call__(self, phase: str, done: int, total: int) -> None:
        """The build has done so many of a `total` in a phase; 0 for a phase of which that is not known."""
        self._phase = (phase, done, total)

    def __enter__(self) -> Self:
        if self._thread is not None:
            self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._over.set()
        if self._thread is not None:
            self._thread.join()

    def _show(self) -> None:
        if self._over.wait(_PATIENCE_S):
            return
        from graphwright_runtime.statusline import StatusLine

        line = StatusLine(sys.stderr)
        with line.sharing():
            if line.is_terminal:
                line.draw(_bar(self._phase, line.columns))
                while not self._over.wait(_BAR_S):
                    line.draw(_bar(self._phase, line.columns))
            else:
                self._print_lines(line)

    def _print_lines(self, line: StatusLine) -> None:
        said_at = -_LINES_S
        while True:
            if _is_long(self._phase) and time.monotonic() - said_at >= _LINES_S:
                line.print(_words(self._phase))
                said_at = time.monotonic()
            if self._over.wait(_PATIENCE_S):
                return


def _is_long(phase: tuple[str, int, int]) -> bool:
    """Whether a phase deserves a line in a log: on a busy machine, even a build of one graph may take a second."""
    name, _, total = phase
    return name == TYPES or total >= _MANY


def _words(phase: tuple[str, int, int]) -> str:
    """A phase in words."""
    name, done, total = phase
    return f"{name}: {done} of {total}" if total else name


def _bar(phase: tuple[str, int, int], columns: int) -> str:
    """A phase with a bar, if it fits into the columns and is known to end."""
    words, (_, done, total) = _words(phase), phase
    if not total or len(words) + _CELLS + 3 > columns:
        return words[:columns]
    filled = _CELLS * done // total
    return f"[{'#' * filled}{'.' * (_CELLS - filled)}] {words}"
