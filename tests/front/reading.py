"""Reading a graph as far as its faults and its IR, for tests of the front end."""

from __future__ import annotations

from typing import TypeVar

from graphwright import ir
from graphwright.facts import Facts
from graphwright.fault import Fault
from graphwright.source.reader import read_text

F = TypeVar("F", bound=Fault)

#: Where the lines of `graph(...)` begin, so that tests can name places.
HEAD = """\
version: "1.0.0"
tool_type: graph
permissions: [rye.execute.tool.*]
"""


def facts_of(text: str) -> Facts:
    return Facts(read_text(text, "graph.yaml"), graph_id="tests/graph", path="graph.yaml")


def graph(nodes: str, *, start: str = "work", config: str = "", top: str = "") -> str:
    """A graph around `nodes` (indented by four); `config` by two, `top` by none. Nodes begin on the last lines."""
    return f"{HEAD}{top}config:\n  start: {start}\n{config}  nodes:\n{nodes}"


def faults_of(text: str) -> list[Fault]:
    """All faults, by position."""
    facts = facts_of(text)
    return sorted(facts.faults(Fault), key=lambda fault: (fault.span, fault.code))


def codes_of(text: str) -> list[str]:
    """Codes and places, such as `GW101 7:5`."""
    return [f"{fault.code} {fault.span.line}:{fault.span.column}" for fault in faults_of(text)]


def only(text: str, kind: type[F]) -> F:
    """The one fault that there is."""
    found = faults_of(text)
    assert [fault.code for fault in found] == [kind.code], found
    assert isinstance(found[0], kind)
    return found[0]


def lowered(text: str) -> ir.Graph:
    """The IR of a graph without faults (notes aside)."""
    assert [fault for fault in faults_of(text) if fault.code not in ("GW111", "GW416")] == []
    found = facts_of(text).graph
    assert found is not None
    return found
