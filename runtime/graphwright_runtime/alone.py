"""A single node of a graph, as a graph that ends after it."""

from __future__ import annotations

import copy
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final, NamedTuple, cast

from graphwright_runtime.errors import RefusedError
from graphwright_runtime.events import Event
from graphwright_runtime.graph import AnyGraph, GraphRecord
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
        raise RefusedError(f"the run {run_id!r} is of the graph `{checkpoint.head['graph_id']}`, not `{graph.id}`")
    checkpoint.forget_failure()
    return Stood(run_id, checkpoint.inputs, checkpoint.state, checkpoint.capabilities, len(checkpoint.path))


def alone(graph: AnyGraph, node: str, state: dict[str, object]) -> AnyGraph:
    """A copy of the graph that starts at this node and ends after one step."""
    copied: GraphRecord[object, object, object] = copy.copy(cast("GraphRecord[object, object, object]", graph))
    copied.start = node
    copied.initial = lambda: state
    copied.max_steps = 1
    copied.max_visits = {}
    copied.on_max_steps = "return"
    copied.check_state = copied.check_output = None
    copied.hooks = [hook for hook in graph.hooks if hook.event in _OF_A_NODE]
    return cast("AnyGraph", copied)


def check_node(graph: AnyGraph, node: str) -> None:
    """Raise RefusedError if the graph has no such node."""
    if node not in graph.nodes:
        raise RefusedError(f"the graph `{graph.id}` has no node `{node}`; it has {', '.join(graph.nodes)}")


class Next:
    """A listener that notes which node comes next."""

    def __init__(self, run_id: str) -> None:
        self.node: str | None = None
        self._run_id = run_id

    def __call__(self, event: Event) -> None:
        """Look at an event of the run, or of one that it calls."""
        if event.event_type == "step_completed" and event.graph_run_id == self._run_id:
            self.node = event.payload["next_node"]


def answer(result: RunResult[object, object], node: str, following: Next, before: Stood | None) -> dict[str, Json]:
    """What came of a single node."""
    told: dict[str, Json] = {
        "success": result.success,
        "state": cast("Json", result.state),
        "executed_node": node,
        "next_node": following.node,
        "step_count": result.steps + (0 if before is None else before.steps),
    }
    return told if result.error is None else {**told, "error": result.error}
