"""The parts of a graph that no run comes to, and the cycles that it cannot leave."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from graphwright import ir
from graphwright.analysis.flow import Flow
from graphwright.record import Record


class UnreachablePart(Record):
    """An unreachable part: `root`, which no other unreachable node leads to, and the nodes reachable from it."""

    root: str
    rest: tuple[str, ...]


def unreachable_parts(flow: Flow, doubtful: Iterable[str] = ()) -> list[UnreachablePart]:
    """Every unreachable part, in file order; each unreachable node is in exactly one.

    `doubtful`: nodes that an edge with a reported mistake may mean; they count as reachable, and so do their
    successors.
    """
    reached = set(flow.reachable) | _closure(flow, doubtful, set())
    parts = []
    named = set(reached)
    position = {name: number for number, name in enumerate(flow.region.nodes)}
    sources = [
        component[0]
        for component in flow.components
        if component[0] not in reached and _is_source(flow, component, reached)
    ]
    for root in sorted(sources, key=position.__getitem__):
        below = _closure(flow, [root], named)
        named |= below
        parts.append(UnreachablePart(root, tuple(sorted(below - {root}, key=position.__getitem__))))
    return parts


def the_only_root(flow: Flow) -> str | None:
    """The root of the unreachable part, if there is exactly one."""
    if len(flow.reachable) == len(flow.region.nodes):
        return None
    parts = unreachable_parts(flow, doubtful_targets(flow))
    return parts[0].root if len(parts) == 1 else None


def likely_exit(flow: Flow, cycle: Iterable[str]) -> str | None:
    """The node that a cycle without an exit was probably meant to lead to: the root of the only unreachable part, if
    that part does not lead back into the cycle."""
    root = the_only_root(flow)
    return None if root is None or _closure(flow, (root,), set()) & {*cycle} else root


def _is_source(flow: Flow, component: tuple[str, ...], reached: set[str]) -> bool:
    inside = {*component, *reached}
    return all(before in inside for name in component for before in flow.predecessors(name))


def _closure(flow: Flow, start: Iterable[str], without: set[str]) -> set[str]:
    found: set[str] = set()
    waiting = [name for name in start if name not in without]
    while waiting:
        name = waiting.pop()
        if name not in found:
            found.add(name)
            waiting.extend(target for target in flow.successors(name) if target not in without)
    return found


def doubtful_targets(flow: Flow) -> Iterator[str]:
    """The nodes that omitted parts may lead to, and the targets of edges after an unconditional one (GW205)."""
    yield from (name for name in flow.region.nodes if flow.graph.doubt.mentions(name))
    for node in flow.region.nodes.values():
        default = next((number for number, edge in enumerate(node.edges) if edge.when is None), len(node.edges))
        yield from (edge.target for edge in node.edges[default + 1 :] if edge.target is not None)


def edges_by_target(flow: Flow) -> dict[str, tuple[str, ir.Edge]]:
    """The first reachable edge to each node, and its source."""
    edges: dict[str, tuple[str, ir.Edge]] = {}
    for name in flow.order:
        for each in flow.transitions(name):
            if each.edge is not None and each.edge.target is not None and each.target is not None:
                edges.setdefault(each.edge.target, (name, each.edge))
    return edges


def endless_cycles(flow: Flow) -> Iterator[tuple[str, ...]]:
    """The cycles that no edge leaves; a misspelled target, or one after the default edge (GW205), may be a way out."""
    nodes = flow.region.nodes
    for component in flow.loops:
        inside = frozenset(component)
        written = (edge.target for name in component for edge in nodes[name].edges)
        transitions = (each for name in component for each in flow.transitions(name))
        if not any(each.guessed or each.target not in inside for each in transitions) and inside.issuperset(written):
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
            each = region.nodes[name].on_error
            name = None if each is None else each.target
        if name in path:
            members = list(path)[list(path).index(name) :]
            first = min(range(len(members)), key=lambda number: position[members[number]])
            yield (*members[first:], *members[:first])
        visited.update(path)
