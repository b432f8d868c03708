"""Whatever is in a file, reading it ends with faults, never with an exception."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from front.reading import facts_of
from graphwright.facts import Facts
from graphwright.fault import Fault
from graphwright.ir.printer import print_graph
from graphwright.ir.verify import verify
from graphwright.language import keys, nodes
from graphwright.rules.catalogue import catalogue
from graphwright.source.reader import read_bytes

GOLDEN = (Path(__file__).parents[1] / "golden" / "ir" / "everything.yaml").read_text(encoding="utf-8")
LINES = GOLDEN.split("\n")
NODE_KEYS = [key for place in nodes.NODES.values() for key in place.keys]
#: Faults that leave the meaning of a graph alone.
HARMLESS = {"GW004", "GW110", "GW111", "GW306", "GW415", "GW416"}
PIECES = [
    "null", "~", "[]", "{}", "yes", "1.10", "${", "}", "${state.x}", "${result}", "!!set ", "&a ", "*a", "<<: *a",
    "\t",
    "'", '"', "- ", ": ", "#", "[", "{", "\n", "  ", "|\n", "x-", "type: foreach, ", "parallel: true, ", "? ",
    "2026-01-01", ".nan", "1: 2", "\r\n", "`", "@", "%", "\u2028", "🚀", "\\", "\x00", "action: ", "next: ", "any",
]  # fmt: skip


def survives(facts: Facts) -> None:
    """Read to the end; what was accepted holds the invariants."""
    graph = facts.graph
    faults = facts.faults(Fault)
    lines = facts.source.text.count("\n") + 1
    for fault in faults:
        assert 1 <= fault.span.line <= fault.span.end_line <= lines
        assert (fault.span.line, fault.span.column) <= (fault.span.end_line, fault.span.end_column)
    for rule in catalogue().values():
        if rule.code < "GW2":
            list(rule.check(facts))
    if graph is not None:
        assert print_graph(graph)
        if all(fault.code in HARMLESS for fault in faults):
            verify(graph)


@given(data=st.data())
@settings(max_examples=200, deadline=None)
def test_damaged_graphs(data: st.DataObject) -> None:
    text = GOLDEN
    for _ in range(data.draw(st.integers(1, 3))):
        place = data.draw(st.integers(0, len(text)))
        match data.draw(st.sampled_from(["insert", "cut", "line", "value"])):
            case "insert":
                text = text[:place] + data.draw(st.sampled_from(PIECES)) + text[place:]
            case "cut":
                text = text[:place] + text[place + data.draw(st.integers(1, 15)) :]
            case "line":
                lines = text.split("\n")
                lines.insert(place % (len(lines) + 1), data.draw(st.sampled_from(LINES)))
                text = "\n".join(lines)
            case _:
                head, colon, _ = text[:place].rpartition(": ")
                text = head + colon + data.draw(st.sampled_from(PIECES)) + text[place:]
    survives(facts_of(text))


_scalars = st.none() | st.booleans() | st.integers() | st.floats() | st.sampled_from([*PIECES, "work", "done", "gate"])
_keys = st.sampled_from(
    [*keys.CONFIG.keys, *NODE_KEYS, *keys.ACTION.keys, *keys.CONDITION.keys, *keys.HOOK.keys, "work"]
)
_trees = st.recursive(
    _scalars, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(_keys, inner, max_size=4), max_leaves=25
)


@given(config=st.dictionaries(_keys, _trees, max_size=6), nodes=st.dictionaries(_keys, _trees, min_size=1, max_size=4))
@settings(max_examples=150, deadline=None)
def test_structures_without_sense(config: dict[str, object], nodes: dict[str, object]) -> None:
    document = {"tool_type": "graph", "config": {**config, "nodes": nodes}, "config_schema": config}
    survives(facts_of(yaml.safe_dump(document, allow_unicode=True)))


@given(st.binary(max_size=200))
@settings(max_examples=100, deadline=None)
def test_bytes(data: bytes) -> None:
    survives(Facts(read_bytes(b"tool_type: graph\n" + data, "graph.yaml")))


@pytest.mark.parametrize("text", ["x: {a: :", "x: {a: : b}", "x: {a: :}", "[a: :", "x: [::", "{:", "x: {a: b: :"])
def test_colons_with_nothing_between(text: str) -> None:
    survives(facts_of(text))
