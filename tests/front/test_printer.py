"""The printed IR tells graphs apart, and its digest leaves out what changes nothing."""

from __future__ import annotations

import pytest

from front.reading import graph, lowered
from graphwright import ir
from graphwright.ir.printer import graph_digest, node_digests, print_graph, value_text

WORK = '    work: {action: {item_id: a, params: {x: "${state.n}"}}, assign: {n: "${result.n}"}, next: done}\n'
DONE = "    done: {type: return}\n"
STATE = "  state: {n: 1}\n"
BASE = graph(WORK + DONE, config=STATE)


@pytest.mark.parametrize(
    "other",
    [
        BASE.replace("tool_type: graph", "tool_type: state_graph  # a comment"),
        BASE.replace("permissions", "description: something\npermissions"),
        BASE.replace("{type: return}", "{type: return, description: the end, comment: none}"),
        BASE.replace('"${state.n}"', "'${ state.n }'"),
        BASE.replace("{x: ", "{ x:  "),
        BASE.replace("permissions: [rye.execute.tool.*]", "permissions: [ryeos.execute.tool.*]"),
        BASE.replace("permissions", "config_schema: &s {type: object, description: x}\npermissions").replace(
            "config_schema: &s {type: object, description: x}\n", ""
        ),
    ],
)
def test_what_changes_nothing_changes_no_digest(other: str) -> None:
    assert graph_digest(lowered(other)) == graph_digest(lowered(BASE))
    assert node_digests(lowered(other)) == node_digests(lowered(BASE))


@pytest.mark.parametrize(
    ("other", "changed"),
    [
        (BASE.replace("{x: ", "{y: "), {"work"}),
        (BASE.replace('"${state.n}"', '"${inputs.n}"'), {"work"}),
        (BASE.replace('"${state.n}"', '"the n"'), {"work"}),
        (BASE.replace('"${state.n}"', '" ${state.n}"'), {"work"}),
        (BASE.replace("{type: return}", "{type: return, output: 1}"), {"done"}),
        (BASE.replace("{type: return}", "{type: return, output: 1.0}"), {"done"}),
        (BASE.replace("{n: 1}", "{n: 2}"), set()),
        (BASE.replace("{n: 1}", '{n: "1"}'), set()),
        (BASE.replace("rye.execute.tool.*", "rye.execute.tool.a"), set()),
        (BASE.replace("  state", "  max_steps: 7\n  state"), set()),
    ],
)
def test_what_changes_something_changes_the_digest(other: str, changed: set[str]) -> None:
    assert graph_digest(lowered(other)) != graph_digest(lowered(BASE))
    before, after = node_digests(lowered(BASE)), node_digests(lowered(other))
    assert {name for name in before if before[name] != after[name]} == changed


def test_descriptions_of_inputs_are_no_part_of_the_digest() -> None:
    schema = "config_schema: {type: object, properties: {description: {type: string%s}}}\n"
    plain = graph(WORK + DONE, config=STATE, top=schema % "")
    told = graph(WORK + DONE, config=STATE, top=schema % ", description: What it is about")
    other = graph(WORK + DONE, config=STATE, top=schema % ", maxLength: 5")
    assert graph_digest(lowered(plain)) == graph_digest(lowered(told))
    assert graph_digest(lowered(plain)) != graph_digest(lowered(other))
    assert "What it is about" in print_graph(lowered(told))


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (ir.Const("state.x"), '"state.x"'),
        (ir.Read(ir.Root.STATE, ("a", 0, "0", "b c"), "", 0, 0), 'state.a[0]["0"]["b c"]'),
        (ir.Text(("a", ir.Const(1))), 'text("a", 1)'),
        (ir.ListOf((ir.Const(1), ir.Read(ir.Root.ITEM, (), "", 0, 0))), "[1, item]"),
        (ir.Negative(ir.Read(ir.Root.NOW, (), "", 0, 0), 0, 0), "-(_now)"),
        (ir.Pipe("default", ir.Const(None), (ir.Const([]),), 0, 0), "(null | default([]))"),
    ],
)
def test_no_two_values_look_alike(value: ir.Value, text: str) -> None:
    assert value_text(value) == text
