"""Lists the runs of a project, which are those with a log. The status comes from the registry or, if it does not have
the run, from the first and the last line of the log without verifying them.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple, cast

from graphwright_runtime.content import regular_file
from graphwright_runtime.durable.canonical import parsed
from graphwright_runtime.durable.layout import Layout, threads, writer_of
from graphwright_runtime.durable.reader import first_event
from graphwright_runtime.durable.registry import rows
from graphwright_runtime.durable.survey import is_alive, run_status
from graphwright_runtime.errors import RefusedError

#: Statuses of a run that has not ended.
_OPEN: Final = ("created", "running")
#: Number of bytes at the end of a log that are searched for its last events first.
_TAIL: Final = 1 << 16
#: Maximum size of an event in bytes.
_LONGEST: Final = 1 << 26


#: The status of a run whose log is empty although other files show that it had content.
DAMAGED: Final = "damaged"


class RunRow(NamedTuple):
    """A run in the list. `status` is `orphaned` if the process ended without recording how the run ended, and `damaged`
    if the log was emptied.

    `parent_id` is the run that called it, if any. Times are seconds since the epoch.
    """

    run_id: str
    graph_id: str
    parent_id: str | None
    status: str
    pid: int | None
    created_at: float
    updated_at: float


class Listing(NamedTuple):
    """The runs of a project, oldest first, and `problem`: why the registry could not be read, or None."""

    runs: Sequence[RunRow]
    problem: str | None


def runs(project: str | os.PathLike[str]) -> Listing:
    """The runs of a project. Raises RefusedError if the folder of runs cannot be read."""
    project = Path(project).absolute()
    registered, problem = _registered(project)
    found = [_row(project, run_id, registered.get(run_id)) for run_id in run_ids(project)]
    found += [row for run_id, row in registered.items() if row.status == "created" and _has_no_log(project, run_id)]
    return Listing(sorted(found, key=lambda row: (row.created_at, row.run_id)), problem)


def run_ids(project: Path) -> list[str]:
    """The ids of the runs that have a log in the project, in alphabetical order. Raises RefusedError."""
    folder = threads(project)
    try:
        with os.scandir(folder) as entries:
            return sorted(entry.name for entry in entries if not _has_no_log(project, entry.name))
    except FileNotFoundError:
        return []
    except OSError as error:
        raise RefusedError(f"{folder} cannot be read: {error.strerror}") from error


def parent_of(project: Path, run_id: str) -> str | None:
    """The run that called this one, according to the first line of its log, which is not verified."""
    parent = first_event(project, run_id).get("parent_run_id")
    return None if parent is None else str(parent)


def called_by(project: Path, run_id: str) -> list[str]:
    """The runs that this one called, sorted; their ids begin with its own. Raises RefusedError."""
    below = [each for each in run_ids(project) if each.startswith(f"{run_id}.")]
    return [each for each in below if parent_of(project, each) == run_id]


def _has_no_log(project: Path, run_id: str) -> bool:
    try:
        return not Layout(project, "", run_id).log.is_file()
    except OSError:  # a folder that is not accessible
        return True


def _registered(project: Path) -> tuple[dict[str, RunRow], str | None]:
    """The rows of the registry by run id, and the reason if it cannot be read."""
    try:
        found = rows(project)
    except (OSError, sqlite3.Error) as error:
        return {}, str(error)
    return {row.run_id: row for row in filter(None, map(_row_of, found))}, None


def _row_of(columns: Mapping[str, object]) -> RunRow | None:
    """A row of the registry; None if it is not valid."""
    match columns:
        case {
            "thread_id": str(run_id),
            "directive": str(graph_id),
            "parent_id": (str() | None) as parent_id,
            "status": str(status),
            "pid": (int() | None) as pid,
            "created_at": (int() | float()) as created,
            "updated_at": (int() | float()) as updated,
        }:
            return RunRow(run_id, graph_id, parent_id, status, pid if status in _OPEN else None, created, updated)
        case _:
            return None


def _row(project: Path, run_id: str, known: RunRow | None) -> RunRow:
    """The row of a run: that of the registry unless it may be out of date."""
    layout = Layout(project, "", run_id)
    empty = _is_empty(layout)
    if known is not None and known.status not in _OPEN and not empty:
        return known
    alive = is_alive(layout)
    if known is not None and alive:
        return known
    head, end, changed = _ends(layout)
    status = "running" if alive else str(end.get("status") or "orphaned")
    if empty and not alive:
        status = _status_of_empty(project, run_id)
    pid = writer_of(layout) if alive else None
    if known is not None:
        return known._replace(status=status, pid=pid)
    payload = head.get("payload", {})
    parent_id = None if payload.get("parent_run_id") is None else str(payload["parent_run_id"])
    graph_id = str(payload.get("graph_id", ""))
    created = head.get("timestamp", changed)
    return RunRow(run_id, graph_id, parent_id, status, pid, created, end.get("timestamp", changed))


def _is_empty(layout: Layout) -> bool:
    try:
        return layout.log.stat().st_size == 0
    except OSError:
        return False


def _status_of_empty(project: Path, run_id: str) -> str:
    """The status of a run whose log is empty: it ended before it recorded anything, or the log was emptied."""
    try:
        return run_status(project, run_id).status
    except RefusedError:
        return DAMAGED


def end_of(project: Path, run_id: str) -> Mapping[str, object] | None:
    """The payload of the event that ended a run, unverified; empty if it has not ended, None if the log is empty."""
    head, end, _ = _ends(Layout(project, "", run_id))
    return end.get("payload", {}) if head else None


def _ends(layout: Layout) -> tuple[Mapping[str, Any], Mapping[str, Any], float]:
    """The first event of a log; a summary of the last one, see `_end`; and when the file was changed."""
    try:
        with regular_file(layout.log) as file:
            status = os.fstat(file.fileno())
            head = _event(file.readline(_LONGEST))
            file.seek(max(0, status.st_size - _TAIL))
            lines = file.read().splitlines()[-2:]
            if len(lines) < 2 and _TAIL < status.st_size <= _LONGEST:  # the last event is long
                file.seek(0)
                lines = file.read().splitlines()[-2:]
    except OSError:
        return {}, {}, 0.0
    return head, _end(lines), status.st_mtime


def _event(line: bytes) -> Mapping[str, Any]:
    """Parse an event of a log; empty if the line is not one."""
    try:
        event = parsed(line)
    except ValueError:
        return {}
    match event:
        case {"payload": dict(), "timestamp": int() | float()}:
            return cast("Mapping[str, Any]", event)
        case _:
            return {}


def _end(lines: Sequence[bytes]) -> Mapping[str, Any]:
    """The time of the last event and, if it ended the run, its payload and status. The last line is a signature."""
    told: dict[str, Any] = {}
    for event in filter(None, map(_event, lines)):
        told["timestamp"] = event["timestamp"]
        if event.get("event_type") in ("graph_completed", "graph_error", "graph_cancelled"):
            told["payload"] = event["payload"]
            told["status"] = event["payload"].get("status")
    return told
