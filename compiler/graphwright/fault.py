"""What reading a file found wrong: the base of the records in `faults/`, and the log that they go to.

`source`, `parse` and `lower` record a fault and go on, having adopted the likeliest meaning, so that one mistake is
one complaint; the rules phrase it. Analyses never make faults: rules read their facts directly.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import ClassVar, Final, TypeVar

from graphwright.diagnostic import Span
from graphwright.record import Record

_F = TypeVar("_F", bound="Fault")


class Owner(Record):
    """Whom a part of the file belongs to, for messages: "node `count`", "hook `notify`", "the graph"."""

    phrase: str
    node: str | None = None

    @property
    def prefix(self) -> str:
        """How a message about something of this owner begins; the graph goes without saying."""
        return "" if self.phrase == GRAPH.phrase else f"{self.phrase}: "


GRAPH: Final = Owner("the graph")


class Fault(Record):
    """What is wrong at a place. Each code has a class of its own, or one for each form in which it occurs."""

    code: ClassVar[str]

    span: Span


class OwnedFault(Fault):
    """A fault in something that belongs to a node, a hook or the graph."""

    owner: Owner


class FaultLog:
    """The faults of one file while it is being read: one complaint of a kind at a place, however often it is met.

    Aliases and merges lead to the same YAML node more than once; its fault is still one fault.
    """

    def __init__(self, faults: Iterable[Fault] = ()) -> None:
        self._found: dict[tuple[str, Span], Fault] = {(fault.code, fault.span): fault for fault in faults}

    def add(self, fault: Fault) -> None:
        """Record a fault, unless one of its code was recorded at this place."""
        self._found.setdefault((fault.code, fault.span), fault)

    def amend(self, fault: Fault) -> None:
        """Record a fault in place of the one of its code at this place: more is known of it now."""
        self._found[fault.code, fault.span] = fault

    def retract(self, span: Span, *kinds: type[Fault]) -> None:
        """Take back faults of these kinds at a place: a better complaint, or better knowledge, covers it."""
        for kind in kinds:
            self._found.pop((kind.code, span), None)

    def at(self, span: Span, kind: type[_F]) -> _F | None:
        """The fault of a kind at a place."""
        fault = self._found.get((kind.code, span))
        return fault if isinstance(fault, kind) else None

    def of(self, kind: type[_F]) -> tuple[_F, ...]:
        """The faults of a kind, by position."""
        found = (fault for fault in self._found.values() if isinstance(fault, kind))
        return tuple(sorted(found, key=lambda fault: fault.span))

    def get(self, code: str, span: Span) -> Fault | None:
        """The fault of this code at a place."""
        return self._found.get((code, span))

    def codes(self) -> frozenset[str]:
        """The codes that occur."""
        return frozenset(code for code, _ in self._found)
