"""Deeply nested or long input is flattened, because Python and the type checkers have limits."""

from __future__ import annotations

import json
from typing import Any

import pytest

from cases.graphs import graph
from graphwright.emit.conditions import MAX_OPERANDS
from graphwright.emit.edges import MAX_EDGES
from graphwright.emit.expressions import MAX_NESTING
from graphwright.expr.parser import MAX_OPERANDS as MAX_LENGTH
from running import compile_text, run_text

_END = "  done: {type: return}\n"


def gate(body: str, state: dict[str, Any]) -> str:
    """A graph of one gate `a` and a return node `done`; `body` is what the gate has."""
    return graph(f"start: a\nmax_steps: 5\nstate: {json.dumps(state)}\nnodes:\n  a: {body}\n{_END}")


def state_after(text: str) -> dict[str, Any]:
    """The state that a run without tools ends with."""
    result = run_text(text, {}, {}).result
    assert result.status == "completed", result.error
    return dict(result.state)


def routed(condition: dict[str, Any], state: dict[str, Any]) -> bool:
    """Whether the condition holds."""
    edges = [{"to": "yes", "when": condition}, {"to": "no"}]
    nodes = {"a": {"type": "gate", "next": edges}, "yes": {"type": "return"}, "no": {"type": "return"}}
    text = graph(f"start: a\nstate: {json.dumps(state)}\nnodes: {json.dumps(nodes)}\n")
    return run_text(text, {}, {}).path[-1] == "yes"


@pytest.mark.parametrize("levels", [1, 7, 30, 90])
def test_conditions_nested_deeply(levels: int) -> None:
    condition: dict[str, Any] = {"path": "state.n", "op": "eq", "value": 1}
    expected = True
    for level in range(levels):
        if level % 3 == 0:
            condition, expected = {"not": condition}, not expected
        elif level % 3 == 1:
            condition = {"any": [{"path": "state.none", "op": "exists"}, condition]}
        else:
            condition = {"all": [{"path": "state.n", "op": "gte", "value": 0}, condition]}
    assert routed(condition, {"n": 1, "none": None}) is expected


@pytest.mark.parametrize("count", [MAX_OPERANDS, MAX_OPERANDS + 1, 1_000])
def test_many_alternatives(count: int) -> None:
    parts = [{"path": "state.n", "op": "eq", "value": number} for number in range(count)]
    assert routed({"any": parts}, {"n": count - 1})
    assert not routed({"any": parts}, {"n": count})
    assert not routed({"all": parts}, {"n": 0})


@pytest.mark.parametrize("count", [8, 9, MAX_EDGES, MAX_EDGES + 1, 350])
def test_many_edges(count: int) -> None:
    edges = [{"to": f"t{number}", "when": {"path": "state.n", "value": number}} for number in range(count)]
    nodes = {"a": {"type": "gate", "assign": {"n": "${state.n - 1}"}, "next": [*edges, {"to": "rest"}]}}
    ends = {name: {"type": "return"} for name in [*(f"t{number}" for number in range(count)), "rest"]}
    body = f"start: a\nnodes: {json.dumps({**nodes, **ends})}\n"
    for number in (0, count // 2, count - 1):
        assert run_text(graph(f"state: {{n: {number + 1}}}\n{body}"), {}, {}).path == ["a", f"t{number}"]
    assert run_text(graph(f"state: {{n: -5}}\n{body}"), {}, {}).path == ["a", "rest"]


@pytest.mark.slow
def test_two_thousand_nine_hundred_and_eighty_nine_edges() -> None:
    edges = [{"to": "done", "when": {"path": "state.n", "value": number}} for number in range(2_989)]
    assert state_after(gate(f"{{type: gate, next: {json.dumps([*edges, {'to': 'a'}])}}}", {"n": 2_988})) == {"n": 2_988}


def test_literals_nested_deeply() -> None:
    value: Any = "x"
    for level in range(90):
        value = {"k": value, "z": [level]} if level % 2 else [value]
    assert state_after(gate(f"{{type: gate, assign: {{q: {json.dumps(value)}}}, next: done}}", {}))["q"] == value


def test_templates_nested_deeply() -> None:
    value: Any = "${state.n}"
    for _ in range(45):
        value = {"k": [value]}
    found = state_after(gate(f"{{type: gate, assign: {{q: {json.dumps(value)}}}, next: done}}", {"n": 7}))["q"]
    for _ in range(45):
        found = found["k"][0]
    assert found == 7


def test_expressions_nested_deeply() -> None:
    expression = "state.n"
    for number in range(60):
        expression = f"({expression} + {number})"
    assert state_after(gate(f'{{type: gate, assign: {{q: "${{{expression}}}"}}, next: done}}', {"n": 1}))["q"] == 1_771


def computed(expression: str, state: dict[str, Any]) -> Any:
    """What a gate assigns that computes the expression."""
    return state_after(gate(f'{{type: gate, assign: {{q: "${{{expression}}}"}}, next: done}}', state))["q"]


@pytest.mark.parametrize("count", [MAX_NESTING + 2, 65, pytest.param(MAX_LENGTH, marks=pytest.mark.slow)])
def test_long_chains(count: int) -> None:
    assert computed(" + ".join(["state.n"] * count), {"n": 1}) == count
    assert computed(" - ".join(["state.n"] * count), {"n": 1}) == 2 - count
    assert computed("state.n" + " + state.n * 2 - 2 * state.n" * ((count - 1) // 2), {"n": 1}) == 1
    assert computed(" + ".join(["(state.n | str)"] * count), {"n": 1}) == "1" * count
    assert computed(" + ".join(["state.l"] * count), {"l": [1, 2]}) == [1, 2] * count


def test_a_long_chain_fails_at_its_first_mistake() -> None:
    terms = ["state.n"] * 100 + ["(state.s | int)"] + ["state.n"] * 100 + ["(state.t | int)"] + ["state.n"] * 100
    text = gate(f'{{type: gate, assign: {{q: "${{{" + ".join(terms)}}}"}}}}', {"n": 1, "s": "first", "t": "second"})
    result = run_text(text, {}, {}).result
    assert result.status == "error"
    assert "first" in str(result.error)
    assert "second" not in str(result.error)


@pytest.mark.parametrize("position", [0, 7, 50, 98])
def test_long_fallbacks_ask_in_turn(position: int) -> None:
    state = {f"m{number}": None for number in range(99)} | {f"m{position}": "5"}
    if position < 98:
        state[f"m{position + 1}"] = "no number, never asked"
    expression = " || ".join(f"(state.m{number} | int)" for number in range(99))
    assert state_after(gate(f'{{type: gate, assign: {{q: "${{{expression}}}"}}, next: done}}', state))["q"] == 5


def test_long_texts() -> None:
    text = "x${state.n}" * 3_000
    assert state_after(gate(f'{{type: gate, assign: {{q: "{text}"}}, next: done}}', {"n": 1}))["q"] == "x1" * 3_000


def test_large_literals_are_json_text() -> None:
    code = compile_text(gate("{type: gate, next: done}", {"n": list(range(5_000))}))
    assert "from_json(" in code
    assert '"[0,1,2,3,' in code
