"""The output of the command line: results go to standard output, messages to standard error."""

from __future__ import annotations

import contextlib
import os
import sys
from typing import TextIO

from graphwright.cli.command import UsageError
from graphwright.render.layout import harmless
from graphwright.render.style import wants_colour

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

    @property
    def width(self) -> int:
        """The number of columns of the terminal."""
        if not sys.stderr.isatty():
            return _WIDTH
        return os.get_terminal_size(sys.stderr.fileno()).columns or _WIDTH

    def result(self, text: str, stream: TextIO | None = None) -> None:
        """Write the result of the command to standard output, or to `stream`. Raises UsageError if that fails."""
        try:
            _write(sys.stdout if stream is None else stream, text)
        except OSError as error:  # a lost result must not look like success
            raise UsageError(f"standard output cannot be written: {error.strerror}") from error

    def message(self, text: str) -> None:
        """Write a message that users must see."""
        with contextlib.suppress(OSError):
            _write(sys.stderr, harmless(text))

    def remark(self, text: str) -> None:
        """Write a message that is not essential."""
        if not self.quiet:
            self.message(text)


def _write(stream: TextIO, text: str) -> None:
    try:
        stream.write(text)
        stream.flush()
    except BrokenPipeError:
        # Python flushes again at exit; discard what is left.
        with contextlib.suppress(OSError, ValueError):
            os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
