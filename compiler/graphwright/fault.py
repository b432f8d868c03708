"""Mistakes found when reading a file: the base class of the records in `faults/`, and their log.

`source`, `parse` and `lower` record a fault and continue with the likeliest meaning, so that one mistake is one
diagnostic; the rules phrase it. Analyses never record faults: rules read their facts directly.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import ClassVar, Final, TypeVar

from graphwright.diagnostic import Span
from graphwright.record import Record

_F = TypeVar("_F", bound="Fault")


class Owner(Record):
    """The owner of a part of the file, for messages: "node `count`", "hook `notify`", "the graph"."""

    phrase: str
    node: str | None = None

    @property
    def prefix(self) -> str:
        """The prefix of a message about something of this owner; empty for the graph."""
        return "" if self.phrase == GRAPH.phrase else f"{self.phrase}: "


GRAPH: Final = Owner("the graph")


class Fault(Record):
    """A mistake at a location. Each code has one class, or one for each of its forms."""

    code: ClassVar[str]

    span: Span


class OwnedFault(Fault):
    """A fault in something that belongs to a node, a hook or the graph."""

    owner: Owner


class FaultLog:
    """The faults of one file while it is being read: one of a kind per location, however often it is found.

    Aliases and merges lead to the same YAML node more than once; its fault is still a single one.
    """

    def __init__(self, faults: Iterable[Fault] = ()) -> None:
        self._found: dict[tuple[str, Span], Fault] = {(fault.code, fault.span): fault for fault in faults}

    def add(self, fault: Fault) -> None:
        """Record a fault, unless one with its code is already recorded at this location."""
        self._found.setdefault((fault.code, fault.span), fault)

    def amend(self, fault: Fault) -> None:
        """Replace the fault with the same code at this location: more is known about it now."""
        self._found[fault.code, fault.span] = fault

    def retract(self, span: Span, *kinds: type[Fault]) -> None:
        """Remove faults of these kinds at a location: a better fault, or better knowledge, covers it."""
        for kind in kinds:
            self._found.pop((kind.code, span), None)

    def at(self, span: Span, kind: type[_F]) -> _F | None:
        """The fault of a kind at a location."""
        fault = self._found.get((kind.code, span))
        return fault if isinstance(fault, kind) else None

    def of(self, kind: type[_F]) -> tuple[_F, ...]:
        """The faults of a kind, by position."""
        found = (fault for fault in self._found.values() if isinstance(fault, kind))
        return tuple(sorted(found, key=lambda fault: fault.span))

    def get(self, code: str, span: Span) -> Fault | None:
        """The fault with this code at a location."""
        return self._found.get((code, span))

    def codes(self) -> frozenset[str]:
        """The codes that occur."""
        return frozenset(code for code, _ in self._found)
