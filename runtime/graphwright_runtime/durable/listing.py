"""Which runs a project has: those that have a log. The registry says how they stand, and for those that it does not
know, the first and the last line of the log, which are not verified.
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

#: Statuses of a run that is not over.
_OPEN: Final = ("created", "running")
#: Bytes at the end of a log in which its last events are looked for at first.
_TAIL: Final = 1 << 16
#: Bytes of an event that is looked at, at most.
_LONGEST: Final = 1 << 26


#: The status of a run whose log is empty although the run kept something.
DAMAGED: Final = "damaged"


class RunRow(NamedTuple):
    """A run in the list. `status` is `orphaned` if the process is gone without having said how the run ended, and
    `damaged` if the log was emptied.

    `parent_id`: the run that called it, None where there is none. Times are seconds since the epoch.
    """

    run_id: str
    graph_id: str
    parent_id: str | None
    status: str
    pid: int | None
    created_at: float
    updated_at: float


class Listing(NamedTuple):
    """The runs of a project, the oldest first, and why the registry was of no use, where it was not."""

    runs: Sequence[RunRow]
    problem: str | None


def runs(project: str | os.PathLike[str]) -> Listing:
    """The runs of a project. Raises RefusedError where the folder of runs cannot be read."""
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
    """The run that called this one, as the first line of its log says, which is not verified."""
    parent = first_event(project, run_id).get("parent_run_id")
    return None if parent is None else str(parent)


def called_by(project: Path, run_id: str) -> list[str]:
    """The runs that this one called, in alphabetical order; their ids begin with its own. Raises RefusedError."""
    below = [each for each in run_ids(project) if each.startswith(f"{run_id}.")]
    return [each for each in below if parent_of(project, each) == run_id]


def _has_no_log(project: Path, run_id: str) -> bool:
    try:
        return not Layout(project, "", run_id).log.is_file()
    except OSError:  # a folder that this user may not enter
        return True


def _registered(project: Path) -> tuple[dict[str, RunRow], str | None]:
    """What the registry says of the runs, by id; and why it says nothing."""
    try:
        found = rows(project)
    except (OSError, sqlite3.Error) as error:
        return {}, str(error)
    return {row.run_id: row for row in filter(None, map(_row_of, found))}, None


def _row_of(columns: Mapping[str, object]) -> RunRow | None:
    """A row of the registry; None for one that it would not write."""
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
    """The row of a run: what the registry says, unless it may not know."""
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
    """The status of a run whose log is empty: it kept nothing before it ended, or somebody emptied it."""
    try:
        return run_status(project, run_id).status
    except RefusedError:
        return DAMAGED


def end_of(project: Path, run_id: str) -> Mapping[str, object] | None:
    """What the last event of a log says, which is not verified; None if there is no log with an event."""
    head, end, _ = _ends(Layout(project, "", run_id))
    return end.get("payload", {}) if head else None


def _ends(layout: Layout) -> tuple[Mapping[str, Any], Mapping[str, Any], float]:
    """The first event of a log; the last one, see `_end`; when the file was changed."""
    try:
        with regular_file(layout.log) as file:
            status = os.fstat(file.fileno())
            head = _event(file.readline(_LONGEST))
            file.seek(max(0, status.st_size - _TAIL))
            lines = file.read().splitlines()[-2:]
            if len(lines) < 2 and _TAIL < status.st_size <= _LONGEST:  # a long last event
                file.seek(0)
                lines = file.read().splitlines()[-2:]
    except OSError:
        return {}, {}, 0.0
    return head, _end(lines), status.st_mtime


def _event(line: bytes) -> Mapping[str, Any]:
    """An event of a log; nothing for a line that is not one."""
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
    """When the last event was, and, if the run ended with it, its payload and status; the last line is a signature."""
    told: dict[str, Any] = {}
    for event in filter(None, map(_event, lines)):
        told["timestamp"] = event["timestamp"]
        if event.get("event_type") in ("graph_completed", "graph_error", "graph_cancelled"):
            told["payload"] = event["payload"]
            told["status"] = event["payload"].get("status")
    return told
