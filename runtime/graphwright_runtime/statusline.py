"""The last line of a terminal, which says what is going on: drawn again when that changes, gone when it is over.

What else is written goes above it: lines of the program through `StatusLine.print`, what tools print through the
streams that `StatusLine.sharing` puts in the place of `sys.stdout` and `sys.stderr`.
"""

from __future__ import annotations

import contextlib
import os
import sys
import threading
from collections.abc import Iterator
from typing import TextIO, cast

#: To the start of the line; and erase it to its end.
_START, _ERASE = "\r", "\x1b[K"


class StatusLine:
    """Writes to `stream`, and draws on it where it is a terminal; one that cannot be written to is left alone.

    Threads may share it.
    """

    def __init__(self, stream: TextIO) -> None:
        self.is_terminal = stream.isatty() and os.environ.get("TERM") != "dumb"
        self._stream: TextIO | None = stream
        self._lock = threading.RLock()
        self._drawn = ""
        self._unfinished = False  # a tool has begun a line and not ended it: nothing is drawn over it
        self._process = os.getpid()

    @property
    def columns(self) -> int:
        """How wide a line may be now. The last column stays free, since some terminals break a line that fills it."""
        try:
            return (os.get_terminal_size(self._stream.fileno()).columns or 80) - 1 if self._stream is not None else 0
        except (OSError, ValueError):
            return 79

    def draw(self, text: str) -> None:
        """Show `text`, which is no wider than `columns`, as the status."""
        with self._lock:
            if self.is_terminal and text != self._drawn and not self._unfinished and self._is_ours():
                self._write(f"{_START}{text}{_ERASE}")
                self._drawn = text

    def clear(self) -> None:
        """Take the status away."""
        with self._lock:
            if self._drawn:
                self._write(f"{_START}{_ERASE}")
                self._drawn = ""

    def print(self, line: str) -> None:
        """Write a line that stays."""
        with self._lock:
            self.clear()
            self._write(f"\n{line}\n" if self._unfinished else f"{line}\n")
            self._unfinished = False

    @contextlib.contextmanager
    def sharing(self) -> Iterator[None]:
        """For as long as the block lasts, what is printed in this process goes above the status."""
        if not self.is_terminal:
            yield
            return
        before = sys.stdout, sys.stderr
        sys.stdout, sys.stderr = (cast("TextIO", _Above(each, self)) for each in before)
        try:
            yield
        finally:
            sys.stdout, sys.stderr = before
            self.clear()

    def pass_on(self, text: str, stream: TextIO) -> int:
        """Write what another writer has to say."""
        if os.getpid() != self._process:  # a fork, in which the lock may be held by a thread that is not there
            return stream.write(text)
        with self._lock:
            self.clear()
            if text:
                self._unfinished = not text.endswith("\n")
            written = stream.write(text)
            stream.flush()
            return written

    def _is_ours(self) -> bool:
        """Whether the terminal listens to this process, and not to a shell in front of it."""
        if self._stream is None or sys.platform == "win32":
            return self._stream is not None
        try:
            return os.tcgetpgrp(self._stream.fileno()) == os.getpgrp()
        except (OSError, ValueError):
            return True

    def _write(self, text: str) -> None:
        if self._stream is None:
            return
        try:
            self._stream.write(text)
            self._stream.flush()
        except (OSError, ValueError):  # closed, or nobody reads any more: a run is worth more than its lines
            self._stream = None


class _Above:
    """A stream whose text goes above the status line; in all else it is the stream itself."""

    def __init__(self, stream: TextIO, line: StatusLine) -> None:
        self._stream = stream
        self._line = line

    def write(self, text: str) -> int:
        """As the stream does."""
        return self._line.pass_on(text, self._stream)

    def writelines(self, lines: list[str]) -> None:
        """As the stream does."""
        self.write("".join(lines))

    def __getattr__(self, name: str) -> object:
        return getattr(self._stream, name)


def width(text: str) -> int:
    """How many columns `text`, which is visible as it is, takes on a terminal."""
    if text.isascii():
        return len(text)
    from unicodedata import combining, east_asian_width

    return sum(0 if combining(each) else 2 if east_asian_width(each) in "WF" else 1 for each in text)


def cut(text: str, columns: int, ellipsis: str) -> str:
    """As much of `text` as fits, with an ellipsis where something is missing."""
    if width(text) <= columns:
        return text
    kept = text
    while kept and width(kept) + width(ellipsis) > columns:
        kept = kept[:-1]
    return (kept + ellipsis)[: max(columns, 0)]
