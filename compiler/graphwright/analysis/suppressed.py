"""Effects of a failure that `on_error: continue` suppresses at a node: its `assign` is skipped, and its edges are still
evaluated (language.md §7).

A condition may then read something that only a success sets: a field of `result` that a failed action lacks, or a state
key that only this node assigns and that still has its old value.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TypeAlias

from graphwright import ir
from graphwright.analysis.narrowing import outcome
from graphwright.ir import visit
from graphwright.record import Record


class Boxed(Record):
    """A known value."""

    value: ir.Json


#: Returns the likely value of a path after the failure, if a success would have changed it; None for other paths.
Leftover: TypeAlias = Callable[[ir.Read], Boxed | None]


class Misled(Record):
    """An edge that is taken after a failure because of `placed`, a path that only a success sets, and its scalar.

    `holds`: the condition that reads it is probably true; otherwise it is false, and the default edge is taken.
    `after`: an earlier edge may match first, because it depends on more than the failure.
    """

    edge: ir.Edge
    placed: visit.PlacedRead
    holds: bool
    after: bool


def misled(node: ir.Node, leftover: Leftover) -> Misled | None:
    """The edge that is taken after a failure that no condition checks for; None if one does."""
    first: visit.PlacedRead | None = None
    after = False
    for edge in node.edges:
        if edge.when is None:
            return Misled(edge, first, holds=False, after=after) if first is not None else None
        decided = outcome(edge.when, failed=True)
        if decided is True:
            return None
        found = next(_leftovers(edge.when, leftover), None) if decided is None else None
        likely = _probably(edge.when, leftover)
        if found is not None and likely:
            return Misled(edge, found, holds=True, after=after)
        first = first or found
        after = after or likely is not False
    return None


def lacks(read: ir.Read) -> Boxed | None:
    """Null for the fields of a result that a failed action probably lacks."""
    is_lacking = read.root is ir.Root.RESULT and read.path and read.path[0] not in ("status", "error")
    return Boxed(None) if is_lacking else None


def _leftovers(condition: ir.Condition, leftover: Leftover) -> Iterator[visit.PlacedRead]:
    for compare in visit.comparisons(condition):
        left = leftover(compare.left)
        if left is not None and not (left.value is None and _asks_for_null(compare)):
            yield compare.left, compare.left_at
        yield from (placed for placed in visit.placed_reads(compare.right) if leftover(placed[0]) is not None)


def _asks_for_null(compare: ir.Compare) -> bool:
    """Whether a comparison only checks whether a state key is set."""
    null = compare.op == "exists" or (compare.op in ("eq", "ne") and compare.right == ir.Const(None))
    return null and compare.left.root is ir.Root.STATE


def _probably(condition: ir.Condition, leftover: Leftover) -> bool | None:
    """The likely outcome of a condition after the failure; None if it depends on more than the failure."""
    match condition:
        case ir.Compare():
            decided = outcome(condition, failed=True)
            return _compared(condition, leftover) if decided is None else decided
        case ir.Not(inner):
            inside = _probably(inner, leftover)
            return None if inside is None else not inside
        case ir.AllOf(parts) | ir.AnyOf(parts):
            decisive = isinstance(condition, ir.AnyOf)
            outcomes = [_probably(part, leftover) for part in parts]
            if decisive in outcomes:
                return decisive
            return None if None in outcomes else not decisive


def _compared(compare: ir.Compare, leftover: Leftover) -> bool | None:
    left, right = leftover(compare.left), _right(compare.right, leftover)
    match compare.op:
        case "exists":
            return None if left is None else left.value is not None
        case "eq" | "ne" if left is not None and right is not None:
            return (left.value == right.value) is (compare.op == "eq")
        case "in" if left is not None and right is not None and isinstance(right.value, list):
            return left.value in right.value
        case "eq" | "ne" | "in":
            return None
        case _:  # null has no order, matches nothing and is not contained in anything
            return False if left == Boxed(None) or right == Boxed(None) else None


def _right(value: ir.Value, leftover: Leftover) -> Boxed | None:
    inner = value.value if isinstance(value, ir.Template) else value
    if isinstance(inner, ir.Const):
        return Boxed(inner.value)
    return leftover(inner) if isinstance(inner, ir.Read) else None
