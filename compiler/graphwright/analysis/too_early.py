"""Finds reads that precede every assignment of their state key, so that the key is null there in every run."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from graphwright import ir
from graphwright.analysis.assignment import Assignment
from graphwright.analysis.flow import Flow

#: Maximum number of keys whose writers are followed through the graph; others may be assigned anywhere.
_MOST: Final = 200


class TooEarly:
    """Determines which nodes no assignment of a key can precede."""

    def __init__(self, assignment: Assignment) -> None:
        self._assignment = assignment
        flow = assignment.flow
        self._is_known = not (flow.uncertain or flow.has_guesses or assignment.unknown_key)
        self._after: dict[str, frozenset[str]] = {}

    def holds(self, name: str, key: str) -> bool:
        """Whether no run assigns `key` before node `name`, even if no node on the path fails."""
        writers = self._assignment.writers.get(key, ())
        return self._is_never_set(name, key) and name not in self._following(key, writers)

    def is_cut_off(self, name: str, key: str) -> bool:
        """Whether the reason is that no run reaches a node that assigns it, which GW204 reports."""
        reachable = self._assignment.flow.reachable
        writers = self._assignment.writers.get(key, ())
        return (
            bool(writers) and reachable.isdisjoint(writer.name for writer in writers) and self._is_never_set(name, key)
        )

    def _is_never_set(self, name: str, key: str) -> bool:
        assignment = self._assignment
        if not self._is_known or assignment.graph.doubt.mentions(key):
            return False
        return not assignment.possible(name) & assignment.symbols.key(key)

    def _following(self, key: str, writers: Iterable[ir.Node]) -> frozenset[str]:
        """The nodes that can run after one that assigns the key, or fails to."""
        if key not in self._after:
            names = [writer.name for writer in writers]
            everywhere = frozenset(self._assignment.graph.nodes)
            self._after[key] = everywhere if len(self._after) >= _MOST else _reached(self._assignment.flow, names)
        return self._after[key]


def _reached(flow: Flow, names: Iterable[str]) -> frozenset[str]:
    waiting = [target for name in names for target in flow.successors(name)]
    found = set(waiting)
    while waiting:
        for target in flow.successors(waiting.pop()):
            if target not in found:
                found.add(target)
                waiting.append(target)
    return frozenset(found)
