"""Loops that nothing inside can end: every way out hangs on a condition that their own nodes cannot change."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from graphwright import ir
from graphwright.analysis.flow import Flow, WayKind
from graphwright.analysis.symbols import RUNTIME_KEYS
from graphwright.ir import visit
from graphwright.model import UNKNOWN_NAME
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


def fixed_exits(flow: Flow) -> Iterator[FixedExit]:
    """The exit conditions of all loops that only fixed conditions lead out of, error edges aside."""
    if not flow.loops:
        return
    graph, nodes = flow.graph, flow.region.nodes
    assignable = {key for node in visit.nodes(graph.body) for key, _ in visit.keys_set(node)} | graph.state.keys()
    for component in flow.loops:
        members = frozenset(component)
        if any(way.guessed and way.target in members for name in component for way in flow.ways(name)):
            continue  # it may be no loop at all
        assigned = {key for name in component for key, _ in visit.keys_set(nodes[name])}
        if UNKNOWN_NAME in assigned:
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
                paths = tuple(dict.fromkeys(compare.left.written for compare in visit.comparisons(last)))
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


def _is_fixed(condition: ir.Condition, fixed: set[str]) -> bool:
    """Whether a condition reads something, and only inputs and state keys of `fixed`."""
    operators = [compare.op for compare in visit.comparisons(condition)]
    reads = visit.condition_reads(condition)
    return bool(operators) and "?" not in operators and all(_is_fixed_read(read, fixed) for read, _ in reads)


def _is_fixed_read(read: ir.Read, fixed: set[str]) -> bool:
    if read.root is ir.Root.STATE:
        return bool(read.path) and str(read.path[0]) in fixed
    return read.root is ir.Root.INPUTS
