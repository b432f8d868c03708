"""Threads through a scripted runner: their bounds, their results, their chains, their costs."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any, cast

import pytest

from agent.graphs import HEAD, one, with_directive
from durability.kept import compiled
from graphwright_runtime.agent.runner import Thread, ThreadRunner
from graphwright_runtime.context import Context
from graphwright_runtime.inprocess import InProcessHost
from graphwright_runtime.testing import Delayed, Fails, FrozenHost, ScriptedThreads, ScriptedTools, run_scripted

THREAD = "rye/agent/threads/thread_directive"


def asked(
    text: str, answers: object, project: Path | None = None, *, tools: Any = None, **more: Any
) -> tuple[Any, ScriptedThreads]:
    """The result of a graph whose threads give these answers, and the threads."""
    threads = ScriptedThreads({"team/review": answers})
    with compiled(text, "demo/ask") as module:
        host = InProcessHost(threads=threads)
        result = asyncio.run(module.run({}, host=host, project=project, tools=tools or {}, **more))
    return result, threads


def test_the_interface() -> None:
    assert isinstance(ScriptedThreads({}), ThreadRunner)


def test_a_thread_without_a_directive_file() -> None:
    result, threads = asked(one(), {"result": "fine", "outputs": {"n": 1}})
    [thread] = threads.threads
    assert result.output == {
        "thread_id": thread.thread_id,
        "status": "completed",
        "result": "fine",
        "outputs": {"n": 1},
    }
    assert (thread.directive, thread.prompt, thread.inputs) == ("team/review", None, {"diff": "+1 -1"})
    assert thread.parent_thread_id == result.graph_run_id
    assert (thread.parent_depth, thread.limits) == (5, {"depth": 4})
    assert thread.capabilities == ["rye.execute.tool.*"]


def test_a_thread_that_follows_a_directive(tmp_path: Path) -> None:
    head = "limits: {turns: 6, spend: 0.75, tokens: 900, depth: 3}\n"
    options = "limit_overrides: {spend: 2, tokens: 100}"
    result, threads = asked(one(options, head), {"outputs": {"verdict": "merge"}}, with_directive(tmp_path))
    [thread] = threads.threads
    assert result.output["outputs"] == {"verdict": "merge"}
    assert thread.prompt == "Review +1 -1, and be kind."
    assert thread.inputs == {"diff": "+1 -1", "tone": "kind"}
    assert [field.name for field in thread.outputs] == ["verdict", "notes"]
    assert thread.limits == {"turns": 6, "spend": 0.75, "tokens": 100, "depth": 2}, "never more than its run"
    assert thread.parent_limits == {"turns": 6, "spend": 0.75, "tokens": 900, "depth": 3}
    assert thread.capabilities == ["rye.execute.tool.team.*"]
    assert thread.environment["RYE_PARENT_THREAD_ID"] == thread.thread_id


START = (
    HEAD
    + """\
config:
  start: ask
  nodes:
    ask: {action: {item_id: tool:team/start}, assign: {got: "${result}"}, next: done}
    done: {type: return, output: "${state.got}"}
"""
)


def begun(params: dict[str, Any]) -> tuple[Any, ScriptedThreads]:
    """The result of a graph with a tool that starts a thread with any params, and the threads."""

    async def start(_: dict[str, Any], context: Context) -> object:
        return await context.call(THREAD, params)

    return asked(START, {}, tools={"team/start": start})


@pytest.mark.parametrize(
    ("params", "error"),
    [
        ({}, "a thread needs `directive_name`"),
        ({"directive_name": "a", "directive": "a"}, "`directive_name` and `directive` mean the same: pass one of them"),
        ({"directive_id": 5}, "`directive_id` must be the id of a directive, not the number 5"),
        ({"directive": "a", "inputs": [1]}, "`inputs` must be a mapping, not a list of 1"),
        ({"directive": "a", "limit_overrides": 3}, "`limit_overrides` must be a mapping, not the number 3"),
        (
            {"directive": "a", "limit_overrides": {"truns": 1}},
            "`limit_overrides` has no limit `truns`; the limits are depth, turns, tokens, spend, duration_s, spawns",
        ),
        (
            {"directive": "a", "limit_overrides": {"turns": -1}},
            "`limit_overrides.turns` must be a number of at least 0, not the number -1",
        ),
        ({"directive": "a", "async": 1}, "`async` must be true or false, not the number 1"),
    ],
)
def test_calls_that_are_not_valid(params: dict[str, Any], error: str) -> None:
    result, _ = begun(params)
    assert (result.status, result.error) == ("error", error)


@pytest.mark.parametrize(
    ("inputs", "error"),
    [
        ("{}", "the directive `team/review` requires the input `diff`"),
        ("{diff: x, tune: y}", "the directive `team/review` has no input `tune`; its inputs are diff, tone"),
    ],
)
def test_inputs_that_the_directive_does_not_take(tmp_path: Path, inputs: str, error: str) -> None:
    text = one().replace('inputs: {diff: "+1 -1"}', f"inputs: {inputs}")
    result, threads = asked(text, {}, with_directive(tmp_path))
    assert (result.status, result.error, threads.threads) == ("error", error, [])


def test_an_output_that_is_null_was_not_given(tmp_path: Path) -> None:
    answer = {"outputs": {"verdict": "merge", "notes": None, "more": None}}
    result, _ = asked(one(), answer, with_directive(tmp_path))
    assert result.output["outputs"] == {"verdict": "merge", "more": None}


@pytest.mark.parametrize(
    ("answer", "error"),
    [
        ({"status": "error", "error": "out of turns"}, "out of turns"),
        ({"success": False, "error": "out of turns"}, "out of turns"),
        ("text", "the thread runner must return a mapping, not str"),
        ({"outputs": "yes"}, "the `outputs` of a thread must be a mapping, not the string 'yes'"),
        ({"outputs": {}}, "the thread did not return the output `verdict`, which its directive requires"),
        ({"outputs": {"verdict": 5}}, "the output `verdict` of the thread must be a string, not the number 5"),
        (
            {"outputs": {"verdict": "merge", "notes": "none"}},
            "the output `notes` of the thread must be a list, not the string 'none'",
        ),
        ({"outputs": {"verdict": float("nan")}}, "the result of the thread is not JSON: "),
        (ValueError("no model"), "no model"),
        (Fails("rate_limited", "slow down"), "slow down"),
    ],
)
def test_threads_that_fail(tmp_path: Path, answer: object, error: str) -> None:
    text = one().replace("next: done", "next: done\n      retry: {attempts: 1}", 1)
    result, _ = asked(text, answer, with_directive(tmp_path))
    assert (result.status, result.node) == ("error", "ask")
    assert str(result.error).startswith(error)


def test_a_long_text_is_cut() -> None:
    result, _ = asked(one(), {"result": "x" * 5000})
    assert result.output["result"].startswith("x" * 4000 + "\n… (cut at 4,000 characters: declare <outputs>")


def test_a_chain_is_followed_to_its_end() -> None:
    chain = [
        {"status": "continued", "continuation_thread_id": "t-2", "cost": {"spend": 0.25, "turns": 5, "model": "small"}},
        {"status": "continued", "continuation_thread_id": "t-3", "cost": {"spend": 0.5, "turns": 5}},
        {"outputs": {"verdict": "merge"}, "cost": {"spend": 0.25, "turns": 2, "model": "large"}},
    ]
    result, threads = asked(one(), chain)
    first, second, third = threads.threads
    assert (second.thread_id, second.continuation_of) == ("t-2", first.thread_id)
    assert (third.thread_id, third.continuation_of) == ("t-3", "t-2")
    assert result.output == {
        "thread_id": "t-3",
        "status": "completed",
        "outputs": {"verdict": "merge"},
        "continuation_of": "t-2",
        "cost": {"spend": 1.0, "turns": 12, "model": "large"},
    }
    assert result.cost == {"spend": 1.0, "turns": 12}
    assert result.to_dict()["cost"] == result.cost


@pytest.mark.parametrize("following", [None, "", 5, "t-2"])
def test_a_chain_that_leads_nowhere(following: object) -> None:
    answer = {"status": "continued", "continuation_thread_id": following}
    result, threads = asked(one(), answer)
    assert str(result.error).endswith("is continued, but `continuation_thread_id` leads to no further thread")
    assert len(threads.threads) == (2 if following == "t-2" else 1)


LOOP = (
    HEAD
    + """\
LIMITS
config:
  start: each
  nodes:
    each:
      type: foreach
      over: "${[1, 2, 3]}"
      action:
        item_id: tool:rye/agent/threads/thread_directive
        params: {directive: team/review}
      collect: all
      next: done
    done: {type: return, output: "${state.all | length}"}
"""
)


def test_the_cost_is_summed_and_what_is_left_is_handed_on() -> None:
    text = LOOP.replace("LIMITS", "limits: {spend: 1}")
    result, threads = asked(text, {"cost": {"spend": 0.25, "input_tokens": 10}})
    assert result.cost == {"spend": 0.75, "input_tokens": 30}
    assert [thread.limits["spend"] for thread in threads.threads] == [1, 0.75, 0.5]


@pytest.mark.parametrize(
    ("limits", "ran", "error"),
    [
        ("spend: 0.5", 2, "`limits.spend` is used up: 0.5 of 0.5"),
        ("spawns: 2", 2, "nothing more can be started: `limits.spawns` is 2"),
        ("depth: 0", 0, "no thread can be started below this run: `limits.depth` is used up"),
    ],
)
def test_limits_that_are_used_up(limits: str, ran: int, error: str) -> None:
    result, threads = asked(LOOP.replace("LIMITS", f"limits: {{{limits}}}"), {"cost": {"spend": 0.25}})
    assert result.status == "error"
    assert error in result.error
    assert result.exception.category == "denied"
    assert len(threads.threads) == ran


def test_a_thread_has_its_time() -> None:
    answer = Delayed(60, {})
    text = one("limit_overrides: {duration_s: 5}").replace("next: done", "next: done\n      retry: {attempts: 1}", 1)
    with compiled(text, "demo/ask") as module:
        tools = ScriptedTools({THREAD: ScriptedThreads({"team/review": answer})})
        result = run_scripted(module.GRAPH, {}, tools)
    assert (result.error, result.exception.category) == ("the thread timed out after 5 s", "timeout")


def test_without_a_runner() -> None:
    with compiled(one(), "demo/ask") as module:
        result = asyncio.run(module.run({}))
    assert str(result.error).startswith("nothing runs threads: for `graphwright run`, write the tool ")


def test_something_else_as_a_runner() -> None:
    async def tool(params: dict[str, Any], context: Context) -> dict[str, Any]:
        return await context.run_thread(params, cast("ThreadRunner", object()))

    with compiled(one(), "demo/ask") as module:
        result = asyncio.run(module.run({}, tools={THREAD: tool}))
    assert result.error == "a thread runner needs a method `run(thread)`, which object does not have"


def test_a_runner_as_a_tool_and_on_a_frozen_host() -> None:
    with compiled(one(), "demo/ask") as module:
        tool = asyncio.run(module.run({}, tools={THREAD: ScriptedThreads({"team/review": {"result": "a"}})}))
        assert tool.output["result"] == "a"
        host = FrozenHost(threads=ScriptedThreads({"team/review": {"result": "b"}}))
        assert asyncio.run(module.run({}, host=host)).output["result"] == "b"


def test_calls_by_a_thread_are_within_its_capabilities(tmp_path: Path) -> None:
    denied: list[str] = []

    async def agent(thread: Thread) -> dict[str, Any]:
        found = await thread.call("team/lookup", {"n": 20})
        try:
            await thread.call("other/lookup")
        except Exception as error:
            denied.append(str(error))
        return {"outputs": {"verdict": str(found["n"])}}

    def lookup(params: dict[str, Any], context: Any) -> dict[str, Any]:
        return {"n": params["n"] + 1}

    tools = {"team/lookup": lookup, "other/lookup": lookup}
    result, _ = asked(one(), agent, with_directive(tmp_path), tools=tools)
    assert result.output["outputs"] == {"verdict": "21"}
    assert denied == ["permission denied: `rye.execute.tool.other.lookup` is not among the capabilities"]


def test_the_call_itself_needs_a_capability() -> None:
    result, threads = asked(one(), {}, capabilities=["rye.execute.tool.rye.bash"])
    assert "permission denied" in result.error
    assert threads.threads == []


def test_what_an_author_says_of_the_parent_does_not_count() -> None:
    """The compiler rejects it where it sees it; here a tool passes it on."""
    call = {"directive": "team/review", "parent_capabilities": ["*"], "parent_depth": 99, "parent_thread_id": "x"}
    result, threads = begun(call)
    [thread] = threads.threads
    assert (thread.parent_thread_id, thread.parent_depth) == (result.graph_run_id, 5)
    assert thread.parent_capabilities == ["rye.execute.tool.*"]
