"""The tools `rye/core/processes/*`: the status of runs of the same project, and cancelling a run."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Final, TypeVar

from graphwright_runtime.context import Context
from graphwright_runtime.envelope import Described
from graphwright_runtime.errors import NodeError, RefusedError
from graphwright_runtime.tools.arguments import count, text
from graphwright_runtime.values import Json

if TYPE_CHECKING:
    from graphwright_runtime.durable.listing import RunRow
    from graphwright_runtime.durable.survey import RunStatus

T = TypeVar("T")

#: The default of `limit`.
_LIMIT: Final = 100


def status(params: dict[str, Json], context: Context) -> dict[str, Json]:
    """Return the status of a run. Params: `run_id`.

    Result: `run_id`, `graph_id`, `alive`, `pid` (null unless it is alive), `status`, `current_node` (the next; null
    at the end), `step` (the number of completed steps).
    """
    return Described(_status(text(params, "run_id"), context))


def cancel(params: dict[str, Json], context: Context) -> dict[str, Json]:
    """Ask a run to end, so that it can be resumed later. Params: `run_id`.

    Result: that of `status`, from before the request, and `requested`: false if the run had already ended.
    """
    from graphwright_runtime.durable.survey import request_cancel

    run_id = text(params, "run_id")
    found = _status(run_id, context)
    if found["alive"]:
        _accepted(lambda: request_cancel(context.project, run_id))
    return Described({**found, "requested": found["alive"]})


def list_runs(params: dict[str, Json], context: Context) -> dict[str, Json]:
    """List runs, newest first. Params: `status`, `graph_id`, `parent_id` (filters), `limit` (default 100).

    Result: `runs` (`run_id`, `graph_id`, `parent_id`, `status`, `alive`, `pid`, `created_at`, `updated_at`; times in
    seconds since the epoch) and `total`, the number of runs found regardless of `limit`.
    """
    from graphwright_runtime.durable.listing import runs

    wanted = {name: text(params, name) for name in ("status", "graph_id", "parent_id") if name in params}
    limit = count(params, "limit", default=_LIMIT)
    rows = _accepted(lambda: runs(context.project)).runs
    found = [row for row in reversed(rows) if all(getattr(row, name) == value for name, value in wanted.items())]
    return {"runs": [_row(row) for row in found[:limit]], "total": len(found)}


def _status(run_id: str, context: Context) -> dict[str, Json]:
    from graphwright_runtime.durable.survey import run_status

    found: RunStatus = _accepted(lambda: run_status(context.project, run_id))
    return found.summary()


def _row(row: RunRow) -> Json:
    return {
        "run_id": row.run_id,
        "graph_id": row.graph_id,
        "parent_id": row.parent_id,
        "status": row.status,
        "alive": row.pid is not None,
        "pid": row.pid,
        "created_at": row.created_at,
        "updated_at": row.updated_at,
    }


def _accepted(question: Callable[[], T]) -> T:
    """The result of a function; a RefusedError becomes a NodeError."""
    try:
        return question()
    except RefusedError as error:
        raise NodeError(str(error), category="permanent") from error
