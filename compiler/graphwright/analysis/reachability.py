"""The parts of a graph that no run comes to."""

from __future__ import annotations

from collections.abc import Iterable

from graphwright.analysis.flow import Flow
from graphwright.record import Record


class Part(Record):
    """An unreachable part: `root`, which no other unreachable node leads to, and the rest that hangs on it."""

    root: str
    rest: tuple[str, ...]


def unreachable_parts(flow: Flow, lost: Iterable[str] = ()) -> list[Part]:
    """Every unreachable part, in the order of the file; each unreachable node is in exactly one.

    `lost`: the targets of edges that are a mistake already (behind an unconditional one); they count as reachable,
    and so does what they lead to.
    """
    reached = set(flow.reachable) | _closure(flow, lost, set())
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
        parts.append(Part(root, tuple(sorted(below - {root}, key=position.__getitem__))))
    return parts


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
