"""The comparisons of `when` and `condition` (language.md §5).

The functions take JSON values and return a boolean or raise NodeError. Emitted code calls functions so that comparisons
of constants are warnings of the compiler, and never errors of a type checker.
"""

from __future__ import annotations

from graphwright_runtime.errors import NodeError
from graphwright_runtime.expressions import as_text, described, is_number
from graphwright_runtime.patterns.engine import Pattern


def equal(left: object, right: object) -> bool:
    """`eq`: Python's `==` on JSON values."""
    try:
        return bool(left == right)
    except RecursionError as error:
        raise _too_deep(left, right) from error


def less(left: object, right: object) -> bool:
    """`lt`: compares two numbers or two strings; false if the left side is null, otherwise NodeError."""
    if type(left) is int and type(right) is int:
        return left < right
    order = _order("lt", left, right)
    return order is not None and order < 0


def less_equal(left: object, right: object) -> bool:
    """`lte`, with the rules of `less`."""
    if type(left) is int and type(right) is int:
        return left <= right
    order = _order("lte", left, right)
    return order is not None and order <= 0


def greater(left: object, right: object) -> bool:
    """`gt`, with the rules of `less`."""
    if type(left) is int and type(right) is int:
        return left > right
    order = _order("gt", left, right)
    return order is not None and order > 0


def greater_equal(left: object, right: object) -> bool:
    """`gte`, with the rules of `less`."""
    if type(left) is int and type(right) is int:
        return left >= right
    order = _order("gte", left, right)
    return order is not None and order >= 0


def is_in(left: object, options: object) -> bool:
    """`in`: whether a list contains the left side (which may be null); false if it is null, otherwise NodeError."""
    if options is None:
        return False
    if isinstance(options, list):
        return _holds(options, left)
    raise NodeError(f"`in` needs a list, not {described(options)}")


def contains(left: object, value: object) -> bool:
    """`contains`: whether a string or number contains a string, a list an item, a mapping a key; otherwise false."""
    if isinstance(left, list):
        return _holds(left, value)
    if isinstance(left, dict):
        return isinstance(value, str) and value in left
    if value is None or isinstance(left, bool) or not isinstance(left, (str, int, float)):
        return False
    return as_text(value) in as_text(left)


def matches(wanted: object, left: object) -> bool:
    """`regex`: whether the pattern (a `pattern` or a string) matches somewhere in `left`; false for null.

    Raises NodeError if the string is not a valid pattern, or the search takes too long.
    """
    if left is None:
        return False
    if isinstance(wanted, Pattern):
        return wanted.search(as_text(left))
    if not isinstance(wanted, str):
        raise NodeError(f"`regex` needs a pattern as a string, not {described(wanted)}")
    return pattern(wanted).search(as_text(left))


def exists(left: object) -> bool:
    """`exists`: not null."""
    return left is not None


def pattern(source: str) -> Pattern:
    """A Python regular expression for `matches`."""
    return Pattern(source, "python")


def _holds(items: list[object], value: object) -> bool:
    try:
        return value in items
    except RecursionError as error:
        raise _too_deep(items, value) from error


def _too_deep(left: object, right: object) -> NodeError:
    return NodeError(f"{described(left)} and {described(right)} are nested too deeply to be compared")


def _order(operator: str, left: object, right: object) -> int | None:
    """-1, 0 or 1 if `left` is less than, equal to or greater than `right`; None if `left` is null."""
    if left is None:
        return None
    if isinstance(left, str) and isinstance(right, str):
        return (left > right) - (left < right)
    if is_number(left) and is_number(right):
        return (left > right) - (left < right)
    raise NodeError(f"`{operator}` compares two numbers or two strings, not {described(left)} and {described(right)}")
