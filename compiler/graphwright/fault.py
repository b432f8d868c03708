"""What reading a file found wrong, as bare facts; the rules phrase it.

`source`, `parse` and `lower` record a `Fault` and go on, having adopted the likeliest meaning, so that
one mistake is one complaint. Analyses never make faults: rules read their facts directly.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from graphwright.diagnostic import Span
from graphwright.record import Record


class Fault(Record):
    """`code` of the rule that phrases it, the place, and what the rule needs to know (documented at the rule)."""

    code: str
    span: Span
    facts: Mapping[str, object]


class Owner(Record):
    """Whom a part of the file belongs to, for messages: "node `count`", "hook `notify`", "the graph"."""

    phrase: str
    node: str | None = None


class FaultLog:
    """The faults of one file while it is being read: one complaint of a kind at a place, however often it is met.

    Aliases and merges lead to the same YAML node more than once; its fault is still one fault.
    """

    def __init__(self, faults: Iterable[Fault] = ()) -> None:
        self._found: dict[tuple[str, Span], Fault] = {(fault.code, fault.span): fault for fault in faults}

    def add(self, code: str, span: Span, **facts: object) -> None:
        """Record a fault, unless the same one was recorded at this place."""
        self._found.setdefault((code, span), Fault(code, span, facts))

    def retract(self, span: Span, *codes: str) -> None:
        """Take back faults of these codes at a place: a better complaint, or better knowledge, covers it."""
        for code in codes:
            self._found.pop((code, span), None)

    def annotate(self, code: str, span: Span, **facts: object) -> None:
        """Add to what is known of a fault, if there is one of this code at the place."""
        fault = self._found.get((code, span))
        if fault is not None:
            self._found[(code, span)] = Fault(code, span, {**fault.facts, **facts})

    def has(self, span: Span, code: str) -> bool:
        """Whether there is a fault of this code at a place."""
        return (code, span) in self._found

    def of(self, code: str) -> tuple[Fault, ...]:
        """The faults that the rule for `code` phrases, by position."""
        return tuple(sorted((f for f in self._found.values() if f.code == code), key=lambda fault: fault.span))

    def codes(self) -> frozenset[str]:
        """The codes that occur."""
        return frozenset(code for code, _ in self._found)
