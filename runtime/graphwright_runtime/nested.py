"""Nested runs: graphs that a run calls (language.md §13).

Some params of such a call are options unless the called graph declares an input with that name: `capabilities`
restricts what it may do, `depth` the number of levels below it. Other options request features that this runtime does
not support; they are refused, because ignoring them would change the meaning of the call.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Final, NamedTuple, cast

from graphwright_runtime.calling import perform_for_tool
from graphwright_runtime.context import Context
from graphwright_runtime.environment import missing_variables
from graphwright_runtime.errors import NodeError, RefusedError
from graphwright_runtime.expressions import described
from graphwright_runtime.graph import AnyGraph
from graphwright_runtime.inputs import prepared
from graphwright_runtime.lifecycle import refused, run_to_end
from graphwright_runtime.origin import Origin
from graphwright_runtime.result import ABSENT, RunResult
from graphwright_runtime.run import Run
from graphwright_runtime.values import Json

if TYPE_CHECKING:
    from graphwright_runtime.durable.checkpoint import Checkpoint
    from graphwright_runtime.durable.recorder import Recorder

#: Options that are refused, with the reason.
REFUSED: Final[Mapping[str, str]] = {
    "async": "graphs cannot be started in the background",
    "async_exec": "graphs cannot be started in the background",
    "resume": "a nested run is resumed together with its caller",
    "resume_run_id": "a nested run is resumed together with its caller",
    "graph_run_id": "a nested run is resumed together with its caller",
    "node": "a single node cannot be run on its own",
    "inject_state": "a single node cannot be run on its own",
    "validate": "a graph cannot be validated without running it",
}
#: Refused options that may be passed as false.
FLAGS: Final = frozenset({"async", "async_exec", "resume", "validate"})


async def nest(parent: Run, graph: AnyGraph, params: Mapping[str, Json], context: Context) -> dict[str, Json]:
    """Run a graph below another run, with the same tools and environment, and with restricted capabilities.

    If the caller is persisted, so is this run, with an id that is derived from the call: if the caller is interrupted
    and resumed, this run is resumed, too. A cancellation of this run cancels its caller.
    """
    call = nested_call(graph, params)
    limits = limits_below(parent, graph.limits, call.depth)
    copy, problems = prepared(graph, call.inputs)
    problems += missing_variables(graph.required_env, parent.env)
    origin = Origin(parent.run_id, parent.origin.root_run_id, (*parent.origin.namespace, _caller(context)))
    result: RunResult[object, object]
    if problems:
        result = refused(graph.id, parent.host.new_run_id(graph.id), problems, parent.host, parent.listener, origin)
        return result.to_dict(with_state=False)
    identity, checkpoint, recorder = _kept(parent, graph, context)
    if checkpoint is not None and recorder is None:
        return _completed_before(identity, checkpoint).to_dict(with_state=False)
    run = Run(
        graph,
        copy if checkpoint is None else checkpoint.inputs,
        run_id=identity,
        host=parent.host,
        grants=parent.grants.narrowed(graph.permissions).narrowed(call.capabilities),
        tools=parent.tools,
        dispatch=parent.dispatch,
        strict_tools=parent.strict_tools,
        env=parent.env,
        project=parent.project,
        limits=limits,
        listener=parent.listener,
        perform=perform_for_tool,
        nest=nest,
        recorder=recorder,
        checkpoint=checkpoint,
        room=parent.room,
        origin=origin,
    )
    try:
        result = await run_to_end(run)
    finally:
        if recorder is not None:
            recorder.close()
    if result.status == "cancelled":
        parent.cancelled_by = parent.cancelled_by or run.cancelled_by
        parent.cancellation.ask()
        raise asyncio.CancelledError
    return result.to_dict(with_state=False)


def _caller(context: Context) -> str:
    """The name of the caller in the namespace of a nested run: a node, or an item of a node."""
    name = context.node or "hook"  # before the first node
    return name if context.index is None else f"{name}[{context.index}]"


def _kept(parent: Run, graph: AnyGraph, context: Context) -> tuple[str, Checkpoint | None, Recorder | None]:
    """The id of the nested run and, if its caller is persisted, its earlier checkpoint and its recorder."""
    above = parent.recorder
    if above is None or above.level == "exit":
        return parent.host.new_run_id(graph.id), None, None
    from graphwright_runtime.durable.opening import reopen_below

    attempt = f"~{context.attempt}" if context.attempt > 1 else ""
    child = f"+{context.children}" if context.children > 1 else ""
    identity = f"{context.idempotency_key.replace('/', '.')}{attempt}{child}"
    try:
        return identity, *reopen_below(above, parent.project, graph, identity)
    except RefusedError as error:
        raise NodeError(str(error), category="permanent") from error


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
    )


def limits_below(run: Run, graph_limits: Mapping[str, Json], depth: int | None) -> dict[str, Json]:
    """The limits of a graph that a run starts: one level less, and the lower value of each limit that both set.

    `depth` is the maximum that the call allows. Raises NodeError if no level is left.
    """
    left = run.depth
    if left <= 0:
        raise NodeError("no graph can be started below this one: `limits.depth` is used up", category="denied")
    mine: dict[str, Json] = {**run.limits, "depth": left - 1 if depth is None else min(left - 1, depth)}
    merged = {**mine, **graph_limits}
    for name in mine.keys() & graph_limits.keys():
        one, other = mine[name], graph_limits[name]
        if isinstance(one, (int, float)) and isinstance(other, (int, float)):
            merged[name] = min(one, other)
    return merged


class NestedCall(NamedTuple):
    """The call of a graph: its inputs, and the options `capabilities` and `depth` (None if not given)."""

    inputs: Mapping[str, Json]
    capabilities: Sequence[str] | None
    depth: int | None


def nested_call(graph: AnyGraph, params: Mapping[str, Json]) -> NestedCall:
    """Separate the inputs from the options of a call. Raises NodeError for unsupported or invalid options."""
    control = {name: value for name, value in params.items() if name not in graph.own_inputs and value is not None}
    for name, reason in REFUSED.items():
        value = control.get(name)
        if value is not None and not (value is False and name in FLAGS):
            raise NodeError(
                f"the graph `{graph.id}` cannot be called with `{name}` in this version: {reason}", category="permanent"
            )
    inputs = {
        name: value
        for name, value in params.items()
        if name in graph.own_inputs or (name not in REFUSED and name not in ("capabilities", "depth"))
    }
    return NestedCall(inputs, _patterns(control.get("capabilities")), _levels(control.get("depth")))


def _patterns(value: Json) -> Sequence[str] | None:
    if value is None or (isinstance(value, list) and all(isinstance(each, str) for each in value)):
        return cast("list[str] | None", value)
    raise NodeError(f"`capabilities` must be a list of patterns, not {described(value)}", category="permanent")


def _levels(value: Json) -> int | None:
    if value is None or (isinstance(value, int) and not isinstance(value, bool) and value >= 0):
        return value
    raise NodeError(f"`depth` must be an integer of at least 0, not {described(value)}", category="permanent")
