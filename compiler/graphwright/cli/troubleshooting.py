"""What `graphwright run` shows to those who look for a fault: the log, and where tools failed."""

from __future__ import annotations

import logging
import os
import sys
import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import graphwright_runtime
from graphwright.cli.console import Console
from graphwright.render.layout import printable_lines

_RUNTIME = "graphwright_runtime"
_RUNTIME_FOLDER = str(Path(graphwright_runtime.__file__).parent) + os.sep


class _Formatter(logging.Formatter):
    """One line a record; tracebacks only for those who asked for them."""

    def __init__(self, *, tracebacks: bool) -> None:
        super().__init__()
        self._tracebacks = tracebacks

    def format(self, record: logging.LogRecord) -> str:
        text = f"{record.levelname.lower()}: {record.name}: {record.getMessage()}"
        if self._tracebacks and record.exc_info:
            text += f"\n{self.formatException(record.exc_info)}"
        return printable_lines(text)


class _Handler(logging.Handler):
    """Writes to what standard error is when there is something to write: it may share a terminal by then."""

    def emit(self, record: logging.LogRecord) -> None:
        try:
            sys.stderr.write(f"{self.format(record)}\n")
            sys.stderr.flush()
        except Exception:  # as every handler does
            self.handleError(record)


@contextmanager
def logged(*, verbose: bool, tracebacks: bool) -> Iterator[None]:
    """For as long as the block lasts, the log goes to standard error.

    `verbose`: from INFO on, of everybody. `tracebacks`: with the places of the failures that the graph went on from.
    """
    if not verbose and not tracebacks:
        yield
        return
    root, runtime = logging.getLogger(), logging.getLogger(_RUNTIME)
    before = root.level, runtime.level
    handler = _Handler()
    handler.setFormatter(_Formatter(tracebacks=tracebacks))
    if not verbose:
        handler.addFilter(lambda record: record.levelno >= logging.WARNING or record.exc_info is not None)
    root.addHandler(handler)
    if verbose:
        root.setLevel(logging.INFO)
    runtime.setLevel(logging.INFO)
    try:
        yield
    finally:
        root.removeHandler(handler)
        root.setLevel(before[0])
        runtime.setLevel(before[1])


def raised_at(error: BaseException | None, project: Path) -> str | None:
    """Where the exception of a tool was raised, as `file:line in function`; None where no exception of a tool is known.

    That is the innermost line of the project's own code, of an installed tool its innermost line.
    """
    cause = None if error is None else error.__cause__
    if cause is None:
        return None
    frames = [
        (frame.f_code.co_filename, line, frame.f_code.co_name) for frame, line in traceback.walk_tb(cause.__traceback__)
    ]
    foreign = [frame for frame in frames if not frame[0].startswith((_RUNTIME_FOLDER, "<"))]
    own = [frame for frame in foreign if Path(frame[0]).is_relative_to(project) and "site-packages" not in frame[0]]
    if not foreign:
        return None
    file, line, function = (own or foreign)[-1]
    shown = os.path.relpath(file, project) if own else file
    return f"{shown}:{line} in {function} ({type(cause).__name__})"


def show_traceback(error: BaseException | None, console: Console) -> None:
    """Where the error that ended a run comes from, with the line of the YAML as a note."""
    if error is None:
        return
    try:
        console.message("".join(traceback.format_exception(error)))
    except Exception as problem:  # exceptions in exceptions without end, or attributes that raise
        console.message(f"the traceback cannot be shown: {type(problem).__name__}\n")
