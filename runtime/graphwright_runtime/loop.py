"""The step loop: from node to node until one has no successor, with whoever wants to know told of every step
(language.md §6, point 7).
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import repeat
from typing import cast

from graphwright_runtime.branch import Branch
from graphwright_runtime.errors import Ended, NodeError, Reenter
from graphwright_runtime.failure import Node, recovered
from graphwright_runtime.hooks import fire
from graphwright_runtime.host import Step, persists
from graphwright_runtime.limits import Pace
from graphwright_runtime.values import Json, apart


async def walk(branch: Branch, start: str) -> None:
    """Execute nodes from `start` on.

    Raises what ends a run early: Ended, LimitReached, CancelRequested, cancellation, and errors that are none of a
    node's.
    """
    nodes = cast("Mapping[str, Node]", branch.run.graph.nodes)
    if branch.run.watched:
        nodes = {name: _watched(function) for name, function in nodes.items()}
    path, pace = branch.path, Pace(branch)
    node: str | None = start
    while node is not None:
        for _ in repeat(None, pace.quick() or await pace.look(node)):
            path.append(node)
            try:
                node = await nodes[node](branch)
            except (NodeError, Reenter, Ended) as signal:
                node = await recovered(branch, nodes[path[-1]], signal)
            if node is None:
                break


def _watched(node: Node) -> Node:
    """The node, with somebody told before and after it."""

    async def step(branch: Branch) -> str | None:
        branch.begin()
        kind = branch.run.graph.kinds.get(branch.node, "action")
        started = branch.run.host.now()
        branch.run.emit("step_started", {"step": branch.step, "node": branch.node, "kind": kind})
        try:
            try:
                following = await node(branch)
            except (NodeError, Reenter, Ended) as signal:
                following = await recovered(branch, node, signal)
        except Ended as ended:
            branch.status = "error"
            await _tell(branch, kind, started, None, str(ended))
            raise
        await _tell(branch, kind, started, following, None)
        return following

    return step


async def _tell(branch: Branch, kind: str, started: float, next_node: str | None, ended: str | None) -> None:
    """The step is done: `next_node` comes after it, or an error `ended` the run here."""
    run, node, step = branch.run, branch.node, branch.step
    if persists(run.host):
        await run.host.commit(Step(run.run_id, step, node, next_node, branch.status, branch.delta))
    payload: dict[str, Json] = {
        "step": step,
        "node": node,
        "kind": kind,
        "next_node": next_node,
        "status": branch.status,
        "delta": cast("Json", apart(branch.delta) if run.listener is not None else branch.delta),
        "elapsed_ms": round((run.host.now() - started) * 1000, 3),
    }
    if branch.status == "error":
        payload["error"] = ended if ended is not None else _last_error(branch)
    run.emit("step_completed", payload)
    if kind != "return":
        context: dict[str, Json] = {"node": node, "next_node": next_node, "step_count": step, "status": branch.status}
        await fire(branch, "after_step", {**context, "result": cast("Json", branch.result)})


def _last_error(branch: Branch) -> Json:
    last = branch.run.state.get("_last_error")
    return cast("Json", last.get("error")) if isinstance(last, dict) else None
