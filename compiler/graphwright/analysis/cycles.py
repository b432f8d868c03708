"""Cycles that a run cannot leave, and those of error edges alone."""

from __future__ import annotations

from collections.abc import Iterator

from graphwright import ir
from graphwright.analysis.flow import Flow


def endless_cycles(flow: Flow) -> Iterator[tuple[str, ...]]:
    """The cycles that no edge leaves; a misspelled target, or one after the default edge (GW205), may be a way out."""
    nodes = flow.region.nodes
    for component in flow.loops:
        inside = frozenset(component)
        written = (edge.target for name in component for edge in nodes[name].edges)
        ways = (way for name in component for way in flow.ways(name))
        if not any(way.guessed or way.target not in inside for way in ways) and inside.issuperset(written):
            yield component


def error_cycles(region: ir.Region) -> Iterator[tuple[str, ...]]:
    """The cycles of error edges alone, each from its first node in the order of the file."""
    visited: set[str] = set()
    position = {name: number for number, name in enumerate(region.nodes)}
    for start in region.nodes:
        path: dict[str, None] = {}
        name: str | None = start
        while name is not None and name not in visited and name not in path:
            path[name] = None
            way = region.nodes[name].on_error
            name = None if way is None else way.target
        if name in path:
            members = list(path)[list(path).index(name) :]
            first = min(range(len(members)), key=lambda number: position[members[number]])
            yield (*members[first:], *members[:first])
        visited.update(path)
