"""One item of a loop fails: positions stay, and the policy decides."""

from __future__ import annotations

import asyncio

import pytest

from cases.graphs import graph
from running import compile_text, loaded, run_text

LOOP = """\
POLICY
state: {xs: [1, 2, 3]}
start: each
nodes:
  each:
    type: foreach
    over: "${state.xs}"
    as: n
    MODE
    action: {item_id: shop/check, params: {n: "${n}"}}
    collect: out
    EDGE
    next: done
  rescue:
    action: {item_id: shop/log, params: {error: "${state._last_error}"}}
    next: done
  done: {type: return, output: "${state.out}"}
"""


def fails_on_two(item: str, params: dict[str, object]) -> object:
    if params.get("n") == 2:
        raise ValueError("two is bad")
    return params


def make(policy: str, mode: str, edge: str = "on_error: rescue") -> str:
    return graph(
        LOOP.replace("POLICY", policy).replace("MODE", mode).replace("    EDGE\n", f"    {edge}\n" if edge else "")
    )


@pytest.mark.parametrize("mode", ["max_concurrency: 1", "parallel: true"])
def test_continue_completes_the_loop(mode: str) -> None:
    text = make("on_error: continue", mode, edge="")
    ran = run_text(text, {}, fails_on_two)
    out = ran.result.state["out"]
    assert (out[0], out[2]) == ({"n": 1}, {"n": 3})
    assert out[1]["status"] == "error"
    assert "two is bad" in out[1]["error"]
    assert ran.result.status == "completed_with_errors"
    assert [entry.node for entry in ran.result.errors] == ["each"]


def test_fail_names_the_index_and_starts_no_more() -> None:
    ran = run_text(make("on_error: fail", "max_concurrency: 1", edge=""), {}, fails_on_two)
    assert (ran.result.status, ran.result.node) == ("error", "each")
    assert "1" in str(ran.result.error)
    assert [call.params for call in ran.calls] == [{"n": 1}, {"n": 2}]
    assert [type(slot).__name__ for slot in ran.result.state["out"]] == ["dict", "dict", "NoneType"]


@pytest.mark.parametrize("mode", ["max_concurrency: 1", "parallel: true\n    max_concurrency: 1"])
def test_a_hook_that_ends_the_run_over_an_item(mode: str) -> None:
    policy = "on_error: continue\nhooks: [{event: error, action: {fail: true}}]"
    ran = run_text(make(policy, mode, edge=""), {}, fails_on_two)
    assert (ran.result.status, ran.result.node) == ("error", "each")
    assert ran.result.error == "item 1 of 3 failed: two is bad"
    assert [call.params for call in ran.calls] == [{"n": 1}, {"n": 2}]
    assert ran.result.state["out"] == [{"n": 1}, {"status": "error", "error": "two is bad"}, None]
    assert "_last_error" not in ran.result.state


def test_an_error_edge_is_taken_with_the_error() -> None:
    ran = run_text(make("on_error: fail", "max_concurrency: 1"), {}, fails_on_two)
    assert ran.path == ["each", "rescue", "done"]
    error = ran.calls[-1].params["error"]
    assert isinstance(error, dict)
    assert error["node"] == "each"
    assert ran.result.status == "completed"


def test_items_that_finish_out_of_order_are_collected_in_order() -> None:
    async def sleepy(params: dict[str, object]) -> object:
        await asyncio.sleep((4 - int(str(params["n"]))) / 100)
        return fails_on_two("", params)

    with loaded(compile_text(make("on_error: continue", "parallel: true", edge=""))) as module:
        result = module.run_sync({}, tools={"shop/check": sleepy})
    assert [slot.get("n") for slot in result.state["out"]] == [1, None, 3]
