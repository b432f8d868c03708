"""Reserves standard output for the result of a run, regardless of what tools, their children or libraries print."""

from __future__ import annotations

import contextlib
import io
import os
import sys
from collections.abc import Iterator
from typing import TextIO

_OUT, _ERR = 1, 2


@contextlib.contextmanager
def diverted() -> Iterator[TextIO]:
    """Redirect standard output to standard error while the block runs.

    Yields the stream for the result. The file descriptor is redirected, so this includes the output of child processes
    and of libraries that do not use Python's streams.
    """
    original = sys.stdout
    with contextlib.ExitStack() as stack:
        _flush(original)
        kept = _kept()
        if kept is None:  # standard output is closed
            yield original
            return
        stack.callback(os.close, kept)
        stack.callback(os.dup2, kept, _OUT)
        stack.callback(_flush, original)  # flush output of tools to where it was redirected
        divert()
        if isinstance(original, io.TextIOWrapper) and original.fileno() == _OUT:
            out = os.fdopen(kept, "w", encoding=original.encoding, errors="backslashreplace", closefd=False)
            stack.callback(_close, out)
            stack.callback(_buffer_lines, original, wanted=original.line_buffering)
            _buffer_lines(original, wanted=True)
            yield out
        else:  # a stream that a caller in the same process has set
            stack.enter_context(contextlib.redirect_stdout(sys.stderr))
            yield original


def divert() -> None:
    """Redirect standard output to standard error permanently."""
    try:
        os.dup2(_ERR, _OUT)
    except OSError:  # standard error is closed
        nowhere = os.open(os.devnull, os.O_WRONLY)
        if nowhere != _OUT:
            os.dup2(nowhere, _OUT)
            os.close(nowhere)


def _kept() -> int | None:
    try:
        return os.dup(_OUT)
    except OSError:
        return None


def _flush(stream: TextIO) -> None:
    with contextlib.suppress(OSError, ValueError):  # its reader is gone, or a tool closed it
        stream.flush()


def _buffer_lines(stream: io.TextIOWrapper, *, wanted: bool) -> None:
    with contextlib.suppress(OSError, ValueError):
        stream.reconfigure(line_buffering=wanted)


def _close(stream: TextIO) -> None:
    with contextlib.suppress(OSError, ValueError):
        stream.close()
