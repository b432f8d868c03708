"""Finds loops that cannot end: every exit depends on a condition that their own nodes cannot change."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence

from graphwright import ir
from graphwright.analysis.flow import Flow, TransitionKind
from graphwright.ir import visit
from graphwright.language.events import RUNTIME_KEYS
from graphwright.model import UNKNOWN_NAME
from graphwright.record import Record

_DECIDED = (TransitionKind.EDGE, TransitionKind.DEFAULT, TransitionKind.END, TransitionKind.FAILURE)


class FixedExit(Record):
    """A condition that decides whether `loop` (the path from `node` back to it) ends, and that never changes in it.

    `paths` are the paths that the condition reads. `skipped` are the nodes of the loop that would change it but do not
    if they fail, because the graph continues after errors; empty if there are none.
    """

    node: str
    loop: tuple[str, ...]
    condition: ir.Condition
    paths: tuple[str, ...]
    skipped: tuple[str, ...]


def fixed_exits(flow: Flow, never_fails: Callable[[ir.Node], bool]) -> Iterator[FixedExit]:
    """The exit conditions of all loops whose exits all depend on unchanging conditions, ignoring error edges."""
    if not flow.loops:
        return
    graph, nodes = flow.graph, flow.region.nodes
    assignable = {key for node in visit.nodes(graph.body) for key, _ in visit.keys_set(node)} | graph.state.keys()
    for component in flow.loops:
        members = frozenset(component)
        if any(each.guessed and each.target in members for name in component for each in flow.transitions(name)):
            continue  # it may not be a loop
        writers = _writers(nodes, component)
        if UNKNOWN_NAME in writers:
            continue
        fixed = assignable - writers.keys() - RUNTIME_KEYS
        exits = [exit_ for name in component for exit_ in _exits(flow, name, members)]
        skipped = {} if _all_fixed(exits, fixed) else _skipped(flow, writers, never_fails)
        if not _all_fixed(exits, fixed | skipped.keys()):
            continue
        seen: set[int] = set()
        for name, conditions in exits:
            last = conditions[-1]
            if id(last) not in seen:
                seen.add(id(last))
                paths = tuple(dict.fromkeys(compare.left.written for compare in visit.comparisons(last)))
                keys = dict.fromkeys(str(read.path[0]) for read, _ in visit.condition_reads(last) if read.path)
                by = tuple(dict.fromkeys(node for key in keys for node in skipped.get(key, ())))
                yield FixedExit(name, flow.shortest(name, name, members), last, paths, by)


def _writers(nodes: Mapping[str, ir.Node], component: Sequence[str]) -> dict[str, list[str]]:
    """The nodes of a loop that set each key."""
    writers: dict[str, list[str]] = {}
    for name in component:
        for key, _ in visit.keys_set(nodes[name]):
            writers.setdefault(key, []).append(name)
    return writers


def _skipped(
    flow: Flow, writers: Mapping[str, Sequence[str]], never_fails: Callable[[ir.Node], bool]
) -> dict[str, Sequence[str]]:
    """The keys that do not change if the nodes that set them fail, with these nodes.

    A limit that is meant to end the loop (`max_visits`, `on_max_steps`) then ends it.
    """
    settings = flow.graph.settings
    if settings.on_error != "continue" or settings.on_max_steps != "fail":
        return {}

    def can_be_skipped(name: str) -> bool:
        node = flow.region.nodes[name]
        goes_on = any(each.kind is TransitionKind.CONTINUE for each in flow.transitions(name))
        collects = isinstance(node, ir.ForeachNode) and node.collect is not None
        return goes_on and node.max_visits is None and not collects and not never_fails(node)

    return {key: names for key, names in writers.items() if all(map(can_be_skipped, names))}


def _all_fixed(exits: Sequence[tuple[str, Sequence[ir.Condition]]], fixed: Collection[str]) -> bool:
    return all(conditions and all(_is_fixed(when, fixed) for when in conditions) for _, conditions in exits)


def _exits(flow: Flow, name: str, members: frozenset[str]) -> Iterator[tuple[str, Sequence[ir.Condition]]]:
    """The exits of the loop at one node, each with the conditions that decide about it, in order."""
    passed: list[ir.Condition] = []
    for each in flow.transitions(name):
        if each.kind not in _DECIDED:
            continue
        if each.edge is not None and each.edge.when is not None:
            passed.append(each.edge.when)
        if each.target not in members:
            yield name, tuple(passed) if each.known else ()


def _is_fixed(condition: ir.Condition, fixed: Collection[str]) -> bool:
    """Whether a condition reads something, and only inputs and state keys in `fixed`."""
    operators = [compare.op for compare in visit.comparisons(condition)]
    reads = visit.condition_reads(condition)
    return bool(operators) and "?" not in operators and all(_is_fixed_read(read, fixed) for read, _ in reads)


def _is_fixed_read(read: ir.Read, fixed: Collection[str]) -> bool:
    if read.root is ir.Root.STATE:
        return bool(read.path) and str(read.path[0]) in fixed
    return read.root is ir.Root.INPUTS
