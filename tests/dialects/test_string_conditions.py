"""Conditions that other dialects write as strings, and what this language writes for them."""

from __future__ import annotations

import pytest

from checking import check_text, loud
from graphwright.diagnostic import Json, Severity
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


GRAPH = """\
tool_type: graph
permissions: [rye.execute.tool.mail.send]
config:
  start: send
  hooks: [{event: after_step, condition: {path: state.more, value: true}, action: {item_id: tool:mail/send}}]
  nodes:
    send:
      action: {item_id: tool:mail/send}
      assign: {more: "${result.more}"}
      next: [{to: send, when: {path: state.more, value: true}}, {to: done}]
    done: {type: return, output: sent}
"""
CONDITION = "{path: state.more, op: eq, value: true}"


@pytest.mark.parametrize(
    ("written", "instead", "advice"),
    [
        ("to: send, when: {path: state.more, value: true}", "to: send, when: state.more", f"`when: {CONDITION}`"),
        ("to: send, when: {path: state.more, value: true}", "to: send, if: state.more", f"`when: {CONDITION}`"),
        ("to: send, when: {path: state.more, value: true}", "to: send, when: [state.more]", f"`when: {CONDITION}`"),
        ("when: {path: state.more, value: true}", "when: {any: [state.more]}", f"`{CONDITION}`"),
        ("when: {path: state.more, value: true}", "when: {not: state.more}", f"`not: {CONDITION}`"),
        ("when: {path: state.more, value: true}", "when: {path: state.more == true}", f"`{CONDITION}`"),
        ("condition: {path: state.more, value: true}", "condition: state.more", f"`condition: {CONDITION}`"),
    ],
)
def test_a_condition_that_is_a_string_is_one_finding(written: str, instead: str, advice: str) -> None:
    """The key that it reads is not called unused, even if nothing else reads it."""
    assert loud(check_text(GRAPH)) == []
    others = GRAPH.replace("condition: {path: state.more, value: true}, ", "") if "when" in written else GRAPH
    (found,) = [each for each in check_text(others.replace(written, instead)) if each.severity is not Severity.NOTE]
    assert found.help == f"write {advice}"


def test_a_condition_of_unknown_keys_reads_what_it_names() -> None:
    graph = GRAPH.replace("condition: {path: state.more, value: true}, ", "")
    instead = "when: {eq: [state.more, true]}"
    assert loud(check_text(graph.replace("when: {path: state.more, value: true}", instead))) == ["GW101:10"]
