"""What the command line writes to: results to standard output, everything for people to standard error."""

from __future__ import annotations

import contextlib
import os
import sys
from typing import TextIO

from graphwright.cli.command import UsageError
from graphwright.render.layout import harmless
from graphwright.render.style import wants_colour

#: How wide text is set where nobody knows how wide the terminal is.
_WIDTH = 120


class Console:
    """The two streams of a command, and how to write to them.

    `color` is always, never or auto; `quiet` leaves remarks out. A reader that goes away (`| head`) ends the output,
    not the command.
    """

    def __init__(self, colour: str = "auto", *, quiet: bool = False) -> None:
        for stream in (sys.stdout, sys.stderr):
            if isinstance(reconfigure := getattr(stream, "reconfigure", None), object) and callable(reconfigure):
                reconfigure(errors="backslashreplace")
        self.colour = wants_colour(sys.stderr, colour)
        self.quiet = quiet

    @property
    def width(self) -> int:
        """The columns of the terminal that people read on."""
        if not sys.stderr.isatty():
            return _WIDTH
        return os.get_terminal_size(sys.stderr.fileno()).columns or _WIDTH

    def result(self, text: str, stream: TextIO | None = None) -> None:
        """Write what the command was asked for, to standard output or what stands for it."""
        try:
            _write(sys.stdout if stream is None else stream, text)
        except OSError as error:  # a result that got lost must not look like one
            raise UsageError(f"standard output cannot be written: {error.strerror}") from error

    def message(self, text: str) -> None:
        """Write what people must see."""
        with contextlib.suppress(OSError):
            _write(sys.stderr, harmless(text))

    def remark(self, text: str) -> None:
        """Write what people may like to see."""
        if not self.quiet:
            self.message(text)


def _write(stream: TextIO, text: str) -> None:
    try:
        stream.write(text)
        stream.flush()
    except BrokenPipeError:
        # Python flushes once more at exit; what is left goes nowhere.
        with contextlib.suppress(OSError, ValueError):
            os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
