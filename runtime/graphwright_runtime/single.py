"""Executes a single node of a graph, for inspection. Nothing is persisted."""

from __future__ import annotations

import copy
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final, NamedTuple, cast

from graphwright_runtime.errors import RefusedError
from graphwright_runtime.events import Event
from graphwright_runtime.graph import AnyGraph, GraphRecord
from graphwright_runtime.host import Host
from graphwright_runtime.inprocess import InProcessHost
from graphwright_runtime.launch import launch
from graphwright_runtime.result import RunResult
from graphwright_runtime.values import Json

#: Events whose hooks run for a single node.
_OF_A_NODE: Final = ("after_step", "error")


class Stood(NamedTuple):
    """The position of a persisted run after its last finished step, from which a single step can start."""

    run_id: str
    inputs: Mapping[str, object]
    state: Mapping[str, object]
    capabilities: Sequence[str] | None
    steps: int


def stood(graph: AnyGraph, project: Path, run_id: str) -> Stood:
    """Read the starting point from a run's log, which is verified and not changed. Raises RefusedError."""
    from graphwright_runtime.durable.reader import verified_log

    checkpoint = verified_log(project, run_id).checkpoint
    if not checkpoint.started:
        raise RefusedError(f"the run {run_id!r} ended before its first step was kept")
    if checkpoint.head["graph_id"] != graph.id:
        raise RefusedError(f"the run {run_id!r} belongs to the graph `{checkpoint.head['graph_id']}`, not `{graph.id}`")
    checkpoint.forget_failure()
    return Stood(run_id, checkpoint.inputs, checkpoint.state, checkpoint.capabilities, len(checkpoint.path))


async def step(
    graph: AnyGraph,
    node: str,
    inputs: Mapping[str, object],
    *,
    state: Mapping[str, object] | None = None,
    resume_from: str | None = None,
    capabilities: Sequence[str] | None = None,
    env: Mapping[str, str] | None = None,
    host: Host | None = None,
    project: str | os.PathLike[str] | None = None,
) -> dict[str, Json]:
    """Execute one node with its retries, its edges, and the hooks on errors and steps.

    The state is `config.state`, or the current state of the run `resume_from` of the `project`, updated with `state`.
    With `resume_from`, the inputs and capabilities are those of that run, and `inputs` must be empty.

    Returns `{success, state, executed_node, next_node, step_count}`, and `error` if the node failed. The id of the run
    ends with `-step`; nothing is persisted, regardless of the graph's `durability`. Raises RefusedError.
    """
    if node not in graph.nodes:
        raise RefusedError(f"the graph `{graph.id}` has no node `{node}`; it has {', '.join(graph.nodes)}")
    host = InProcessHost() if host is None else host
    before = None if resume_from is None else stood(graph, Path(project or "").absolute(), resume_from)
    if before is not None and (inputs or capabilities is not None):
        raise RefusedError("a run that is started from has its inputs and capabilities: pass none")
    begun = {**(graph.initial() if before is None else before.state), **(state or {})}
    told: list[Json] = []

    def listen(event: Event) -> None:
        if event.event_type == "step_completed" and not event.namespace:
            told.append(event.payload["next_node"])

    result: RunResult[object, object] = await launch(
        _alone(graph, node, begun),
        inputs if before is None else before.inputs,
        tools={},
        dispatch=None,
        strict_tools=False,
        capabilities=capabilities if before is None else before.capabilities,
        env=env,
        host=host,
        project=project,
        run_id=f"{host.new_run_id(graph.id) if resume_from is None else resume_from}-step",
        resume=None,
        durability="off",
        allow_changed=False,
        listener=listen,
    )
    if not result.path and result.error is not None:
        raise RefusedError(result.error)
    answer: dict[str, Json] = {
        "success": result.success,
        "state": cast("Json", result.state),
        "executed_node": node,
        "next_node": told[0] if told else None,
        "step_count": result.steps + (0 if before is None else before.steps),
    }
    return answer if result.error is None else {**answer, "error": result.error}


def _alone(graph: AnyGraph, node: str, state: dict[str, object]) -> AnyGraph:
    """A copy of the graph that starts at this node and ends after one step."""
    alone: GraphRecord[object, object, object] = copy.copy(cast("GraphRecord[object, object, object]", graph))
    alone.start = node
    alone.initial = lambda: state
    alone.max_steps = 1
    alone.max_visits = {}
    alone.on_max_steps = "return"
    alone.check_state = alone.check_output = None
    alone.hooks = [hook for hook in graph.hooks if hook.event in _OF_A_NODE]
    return cast("AnyGraph", alone)
