"""Loops that nothing inside can end: every way out hangs on a condition that their own nodes cannot change."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from graphwright import ir
from graphwright.analysis.flow import Flow, WayKind
from graphwright.analysis.symbols import RUNTIME_KEYS
from graphwright.model import UNREADABLE
from graphwright.record import Record

_DECIDED = (WayKind.EDGE, WayKind.DEFAULT, WayKind.END)


class FixedExit(Record):
    """A condition that decides whether `loop`, spelled from `node` back to it, is left, and that never changes in it.

    `paths`: what the condition reads.
    """

    node: str
    loop: tuple[str, ...]
    condition: ir.Condition
    paths: tuple[str, ...]


def fixed_exits(graph: ir.Graph, flow: Flow) -> Iterator[FixedExit]:
    """The exit conditions of all loops that only fixed conditions lead out of, error edges aside."""
    if not flow.loops:
        return
    assignable = {key for node in graph.nodes.values() for key in _assigned(node)} | graph.state.keys()
    for component in flow.loops:
        members = frozenset(component)
        if any(way.guessed and way.target in members for name in component for way in flow.ways(name)):
            continue  # it may be no loop at all
        assigned = {key for name in component for key in _assigned(graph.nodes[name])}
        if UNREADABLE in assigned:
            continue
        fixed = assignable - assigned - RUNTIME_KEYS
        exits = [exit_ for name in component for exit_ in _exits(flow, name, members)]
        if not all(conditions and all(_is_fixed(when, fixed) for when in conditions) for _, conditions in exits):
            continue
        seen: set[int] = set()
        for name, conditions in exits:
            last = conditions[-1]
            if id(last) not in seen:
                seen.add(id(last))
                paths = tuple(dict.fromkeys(compare.left.written for compare in ir.comparisons(last)))
                yield FixedExit(name, flow.shortest(name, name, members), last, paths)


def _exits(flow: Flow, name: str, members: frozenset[str]) -> Iterator[tuple[str, Sequence[ir.Condition]]]:
    """The ways out of the loop at one node, each with the conditions that decide on it, in order."""
    passed: list[ir.Condition] = []
    for way in flow.ways(name):
        if way.kind not in _DECIDED:
            continue
        if way.edge is not None and way.edge.when is not None:
            passed.append(way.edge.when)
        if way.target not in members:
            yield name, tuple(passed) if way.known else ()


def _assigned(node: ir.Node) -> Iterator[str]:
    for entry in node.assigns:
        yield entry.key
    if node.foreach is not None and node.foreach.collect is not None:
        yield node.foreach.collect


def _is_fixed(condition: ir.Condition, fixed: set[str]) -> bool:
    """Whether a condition reads something, and only inputs and state keys of `fixed`."""
    compares = list(ir.comparisons(condition))
    return bool(compares) and all(
        compare.op != "?" and _reads_fixed(compare.left, fixed) and _reads_fixed(compare.right, fixed)
        for compare in compares
    )


def _reads_fixed(value: ir.Value, fixed: set[str]) -> bool:
    if not isinstance(value, ir.Read):
        return all(_reads_fixed(child, fixed) for child in ir.children(value))
    if value.root is ir.Root.STATE:
        return bool(value.path) and str(value.path[0]) in fixed
    return value.root is ir.Root.INPUTS
