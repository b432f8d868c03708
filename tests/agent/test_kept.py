"""Threads of kept runs: what they came to is in the log of the run, and they go on together with it."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

from agent.graphs import HEAD, one, with_directive
from commands import graphwright
from durability.kept import compiled, events, log_of
from graphwright_runtime.agent.runner import Thread
from graphwright_runtime.durable.registry import row, rows
from graphwright_runtime.durable.retrace import retrace
from graphwright_runtime.inprocess import InProcessHost
from graphwright_runtime.testing import ScriptedThreads

BACKGROUND = (
    HEAD
    + """\
config:
  start: begin
  nodes:
    begin:
      action:
        item_id: tool:rye/agent/threads/thread_directive
        params: {directive: team/review, async: true, inputs: {diff: x}, limit_overrides: {turns: 3}}
      assign: {started: "${result}"}
      next: work
    work: {action: {item_id: tool:t/own}, next: done}
    done: {type: return, output: "${state.started}"}
"""
)


def ran(text: str, project: Path, answers: object, *, tools: Any = None, **more: Any) -> tuple[Any, ScriptedThreads]:
    threads = ScriptedThreads({"team/review": answers})
    host = more.pop("host", None) or InProcessHost()
    host.threads = threads
    with compiled(text, "demo/ask") as module:
        result = asyncio.run(module.run({}, host=host, project=project, tools=tools or {}, **more))
    return result, threads


def cut(project: Path, run_id: str, event: str) -> None:
    """As if the run had been killed right after its first event of this kind was written."""
    log, kept = log_of(project, run_id), list[bytes]()
    found = False
    for line in log.read_bytes().splitlines(keepends=True):
        kept.append(line)
        found = found or f'"{event}"'.encode() in line
        if found and b'"event_type":"signature"' in line:
            break
    log.write_bytes(b"".join(kept))
    for view in [*(project / ".ai" / "knowledge").rglob("r*.md"), *(project / ".ai" / "state").rglob("r*.json")]:
        view.unlink()


def test_a_thread_that_completed_is_not_run_again(tmp_path: Path) -> None:
    answer = {"result": "fine", "outputs": {"verdict": "merge"}, "cost": {"spend": 0.5}}
    first, threads = ran(one(), with_directive(tmp_path), answer, run_id="r")
    assert [thread.thread_id for thread in threads.threads] == ["r.1"]
    cut(tmp_path, "r", "thread_completed")
    again, threads = ran(one(), tmp_path, answer, resume="r")
    assert threads.threads == []
    assert (again.output, again.cost) == (first.output, {"spend": 0.5})


def test_a_thread_that_was_interrupted_is_run_again_under_the_same_id(tmp_path: Path) -> None:
    ran(one(), tmp_path, {"result": "lost"}, run_id="r")
    cut(tmp_path, "r", "thread_started")
    again, threads = ran(one(), tmp_path, {"result": "fine"}, resume="r")
    assert again.output["result"] == "fine"
    assert [thread.thread_id for thread in threads.threads] == ["r.1"]


def test_a_thread_that_failed_is_run_again_when_its_run_is_resumed(tmp_path: Path) -> None:
    failed, _ = ran(one(), tmp_path, {"status": "error", "error": "no"}, run_id="r")
    assert failed.status == "error"
    again, _ = ran(one(), tmp_path, {"result": "fine"}, resume="r")
    assert again.output["result"] == "fine"


def test_what_others_see_of_it(tmp_path: Path) -> None:
    chain = [
        {"status": "continued", "continuation_thread_id": "t-2", "cost": {"turns": 5, "spend": 0.25}},
        {"outputs": {"verdict": "merge"}, "cost": {"turns": 2, "input_tokens": 7}},
    ]
    seen: list[Any] = []

    async def agent(thread: Thread) -> object:
        seen.append((row(tmp_path, thread.thread_id)["status"], row(tmp_path, thread.thread_id)["parent_id"]))
        return chain[len(seen) - 1]

    result, _ = ran(one(), with_directive(tmp_path), agent, run_id="r")
    assert seen == [("running", "r"), ("running", "r")]
    first, second, own = row(tmp_path, "r.1"), row(tmp_path, "t-2"), row(tmp_path, "r")
    assert (first["directive"], first["status"], first["continuation_thread_id"]) == ("team/review", "continued", "t-2")
    assert (second["status"], second["continuation_of"], second["chain_root_id"]) == ("completed", "r.1", "r.1")
    assert (first["turns"], second["turns"], own["turns"], own["spend"]) == (5, 2, 7, 0.25)
    assert result.cost == {"turns": 7, "spend": 0.25, "input_tokens": 7}
    [ended] = events(tmp_path, "r", "graph_completed")
    assert ended["cost"] == result.cost
    context = tmp_path / ".ai" / "state" / "threads" / "r.1"
    assert sorted(file.name for file in context.iterdir()) == ["thread.json", "thread.json.sig"]
    assert retrace(tmp_path, "r", lambda step: None).ended
    said = graphwright("runs", "show", "t-2", "--project", tmp_path).stderr
    assert said == "graphwright: `t-2` is a thread, which the run `r` started: name that run\n"


def test_in_the_background(tmp_path: Path) -> None:
    gate = asyncio.Event()

    async def agent(thread: Thread) -> object:
        await gate.wait()
        return {"result": "fine", "cost": {"spend": 1}}

    async def own(params: dict[str, Any]) -> dict[str, Any]:
        assert row(tmp_path, "r.1")["status"] == "running"
        gate.set()
        return {}

    result, _ = ran(BACKGROUND, tmp_path, agent, tools={"t/own": own}, run_id="r")
    assert result.output == {"thread_id": "r.1", "status": "running"}
    assert result.cost == {"spend": 1}, "the run waits for it in the end"
    assert row(tmp_path, "r.1")["status"] == "completed"


def test_it_goes_on_with_its_run(tmp_path: Path) -> None:
    host = InProcessHost()

    async def waiting(thread: Thread) -> object:
        await asyncio.sleep(60)
        return {}

    def own(params: dict[str, Any]) -> dict[str, Any]:
        host.cancel("test")
        return {}

    result, _ = ran(BACKGROUND, with_directive(tmp_path), waiting, tools={"t/own": own}, run_id="r", host=host)
    assert (result.status, row(tmp_path, "r.1")["status"]) == ("cancelled", "cancelled")
    answer = {"outputs": {"verdict": "merge"}, "cost": {"spend": 1}}
    again, threads = ran(BACKGROUND, tmp_path, answer, tools={"t/own": own}, resume="r")
    [thread] = threads.threads
    assert again.success
    assert (thread.thread_id, thread.prompt) == ("r.1", "Review x, and be kind.")
    assert (thread.inputs["diff"], thread.limits["turns"]) == ("x", 3)
    assert (again.cost, row(tmp_path, "r.1")["status"]) == ({"spend": 1}, "completed")


def test_its_error_is_not_that_of_its_run(tmp_path: Path) -> None:
    result, _ = ran(BACKGROUND, tmp_path, ValueError("no"), tools={"t/own": lambda params: {}}, run_id="r")
    assert result.success
    assert row(tmp_path, "r.1")["status"] == "error"


def test_the_cost_of_called_graphs(tmp_path: Path) -> None:
    caller = (
        HEAD
        + """\
config:
  start: call
  nodes:
    call: {action: {item_id: tool:demo/ask}, assign: {cost: "${result.cost}"}, next: begin}
    begin: {action: {item_id: tool:demo/ask, params: {async: true}}, next: fail}
    fail: {action: {item_id: tool:t/own}, next: done}
    done: {type: return, output: "${state.cost}"}
"""
    )
    threads = ScriptedThreads({"team/review": {"cost": {"spend": 1}}})
    host = InProcessHost(threads=threads)
    with compiled(caller, "demo/caller") as outer, compiled(one(), "demo/ask") as inner:

        def run(tool: Any, **more: Any) -> Any:
            tools = {"demo/ask": inner.GRAPH, "t/own": tool}
            return asyncio.run(outer.run({}, host=host, project=tmp_path, tools=tools, **more))

        def own(params: dict[str, Any]) -> dict[str, Any]:
            raise ValueError("not today")

        failed = run(own, run_id="r")
        assert (failed.status, failed.cost) == ("error", {"spend": 2})
        again = run(lambda params: {}, resume="r")
    assert (again.output, again.cost) == ({"spend": 1}, {"spend": 2}), "nothing is counted twice"
    assert {each["thread_id"]: each["spend"] for each in rows(tmp_path)}["r"] == 2
