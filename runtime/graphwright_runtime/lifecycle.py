"""Executes a run from its first hook to its last, and determines how it ended."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING, Final, NamedTuple, Never, cast

from graphwright_runtime.backoff import finish_wait
from graphwright_runtime.branch import Branch
from graphwright_runtime.cancellation import Cancellation, LateError, attended
from graphwright_runtime.checks import misfit
from graphwright_runtime.cursor import Cursor, WatchedCursor
from graphwright_runtime.errors import CancelRequested, Ended, LimitReached, LogError, NodeError
from graphwright_runtime.events import (
    GraphCancelled,
    GraphCompleted,
    GraphError,
    GraphStarted,
    RunEvent,
)
from graphwright_runtime.failure import settle
from graphwright_runtime.hooks import fire
from graphwright_runtime.linemap import note_place
from graphwright_runtime.log import current, logger
from graphwright_runtime.loop import after_step, walk
from graphwright_runtime.result import ABSENT, Failed, RunResult, Status
from graphwright_runtime.run import OWN_KEYS, Run
from graphwright_runtime.toolerror import failed, with_type
from graphwright_runtime.values import Json, Result

if TYPE_CHECKING:
    from graphwright_runtime.durable.checkpoint import Checkpoint
    from graphwright_runtime.durable.recorder import Recorder
    from graphwright_runtime.payloads import GraphEndPayload, GraphStartedPayload

log: Final = logger(__name__)

#: Seconds for hooks on `graph_completed` when the run is cancelled.
_GRACE: Final = 10

_ENDS: Final[Mapping[Status, type[RunEvent]]] = {"cancelled": GraphCancelled, "error": GraphError}


class End(NamedTuple):
    """How a run ended: see `RunResult`. `repeats`: resuming it with an unchanged graph would end it in the same way."""

    status: Status
    error: str | None = None
    node: str | None = None
    exception: NodeError | None = None
    limited: bool = False
    returned: bool = False
    repeats: bool = False


async def run_to_end(run: Run) -> RunResult[Never, Never, Never]:
    """Execute the graph, with the hooks before and after it.

    A cancellation propagates after the `graph_completed` hooks, unless the host requested it. An exception of the host,
    or an unexpected one, ends the run with an error.
    """
    branch: Cursor[object, object] = WatchedCursor(run) if run.watched else Cursor(run)
    token = current.set(branch)
    try:
        if run.tracer is None:
            return await _to_end(run, branch)
        with run.tracer.run(run) as conclude:
            result = await _to_end(run, branch)
            conclude(result)
            return result
    finally:
        with suppress(ValueError):  # this coroutine is being closed by another one
            current.reset(token)


async def _to_end(run: Run, branch: Branch) -> RunResult[Never, Never, Never]:
    limit, begun = run.graph.timeout_s, asyncio.get_running_loop().time()
    leaving: BaseException | None = None
    run.cut = partial(_cut, run, branch)
    try:
        end = await attended(_with_family(run, branch), run.cancellation, limit, branch.cancel)
    except LateError:
        end = _ended(branch, "error", f"the run timed out after {limit:g} s")
    except (asyncio.CancelledError, KeyboardInterrupt) as error:
        end, leaving = _ended(branch, "cancelled", "cancelled"), error
    run.cancellation, run.cut = Cancellation(), None
    try:
        await attended(_conclude(run, branch, end), run.cancellation, None if leaving is None else _GRACE)
    except LateError:
        log.warning("%s: hooks on graph_completed took more than %d s and were cancelled", run.run_id, _GRACE)
    except (asyncio.CancelledError, KeyboardInterrupt) as error:
        leaving = error
    if run.family is not None:
        try:
            await run.family.end(run.run_id, "caller")
        except asyncio.CancelledError as error:
            leaving = error
    if run.recorder is not None:
        end = _recorded(run.recorder, branch, end)
    _log_end(branch, end, asyncio.get_running_loop().time() - begun)
    if leaving is None or (isinstance(leaving, asyncio.CancelledError) and _wanted(run)):
        return _result(run, branch, end)
    raise leaving


def _result(run: Run, branch: Branch, end: End) -> RunResult[Never, Never, Never]:
    output: object = None
    kind: type[RunResult[Never, Never, Never]] = Failed
    if end.status in ("completed", "completed_with_errors"):
        kind, output = RunResult, run.state if branch.output is ABSENT else branch.output
    elif end.returned and branch.output is not ABSENT:
        output = branch.output
    return kind(
        end.status,
        cast("Never", run.state),
        cast("Never", output),
        graph_run_id=run.run_id,
        path=cast("tuple[Never, ...]", tuple(branch.path)),
        error=end.error,
        node=cast("Never", end.node),
        errors=tuple(run.errors),
        max_steps_reached=end.limited,
        exception=end.exception,
        cost=run.cost,
    )


def _ended(branch: Branch, status: Status, error: str, exception: NodeError | None = None) -> End:
    return End(status, error, branch.node if branch.step else None, exception)


def _broken(branch: Branch, error: BaseException) -> End:
    """The end by an exception that is not an error of a node."""
    fault = NodeError(with_type(failed(error)), error_type=type(error).__name__).with_traceback(error.__traceback__)
    fault.__cause__ = error
    if branch.step:
        note_place(branch, fault)
    return _ended(branch, "error", str(fault), fault)


def _cut(run: Run, branch: Branch) -> None:
    """Cancel the current action of the run, as cancelling its task would."""
    run.cancellation.ask()
    branch.cancel()
    if run.cancellation.task is not None:
        run.cancellation.task.cancel()


def _wanted(run: Run) -> bool:
    """Whether the host requested the cancellation: then the run ends with a result, and its task is not cancelled."""
    if run.cancelled_by is not None:
        return True
    task = asyncio.current_task()
    if task is None or not run.host.cancel_requested():
        return False
    task.uncancel()
    return True


async def _with_family(run: Run, branch: Branch) -> End:
    """Walk the graph, and wait for what the run started in the background."""
    end = await _walked(run, branch)
    if run.family is not None and end.status != "cancelled":
        await run.family.until_over(run.run_id)
    return end


async def _walked(run: Run, branch: Branch) -> End:
    graph = run.graph
    if graph.timeout_s is not None:
        run.ends_at = asyncio.get_running_loop().time() + graph.timeout_s
    resumed = "" if run.checkpoint is None else f", resumed after {branch.step} steps"
    called = "" if run.origin.parent_run_id is None else f", called by {run.origin.parent_run_id}"
    log.info("%s: started %s%s%s", run.run_id, graph.id, called, resumed)
    try:
        started: GraphStartedPayload = {"graph_id": graph.id, "nodes": len(graph.nodes)}
        if run.recorder is not None:
            run.recorder.start(run)
        if run.begun is not None:
            run.begun.set()
        if run.checkpoint is None:
            run.emit(GraphStarted, started)
            inputs = cast("Json", dict(run.inputs))
            await fire(branch, "graph_started", {"graph_id": graph.id, "graph_run_id": run.run_id, "inputs": inputs})
            limited = await _to_the_end(branch, graph.start)
        else:
            started["resumed_at"] = branch.step
            run.emit(GraphStarted, started)
            from graphwright_runtime.revival import revive  # few runs are resumed

            await revive(run)
            limited = await _go_on(branch, run.checkpoint)
        if graph.check_state is not None or graph.check_output is not None:
            await _check_end(run, branch)
    except Ended as ended:
        if ended.returned:
            note_place(branch, ended.error.with_traceback(ended.__traceback__))
        end = End("error", str(ended), ended.error.node, ended.error, returned=ended.returned)
        return end._replace(repeats=ended.repeats)
    except LimitReached as limit:
        return End("error", str(limit), limit.node, repeats=not limit.failed)
    except LogError as error:
        return _ended(branch, "error", str(error))
    except CancelRequested:
        return End("cancelled", "cancelled")
    except BaseException as error:
        run.cancellation.check_error(error)
        return _broken(branch, error)
    return End(_completed(run), limited=limited and graph.on_max_steps == "flag")


async def _go_on(branch: Branch, checkpoint: Checkpoint) -> bool:
    """Continue a resumed run like `_to_the_end`, first running the hooks of its last step, which may not have run."""
    run, last, node = branch.run, checkpoint.last, checkpoint.node
    if last and last["kind"] != "return" and "after_step" in run.hooks:
        result = cast("Result | None", last.get("result"))
        await after_step(branch, branch.node, node, str(last["status"]), result)
    if node is None:
        return False
    await finish_wait(run, checkpoint.in_flight)
    return await _to_the_end(branch, node)


async def _to_the_end(branch: Branch, node: str) -> bool:
    """Execute the graph to its end. Returns whether a limit ended it; raises LimitReached if that is an error."""
    graph = branch.run.graph
    try:
        await walk(branch, node)
    except LimitReached as limit:
        if graph.on_max_steps == "fail" or limit.failed:
            raise
        return True
    return False


async def _check_end(run: Run, branch: Branch) -> None:
    """Raise Ended if a run would complete with a state or output that does not match its schema."""
    graph = run.graph
    try:
        if graph.check_state is not None:
            state = {key: value for key, value in run.state.items() if key not in OWN_KEYS}
            graph.check_state(state, "state", misfit)
        if graph.check_output is not None and branch.output is ABSENT:
            graph.check_output(run.state, "output", misfit)
    except NodeError as error:
        await settle(branch, error, retry=False)
        raise Ended(error, repeats=True) from error


def _recorded(recorder: Recorder, branch: Branch, end: End) -> End:
    """Record the end of the run in its log. If that fails, the run ends with an error."""
    payload: Mapping[str, object] = {**_told(branch, end), **({"repeats": True} if end.repeats else {})}
    try:
        recorder.end(branch.run, _ENDS.get(end.status, GraphCompleted).event_type, payload, end.status)
    except LogError as error:
        if end.status != "error":
            return _ended(branch, "error", str(error))
        log.warning("%s: the end of the run is not in its log: %s", branch.run.run_id, error)
    return end


def _log_end(branch: Branch, end: End, seconds: float) -> None:
    said = end.status if end.status != "error" else f"error: {end.error}"
    log.info("%s: ended after %d steps and %.1f s: %s", branch.run.run_id, branch.step, seconds, said)


def _completed(run: Run) -> Status:
    return "completed_with_errors" if run.errors else "completed"


def _told(branch: Branch, end: End) -> GraphEndPayload:
    """The payload of the last event."""
    payload: GraphEndPayload = {"status": end.status, "steps": branch.step, "error": end.error, "node": end.node}
    by = branch.run.cancelled_by or getattr(branch.run.host, "cancelled_by", None)
    if end.limited:
        payload["max_steps_reached"] = True
    if end.status == "cancelled" and by is not None:
        payload["signal"] = str(by)
    if cost := branch.run.cost:
        payload["cost"] = cost
    if calls := branch.run.calls:
        payload["calls"] = [receipt for _, receipt in calls]
    return payload


async def _conclude(run: Run, branch: Branch, end: End) -> None:
    """Report the end to the listener and the hooks, which can no longer change the result."""
    context: dict[str, Json] = {"graph_id": run.graph.id, "graph_run_id": run.run_id, "steps": branch.step}
    try:
        run.emit(_ENDS.get(end.status, GraphCompleted), _told(branch, end))
        await fire(branch, "graph_completed", {**context, "status": end.status, "error": end.error})
    except BaseException as error:
        run.cancellation.check_error(error)
        log.warning("%s: the end of the run could not be reported: %s", run.run_id, with_type(failed(error)))
    if run.family is not None and end.status != "cancelled":
        await run.family.until_over(run.run_id)  # a hook may have started something
