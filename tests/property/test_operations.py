"""Operators and pipes with every kind of value: what a check refuses fails, the rest does what the reference does."""

from __future__ import annotations

import asyncio
import itertools
from random import Random
from typing import Any, Final

import pytest
import yaml

from property.comparison import differences, sooner
from property.repair import inspected
from reference.walker import walk
from running import loaded, run_module

VALUES: Final[list[Any]] = [
    None, True, False, 0, 1, -1, 2.0, 0.5, -0.0, 10**30, 1e308, 10**400, "", "a", "12", " 12 ", "1.5", "[1]", "{",
    "null", "ü\u2028b", "a\nb\r\nc\x85d", "9" * 30, "1_000", "٣", "+5", "0x10", "1e3", "NaN", "1e999", [], [1],
    ["a", [None]], [[]], {}, {"v": 1}, {"": 0},
]  # fmt: skip
PIPES: Final = [
    "json", "from_json", "length", "keys", "upper", "lower", "trim", "lines", "int", "float", "str", "first", "last",
    "quote", "default(0)", "default(null)",
]  # fmt: skip


def expressions() -> list[tuple[str, object, object]]:
    """Expressions, each with the values of `state.x` and `state.y`."""
    pairs = itertools.product(VALUES, VALUES, ["+", "-", "*", "/", "%", "||"])
    found = [(f"state.x {sign} state.y", left, right) for left, right, sign in pairs]
    found += [(f"state.x | {pipe}", value, None) for value, pipe in itertools.product(VALUES, PIPES)]
    twice = itertools.product(VALUES, PIPES, PIPES)
    return found + [(f"state.x | {first} | {second}", value, None) for value, first, second in twice]


@pytest.mark.parametrize("count", [150, pytest.param(4000, marks=pytest.mark.slow)])
def test_operations(count: int) -> None:
    for expression, left, right in Random(count).sample(expressions(), count):
        as_said(expression, left, right)


def as_said(expression: str, left: object, right: object) -> None:
    """The verdicts of a check, of a run and of the reference on one expression."""
    nodes = {
        "sum": {"type": "gate", "assign": {"r": f"${{{expression}}}"}, "next": "end", "on_error": "failed"},
        "end": {"type": "return", "output": ["${state.r}", f"x ${{{expression}}}"]},
        "failed": {"type": "return", "output": "${state._last_error.node}"},
    }
    config = {"start": "sum", "state": {"x": left, "y": right}, "nodes": nodes}
    graph: dict[str, object] = {"tool_type": "graph", "permissions": [], "config": config}
    facts, found = inspected(yaml.safe_dump(graph, allow_unicode=True))
    expected = walk(graph, {}, lambda item_id, params: None)
    case = f"{expression} of {left!r} and {right!r}"
    if any(one.severity.value == "error" for one in found):
        assert expected.path == ["sum", "failed"], f"{case}: {[one.message for one in found]}"
        return
    with loaded(sooner(facts)) as made:
        ran = asyncio.run(run_module(made, {}, lambda item_id, params: None))
    assert not (unlike := differences(ran, expected)), f"{case}: {unlike}"
