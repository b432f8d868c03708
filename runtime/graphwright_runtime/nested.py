"""Nested runs: graphs that a run calls, and waits for or not (language.md §13)."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Mapping
from typing import TYPE_CHECKING, NamedTuple, cast

from graphwright_runtime.bounds import limits_below
from graphwright_runtime.calling import perform_for_tool
from graphwright_runtime.capability import Grants
from graphwright_runtime.context import Context
from graphwright_runtime.environment import missing_variables
from graphwright_runtime.errors import NodeError, RefusedError
from graphwright_runtime.family import Child, Family
from graphwright_runtime.graph import AnyGraph
from graphwright_runtime.inputs import prepared
from graphwright_runtime.lifecycle import run_to_end
from graphwright_runtime.origin import Origin
from graphwright_runtime.refusal import refused
from graphwright_runtime.result import ABSENT, RunResult
from graphwright_runtime.run import Run
from graphwright_runtime.steering import NestedCall, nested_call
from graphwright_runtime.values import Json

if TYPE_CHECKING:
    from graphwright_runtime.durable.checkpoint import Checkpoint
    from graphwright_runtime.durable.recorder import Recorder


class Kept(NamedTuple):
    """How a nested run is persisted: its id, where it stood if it is resumed, and what records it.

    A run that completed before has a checkpoint and no recorder; one that is not persisted has neither.
    """

    identity: str
    checkpoint: Checkpoint | None = None
    recorder: Recorder | None = None


async def nest(parent: Run, graph: AnyGraph, params: Mapping[str, Json], context: Context) -> dict[str, Json]:
    """Run a graph below another run, with the same tools and environment, and with restricted capabilities.

    If the caller is persisted, so is this run, with an id that is derived from the call: if the caller is interrupted
    and resumed, this run is resumed, too. A cancellation of this run cancels its caller, unless it is in the
    background.
    """
    call = nested_call(graph, params)
    if call.validate:
        return _validated(graph, call)
    books = parent.books()
    limits = limits_below(parent, graph.limits, call.depth, context.bounds)
    origin = Origin(parent.run_id, parent.origin.root_run_id, (*parent.origin.namespace, _caller(context)))
    grants = context.grants.narrowed(graph.permissions).narrowed(call.capabilities)
    if call.node is not None:
        from graphwright_runtime.stepping import step_below  # few calls are of a single node

        return await step_below(parent, graph, call, limits=limits, grants=grants, origin=origin)
    copy, problems = prepared(graph, call.inputs) if call.resume_run_id is None else ({}, [])
    problems += missing_variables(graph.required_env, parent.env)
    if problems:
        identity = parent.host.new_run_id(graph.id)
        return refused(graph.id, identity, problems, parent.host, parent.listener, origin).to_dict(with_state=False)
    identity = _identity(parent, graph, call, context, copy)
    books.begin(identity, parent.limits)
    if call.background and call.resume_run_id is None and parent.family and parent.family.is_running(identity):
        return _started(identity)  # a resumed caller, which goes on with what it had started
    kept = _kept(parent, graph, call, identity)
    if kept.checkpoint is not None and kept.recorder is None:
        before = _completed_before(identity, kept.checkpoint)
        books.charge(identity, dict(before.cost))
        return _started(identity, before.status) if call.background else before.to_dict(with_state=False)
    inputs = copy if kept.checkpoint is None else kept.checkpoint.inputs
    granted = call.capabilities if context.bounds is None else grants.patterns()  # for a run that is resumed
    run = run_below(parent, graph, inputs, kept, grants, limits, origin, granted)
    if call.background:
        if run.recorder is not None:
            run.recorder.background = {"depth": run.depth}
        await start(parent, run)
        return _started(run.run_id)
    result = await _to_end(run)
    books.charge(run.run_id, run.cost)
    if result.status == "cancelled":
        parent.cancelled_by = parent.cancelled_by or run.cancelled_by
        parent.cancellation.ask()
        raise asyncio.CancelledError
    return result.to_dict(with_state=False)


def run_below(
    parent: Run,
    graph: AnyGraph,
    inputs: dict[str, object],
    kept: Kept,
    grants: Grants,
    limits: Mapping[str, Json],
    origin: Origin,
    capabilities: object = None,
) -> Run:
    """A run of a graph below another one, with everything that the two share; `capabilities` are those of the call."""
    if kept.checkpoint is not None:
        grants = grants.narrowed(kept.checkpoint.capabilities)
    if parent.family is None:
        parent.family = Family()
    run = Run(
        graph,
        inputs,
        run_id=kept.identity,
        host=parent.host,
        grants=grants,
        tools=parent.tools,
        dispatch=parent.dispatch,
        strict_tools=parent.strict_tools,
        env=parent.env,
        project=parent.project,
        limits=limits,
        listener=parent.listener,
        perform=perform_for_tool,
        nest=nest,
        capabilities=cast("list[str] | None", capabilities),
        recorder=kept.recorder,
        checkpoint=kept.checkpoint,
        room=parent.room,
        origin=origin,
    )
    run.family = parent.family
    return run


async def start(parent: Run, run: Run) -> None:
    """Begin a run in the background of its parent; returns when it has begun, so that others find it."""
    begun = run.begun = asyncio.Event()
    task = begin_below(parent, run)
    waiting = asyncio.ensure_future(begun.wait())
    try:
        await asyncio.wait([waiting, task], return_when=asyncio.FIRST_COMPLETED)
    finally:
        waiting.cancel()


def begin_below(parent: Run, run: Run) -> asyncio.Task[None]:
    """Begin a run in the background of its parent: the task that executes it."""
    family = run.family = parent.family = parent.family or Family()
    child = Child(run.run_id, run.graph.id, parent.run_id, lambda by: _stop(run, child, by))

    async def work() -> dict[str, Json]:
        return (await _to_end(run)).to_dict(with_state=False)

    def done() -> None:
        parent.books().charge(run.run_id, run.cost)
        if run.recorder is not None:
            run.recorder.close()

    return family.start(child, work(), done)


def _stop(run: Run, child: Child, by: str) -> None:
    if run.cut is not None:
        run.cancel(by)
    elif child.task is not None:
        child.task.cancel()


async def _to_end(run: Run) -> RunResult[object, object]:
    try:
        return await run_to_end(run)
    finally:
        if run.recorder is not None:
            run.recorder.close()


def _started(identity: str, status: str = "running") -> dict[str, Json]:
    """The result of a call that does not wait."""
    return {"success": True, "graph_run_id": identity, "status": status, "pid": os.getpid()}


def _validated(graph: AnyGraph, call: NestedCall) -> dict[str, Json]:
    """The result of a call with `validate`. The graph itself was checked when it was compiled; inputs, if there are
    any, are checked now."""
    _, problems = prepared(graph, call.inputs) if call.inputs else ({}, [])
    found: dict[str, Json] = {
        "success": not problems,
        "errors": list[Json](problems),
        "warnings": [],
        "node_count": len(graph.nodes),
    }
    return {**found, "error": "; ".join(problems)} if problems else found


def _caller(context: Context) -> str:
    """The name of the caller in the namespace of a nested run: a node, or an item of a node."""
    name = context.node or "hook"  # before the first node
    return name if context.index is None else f"{name}[{context.index}]"


def _identity(parent: Run, graph: AnyGraph, call: NestedCall, context: Context, inputs: Mapping[str, object]) -> str:
    """The id of a nested run: that of the call if it is persisted.

    A tool whose step was interrupted may call something else when it is executed again. Then it does not get what the
    call with the same number gave before.
    """
    if call.resume_run_id is not None:
        return call.resume_run_id
    if parent.recorder is None or parent.recorder.level == "exit":
        return parent.host.new_run_id(graph.id)
    identity = call_identity(context, background=call.background)
    while context.level and not _may_be(parent, identity, graph, inputs):
        context.children += 1
        identity = call_identity(context, background=call.background)
    return identity


def _may_be(parent: Run, identity: str, graph: AnyGraph, inputs: Mapping[str, object]) -> bool:
    """Whether a run with this id, if there is one, is of this graph with these inputs."""
    from graphwright_runtime.durable.reader import first_event

    head = first_event(parent.project, identity)
    return not head or (head.get("graph_id"), head.get("inputs")) == (graph.id, inputs)


def _kept(parent: Run, graph: AnyGraph, call: NestedCall, identity: str) -> Kept:
    """What records a nested run, and where it stood before. Raises NodeError if it cannot go on."""
    above = parent.recorder
    from_above = None if above is None or above.level == "exit" else above
    if call.resume_run_id is None and from_above is None:
        return Kept(identity)
    from graphwright_runtime.durable.opening import reopen_below, reopen_by_id

    try:
        if call.resume_run_id is None and from_above is not None:
            return Kept(identity, *reopen_below(from_above, parent.project, graph, identity))
        kept = Kept(identity, *reopen_by_id(parent.project, graph, identity))
        _check_inputs(kept, call)
        return kept
    except RefusedError as error:
        raise NodeError(str(error), category="permanent") from error


def call_identity(context: Context, *, background: bool) -> str:
    """The id of what a call starts, the same when the caller is resumed.

    Another attempt begins anew, except that it does not start a second run in the background.
    """
    attempt = f"~{context.attempt}" if context.attempt > 1 and not background else ""
    child = f"+{context.children}" if context.children > 1 else ""
    return f"{context.idempotency_key.replace('/', '.')}{attempt}{child}"


def _check_inputs(kept: Kept, call: NestedCall) -> None:
    """A run that is resumed has its inputs; those that are passed must be the same. Raises RefusedError."""
    before = {} if kept.checkpoint is None else kept.checkpoint.inputs
    for name, value in call.inputs.items():
        if name not in before or before[name] != value:
            if kept.recorder is not None:
                kept.recorder.close()
            raise RefusedError(f"the input `{name}` is not the one that the run was started with: leave it out")


def _completed_before(run_id: str, checkpoint: Checkpoint) -> RunResult[object, object]:
    """The result of a nested run that completed before its caller was interrupted."""
    return RunResult(
        checkpoint.status or "completed",
        checkpoint.state,
        checkpoint.state if checkpoint.output is ABSENT else checkpoint.output,
        graph_run_id=run_id,
        path=tuple(checkpoint.path),
        errors=tuple(checkpoint.errors),
        max_steps_reached=checkpoint.end.get("max_steps_reached") is True,
        cost=cast("Mapping[str, Json] | None", checkpoint.end.get("cost")),
    )
