"""Observes a run on the command line: shows progress on standard error, and writes a file of events."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from functools import partial
from io import FileIO
from pathlib import Path
from typing import TYPE_CHECKING, Final

from graphwright.cli.command import UsageError
from graphwright.cli.console import Console

if TYPE_CHECKING:
    from graphwright_runtime.events import Event, Listener
    from graphwright_runtime.graph import AnyGraph


@contextmanager
def watched(
    graph: AnyGraph, console: Console, events: str | None, first: Listener | None = None
) -> Iterator[Listener | None]:
    """The `on_event` for a run of the graph; None if nothing observes it.

    While the block runs, output of tools appears above the status line. `events` is the path of a file for the events.
    Raises UsageError if it cannot be written. `first` receives the first event, and may replace standard error.
    """
    listeners: list[Listener] = []
    with ExitStack() as stack:
        shows = not console.quiet and os.environ.get("RYE_GRAPH_QUIET") in (None, "", "0")
        if first is not None:
            listeners.append(_After(first, partial(_progress, graph, stack) if shows else None))
        elif shows:
            listeners.append(_progress(graph, stack))
        if events is not None:
            listeners.append(_EventFile(events, stack.enter_context(_opened(events)), console))
        yield _all_of(listeners) if len(listeners) > 1 else next(iter(listeners), None)


def _progress(graph: AnyGraph, stack: ExitStack) -> Listener:
    from graphwright_runtime.progress import Progress

    progress = Progress(graph)
    stack.callback(progress.close)
    stack.enter_context(progress.line.sharing())
    return progress


class _After:
    """Passes the first event to `first`, and only then creates the progress display, if any."""

    def __init__(self, first: Listener, progress: Callable[[], Listener] | None) -> None:
        self._first: Listener | None = first
        self._begin = progress
        self._progress: Listener | None = None

    def __call__(self, event: Event) -> None:
        if self._first is not None:
            first, self._first = self._first, None
            first(event)
            self._progress = None if self._begin is None else self._begin()
        if self._progress is not None:
            self._progress(event)


def _all_of(listeners: list[Listener]) -> Listener:
    def tell(event: Event) -> None:
        for listener in listeners:
            listener(event)

    return tell


#: The beginning of a file of events, whose keys are sorted.
_FIRST: Final = b'{"event_type":'


def _opened(path: str) -> FileIO:
    if path == "-":
        raise UsageError("`--events -`: standard output is for the result; name a file, or `/dev/fd/3`")
    try:
        if Path(path).is_file() and not _holds_events(Path(path)):
            raise UsageError(f"`--events {path}`: the file holds something else than events; it is not replaced")
        return Path(path).open("wb", buffering=0)
    except OSError as error:
        raise UsageError(f"{path} cannot be written: {error.strerror}") from error


def _holds_events(file: Path) -> bool:
    """Whether a file is empty, or begins like a file of events."""
    with file.open("rb") as stream:
        return stream.read(len(_FIRST)) in (b"", _FIRST)


class _EventFile:
    """Writes each event as a line of JSON, as in the log of a run. If writing fails, prints a warning."""

    def __init__(self, path: str, file: FileIO, console: Console) -> None:
        self._path = path
        self._file: FileIO | None = file
        self._console = console
        self._lock = threading.Lock()  # tools in threads emit events, too

    def __call__(self, event: Event) -> None:
        from graphwright_runtime.durable.canonical import canonical

        line = memoryview(canonical(event.to_dict()) + b"\n")
        with self._lock:
            if self._file is None:
                return
            try:
                while line:
                    line = line[self._file.write(line) or 0 :]
            except OSError as error:
                self._file = None
                self._console.message(f"warning: {self._path} has no more events: {error.strerror}\n")
