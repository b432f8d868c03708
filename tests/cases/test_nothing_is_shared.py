"""No list or mapping is held by two: what a tool or a caller changes in place shows nowhere else."""

from __future__ import annotations

import copy
from typing import Any

from cases.graphs import graph
from graphwright_runtime.events import Event
from graphwright_runtime.values import apart
from running import compile_text, loaded, run_text

TWICE = graph("""\
start: fetch
state: {seed: {list: [1]}}
nodes:
  fetch:
    action: {item_id: shop/fetch, params: {seed: "${state.seed}"}}
    assign:
      a: "${result.rows}"
      b: "${result.rows}"
      all: "${result}"
      both: ["${state.a}", "${state.a.0}", "${state.seed.list}"]
    next: use
  use:
    action: {item_id: shop/use, params: {rows: "${state.a}", again: "${state.a}"}}
    assign: {seed: "${state.seed}"}
    next: done
  done: {type: return, output: {a: "${state.a}", b: "${state.b}", seed: "${state.seed}"}}
""")


def every_box(value: object) -> list[int]:
    """The identities of all lists and mappings in a value, each as often as it occurs."""
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    found = [id(value)] if isinstance(value, dict | list) else []
    return found + [each for item in inner for each in every_box(item)]


def test_state_and_output_of_a_result_share_nothing() -> None:
    result = run_text(TWICE, {}, {"shop/fetch": {"rows": [{"id": 1}]}, "shop/use": {}}).result
    boxes = every_box(result.state) + every_box(result.output) + every_box(result.to_dict())
    assert len(boxes) == len(set(boxes))
    result.state["a"][0]["id"] = result.output["b"] = 2
    assert result.state["b"] == [{"id": 1}] == result.output["a"]
    again: Any = result.to_dict()
    assert again["state"]["a"] == [{"id": 1}]


def test_the_default_output_is_a_copy_of_the_state() -> None:
    text = TWICE.replace(TWICE[TWICE.index(", output:") : TWICE.rindex("}")], "")
    result = run_text(text, {}, {"shop/fetch": {"rows": [1]}, "shop/use": {}}).result
    assert result.output == result.state
    boxes = every_box(result.state) + every_box(result.output)
    assert len(boxes) == len(set(boxes))


def test_a_tool_that_changes_its_params_or_its_result_later_changes_nothing_else() -> None:
    kept: list[Any] = []

    def answer(item_id: str, params: dict[str, Any]) -> object:
        for each in kept:
            each.clear()
        returned: dict[str, Any] = {"rows": [{"id": 1}]} if item_id == "shop/fetch" else {"n": 1}
        if item_id == "shop/use":
            assert params == {"rows": [{"id": 1}], "again": [{"id": 1}]}
            params["rows"].clear()
            assert params["again"] == [{"id": 1}]
        kept.extend([params, *params.values(), returned, *returned.get("rows", ()), returned.get("rows", [])])
        return returned

    ran = run_text(TWICE, {}, answer)
    assert ran.result.output == {"a": [{"id": 1}], "b": [{"id": 1}], "seed": {"list": [1]}}


def test_runs_and_events_and_limits_share_nothing_either() -> None:
    text = graph(
        """\
start: fetch
state: {seed: {list: [1]}, more: [[2]]}
nodes:
  fetch:
    action: {item_id: shop/fetch, params: {seed: "${state.seed}"}}
    assign: {rows: "${result.rows}", got: "${inputs.given}"}
    next: done
  done: {type: return, output: {rows: "${state.rows}", got: "${state.got}"}}
""",
        inputs="given: {type: array, default: [{deep: 1}]}\n",
        top="limits: {turns: 3}\n",
    )
    seen: list[object] = []

    def fetch(params: dict[str, Any], context: Any) -> object:
        seen.append(copy.deepcopy([params, dict(context.limits)]))
        params["seed"]["list"].append(0)
        context.limits["turns"] = context.limits["depth"] = 99
        return {"rows": [[1]]}

    def listen(event: Event) -> None:
        delta: Any = event.payload.get("delta", {})
        for value in delta.values():
            value.append("changed")

    given = [{"deep": 1}]
    with loaded(compile_text(text)) as module:
        results = [
            module.run_sync(inputs, tools={"shop/fetch": fetch}, on_event=listen)
            for inputs in ({}, {"given": given}) * 2
        ]
    assert seen == [[{"seed": {"list": [1]}}, {"turns": 3}]] * 4
    for result in results:
        assert result.output == {"rows": [[1]], "got": [{"deep": 1}]}
        result.state["got"][0]["deep"] = result.state["seed"]["list"] = 0
    assert given == [{"deep": 1}]


def test_a_copy_goes_as_deep_as_its_value() -> None:
    value: Any = []
    for _ in range(5_000):
        value = [value]
    made: Any = apart(value)
    for _ in range(5_000):
        assert made is not value
        [made], [value] = made, value
    assert made == value == []
