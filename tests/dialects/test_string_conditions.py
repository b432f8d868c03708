"""Conditions that other dialects write as strings, and what this language writes for them."""

from __future__ import annotations

import pytest

from graphwright.diagnostic import Json
from graphwright.dialects.string_conditions import advice, as_condition


@pytest.mark.parametrize(
    ("text", "condition"),
    [
        ("state.total > 3", {"path": "state.total", "op": "gt", "value": 3}),
        ("3 >= state.total", {"path": "state.total", "op": "lte", "value": 3}),
        ('result.status == "ok"', {"path": "result.status", "op": "eq", "value": "ok"}),
        ("state.a != null", {"path": "state.a", "op": "ne", "value": None}),
        ("state.ready", {"path": "state.ready", "op": "eq", "value": True}),
        ("!state.ready", {"not": {"path": "state.ready", "op": "eq", "value": True}}),
        ("state.a == state.b", {"path": "state.a", "op": "eq", "value": "${state.b}"}),
        ("state.n == -1", {"path": "state.n", "op": "eq", "value": -1}),
        ("state.kind in ['a', 'b']", {"path": "state.kind", "op": "in", "value": ["a", "b"]}),
        ("'a' in state.kinds", {"path": "state.kinds", "op": "contains", "value": "a"}),
        ("state.kind not in ['a']", {"not": {"path": "state.kind", "op": "in", "value": ["a"]}}),
        ("exists(state.a)", {"path": "state.a", "op": "exists"}),
        ("contains(state.a, 'x')", {"path": "state.a", "op": "contains", "value": "x"}),
        ("matches(state.a, '^x')", {"path": "state.a", "op": "regex", "value": "^x"}),
        ("state.rows[0].id == 5", {"path": "state.rows[0].id", "op": "eq", "value": 5}),
        ("state.rows[-1] == 5", {"path": "state.rows[-1]", "op": "eq", "value": 5}),
        (
            'state.a && state.b == "x && !y"',
            {
                "all": [
                    {"path": "state.a", "op": "eq", "value": True},
                    {"path": "state.b", "op": "eq", "value": "x && !y"},
                ]
            },
        ),
        (
            "state.a or (state.b and not state.c)",
            {
                "any": [
                    {"path": "state.a", "op": "eq", "value": True},
                    {
                        "all": [
                            {"path": "state.b", "op": "eq", "value": True},
                            {"not": {"path": "state.c", "op": "eq", "value": True}},
                        ]
                    },
                ]
            },
        ),
        ("${state.a} == 1", {"path": "state.a", "op": "eq", "value": 1}),
        ("else", {}),
        ("true", {}),
    ],
)
def test_translated(text: str, condition: Json) -> None:
    assert as_condition(text) == condition


@pytest.mark.parametrize(
    "text",
    [
        "length(state.items) > 2", "state.a + 1 > 2", "state.a ?? 'x' == 'y'", "state.", "", "state.some-key > 3",
        "1 < state.a < 5", "x" * 3000, "(" * 500 + "a" + ")" * 500, "state.a == 'open", "lambda: 0", "state.f(1)",
        "state.a == 1 + 2j",
    ],
)  # fmt: skip
def test_without_a_counterpart(text: str) -> None:
    assert as_condition(text) is None
    assert "such as" in advice(text)
