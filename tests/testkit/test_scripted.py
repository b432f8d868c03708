"""Scripted tools: answers, faults, and unexpected calls."""

from __future__ import annotations

import asyncio
from typing import Any, cast

import pytest

from graphwright_runtime.errors import NodeError
from graphwright_runtime.testing import Delayed, Fails, FrozenHost, ScriptedTools, assert_run, run_scripted
from testkit.graphs import AnyGraph, compiled
from testkit.graphs import tickets as tickets

READ = {"tickets/read": lambda params: {"text": f"ticket {params['id']}"}}


def test_a_list_answers_call_by_call_and_anything_else_every_call(tickets: AnyGraph) -> None:
    tools = ScriptedTools({"tickets/list": [Fails("transient"), {"tickets": [1, 2]}], "tickets/read": {"text": "same"}})
    result = run_scripted(tickets, {"queue": "q"}, tools)
    assert_run(result, tools).completed().with_output({"read": [{"text": "same"}, {"text": "same"}]})
    assert [(call.item_id, call.params, call.node, call.step, call.index) for call in tools.calls] == [
        ("tickets/list", {"queue": "q"}, "fetch", 1, None),
        ("tickets/list", {"queue": "q"}, "fetch", 1, None),
        ("tickets/read", {"id": 1}, "read", 2, 0),
        ("tickets/read", {"id": 2}, "read", 2, 1),
    ]


def test_functions_are_called_with_what_they_take(tickets: AnyGraph) -> None:
    async def read(params: dict[str, Any], context: Any) -> dict[str, Any]:
        return {"at": [context.node, context.index, params["id"]]}

    result = run_scripted(tickets, {}, {"tickets/list": {"tickets": ["a"]}, "tickets/read": read})
    assert result.output == {"read": [{"at": ["read", 0, "a"]}]}


def test_an_answer_is_a_copy(tickets: AnyGraph) -> None:
    answer = {"tickets": [1]}
    tools = ScriptedTools({"tickets/list": answer, **READ})
    run_scripted(tickets, {}, tools)
    answer["tickets"].append(2)
    tools.calls[0].params["queue"] = "changed"
    assert run_scripted(tickets, {}, ScriptedTools({"tickets/list": [{"tickets": []}]})).output == {"read": []}


@pytest.mark.parametrize("answer", [ValueError("broken"), Fails("permanent", "broken")], ids=["exception", "fails"])
def test_a_failure_is_that_of_the_node(tickets: AnyGraph, answer: object) -> None:
    tools = ScriptedTools({"tickets/list": answer, "tickets/report": {}})
    result = run_scripted(tickets, {}, tools)
    assert_run(result, tools).visited("fetch", "report").called("tickets/report", params={"error": "broken"})
    assert_run(result, tools).called("tickets/list", times=1)


def test_an_exception_class_is_raised(tickets: AnyGraph) -> None:
    tools = ScriptedTools({"tickets/list": [ConnectionResetError, {"tickets": []}]})
    assert_run(run_scripted(tickets, {}, tools), tools).completed().called("tickets/list", times=2)


def test_faults_are_injected_into_one_call_or_all(tickets: AnyGraph) -> None:
    tools = ScriptedTools({"tickets/list": {"tickets": [1, 2, 3]}, **READ}).fail("tickets/read", "denied", call=2)
    result = run_scripted(tickets, {}, tools)
    assert_run(result, tools).failed("read", category="denied").called("tickets/read", times=2)

    tools = ScriptedTools({"tickets/list": {"tickets": []}, "tickets/report": {}}).fail("tickets/list")
    result = run_scripted(tickets, {}, tools)
    assert_run(result, tools).called("tickets/list", times=3).ended_at("done").visited("report")


def test_a_call_that_the_script_does_not_know_fails_the_test(tickets: AnyGraph) -> None:
    tools = ScriptedTools({"tickets/lst": {"tickets": []}, "tickets/report": {}})
    result = run_scripted(tickets, {}, tools)
    assert result.success, "an error edge hides it"
    with pytest.raises(AssertionError, match="`tickets/list` was called in node `fetch`, but the script has only"):
        assert_run(result, tools)


def test_more_calls_than_answers_fail_the_test(tickets: AnyGraph) -> None:
    tools = ScriptedTools({"tickets/list": {"tickets": [1, 2]}, "tickets/read": [{"text": "one"}]})
    result = run_scripted(tickets, {}, tools)
    with pytest.raises(AssertionError, match="called 2 times, the last time in node `read`, but the script has 1"):
        assert_run(result, tools)


def test_mistakes_in_a_script_are_told() -> None:
    tools = ScriptedTools({"tickets/list": {}})
    with pytest.raises(ValueError, match="no tool 'tickets/lst'; it has `tickets/list`"):
        tools.fail("tickets/lst")
    with pytest.raises(ValueError, match="from 1"):
        tools.delay("tickets/list", 3, call=0)
    with pytest.raises(ValueError, match="'flaky' is not a category"):
        Fails(cast("Any", "flaky"))


def test_the_script_serves_as_tools_of_any_run(tickets: AnyGraph) -> None:
    tools = ScriptedTools({"tickets/list": [Fails("transient"), {"tickets": []}]})
    host = FrozenHost()
    result = tickets.run_sync({}, tools=tools, host=host)
    assert_run(result, tools).completed().called("tickets/list", times=2)
    assert host.waits == [2.0]

    async def in_a_loop() -> Any:
        with pytest.raises(RuntimeError, match="inside a running event loop"):
            run_scripted(tickets, {}, tools)
        return await tickets.run({}, dispatch=ScriptedTools({"tickets/list": {"tickets": []}}), host=FrozenHost())

    assert asyncio.run(in_a_loop()).status == "completed"


def test_a_test_runs_no_tool_that_it_did_not_give(tickets: AnyGraph) -> None:
    result = tickets.run_sync({}, tools=ScriptedTools({"tickets/report": {}}), host=FrozenHost())
    assert "the test gave no such tool" in result.state["_last_error"]["error"]
    assert ScriptedTools({"a": {}}).get("b") is None


def test_graphs_of_graphs_are_scripted_as_a_whole(tickets: AnyGraph) -> None:
    outer = """\
version: "1.0.0"
tool_type: graph
permissions: ["rye.execute.tool.*"]
config:
  start: go
  nodes:
    go: {action: {item_id: tool:demo/tickets, params: {queue: inner}}, assign: {out: "${result.output}"}, next: done}
    done: {type: return, output: "${state.out}"}
"""
    tools = ScriptedTools({"demo/tickets": tickets, "tickets/list": {"tickets": [5]}, **READ})
    for graph in compiled(outer, "demo/outer"):
        result = run_scripted(graph, {}, tools)
        assert_run(result, tools).completed().with_output({"read": [{"text": "ticket 5"}]})
        assert_run(result, tools).called("tickets/list", params={"queue": "inner"}, times=1)


def test_delays_hold_every_answer(tickets: AnyGraph) -> None:
    tools = ScriptedTools({"tickets/list": Delayed(1, Delayed(2, NodeError("late"))), "tickets/report": {}})
    host = FrozenHost(clock=1000)
    assert_run(run_scripted(tickets, {}, tools, host=host), tools).called("tickets/report", params={"error": "late"})
    assert host.now() == 1003
