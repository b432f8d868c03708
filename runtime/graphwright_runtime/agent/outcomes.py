"""What has become of a graph or thread, wherever it runs: started by this tree of runs, or kept in the project."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Mapping
from pathlib import Path
from typing import Final, cast

from graphwright_runtime.context import Context
from graphwright_runtime.errors import NodeError, RefusedError
from graphwright_runtime.result import ABSENT
from graphwright_runtime.threads import in_thread
from graphwright_runtime.values import Json, NotJsonError, parsed_json

#: Statuses of what is not over.
OPEN: Final = ("created", "running", "continued")
#: Statuses that only the process of a run or thread can end.
ACTIVE: Final = ("created", "running")

#: Seconds between two looks at the registry for a thread of another process.
_POLL: Final = 0.5

#: What an outcome says, besides its status.
_TOLD: Final = ("result", "outputs", "cost", "error")


async def ended(context: Context, identity: str) -> dict[str, Json]:
    """Wait until a graph or thread is over: its outcome. Raises NodeError if there is none of this id."""
    while True:
        child = None if context.family is None else context.family.children.get(identity)
        if child is not None and child.task is not None:
            if child.outcome is None:
                await asyncio.wait([child.task])
            return told(child.outcome or {})
        found = await outcome(context, identity)
        if found["status"] not in OPEN:
            return found
        if found.get("is_run") is True:
            from graphwright_runtime.durable.waiting import until_ended

            await until_ended(context.project, identity)
        else:
            await asyncio.sleep(_POLL)


async def outcome(context: Context, identity: str) -> dict[str, Json]:
    """What a graph or thread has come to so far: its `status`, and once it is over its `result`.

    A chain of threads has come to what its last one has. Raises NodeError if there is none of this id.
    """
    child = None if context.family is None else context.family.children.get(identity)
    if child is not None:
        return {"status": "running", "result": None} if child.outcome is None else told(child.outcome)
    return cast("dict[str, Json]", await in_thread(_kept, context, identity))


def told(found: Mapping[str, Json]) -> dict[str, Json]:
    """The outcome of a graph or thread in the form that both have: the output of a graph is its `result`."""
    result: dict[str, Json] = {"status": found.get("status"), "result": found.get("output", found.get("result"))}
    return result | {key: found[key] for key in _TOLD if key in found and key != "result"}


def thread_row(context: Context, identity: str) -> Mapping[str, Json]:
    """The row of a run or thread in the registry, empty if there is none. Raises NodeError."""
    from graphwright_runtime.durable.registry import row

    try:
        return current(context.project, cast("Mapping[str, Json]", row(context.project, identity)))
    except (OSError, sqlite3.Error) as error:
        raise NodeError(f"the registry of runs cannot be read: {error}", category="permanent") from error


def current(project: Path, row: Mapping[str, Json]) -> Mapping[str, Json]:
    """A row as it stands: `orphaned` if the process that executes the run, or the run of the thread, is gone."""
    if row.get("status") not in ACTIVE:
        return row
    from graphwright_runtime.durable.layout import Layout, writer_of
    from graphwright_runtime.durable.locking import is_held

    run_id = row["thread_id"] if is_run(project, str(row["thread_id"])) else row["parent_id"]
    layout = Layout(project, "", str(run_id))
    if is_held(layout.log) and writer_of(layout) == row["pid"]:
        return row
    return {**row, "status": "orphaned", "pid": None}


def is_run(project: Path, identity: str) -> bool:
    """Whether an id is that of a run, and not of a thread: threads have no log of their own."""
    from graphwright_runtime.durable.layout import Layout

    return Layout(project, "", identity).log.is_file()


def _kept(context: Context, identity: str) -> dict[str, Json]:
    """The outcome of what the project keeps."""
    from graphwright_runtime.durable.layout import check_run_id
    from graphwright_runtime.durable.survey import COMPLETED, run_status

    try:
        check_run_id(identity)
        if is_run(context.project, identity):
            found = run_status(context.project, identity)
            if found.alive:
                return {"status": "running", "result": None, "is_run": True}
            kept, output = found.checkpoint, found.checkpoint.output
            if output is ABSENT:
                output = kept.state if found.status in COMPLETED else None
            return told({"status": found.status, "output": cast("Json", output), **_error(kept.end)})
    except RefusedError as error:
        raise NodeError(str(error), category="permanent") from error
    return _thread(context, identity)


def _error(end: Mapping[str, Json]) -> dict[str, Json]:
    return {key: end[key] for key in ("error", "cost") if end.get(key) is not None}


def _thread(context: Context, identity: str) -> dict[str, Json]:
    """The outcome of a thread, or of the one that its chain has come to."""
    seen: set[str] = set()
    while identity not in seen:
        seen.add(identity)
        row = thread_row(context, identity)
        if not row:
            raise NodeError(f"there is no run or thread {identity!r} in the project", category="permanent")
        following = row["continuation_thread_id"]
        if row["status"] != "continued" or not isinstance(following, str) or not thread_row(context, following):
            break
        identity = following
    try:
        kept = parsed_json(str(row["result"] or "{}"))
    except NotJsonError:
        kept = {}
    return told({**(kept if isinstance(kept, dict) else {}), "status": row["status"]})
