"""Names that look alike within a graph."""

from __future__ import annotations

import pytest

from checking import check_text

GRAPH = """\
tool_type: graph
permissions: []
config_schema: {type: object, properties: {INPUTS}}
config:
  start: "NODE"
  state: {STATE}
  nodes:
    "NODE": {type: gate, next: "OTHER"}
    "OTHER": {type: return}
"""


def graph(node: str = "first", other: str = "second", state: str = "", inputs: str = "") -> str:
    return GRAPH.replace("NODE", node).replace("OTHER", other).replace("STATE", state).replace("INPUTS", inputs)


def alike(text: str) -> list[str]:
    return [each.message for each in check_text(text) if each.code == "GW119"]


@pytest.mark.parametrize(
    ("one", "other", "why"),
    [
        ("pay", "p\u0430y", "U+0430 CYRILLIC SMALL LETTER A"),
        ("Ivan", "\u0406van", "U+0406"),
        ("scope", "\u0455\u0441\u043e\u0440\u0435", "CYRILLIC"),
        ("omega", "\u03bfmega", "GREEK SMALL LETTER OMICRON"),
        ("file", "\ufb01le", "LATIN SMALL LIGATURE FI"),
        ("caf\u00e9", "cafe\u0301", "U+0301 COMBINING ACUTE ACCENT"),
        ("done", "do\u200bne", "U+200B ZERO WIDTH SPACE"),
    ],
)
def test_names_of_nodes_that_look_alike(one: str, other: str, why: str) -> None:
    found = alike(graph(one, other))
    assert len(found) == 1
    assert why in found[0]


def test_keys_and_inputs_that_look_alike() -> None:
    assert len(alike(graph(state="total: 1, t\u043etal: 2"))) == 1
    assert len(alike(graph(inputs="team: {}, te\u0430m: {}"))) == 1


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("l1", "ll"),
        ("page0", "pageO"),
        ("gr\u00f6\u00dfe", "gr\u00f6sse"),
        ("\u6570\u636e", "\u6570\u5b57"),
        ("\u0430", "b"),
        ("na\u00efve", "naive"),
    ],
)
def test_names_that_are_told_apart(one: str, other: str) -> None:
    assert alike(graph(one, other)) == []


def test_names_of_different_kinds_may_be_alike() -> None:
    assert alike(graph("team", "b", state="te\u0430m: 1", inputs="t\u0435am: {}")) == []
