"""A status line at the bottom of a terminal.

Other output appears above it: lines of the program through `StatusLine.print`, output of tools through the streams with
which `StatusLine.sharing` replaces `sys.stdout` and `sys.stderr`.
"""

from __future__ import annotations

import contextlib
import os
import sys
import threading
from collections.abc import Iterator
from typing import TextIO, cast

#: Move to the start of the line; erase to the end of the line.
_START, _ERASE = "\r", "\x1b[K"


class StatusLine:
    """Writes to `stream` and, if it is a terminal, draws a status line. Write errors are ignored. Thread-safe."""

    def __init__(self, stream: TextIO) -> None:
        self.is_terminal = stream.isatty() and os.environ.get("TERM") != "dumb"
        self._stream: TextIO | None = stream
        self._lock = threading.RLock()
        self._drawn = ""
        self._unfinished = False  # whether a tool has written an incomplete line, which must not be overwritten
        self._process = os.getpid()

    @property
    def columns(self) -> int:
        """The current maximum width. The last column is not used, because some terminals wrap a full line."""
        try:
            return (os.get_terminal_size(self._stream.fileno()).columns or 80) - 1 if self._stream is not None else 0
        except (OSError, ValueError):
            return 79

    def draw(self, text: str) -> None:
        """Show `text`, which must fit into `columns`, as the status."""
        with self._lock:
            if self.is_terminal and text != self._drawn and not self._unfinished and self._is_ours():
                self._write(f"{_START}{text}{_ERASE}")
                self._drawn = text

    def clear(self) -> None:
        """Remove the status."""
        with self._lock:
            if self._drawn:
                self._write(f"{_START}{_ERASE}")
                self._drawn = ""

    def print(self, line: str) -> None:
        """Write a permanent line above the status."""
        with self._lock:
            self.clear()
            self._write(f"\n{line}\n" if self._unfinished else f"{line}\n")
            self._unfinished = False

    @contextlib.contextmanager
    def sharing(self) -> Iterator[None]:
        """While the block runs, output of this process is printed above the status."""
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
        """Write text of another writer to its stream, above the status."""
        if os.getpid() != self._process:  # in a fork, a thread that no longer exists may hold the lock
            return stream.write(text)
        with self._lock:
            self.clear()
            if text:
                self._unfinished = not text.endswith("\n")
            written = stream.write(text)
            stream.flush()
            return written

    def _is_ours(self) -> bool:
        """Whether this process is in the foreground of the terminal."""
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
        except (OSError, ValueError):  # the stream is closed: the run continues without output
            self._stream = None


class _Above:
    """A stream whose output appears above the status line; otherwise like the original stream."""

    def __init__(self, stream: TextIO, line: StatusLine) -> None:
        self._stream = stream
        self._line = line

    def write(self, text: str) -> int:
        """Like the method of the original stream."""
        return self._line.pass_on(text, self._stream)

    def writelines(self, lines: list[str]) -> None:
        """Like the method of the original stream."""
        self.write("".join(lines))

    def __getattr__(self, name: str) -> object:
        return getattr(self._stream, name)


def width(text: str) -> int:
    """The width of `text`, which must not contain control characters, in columns."""
    if text.isascii():
        return len(text)
    from unicodedata import combining, east_asian_width

    return sum(0 if combining(each) else 2 if east_asian_width(each) in "WF" else 1 for each in text)


def cut(text: str, columns: int, ellipsis: str) -> str:
    """`text` truncated to `columns`, with an ellipsis if something is omitted."""
    if width(text) <= columns:
        return text
    kept = text
    while kept and width(kept) + width(ellipsis) > columns:
        kept = kept[:-1]
    return (kept + ellipsis)[: max(columns, 0)]
