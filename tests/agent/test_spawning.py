"""`spawn` and `yield` of the orchestrator, from tools and from graphs, and what the compiler knows about them."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest

from agent.graphs import REVIEW
from agent.test_orchestrator import ORCHESTRATOR, THREAD, worked
from checking import check_files, loud, only
from durability.kept import COUNT, compiled
from graphwright_runtime.durable.registry import rows
from graphwright_runtime.inprocess import InProcessHost
from graphwright_runtime.testing import ScriptedThreads


def scripted(answer: object) -> Any:
    """A tool that gives, or raises, this."""

    def tool(params: dict[str, Any]) -> object:
        if isinstance(answer, Exception):
            raise answer
        return answer

    return tool


def task(item_id: str = THREAD, **params: Any) -> dict[str, Any]:
    return {"item_id": item_id, "params": params}


def test_graphs_and_threads_are_spawned_in_order(tmp_path: Path) -> None:
    async def work(perform: Any) -> object:
        begun = await perform("spawn", tasks=[task("tool:demo/count", limit=2), task(directive="a")])
        over = await perform("wait_threads", thread_ids=begun["thread_ids"], timeout=30)
        return [begun, over["results"]]

    begun, results = worked(work, tmp_path, {"result": "read"})
    assert begun == {"thread_ids": ["r.1.call-1.call-1", "r.1.call-1.call-2"]}, (
        "the ids of the call, the same after a crash"
    )
    assert [results[each]["result"] for each in begun["thread_ids"]] == [{"n": 2}, "read"]


def test_what_was_spawned_before_a_task_that_cannot_start_goes_on(tmp_path: Path) -> None:
    async def work(perform: Any) -> object:
        with pytest.raises(Exception, match="no tool `demo/unknown`"):
            await perform("spawn", tasks=[task(directive="a"), task("demo/unknown")])
        with pytest.raises(Exception, match=r"`t/add` does not run in the background: only graphs and threads do"):
            await perform("spawn", tasks=[task("t/add", n=1)])
        children = (await perform("list_children"))["children"]
        return (await perform("wait_threads", thread_ids=[each["thread_id"] for each in children]))["results"]

    expected = {"r.1.call-1.call-1": {"status": "completed", "result": "read", "outputs": {}}}
    assert worked(work, tmp_path, {"result": "read"}) == expected


@pytest.mark.parametrize(
    ("tasks", "said"),
    [
        (None, "`tasks` must be a list of actions such as {item_id, params}, not null"),
        ("demo/count", "`tasks` must be a list of actions such as {item_id, params}, not the string 'demo/count'"),
        (["demo/count"], "`tasks[0]` must be an action such as {item_id, params}, not the string 'demo/count'"),
        ([{"item_id": "demo/count", "parms": {}}], "`tasks[0]` has no key `parms`; the keys are item_id and params"),
        ([{"params": {}}], "`tasks[0].item_id` must be the id of a graph or of a tool, not null"),
        ([{"item_id": "demo/count", "params": []}], "`tasks[0].params` must be a mapping, not a list of 0"),
    ],
)
def test_tasks_that_are_not_valid_start_nothing(tasks: object, said: str) -> None:
    async def work(perform: Any) -> object:
        await perform("spawn", tasks=[task(directive="a"), *tasks] if isinstance(tasks, list) else tasks)
        return None

    async def told(perform: Any) -> object:
        try:
            await work(perform)
        except Exception as error:
            return [str(error).replace("tasks[1]", "tasks[0]"), (await perform("list_children"))["children"]]
        return None

    assert worked(told, None, {}) == [said, []]


def test_a_spawned_thread_is_not_started_again_by_a_resumed_run(tmp_path: Path) -> None:
    threads = ScriptedThreads({"a": {"result": "once"}})
    with compiled(SPAWNING, "demo/lead") as module:
        for resume in ("", "r"):
            options: dict[str, Any] = {"resume": "r"} if resume else {"run_id": "r"}
            answer: dict[str, Any] | Exception = {} if resume else ValueError("boom")
            tools = {"t/fail": scripted(answer)}
            host = InProcessHost(threads=threads)
            result = asyncio.run(module.run({}, host=host, project=tmp_path, tools=tools, **options))
            assert result.status == ("completed" if resume else "error")
    assert result.output == ["r.1.call-1", "r.1.call-2"]
    assert [each.thread_id for each in threads.threads] == ["r.1.call-1", "r.1.call-2"]


def test_a_hundred_threads_at_once(tmp_path: Path) -> None:
    at_once: list[int] = []

    async def agent(thread: Any) -> object:
        at_once.append(1)
        while len(at_once) < 100:  # none ends before all of them run
            await asyncio.sleep(0.01)
        return {"result": thread.inputs["n"], "cost": {"spend": 0.01}}

    async def work(perform: Any) -> object:
        tasks = [task(directive="a", inputs={"n": n}) for n in range(100)]
        ids = (await perform("spawn", tasks=tasks))["thread_ids"]
        over = await perform("wait_threads", thread_ids=ids, timeout=60)
        return [over["results"][each]["result"] for each in ids]

    assert worked(work, tmp_path, agent) == list(range(100))
    assert [row["status"] for row in rows(tmp_path)].count("completed") == 101


@pytest.mark.parametrize(
    ("limits", "error"),
    [
        ("spawns: 1", "nothing more can be started: `limits.spawns` is 1"),
        ("depth: 0", "no thread can be started below this run: `limits.depth` is used up"),
    ],
)
def test_no_more_is_spawned_than_the_limits_permit(tmp_path: Path, limits: str, error: str) -> None:
    threads = ScriptedThreads({"a": {"result": "once"}})
    with compiled(SPAWNING.replace("config:", f"limits: {{{limits}}}\nconfig:"), "demo/lead") as module:
        result = asyncio.run(module.run({}, host=InProcessHost(threads=threads), project=tmp_path))
    assert (result.status, result.node) == ("error", "begin")
    assert error in result.error
    assert len(threads.threads) == (1 if limits.startswith("spawns") else 0)


def test_a_yield_returns_when_something_is_over(tmp_path: Path) -> None:
    async def agent(thread: Any) -> object:
        await asyncio.sleep(thread.inputs["s"])
        return {}

    async def work(perform: Any) -> object:
        nothing = await perform("yield")
        tasks = [task(directive="a", inputs={"s": s}) for s in (0.05, 30)]
        quick, slow = (await perform("spawn", tasks=tasks))["thread_ids"]
        assert await perform("yield") == {"over": [], "running": [quick, slow]}, "only for a moment"
        assert await perform("yield", seconds=20) == {"over": [quick], "running": [slow]}
        await perform("cancel_thread", thread_id=slow)
        assert await perform("yield", seconds=20) == {"over": [quick, slow], "running": []}
        return nothing

    assert worked(work, tmp_path, agent) == {"over": [], "running": []}


def test_others_see_the_progress_of_a_graph(tmp_path: Path) -> None:
    with compiled(REPORTING, "demo/lead") as lead:

        async def start(_: dict[str, Any], context: Any) -> object:
            async def perform(operation: str, **params: Any) -> Any:
                return await context.call(ORCHESTRATOR, {"operation": operation, **params})

            (child,) = (await perform("spawn", tasks=[task("demo/lead")]))["thread_ids"]
            await perform("yield", seconds=0.05)
            now = await perform("get_status", thread_id=child)
            own = await perform("get_status", thread_id=context.run_id)
            return {"got": [now["status"], now["progress"], own["progress"]]}

        events: list[Any] = []
        with compiled(ASKING, "demo/ask") as module:
            run = module.run(
                {}, project=tmp_path, tools={"team/start": start, "demo/lead": lead.GRAPH}, on_event=events.append
            )
            assert asyncio.run(run).output == ["running", {"done": 3}, None]
    told = [each.payload for each in events if each.event_type == "emitted"]
    assert {"event": "yield", "payload": {"progress": {"done": 3}}} in told


SPAWNING = """\
version: "1.0.0"
tool_type: graph
permissions: [rye.execute.tool.t.fail, rye.execute.tool.rye.agent.threads.*]
config:
  start: begin
  nodes:
    begin:
      action:
        item_id: tool:rye/agent/threads/orchestrator
        params:
          operation: spawn
          tasks:
            - {item_id: tool:rye/agent/threads/thread_directive, params: {directive_name: a}}
            - {item_id: tool:rye/agent/threads/thread_directive, params: {directive_name: a, inputs: {n: 2}}}
      assign: {ids: "${result.thread_ids}"}
      next: then
    then: {action: {item_id: tool:t/fail}, next: done}
    done: {type: return, output: "${state.ids}"}
"""
REPORTING = """\
version: "1.0.0"
tool_type: graph
permissions: [rye.execute.tool.rye.agent.threads.*]
config:
  start: report
  nodes:
    report:
      action:
        item_id: tool:rye/agent/threads/orchestrator
        params: {operation: yield, seconds: 0.5, progress: {done: 3}}
"""
ASKING = """\
version: "1.0.0"
tool_type: graph
permissions: ["rye.execute.tool.*"]
config:
  start: ask
  nodes:
    ask: {action: {item_id: tool:team/start}, assign: {got: "${result.got}"}, next: done}
    done: {type: return, output: "${state.got}"}
"""

#: A graph that spawns what is put at TASKS.
LEAD = """\
tool_type: graph
permissions: [PERMISSIONS]
config:
  start: begin
  nodes:
    begin:
      action:
        item_id: tool:rye/agent/threads/orchestrator
        params:
          operation: spawn
          tasks:
            - TASK
      assign: {ids: "${result.thread_ids}"}
      next: done
    done: {type: return, output: {ids: "${state.ids}"}}
"""
INPUTS = """\
config_schema: {type: object, properties: {task: {type: object}}, required: [task]}
config:"""
OWN = "rye.execute.tool.rye.agent.threads.orchestrator"
START = "rye.execute.tool.rye.agent.threads.thread_directive"
THREAD_TASK = f"{{item_id: tool:{THREAD}, params: {{directive_name: team/review, inputs: {{diff: x}}}}}}"


def found(task: str, *permissions: str, text: str = LEAD) -> Any:
    """Everything that is reported about a graph with this task, next to a graph and a directive."""
    lead = text.replace("TASK\n", f"{task}\n").replace("PERMISSIONS", ", ".join((OWN, *permissions)))
    count = COUNT.replace("permissions: [", "env_requires: [COUNT_KEY]\npermissions: [") if "env" in task else COUNT
    return check_files({
        ".ai/tools/lead.yaml": lead,
        ".ai/tools/demo/count.yaml": count,
        ".ai/directives/team/review.md": REVIEW,
    }, ".ai/tools/lead.yaml")  # fmt: skip


def test_tasks_are_checked_like_actions() -> None:
    review = "rye.execute.tool.team.*"
    assert loud(found(THREAD_TASK, START, review)) == []
    denied = only(found(THREAD_TASK, review), "GW601")
    assert denied.message == f"node `begin` needs `{START}`, which `permissions` does not cover"
    assert denied.span.line == 12
    assert [each.code for each in found(THREAD_TASK.replace("diff: x", "dif: x"), START, review)] == ["GW702"]
    assert [each.code for each in found(THREAD_TASK.replace("inputs:", "parent_depth: 9, inputs:"), START, review)] == [
        "GW608"
    ]
    misspelled = only(found(THREAD_TASK.replace("params:", "parms:"), START, review), "GW702")
    assert "parms" in misspelled.message
    limits = THREAD_TASK.replace("inputs:", "limit_overrides: {turn: 2}, inputs:")
    assert "turn" in only(found(limits, START, review), "GW702").message
    graph = "{item_id: tool:demo/count, params: {limit: few}}"
    needs = ("rye.execute.tool.demo.count", "rye.execute.tool.t.add")
    assert loud(found(graph.replace("few", "2"), *needs)) == []
    assert only(found(graph, *needs), "GW704").span.line == 12
    assert only(found(graph.replace("few", "2"), needs[0]), "GW601").message.startswith("node `begin` calls graph")


def test_a_built_in_tool_cannot_be_spawned() -> None:
    one = only(found("{item_id: tool:rye/bash, params: {command: ls}}", "rye.execute.tool.rye.bash"), "GW113")
    assert (
        one.message == "node `begin`: tool `rye/bash` cannot be spawned: only graphs and threads run in the background"
    )


def test_tasks_that_are_only_known_at_run_time_may_be_anything() -> None:
    assert loud(found("'${inputs.task}'", "rye.execute.tool.reports.*", text=LEAD.replace("config:", INPUTS))) == []


@pytest.mark.parametrize(
    ("operation", "params", "read", "code"),
    [
        ("spwan", "tasks: []", "thread_ids", "GW412"),
        ("spawn", "task: []", "thread_ids", "GW702"),
        ("spawn", "tasks: {}", "thread_ids", "GW412"),
        ("spawn", "tasks: []", "thread_id", "GW703"),
        ("'yield'", "second: 3", "over", "GW702"),
        ("'yield'", "seconds: 3", "done", "GW703"),
        ("race", "thread_id: [a]", "winner", "GW702"),
        ("race", "thread_ids: [a]", "looser", "GW703"),
        ("wait_threads", "thread_ids: [a], cuont: 2", "results", "GW702"),
        ("wait_threads", "thread_ids: [a], count: 2", "runing", "GW703"),
        ("steer_thread", "thread_id: a, mesage: stop", "messages", "GW702"),
        ("steer_thread", "thread_id: a, message: stop", "message", "GW703"),
        ("cancel_thread", "thread_id: a", "requsted", "GW703"),
        ("list_active", "", "theads", "GW703"),
        ("list_children", "", "childs", "GW703"),
        ("read_transcript", "thread_id: a", "txt", "GW703"),
        ("chain_search", "thread_id: a", "matches", "GW702"),
        ("get_chain", "thread_id: a", "chian", "GW703"),
    ],
)
def test_misspelled_params_and_results_of_operations(operation: str, params: str, read: str, code: str) -> None:
    text = f"""\
tool_type: graph
permissions: [{OWN}]
config:
  start: ask
  nodes:
    ask:
      action:
        item_id: tool:rye/agent/threads/orchestrator
        params: {{operation: {operation}, {params}}}
      assign: {{got: "${{result.{read}}}"}}
      next: done
    done: {{type: return, output: {{got: "${{state.got}}"}}}}
"""
    assert [each.split(":")[0] for each in loud(check_files({"ask.yaml": text}))] == [code]
