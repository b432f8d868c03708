"""Threads and tools that call each other: costs, and capabilities that only narrow."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest

from agent.graphs import HEAD, REVIEW, one, with_directive
from durability.kept import compiled, events
from graphwright_runtime.agent.runner import Thread
from graphwright_runtime.context import Context
from graphwright_runtime.durable.registry import rows
from graphwright_runtime.errors import NodeError
from graphwright_runtime.inprocess import InProcessHost
from graphwright_runtime.testing import ScriptedThreads, ScriptedTools, run_scripted

THREAD = "rye/agent/threads/thread_directive"
ASK = (
    HEAD
    + """\
config:
  start: ask
  nodes:
    ask: {action: {item_id: tool:team/ask}, assign: {got: "${result}"}, next: done}
    done: {type: return, output: "${state.got}"}
"""
)
#: Called by a thread that may call `team/*` alone.
GRAPH = (
    HEAD
    + """\
config:
  start: drop
  nodes:
    drop: {action: {item_id: tool:admin/drop}, next: done}
    done: {type: return}
"""
)


def ran(text: str, agent: Any, tools: dict[str, Any], **more: Any) -> Any:
    host = InProcessHost(threads=ScriptedThreads({"team/review": agent}))
    with compiled(text, "demo/ask") as module:
        return asyncio.run(module.run({}, tools=tools, host=host, **more))


def test_what_a_thread_costs_that_a_tool_starts(tmp_path: Path) -> None:
    ids: list[str] = []

    async def agent(thread: Thread) -> object:
        ids.append(thread.thread_id)
        return {"outputs": {"verdict": "merge"}, "cost": {"spend": 0.2, "turns": 1}}

    def ask(params: dict[str, Any], context: Context) -> object:
        given = [{"directive": "team/review", "inputs": {"diff": diff}} for diff in ("a", "b")]
        return {"outputs": [context.call_sync(THREAD, params)["outputs"] for params in given]}

    result = ran(ASK, agent, {"team/ask": ask}, project=with_directive(tmp_path), run_id="r")
    assert result.output == {"outputs": [{"verdict": "merge"}] * 2}
    assert result.cost == {"spend": 0.4, "turns": 2}
    assert ids == ["r.1.call-1", "r.1.call-2"]


@pytest.mark.parametrize("item_id", ["admin/drop", "team/middle", "team/graph"])
def test_what_a_thread_calls_may_do_no_more_than_the_thread(tmp_path: Path, item_id: str) -> None:
    dropped: list[str] = []

    async def drop(params: dict[str, Any]) -> object:
        dropped.append("drop")
        return {}

    async def middle(params: dict[str, Any], context: Context) -> object:
        return await context.call("admin/drop")

    async def agent(thread: Thread) -> object:
        with pytest.raises(NodeError, match=r"permission denied: `rye\.execute\.tool\.admin\.drop`"):
            await thread.call(item_id)
        return {"outputs": {"verdict": "merge"}}

    with compiled(GRAPH, "team/graph") as called:
        tools = {"admin/drop": drop, "team/middle": middle, "team/graph": called.GRAPH}
        result = ran(one(), agent, tools, project=with_directive(tmp_path))
    assert (result.status, dropped) == ("completed", [])


@pytest.mark.parametrize(("depth", "error"), [(2, None), (1, "team/graph"), (0, "this one")])
def test_depth_counts_threads_between_graphs(tmp_path: Path, depth: int, error: str | None) -> None:
    """The thread calls a graph, which calls another one."""
    inner = HEAD + "config: {start: done, nodes: {done: {type: return, output: 1}}}\n"
    outer = HEAD + "config: {start: call, nodes: {call: {action: {item_id: tool:team/inner}}}}\n"

    async def agent(thread: Thread) -> object:
        assert thread.limits["depth"] == depth
        try:
            await thread.call("team/graph")
        except NodeError as failure:
            return {"outputs": {"verdict": str(failure)}}
        return {"outputs": {"verdict": "merge"}}

    with compiled(outer, "team/graph") as graph, compiled(inner, "team/inner") as below:
        tools = {"team/graph": graph.GRAPH, "team/inner": below.GRAPH}
        options = f"limit_overrides: {{depth: {depth}}}"
        result = ran(one(options), agent, tools, project=with_directive(tmp_path), run_id="r")
    verdict = result.output["outputs"]["verdict"]
    assert verdict == "merge" if error is None else "no graph can be started below this one" in verdict
    started = [each["thread_id"] for each in rows(tmp_path)]
    assert ("r.1.thread.call-1" in started) is (depth > 0)


def test_a_graph_that_a_thread_starts_in_the_background_keeps_its_bounds(tmp_path: Path) -> None:
    """They are in its log, with which it is continued when the run is resumed."""

    async def agent(thread: Thread) -> object:
        await thread.call("team/graph", {"async": True})
        return {"outputs": {"verdict": "merge"}}

    async def drop(params: dict[str, Any]) -> object:
        return {}

    with compiled(GRAPH, "team/graph") as called:
        tools = {"team/graph": called.GRAPH, "admin/drop": drop}
        ran(one("limit_overrides: {depth: 2}"), agent, tools, project=with_directive(tmp_path), run_id="r")
    head, end = events(tmp_path, "r.1.thread.call-1", "graph_started", "graph_error")
    assert (head["capabilities"], head["background"]) == (["rye.execute.tool.team.*"], {"depth": 1})
    assert "permission denied" in end["error"]


def test_a_program_that_a_thread_starts_is_a_child_of_the_thread(tmp_path: Path) -> None:
    async def agent(thread: Thread) -> object:
        found = await thread.call("rye/bash", {"command": "echo $RYE_PARENT_THREAD_ID"})
        return {"outputs": {"verdict": found["stdout"]}}

    text = REVIEW.replace("rye.execute.tool.team.*", "rye.execute.tool.rye.bash")
    result = ran(one(), agent, {}, project=with_directive(tmp_path, text), run_id="r")
    assert result.output["outputs"]["verdict"] == "r.1"


@pytest.mark.parametrize("background", [False, True])
def test_a_thread_calls_as_long_as_it_runs(tmp_path: Path, background: bool) -> None:
    keys: list[str] = []
    ended: list[str] = []

    async def noted(params: dict[str, Any], context: Context) -> object:
        keys.append(context.idempotency_key)
        return {}

    async def slow(params: dict[str, Any]) -> object:
        try:
            await asyncio.sleep(30)
        except asyncio.CancelledError:
            ended.append("cancelled")
            raise
        return {}

    async def agent(thread: Thread) -> object:
        await asyncio.sleep(0.05)  # until the node is over that started it in the background
        await thread.call("team/noted")
        task = asyncio.create_task(thread.call("team/slow"))
        await thread.call("team/noted")
        assert not task.done()
        return {"outputs": {"verdict": "merge"}}

    options = "async: true" if background else ""
    tools = {"team/noted": noted, "team/slow": slow}
    result = ran(one(options), agent, tools, project=with_directive(tmp_path), run_id="r")
    assert result.status == "completed"
    assert keys == ["r.1/thread/call-1", "r.1/thread/call-2"]
    assert ended == ["cancelled"]


def test_scripts_see_what_tools_call() -> None:
    async def ask(params: dict[str, Any], context: Context) -> object:
        return await context.call("team/rows", {"team": "blue"})

    tools = ScriptedTools({"team/ask": ask, "team/rows": {"n": 4}})
    with compiled(ASK, "demo/ask") as module:
        result = run_scripted(module.GRAPH, {}, tools, run_id="r")
    assert result.output == {"n": 4}
    assert [(call.item_id, call.idempotency_key) for call in tools.calls] == [
        ("team/ask", "r/1"),
        ("team/rows", "r/1/call-1"),
    ]
