"""Executes a single node of a graph, for inspection. Nothing is persisted."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import Path

from graphwright_runtime.alone import Next, alone, answer, check_node, stood
from graphwright_runtime.errors import RefusedError
from graphwright_runtime.graph import AnyGraph
from graphwright_runtime.host import Host
from graphwright_runtime.inprocess import InProcessHost
from graphwright_runtime.launch import launch
from graphwright_runtime.result import RunResult
from graphwright_runtime.values import Json


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
    check_node(graph, node)
    host = InProcessHost() if host is None else host
    before = None if resume_from is None else stood(graph, Path(project or "").absolute(), resume_from)
    if before is not None and (inputs or capabilities is not None):
        raise RefusedError("a run that is started from has its inputs and capabilities: pass none")
    begun = {**(graph.initial() if before is None else before.state), **(state or {})}
    run_id = f"{host.new_run_id(graph.id) if resume_from is None else resume_from}-step"
    following = Next(run_id)
    result: RunResult[object, object] = await launch(
        alone(graph, node, begun),
        inputs if before is None else before.inputs,
        tools={},
        dispatch=None,
        strict_tools=False,
        capabilities=capabilities if before is None else before.capabilities,
        env=env,
        host=host,
        project=project,
        run_id=run_id,
        resume=None,
        durability="off",
        allow_changed=False,
        listener=following,
    )
    if not result.path and result.error is not None:
        raise RefusedError(result.error)
    return answer(result, node, following, before)
