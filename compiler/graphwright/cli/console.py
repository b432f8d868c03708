"""The output of the command line: results go to standard output, messages to standard error."""

from __future__ import annotations

import contextlib
import os
import sys
from typing import TextIO

from graphwright.cli.command import UsageError
from graphwright.render.layout import harmless
from graphwright.render.style import wants_colour

#: Clears a terminal, with the lines that were scrolled out of sight, and goes to its first line.
_CLEAR = "\x1b[2J\x1b[3J\x1b[H"
#: The width of text if the width of the terminal is unknown.
_WIDTH = 120


class Console:
    """Writes the output of a command.

    `color` is always, never or auto; `quiet` suppresses remarks. If a reader closes the stream (`| head`), output stops
    but the command continues.
    """

    def __init__(self, colour: str = "auto", *, quiet: bool = False) -> None:
        for stream in (sys.stdout, sys.stderr):
            if isinstance(reconfigure := getattr(stream, "reconfigure", None), object) and callable(reconfigure):
                reconfigure(errors="backslashreplace")
        self.colour = wants_colour(sys.stderr, colour)
        self.quiet = quiet
        self.is_closed = False  # a reader has gone away

    @property
    def width(self) -> int:
        """The number of columns of the terminal."""
        if not sys.stderr.isatty():
            return _WIDTH
        return os.get_terminal_size(sys.stderr.fileno()).columns or _WIDTH

    def result(self, text: str, stream: TextIO | None = None) -> None:
        """Write the result of the command to standard output, or to `stream`. Raises UsageError if that fails."""
        try:
            self._write(sys.stdout if stream is None else stream, text)
        except OSError as error:  # a lost result must not look like success
            raise UsageError(f"standard output cannot be written: {error.strerror}") from error

    def message(self, text: str) -> None:
        """Write a message that users must see."""
        with contextlib.suppress(OSError):
            self._write(sys.stderr, harmless(text))

    def remark(self, text: str) -> None:
        """Write a message that is not essential."""
        if not self.quiet:
            self.message(text)

    def clear(self) -> None:
        """Clear the terminal that people read on; nothing if it is not a terminal."""
        if sys.stderr.isatty():
            with contextlib.suppress(OSError):
                self._write(sys.stderr, _CLEAR)

    def _write(self, stream: TextIO, text: str) -> None:
        try:
            stream.write(text)
            stream.flush()
        except BrokenPipeError:
            self.is_closed = True
            # Python flushes again at exit; discard what is left.
            with contextlib.suppress(OSError, ValueError):
                os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


class Recording(Console):
    """A console that keeps what is written to it, until `replay` writes it to another."""

    def __init__(self, of: Console) -> None:
        super().__init__("always" if of.colour else "never", quiet=of.quiet)
        self.written: list[tuple[bool, str]] = []

    def result(self, text: str, stream: TextIO | None = None) -> None:
        """See `Console`; a `stream` gets the text at once."""
        if stream is None:
            self.written.append((True, text))
        else:
            super().result(text, stream)

    def message(self, text: str) -> None:
        """See `Console`."""
        self.written.append((False, text))

    def replay(self, console: Console) -> None:
        """Write everything, in order."""
        for is_result, text in self.written:
            (console.result if is_result else console.message)(text)
