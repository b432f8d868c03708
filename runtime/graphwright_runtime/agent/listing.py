"""Which graphs and threads there are, how they stand, and what they have done: for the orchestrator."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator
from typing import Final, cast

from graphwright_runtime.agent.outcomes import ACTIVE, current, is_run, thread_row
from graphwright_runtime.context import Context
from graphwright_runtime.envelope import Described
from graphwright_runtime.errors import NodeError, RefusedError
from graphwright_runtime.family import Child
from graphwright_runtime.threads import in_thread
from graphwright_runtime.values import Json

#: What a list says of each.
_COLUMNS: Final = ("thread_id", "directive", "parent_id", "status", "pid", "created_at", "updated_at")


async def known(context: Context) -> list[dict[str, Json]]:
    """Every graph and thread that the project keeps, the oldest first, and those of this tree that are not kept.

    Each has `thread_id`, `directive` (of a graph: its id), `parent_id`, `status`, `pid`, `created_at`, `updated_at`.
    """
    kept = cast("list[dict[str, Json]]", await in_thread(_kept, context))
    there = {row["thread_id"] for row in kept}
    family = () if context.family is None else context.family.children.values()
    return kept + [_row(child) for child in family if child.identity not in there]


async def standing(context: Context, identity: str) -> dict[str, Json]:
    """How a graph or thread stands: `run_id`, `alive`, `pid`, `status`, `current_node`, `step`, and its `progress`.

    Raises NodeError.
    """
    child = None if context.family is None else context.family.children.get(identity)
    found = cast("dict[str, Json]", await in_thread(_standing, context, identity))
    return Described({**found, "progress": None if child is None else child.progress})


async def chain_of(context: Context, identity: str) -> list[dict[str, Json]]:
    """The threads that continue each other, the first one first: those before and after one. Raises NodeError."""
    return cast("list[dict[str, Json]]", await in_thread(_chain, context, identity))


async def transcript(context: Context, identity: str) -> list[str]:
    """The lines of what a run did, as its log has them; of a thread, those of its result. Raises NodeError."""
    return cast("list[str]", await in_thread(_transcript, context, identity))


async def search(context: Context, identity: str, query: str) -> list[Json]:
    """The lines of the transcripts of a chain that contain a text, whatever its case. Raises NodeError."""
    found: list[Json] = []
    for row in await chain_of(context, identity):
        lines = await transcript(context, str(row["thread_id"]))
        for number, line in enumerate(lines, 1):
            if query.casefold() in line.casefold():
                found.append({"thread_id": row["thread_id"], "line": number, "text": line})
    return found


def _kept(context: Context) -> list[dict[str, Json]]:
    from graphwright_runtime.durable.listing import runs
    from graphwright_runtime.durable.registry import rows

    try:
        status = {row.run_id: row.status for row in runs(context.project).runs}
        found = cast("list[dict[str, Json]]", rows(context.project))
    except (OSError, sqlite3.Error, RefusedError) as error:
        raise NodeError(f"the registry of runs cannot be read: {error}", category="permanent") from error
    return [
        {name: row[name] for name in _COLUMNS} | {"status": status.get(str(row["thread_id"]), row["status"])}
        for row in (current(context.project, each) for each in found)
    ]


def _row(child: Child) -> dict[str, Json]:
    running = child.outcome is None
    return {
        "thread_id": child.identity,
        "directive": child.name,
        "parent_id": child.parent_id,
        "status": "running" if child.outcome is None else child.outcome.get("status"),
        "pid": os.getpid() if running else None,
        "created_at": None,
        "updated_at": None,
    }


def _standing(context: Context, identity: str) -> dict[str, Json]:
    from graphwright_runtime.durable.survey import run_status

    try:
        if is_run(context.project, identity):
            return run_status(context.project, identity).summary()
    except RefusedError as error:
        raise NodeError(str(error), category="permanent") from error
    child = None if context.family is None else context.family.children.get(identity)
    row = _row(child) if child is not None else thread_row(context, identity)
    if not row:
        raise NodeError(f"there is no run or thread {identity!r} in the project", category="permanent")
    alive = row["status"] in ACTIVE
    return {
        "run_id": identity,
        "graph_id": row["directive"],
        "alive": alive,
        "pid": row["pid"] if alive else None,
        "status": row["status"],
        "current_node": None,
        "step": 0,
    }


def _chain(context: Context, identity: str) -> list[dict[str, Json]]:
    row = thread_row(context, identity)
    if not row:
        raise NodeError(f"there is no run or thread {identity!r} in the project", category="permanent")
    above = list(_linked(context, identity, "continuation_of"))
    below = list(_linked(context, identity, "continuation_thread_id"))
    columns = (*_COLUMNS, "continuation_of", "continuation_thread_id")
    rows = (thread_row(context, each) for each in (*reversed(above), identity, *below))
    return [{name: each[name] for name in columns} for each in rows]


def _linked(context: Context, identity: str, column: str) -> Iterator[str]:
    """The threads that a column leads to, one after the other."""
    seen = {identity}
    while True:
        following = thread_row(context, identity).get(column)
        if not isinstance(following, str) or following in seen or not thread_row(context, following):
            return
        seen.add(following)
        yield following
        identity = following


def _transcript(context: Context, identity: str) -> list[str]:
    from graphwright_runtime.content import content_of
    from graphwright_runtime.durable.layout import Layout, check_run_id

    try:
        check_run_id(identity)
        log = Layout(context.project, "", identity).log
        if log.is_file():
            lines = content_of(log).decode("utf-8", "replace").splitlines()
            return [line for line in lines if not line.startswith('{"event_type":"signature"')]
    except (OSError, RefusedError) as error:
        raise NodeError(f"the transcript of {identity!r} cannot be read: {error}", category="permanent") from error
    row = thread_row(context, identity)
    if not row:
        raise NodeError(f"there is no run or thread {identity!r} in the project", category="permanent")
    return str(row["result"] or "").splitlines()
