"""A run from its first hook to its last, however it ends."""

from __future__ import annotations

import asyncio
from typing import Final, NamedTuple, cast

from graphwright_runtime.branch import Branch
from graphwright_runtime.cursor import Cursor
from graphwright_runtime.errors import CancelRequested, Ended, LimitReached, NodeError
from graphwright_runtime.events import EventType
from graphwright_runtime.hooks import fire
from graphwright_runtime.loop import walk
from graphwright_runtime.places import note_place
from graphwright_runtime.result import Status
from graphwright_runtime.run import Run
from graphwright_runtime.tasks import bounded
from graphwright_runtime.values import Json

#: Seconds that hooks on `graph_completed` have when the run is cancelled.
_GRACE: Final = 10


class End(NamedTuple):
    """How a run ended: see `RunResult`."""

    status: Status
    error: str | None = None
    node: str | None = None
    exception: NodeError | None = None
    limited: bool = False


async def conduct(run: Run) -> End:
    """Walk the graph, with the hooks at both ends.

    A cancellation goes on when `graph_completed` hooks have run, unless the host asked for it; so do errors that are
    none of a node's, with a note where they came from.
    """
    branch: Cursor[object, object] = Cursor(run)
    try:
        end = await _walked(run, branch)
    except asyncio.CancelledError:
        end = End("cancelled", "cancelled", branch.node if branch.step else None)
        await bounded(_conclude(run, branch, end), _GRACE)
        if not _wanted(run):
            raise
        return end
    except GeneratorExit:  # nothing can be awaited any more
        raise
    except BaseException as error:
        if branch.step:
            note_place(branch, error)
        await bounded(_conclude(run, branch, End("error", f"{type(error).__name__}: {error}")), _GRACE)
        raise
    try:
        await _conclude(run, branch, end)
    except asyncio.CancelledError:
        if not _wanted(run):
            raise
    return end


def _wanted(run: Run) -> bool:
    """Whether a cancellation is what the host asked for: the run then ends with a result, and the task lives on."""
    task = asyncio.current_task()
    if task is None or not run.host.cancel_requested():
        return False
    task.uncancel()
    return True


async def _walked(run: Run, branch: Branch) -> End:
    graph = run.graph
    deadline = asyncio.timeout(graph.timeout_s)
    try:
        async with deadline:
            run.emit("graph_started", {"graph_id": graph.id, "nodes": len(graph.nodes)})
            inputs = cast("Json", dict(run.inputs))
            await fire(branch, "graph_started", {"graph_id": graph.id, "graph_run_id": run.run_id, "inputs": inputs})
            await walk(branch, graph.start)
    except Ended as ended:
        return End("error", str(ended), ended.error.node, ended.error)
    except LimitReached as limit:
        if graph.on_max_steps == "fail":
            return End("error", str(limit), limit.node)
        return End(_completed(run), limited=graph.on_max_steps == "flag")
    except CancelRequested:
        return End("cancelled", "cancelled")
    except TimeoutError:
        if not deadline.expired():
            raise
        return End("error", f"the run timed out after {graph.timeout_s:g} s", branch.node if branch.step else None)
    return End(_completed(run))


def _completed(run: Run) -> Status:
    return "completed_with_errors" if run.errors else "completed"


async def _conclude(run: Run, branch: Branch, end: End) -> None:
    """Tell the listener and the hooks that the run is over."""
    event: EventType = "graph_completed"
    if end.status == "cancelled":
        event = "graph_cancelled"
    elif end.status == "error":
        event = "graph_error"
    run.emit(event, {"status": end.status, "steps": branch.step, "error": end.error, "node": end.node})
    context: dict[str, Json] = {"graph_id": run.graph.id, "graph_run_id": run.run_id, "steps": branch.step}
    await fire(branch, "graph_completed", {**context, "status": end.status, "error": end.error})
