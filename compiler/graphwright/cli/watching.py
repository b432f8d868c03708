"""Who watches a run from the command line: progress on standard error, and a file of events."""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from io import FileIO
from pathlib import Path
from typing import TYPE_CHECKING

from graphwright.cli.command import UsageError
from graphwright.cli.console import Console

if TYPE_CHECKING:
    from graphwright_runtime.events import Event, Listener
    from graphwright_runtime.graph import AnyGraph


@contextmanager
def watched(graph: AnyGraph, console: Console, events: str | None) -> Iterator[Listener | None]:
    """What a run of the graph has to be given as `on_event`; None where nobody watches.

    While the block lasts, what tools print goes above the status line. `events` is the path of the file that gets the
    events. Raises UsageError where it cannot be written.
    """
    listeners: list[Listener] = []
    with ExitStack() as stack:
        if not console.quiet and os.environ.get("RYE_GRAPH_QUIET") in (None, "", "0"):
            from graphwright_runtime.progress import Progress

            progress = Progress(graph)
            stack.callback(progress.close)
            stack.enter_context(progress.line.sharing())
            listeners.append(progress)
        if events is not None:
            listeners.append(_EventFile(events, stack.enter_context(_opened(events)), console))
        yield _all_of(listeners) if len(listeners) > 1 else next(iter(listeners), None)


def _all_of(listeners: list[Listener]) -> Listener:
    def tell(event: Event) -> None:
        for listener in listeners:
            listener(event)

    return tell


def _opened(path: str) -> FileIO:
    if path == "-":
        raise UsageError("`--events -`: standard output is for the result; name a file, or `/dev/fd/3`")
    try:
        return Path(path).open("wb", buffering=0)
    except OSError as error:
        raise UsageError(f"{path} cannot be written: {error.strerror}") from error


class _EventFile:
    """Writes each event as a line of JSON, as in the log of a run; a file that cannot be written to is a warning."""

    def __init__(self, path: str, file: FileIO, console: Console) -> None:
        self._path = path
        self._file: FileIO | None = file
        self._console = console
        self._lock = threading.Lock()  # tools that run in threads tell of something, too

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
