"""Parts of comparisons that no value matches which a path can have: items of a list, and what strings are searched for.

The known values of a path are those that are declared, or the constants that are assigned to a key.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from graphwright import ir
from graphwright.analysis.jsontype import Scalar
from graphwright.record import Record
from graphwright.suggest import nearest


class ExcludedItem(Record):
    """An item of an `in` list that the left side never is, by position; `suggestion`: the nearest known value."""

    compare: ir.Compare
    position: int
    value: ir.Json
    suggestion: str | None


def excluded_items(compare: ir.Compare, values: Sequence[Scalar], *, is_declared: bool) -> Iterator[ExcludedItem]:
    """The items that are none of the known values of the left side.

    Constants that are assigned are no declaration: an item that is unlike all of them may be a value to come.
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
    """Whether none of the known values contains, or matches, what `contains` or `regex` looks for."""
    if compare.op not in ("contains", "regex") or not isinstance(compare.right, ir.Const) or not values:
        return False
    from graphwright.schema.evaluation import is_matched  # imports the runtime

    return not any(is_matched(compare.op, value, compare.right.value) for value in values)
