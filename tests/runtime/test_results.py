"""From what a tool returns to a node's result (language.md §6.5)."""

from __future__ import annotations

import asyncio
import copy
import datetime
from typing import Any

import pytest

from graphwright_runtime.abi import Action, execute
from graphwright_runtime.envelope import received
from graphwright_runtime.errors import NodeError
from runtime.small import WORK, AnyCursor, Ran, graph, ran, scripted

ENVELOPE = {"status": "success", "type": "tool", "item_id": "x", "chain": [1], "metadata": {"ms": 1}, "path": "/p"}


@pytest.mark.parametrize(
    ("raw", "result"),
    [
        ({}, {}),
        (None, {}),
        ("42\n", {"result": "42\n"}),
        (7, {"result": 7}),
        (False, {"result": False}),
        ([1, None], {"result": [1, None]}),
        ({"a": {"b": None}}, {"a": {"b": None}}),
        ({**ENVELOPE, "data": {"v": 5, "path": "own"}}, {"v": 5, "path": "own"}),
        ({**ENVELOPE, "data": [1, 2]}, {"result": [1, 2]}),
        ({"data": {"v": 1}, "status": "ok", "item_id": "x"}, {"v": 1}),
        ({"data": {"v": 1}, "status": "ok"}, {"data": {"v": 1}, "status": "ok"}),
        ({"data": 1, "type": "t"}, {"data": 1, "type": "t"}),
        ({"chain": [1], "metadata": 2, "source": "own"}, {"chain": [1], "metadata": 2, "source": "own"}),
        ({"success": True, "status": "failed-over"}, {"success": True, "status": "failed-over"}),
        ({"success": None, "status": None}, {"success": None, "status": None}),
        ({"success": 0}, {"success": 0}),
    ],
)
def test_unwrapped(raw: object, result: object) -> None:
    assert received(raw) == result


@pytest.mark.parametrize(
    ("raw", "text"),
    [
        ({"success": False, "error": "exit 2", "message": "m"}, "exit 2"),
        ({"success": False, "message": "m", "stderr": "s"}, "m"),
        ({"success": False, "stderr": "cat: no\n"}, "cat: no"),
        ({"success": False, "error": "", "message": None, "stderr": "  "}, '{"success": false, "error": "",'),
        ({"success": False, "error": {"code": 410, "message": "gone"}}, "gone"),
        ({"success": False, "error": {"why": 1}}, "{'why': 1}"),
        ({"success": False, "error": 7}, "7"),
        ({"success": False, "error": True, "x": 1}, '{"success": false, "error": true, "x": 1}'),
        ({"status": "error"}, '{"status": "error"}'),
        ({"status": "error", "error": "crashed", "item_id": "x", "type": "tool"}, "crashed"),
        ({**ENVELOPE, "status": "error", "data": {"error": "inner"}}, "inner"),
        ({**ENVELOPE, "status": "error", "error": "outer", "data": {"error": "inner"}}, "outer"),
        ({**ENVELOPE, "data": {"status": "error", "error": "no rows"}}, "no rows"),
        ({**ENVELOPE, "data": {"success": False, "stderr": "bad"}}, "bad"),
        ({"success": False, "blob": "x" * 1000}, "x…"),
    ],
)
def test_a_reported_error(raw: object, text: str) -> None:
    with pytest.raises(NodeError) as raised:
        received(raw)
    assert text in str(raised.value)
    assert len(str(raised.value)) < 310


def test_an_error_keeps_its_code_and_the_wait_it_asks_for() -> None:
    with pytest.raises(NodeError) as raised:
        received({"success": False, "error": {"status_code": 429, "message": "slow down"}, "retry_after": 2})
    assert raised.value.code == 429
    assert raised.value.retry_after == 2.0


def test_a_result_that_is_no_json_names_the_place() -> None:
    run = ran(graph(), {"svc/work": [{"rows": [{"at": datetime.datetime(2026, 1, 2)}]}]})
    assert run.result.error == "the result is not JSON: rows[0].at: a datetime"
    assert run.result.node == "work"


def test_a_cycle_in_a_result_is_told_shortly() -> None:
    cycle: list[object] = []
    cycle.append(cycle)
    error = ran(graph(), {"svc/work": [{"v": cycle}]}).result.error
    assert error is not None
    assert error.startswith("the result is not JSON: v[0][0]")
    assert error.endswith("…: nested deeper than 200 levels")
    assert len(error) < 200


async def keeps_everything(c: AnyCursor) -> str | None:
    result = await c.call(WORK, {"given": c.state["given"]})
    c.commit({"kept": result})
    return "done"


@pytest.mark.parametrize("result", [{"n": 1}, {"rows": [1]}])
def test_nothing_mutable_is_shared_between_state_params_and_results(result: dict[str, Any]) -> None:
    returned = copy.deepcopy(result)

    async def tool(params: dict[str, Any]) -> dict[str, Any]:
        params["given"]["list"].append("changed")
        params["more"] = 1
        return returned

    record = graph(keeps_everything, initial=lambda: {"given": {"list": []}})
    outcome = asyncio.run(execute(record, {}, tools={"svc/work": tool}, env={}))
    assert outcome.state == {"given": {"list": []}, "kept": result}
    returned["n"] = 99
    if "rows" in returned:
        returned["rows"].append(2)
    assert outcome.state["kept"] == result


def test_inputs_are_copied() -> None:
    async def node(c: AnyCursor) -> str | None:
        c.commit({"xs": c.inputs["xs"]})
        return "done"

    given = {"xs": [1]}
    outcome = asyncio.run(execute(graph(node), given, env={}))
    given["xs"].append(2)
    assert outcome.state == {"xs": [1]}


def test_params_that_are_no_flat_mapping_lose_their_nulls() -> None:
    async def node(c: AnyCursor) -> str | None:
        await c.call(WORK, {"a": None, "b": {"c": None, "d": [None, {"e": None}]}, "f": 0})
        return "done"

    seen: list[object] = []

    async def tool(params: dict[str, Any]) -> None:
        seen.append(params)

    asyncio.run(execute(graph(node), {}, tools={"svc/work": tool}, env={}))
    assert seen == [{"b": {"d": [None, {}]}, "f": 0}]


def test_a_search_may_have_no_id() -> None:
    find = Action("search", "tool", None, "rye.search.tool")

    async def node(c: AnyCursor) -> str | None:
        await c.call(find, {"query": "x"})
        return "done"

    run = Ran()
    outcome = asyncio.run(
        execute(
            graph(node, permissions=("rye.search.*",)),
            {},
            dispatch=scripted({"": [{"hits": 1}]}, run.calls),
            env={},
        )
    )
    assert outcome.status == "completed"
    assert run.calls[0].item_id is None
