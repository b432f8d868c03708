"""Shows the log of `graphwright run`, and where tools raised errors."""

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
    """Formats a record on one line, with a traceback only if requested."""

    def __init__(self, *, tracebacks: bool) -> None:
        super().__init__()
        self._tracebacks = tracebacks

    def format(self, record: logging.LogRecord) -> str:
        text = f"{record.levelname.lower()}: {record.name}: {record.getMessage()}"
        if self._tracebacks and record.exc_info:
            text += f"\n{self.formatException(record.exc_info)}"
        return printable_lines(text)


class _Handler(logging.Handler):
    """Writes to the current standard error, because the status line may replace the stream."""

    def emit(self, record: logging.LogRecord) -> None:
        try:
            sys.stderr.write(f"{self.format(record)}\n")
            sys.stderr.flush()
        except Exception:  # as in every handler
            self.handleError(record)


@contextmanager
def logged(*, verbose: bool, tracebacks: bool) -> Iterator[None]:
    """Write the log to standard error while the block runs.

    `verbose` includes messages of level INFO from all loggers; `tracebacks` includes those of suppressed errors.
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
    """Where a tool raised an exception, as `file:line in function`; None if no tool raised it.

    This is the innermost line of the project's code or, for an installed tool, of the tool.
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
    """Show the traceback of the error that ended a run, with the line of the YAML as a note."""
    if error is None:
        return
    try:
        console.message("".join(traceback.format_exception(error)))
    except Exception as problem:  # endless chains of exceptions, or attributes that raise
        console.message(f"the traceback cannot be shown: {type(problem).__name__}\n")
