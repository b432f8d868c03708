"""No change of meaning is missed: whatever changes the hash of a graph is a difference."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from yaml.nodes import MappingNode, Node, ScalarNode, SequenceNode

from graphwright.checking.fix import apply_fixes
from graphwright.compare.comparing import compare
from graphwright.compare.of_graph import graph_outline
from graphwright.diagnostic import Fix
from graphwright.facts import Facts
from graphwright.ir.printer import graph_digest
from graphwright.source.reader import Source, read_bytes
from readback.test_diff import GRAPHS

#: As many values of each graph are changed.
MOST = 60


@pytest.mark.parametrize("file", GRAPHS, ids=lambda file: file.stem)
def test_every_changed_value_is_a_difference(file: Path) -> None:
    text = file.read_text("utf-8")
    facts = Facts(read_bytes(text.encode(), "graph.yaml"))
    assert facts.graph is not None
    old, digest = graph_outline(facts), graph_digest(facts.graph)
    changed, missed = 0, []
    scalars = list(_values(facts.source, facts.source.root))
    for scalar in scalars[:: len(scalars) // MOST + 1]:
        edit = facts.source.instead(scalar, _other(scalar.value))
        if edit is None:
            continue
        after = Facts(read_bytes(apply_fixes(text, [Fix((edit,))]).text.encode(), "graph.yaml"))
        if after.noted() - facts.noted() or after.graph is None or graph_digest(after.graph) == digest:
            continue
        changed += 1
        if not compare(old, graph_outline(after)).differences:
            missed.append(edit)
    assert changed > MOST // 10
    assert missed == []


def _values(source: Source, node: Node | None) -> Iterator[ScalarNode]:
    """The scalars of a file that are values, in order."""
    match node:
        case ScalarNode():
            yield node
        case MappingNode():
            for _, value in source.entries(node):
                yield from _values(source, value)
        case SequenceNode(value=items):
            for item in items:
                yield from _values(source, item)
        case _:
            return


def _other(value: str) -> str:
    if value.isdecimal():
        return str(int(value) + 1)
    return {"true": "false", "false": "true"}.get(value, f"{value}x")
