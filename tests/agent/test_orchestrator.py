"""The operations of the orchestrator, from a tool that performs them as a graph would."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest

from agent.graphs import HEAD
from durability.kept import COUNT, compiled, run
from graphwright_runtime.context import Context
from graphwright_runtime.durable.registry import set_status
from graphwright_runtime.errors import NodeError
from graphwright_runtime.inprocess import InProcessHost
from graphwright_runtime.testing import ScriptedThreads

ORCHESTRATOR = "rye/agent/threads/orchestrator"
THREAD = "rye/agent/threads/thread_directive"

ASK = (
    HEAD
    + """\
config:
  start: ask
  nodes:
    ask: {action: {item_id: tool:team/start}, assign: {got: "${result.got}"}, next: done}
    done: {type: return, output: "${state.got}"}
"""
)

Work = Callable[[Callable[..., Awaitable[Any]]], Awaitable[object]]


def worked(
    work: Work, project: Path | None, answers: object = None, *, expected: str = "completed", run_id: str = "r"
) -> Any:
    """The output of a graph whose only tool does this: `work` gets a function that performs an operation.

    It also calls any tool, with `tool=`; `demo/count` is the counting graph, whose `t/add` takes 10 ms.
    """

    async def start(_: dict[str, Any], context: Context) -> object:
        async def perform(operation: str = "", *, tool: str = ORCHESTRATOR, **params: Any) -> Any:
            return await context.call(tool, params if tool != ORCHESTRATOR else {"operation": operation, **params})

        return {"got": await work(perform)}

    async def add(params: dict[str, Any]) -> dict[str, Any]:
        await asyncio.sleep(0.01)
        return {"n": params["n"] + 1}

    host = InProcessHost(threads=ScriptedThreads({"a": answers}))
    with compiled(ASK, "demo/ask") as module, compiled(COUNT) as counter:
        tools = {"team/start": start, "demo/count": counter.GRAPH, "t/add": add}
        result = asyncio.run(module.run({}, host=host, project=project, tools=tools, run_id=run_id))
    assert result.status == expected, result.error
    return result.output


async def started(perform: Callable[..., Awaitable[Any]], *limits: int) -> list[str]:
    """The ids of counting graphs in the background."""
    return [(await perform(tool="demo/count", limit=limit, **{"async": True}))["graph_run_id"] for limit in limits]


@pytest.mark.parametrize("kept", [False, True])
def test_waiting_for_graphs_and_threads(tmp_path: Path, kept: bool) -> None:
    async def work(perform: Any) -> object:
        ids = await started(perform, 2, 3)
        thread = (await perform(tool=THREAD, directive="a", **{"async": True}))["thread_id"]
        running = await perform("aggregate_results", thread_ids=ids)
        assert [each["status"] for each in running["results"]] == ["running", "running"]
        found = await perform("wait_threads", thread_ids=[*ids, thread], timeout=30)
        again = await perform("aggregate_results", thread_ids=[thread, *ids])
        return [found, ids, thread, again]

    answer = {"result": "fine", "outputs": {"x": 1}}
    found, ids, thread, again = worked(work, tmp_path if kept else None, answer)
    assert found == {
        "results": {
            ids[0]: {"status": "completed", "result": {"n": 2}},
            ids[1]: {"status": "completed", "result": {"n": 3}},
            thread: {"status": "completed", "result": "fine", "outputs": {"x": 1}},
        },
        "timed_out": [],
        "running": [],
    }
    assert [each["thread_id"] for each in again["results"]] == [thread, *ids]
    assert (ids == ["r.1.call-1", "r.1.call-2"]) is kept


def test_waiting_for_runs_of_other_processes(tmp_path: Path) -> None:
    with compiled() as counter:
        assert run(counter, tmp_path, run_id="other").success
        failed = run(counter, tmp_path, lambda params, context: 1 / 0, run_id="failed")
        assert failed.status == "error"

    async def work(perform: Any) -> object:
        return await perform("wait_threads", thread_ids=["other", "failed"])

    assert worked(work, tmp_path)["results"] == {
        "other": {"status": "completed", "result": {"n": 3}},
        "failed": {"status": "error", "result": None, "error": "division by zero"},
    }


def test_those_that_are_not_over_in_time(tmp_path: Path) -> None:
    async def slow(thread: Any) -> object:
        await asyncio.sleep(0.3)
        return {}

    async def work(perform: Any) -> object:
        thread = (await perform(tool=THREAD, directive="a", **{"async": True}))["thread_id"]
        return [thread, await perform("wait_threads", thread_ids=[thread], timeout=0.01)]

    thread, found = worked(work, tmp_path, slow)
    assert found == {"results": {}, "timed_out": [thread], "running": []}


def test_the_first_ones(tmp_path: Path) -> None:
    async def agent(thread: Any) -> object:
        await asyncio.sleep(thread.inputs["s"])
        return {"result": thread.inputs["s"]}

    async def work(perform: Any) -> object:
        begin = [await perform(tool=THREAD, directive="a", inputs={"s": s}, **{"async": True}) for s in (20, 0.01, 20)]
        ids = [each["thread_id"] for each in begin]
        first = await perform("wait_threads", thread_ids=ids, count=1)
        assert first["results"] == {ids[1]: {"status": "completed", "result": 0.01, "outputs": {}}}
        assert first["running"] == [ids[0], ids[2]]
        raced = await perform("race", thread_ids=ids)
        assert raced == {"winner": ids[1], "winner_status": "completed", "result": 0.01, "cancelled": [ids[0], ids[2]]}
        over = await perform("wait_threads", thread_ids=ids, timeout=5)
        assert [over["results"][each]["status"] for each in ids] == ["cancelled", "completed", "cancelled"]
        return None

    worked(work, tmp_path, agent)


def test_lists_and_standings(tmp_path: Path) -> None:
    async def agent(thread: Any) -> object:
        await asyncio.sleep(0.2)
        return {}

    async def work(perform: Any) -> object:
        (graph,) = await started(perform, 40)
        thread = (await perform(tool=THREAD, directive="a", **{"async": True}))["thread_id"]
        active = (await perform("list_active"))["threads"]
        assert {each["thread_id"] for each in active} == {"r", graph, thread}
        standing = await perform("get_status", thread_id=graph)
        assert (standing["alive"], standing["status"], standing["graph_id"]) == (True, "running", "demo/count")
        await perform("wait_threads", thread_ids=[graph, thread])
        children = (await perform("list_children"))["children"]
        assert [(each["thread_id"], each["status"]) for each in children] == [
            (graph, "completed"),
            (thread, "completed"),
        ]
        assert (await perform("list_children", thread_id="none"))["children"] == []
        after = await perform("status", thread_id=thread)
        assert (after["alive"], after["status"], after["current_node"]) == (False, "completed", None)
        assert (await perform("status", thread_id=graph))["step"] == 81
        return None

    worked(work, tmp_path, agent)


def test_ending_them(tmp_path: Path) -> None:
    async def forever(thread: Any) -> object:
        await asyncio.sleep(3600)
        return {}

    async def work(perform: Any) -> object:
        (graph,) = await started(perform, 10_000)
        thread = (await perform(tool=THREAD, directive="a", **{"async": True}))["thread_id"]
        assert await perform("cancel_thread", thread_id=thread) == {"thread_id": thread, "requested": True}
        killed = await perform("kill_thread", thread_id=graph)
        assert (killed["alive"], killed["status"]) == (False, "cancelled")
        assert (await perform("status", thread_id=thread))["status"] == "cancelled"
        assert await perform("cancel_thread", thread_id=thread) == {"thread_id": thread, "requested": False}
        return None

    worked(work, tmp_path, forever)


def test_ending_a_thread_of_another_run(tmp_path: Path) -> None:
    """A run that does not share the process looks for a file, which is how these two talk as well."""
    begun = asyncio.Event()

    async def forever(thread: Any) -> object:
        begun.set()
        await asyncio.sleep(3600)
        return {}

    async def ask(_: dict[str, Any], context: Context) -> object:
        with pytest.raises(NodeError) as caught:
            await context.call(THREAD, {"directive": "a"})
        background = (await context.call(THREAD, {"directive": "a", "async": True}))["thread_id"]
        waited: Any = await context.call(ORCHESTRATOR, {"operation": "wait_threads", "thread_ids": [background]})
        return {"got": [str(caught.value), caught.value.category, waited["results"][background]["status"]]}

    async def end(_: dict[str, Any], context: Context) -> object:
        for operation, thread in (("cancel_thread", "r.1.call-1"), ("kill_thread", "r.1.call-2")):
            await begun.wait()
            begun.clear()
            await context.call(ORCHESTRATOR, {"operation": operation, "thread_id": thread})
        return {"got": await context.call(ORCHESTRATOR, {"operation": "get_status", "thread_id": "r.1.call-2"})}

    async def both(module: Any) -> tuple[Any, Any]:
        host = InProcessHost(threads=ScriptedThreads({"a": forever}))
        first = module.run({}, host=host, project=tmp_path, tools={"team/start": ask}, run_id="r")
        return await asyncio.gather(first, module.run({}, project=tmp_path, tools={"team/start": end}, run_id="e"))

    with compiled(ASK, "demo/ask") as module:
        asked, ended = asyncio.run(both(module))
    assert asked.output == ["the thread was cancelled", "cancelled", "cancelled"]
    assert (ended.output["alive"], ended.output["status"]) == (False, "cancelled")


def test_threads_whose_process_is_gone(tmp_path: Path) -> None:
    worked(lambda perform: perform(tool=THREAD, directive="a"), tmp_path, {"result": "fine"})
    set_status(tmp_path, "r.1.call-1", "a", "running", pid=os.getpid(), now=0, parent_id="r")
    set_status(tmp_path, "r", "demo/ask", "running", pid=os.getpid(), now=0)

    async def work(perform: Any) -> object:
        assert [each["thread_id"] for each in (await perform("list_active"))["threads"]] == ["s"]
        assert await perform("cancel_thread", thread_id="r.1.call-1") == {"thread_id": "r.1.call-1", "requested": False}
        assert (await perform("kill_thread", thread_id="r.1.call-1"))["alive"] is False
        return (await perform("wait_threads", thread_ids=["r.1.call-1"]))["results"]["r.1.call-1"]["status"]

    assert worked(work, tmp_path, run_id="s") == "orphaned"


def test_steering_a_thread(tmp_path: Path) -> None:
    async def agent(thread: Any) -> object:
        while not thread.messages:
            await asyncio.sleep(0.002)
        return {"result": thread.messages}

    async def work(perform: Any) -> object:
        thread = (await perform(tool=THREAD, directive="a", **{"async": True}))["thread_id"]
        sent = await perform("steer_thread", thread_id=thread, message="be kind")
        assert sent == {"thread_id": thread, "messages": 1}
        found = await perform("wait_threads", thread_ids=[thread])
        with pytest.raises(NodeError, match="is not a thread in the background"):
            await perform("steer_thread", thread_id=thread, message="too late")
        return found["results"][thread]["result"]

    assert worked(work, tmp_path, agent) == ["be kind"]


def test_a_chain_and_its_transcripts(tmp_path: Path) -> None:
    chain = [
        {"status": "continued", "continuation_thread_id": "t-2", "result": "first half"},
        {"result": "second half"},
    ]

    async def work(perform: Any) -> object:
        thread = (await perform(tool=THREAD, directive="a", **{"async": True}))["thread_id"]
        found = await perform("wait_threads", thread_ids=[thread])
        assert found["results"][thread]["result"] == "second half"
        for each in (thread, "t-2"):
            linked = (await perform("get_chain", thread_id=each))["chain"]
            assert [(one["thread_id"], one["status"]) for one in linked] == [
                (thread, "continued"),
                ("t-2", "completed"),
            ]
        assert [each["thread_id"] for each in (await perform("list_active"))["threads"]] == ["r"]
        matches = (await perform("chain_search", thread_id=thread, query="SECOND"))["matches"]
        assert [(each["thread_id"], each["line"]) for each in matches] == [("t-2", 1)]
        own = await perform("read_transcript", thread_id="r", tail_lines=1)
        assert (own["lines"], '"thread_completed"' in own["transcript"]) == (1, True)
        return None

    worked(work, tmp_path, chain)


@pytest.mark.parametrize(
    ("params", "error"),
    [
        ({"operation": "race", "thread_ids": []}, "`thread_ids` is empty: a race needs a thread"),
        ({"operation": "wait"}, "`operation` must be one of spawn, yield, wait_threads, race"),
        ({"operation": "wait_threads"}, "`thread_ids` must be a list of ids, not null"),
        ({"operation": "wait_threads", "thread_ids": ["nope"]}, "there is no run or thread 'nope' in the project"),
        ({"operation": "get_status", "thread_id": "nope"}, "there is no run or thread 'nope' in the project"),
        ({"operation": "get_status", "thread_id": "a/b"}, "there is no run or thread 'a/b' in the project"),
        ({"operation": "read_transcript", "thread_id": "../x"}, "the transcript of '../x' cannot be read: "),
        ({"operation": "kill_thread", "thread_id": "nope"}, "there is no run or thread 'nope' in the project"),
        ({"operation": "get_chain"}, "missing parameter `thread_id`"),
    ],
)
def test_operations_that_are_not_valid(tmp_path: Path, params: dict[str, Any], error: str) -> None:
    async def work(perform: Any) -> object:
        with pytest.raises(NodeError) as raised:
            await perform(**params)
        return str(raised.value)

    assert worked(work, tmp_path).startswith(error)
