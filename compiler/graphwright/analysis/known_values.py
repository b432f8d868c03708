"""Finds parts of comparisons that never match the known values of a path: items of lists, and searched strings.

The known values of a path are those that are declared, or the constants that are assigned to a key.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from graphwright import ir
from graphwright.analysis.jsontype import Scalar
from graphwright.record import Record
from graphwright.suggest import nearest


class ExcludedItem(Record):
    """An item of an `in` list that never equals the left side, by position; `suggestion` is the nearest known value."""

    compare: ir.Compare
    position: int
    value: ir.Json
    suggestion: str | None


def excluded_items(compare: ir.Compare, values: Sequence[Scalar], *, is_declared: bool) -> Iterator[ExcludedItem]:
    """The items that are not among the known values of the left side.

    Assigned constants are not a declaration: an item that is not similar to any of them may be a future value.
    """
    listed = compare.right.value if isinstance(compare.right, ir.Const) else None
    if compare.op != "in" or not isinstance(listed, list) or not values:
        return
    texts = [value for value in values if isinstance(value, str)]
    for position, item in enumerate(listed):
        if item is None or any(item == value for value in values):
            continue
        suggestion = nearest(item, texts) if isinstance(item, str) else None
        if is_declared or (suggestion is not None and suggestion not in listed):
            yield ExcludedItem(compare, position, item, suggestion)


def is_never_found(compare: ir.Compare, values: Sequence[Scalar]) -> bool:
    """Whether no known value contains, or matches, the operand of `contains` or `regex`."""
    if compare.op not in ("contains", "regex") or not isinstance(compare.right, ir.Const) or not values:
        return False
    from graphwright.schema.evaluation import is_matched  # imports the runtime

    return not any(is_matched(compare.op, value, compare.right.value) for value in values)
