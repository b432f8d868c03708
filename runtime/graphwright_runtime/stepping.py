"""Calls of a graph that execute one of its nodes: `node`, with `inject_state` (language.md §13)."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping

from graphwright_runtime.alone import Next, alone, answer, check_node, stood
from graphwright_runtime.capability import Grants
from graphwright_runtime.environment import missing_variables
from graphwright_runtime.errors import NodeError, RefusedError
from graphwright_runtime.events import Event
from graphwright_runtime.graph import AnyGraph
from graphwright_runtime.inputs import prepared
from graphwright_runtime.lifecycle import run_to_end
from graphwright_runtime.nested import Kept, run_below
from graphwright_runtime.origin import Origin
from graphwright_runtime.run import Run
from graphwright_runtime.steering import NestedCall
from graphwright_runtime.values import Json


async def step_below(
    parent: Run, graph: AnyGraph, call: NestedCall, *, limits: Mapping[str, Json], grants: Grants, origin: Origin
) -> dict[str, Json]:
    """Execute one node of a graph below a run: the result of `single.step`. Nothing of it is persisted.

    With `resume_run_id` the node starts from the inputs and the state of that run, whose files are only read. Raises
    NodeError.
    """
    node = call.node or ""
    try:
        check_node(graph, node)
        before = None if call.resume_run_id is None else stood(graph, parent.project, call.resume_run_id)
    except RefusedError as error:
        raise NodeError(str(error), category="permanent") from error
    if before is not None and call.inputs:
        raise NodeError("a run that is started from has its inputs: pass none", category="permanent")
    inputs, problems = prepared(graph, call.inputs if before is None else before.inputs)
    problems += missing_variables(graph.required_env, parent.env)
    if problems:
        raise NodeError("; ".join(problems), category="permanent")
    state = {**(graph.initial() if before is None else before.state), **call.state}
    if before is not None:
        grants = grants.narrowed(before.capabilities)
    run_id = f"{parent.host.new_run_id(graph.id) if before is None else before.run_id}-step"
    run = run_below(parent, alone(graph, node, state), inputs, Kept(run_id), grants, limits, origin)
    following, listener = Next(run_id), parent.listener

    def told(event: Event) -> None:
        following(event)
        if listener is not None:
            listener(event)

    run.listener, run.watched = told, True
    result = await run_to_end(run)
    if result.status == "cancelled":
        parent.cancellation.ask()
        raise asyncio.CancelledError
    return answer(result, node, following, before)
