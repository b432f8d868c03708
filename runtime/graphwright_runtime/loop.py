"""The step loop: executes nodes until one has no successor, and reports every step to its observers
(language.md §6, point 7).
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import repeat
from logging import DEBUG
from typing import TYPE_CHECKING, cast

from graphwright_runtime.branch import Branch
from graphwright_runtime.errors import Ended, NodeError, Reenter
from graphwright_runtime.events import StepCompleted, StepStarted
from graphwright_runtime.failure import Node, recovered
from graphwright_runtime.hooks import fire
from graphwright_runtime.host import Step, persists
from graphwright_runtime.limits import Pace
from graphwright_runtime.log import steps
from graphwright_runtime.run import Run
from graphwright_runtime.values import Json, Result, apart

if TYPE_CHECKING:
    from graphwright_runtime.payloads import StepCompletedPayload, StepStartedPayload
    from graphwright_runtime.tracing import Tracer


async def walk(branch: Branch, start: str) -> None:
    """Execute nodes from `start` on.

    Raises what ends a run early: Ended, LimitReached, CancelRequested, cancellation, and errors that are not those of a
    node.
    """
    nodes = cast("Mapping[str, Node]", branch.run.graph.nodes)
    if branch.run.watched:
        nodes = {name: _watched(branch.run, name, function) for name, function in nodes.items()}
    if branch.run.tracer is not None:
        nodes = {name: _traced(branch.run.tracer, function) for name, function in nodes.items()}
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


def _watched(run: Run, name: str, node: Node) -> Node:
    """A node that reports its start and end to the observers of the run."""
    kind, now, recorder = run.graph.kinds.get(name, "action"), run.host.now, run.recorder
    logged = steps.isEnabledFor(DEBUG)
    told = run.listener is not None or persists(run.host) or ("after_step" in run.hooks and kind != "return")

    async def step(branch: Branch) -> str | None:
        branch.begin()
        started = now()
        if recorder is not None:
            recorder.step_started(name, branch.step, kind, started)
        if run.listener is not None:
            begun: StepStartedPayload = {
                "step": branch.step,
                "node": name,
                "kind": kind,
                "visit": branch.visits(name),
            }
            run.emit(StepStarted, begun)
        try:
            try:
                following = await node(branch)
            except (NodeError, Reenter, Ended) as signal:
                following = await recovered(branch, node, signal)
        except Ended as ended:
            branch.status = "error"
            if run.calls:
                branch.calls = run.taken_calls()
            if recorder is not None:
                recorder.step_completed(branch, kind, started, now(), None, str(ended))
            await _tell(branch, kind, started, None, str(ended))
            raise
        if run.calls:
            branch.calls = run.taken_calls()
        if recorder is not None:  # before other observers
            recorder.step_completed(branch, kind, started, now(), following, None)
        if logged:
            _log(branch, now() - started, following)
        if told:
            await _tell(branch, kind, started, following, None)
        return following

    return step


def _traced(tracer: Tracer, node: Node) -> Node:
    async def step(branch: Branch) -> str | None:
        with tracer.node(branch):
            return await node(branch)

    return step


def _log(branch: Branch, seconds: float, following: str | None) -> None:
    said = (branch.run.run_id, branch.step, branch.node, branch.status, seconds * 1000, following or "the end")
    steps.debug("%s: step %d %s: %s after %.1f ms, then %s", *said)


async def _tell(branch: Branch, kind: str, started: float, next_node: str | None, ended: str | None) -> None:
    """Report a finished step: `next_node` is the next one, or the error `ended` the run."""
    run = branch.run
    if persists(run.host):
        step = Step(run.run_id, branch.step, branch.node, next_node, branch.status, branch.delta)
        await run.host.commit(step)
    if run.listener is not None:
        payload: StepCompletedPayload = {
            "step": branch.step,
            "node": branch.node,
            "kind": kind,
            "next_node": next_node,
            "status": "error" if branch.status == "error" else "ok",
            "delta": cast("dict[str, Json]", apart(branch.delta)),
            "elapsed_ms": round((run.host.now() - started) * 1000, 3),
        }
        if branch.status == "error":
            payload["error"] = ended if ended is not None else _last_error(branch)
        if branch.calls:
            payload["calls"] = [*branch.calls]
        run.emit(StepCompleted, payload)
        if run.room is not None:
            await run.room()
    if kind != "return" and "after_step" in run.hooks:
        await after_step(branch, branch.node, next_node, branch.status, branch.result)


async def after_step(branch: Branch, node: str, next_node: str | None, status: str, result: Result | None) -> None:
    """Run the hooks after a step."""
    context: dict[str, Json] = {"node": node, "next_node": next_node, "step_count": branch.step, "status": status}
    await fire(branch, "after_step", {**context, "result": cast("Json", result)})


def _last_error(branch: Branch) -> str | None:
    last = branch.run.state.get("_last_error")
    return cast("str | None", last.get("error")) if isinstance(last, dict) else None
