"""The operators of `${…}`: joining strings, arithmetic, fallback (language.md §4).

The functions take JSON values, and raise NodeError if a result cannot be computed.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from math import isfinite
from typing import Final, TypeAlias, TypeGuard, cast

from graphwright_runtime.errors import NodeError
from graphwright_runtime.values import Json

Number: TypeAlias = int | float

#: Larger integers, in bits, cannot be written as JSON: Python's limit is 4,300 digits.
_BITS: Final = 14_000


def text(*parts: object) -> str:
    """The parts joined as a string: strings unchanged, null as an empty string, everything else as Python's `str()`."""
    return "".join([part if isinstance(part, str) else as_text(part) for part in parts])


def as_text(value: object) -> str:
    """A value as part of a longer string."""
    if value is None:
        return ""
    try:
        return str(value)
    except (ValueError, RecursionError) as error:  # an integer of thousands of digits; nesting without end
        raise NodeError(f"{described(value)} cannot be converted to a string: {error}") from error


def coalesce(*operands: object) -> Json:
    """`a || b`: the first operand that is not null; null if all are."""
    for operand in operands:
        if operand is not None:
            return cast("Json", operand)
    return None


def mapping(entries: dict[str, object]) -> dict[str, object]:
    """Returns the mapping; in emitted code, it gives the entries the type `object`."""
    return entries


def sequence(items: list[object]) -> list[object]:
    """Returns the list; in emitted code, it gives the items the type `object`."""
    return items


def add(left: object, right: object) -> Json:
    """`left + right`: adds two numbers, or joins two strings or two lists."""
    if type(left) is int and type(right) is int:
        return left + right
    if isinstance(left, str) and isinstance(right, str):
        return left + right
    if isinstance(left, list) and isinstance(right, list):
        return [*left, *right]
    return _arithmetic("+", operator.add, left, right)


def subtract(left: object, right: object) -> Number:
    """`left - right` for numbers."""
    return _arithmetic("-", operator.sub, left, right)


def multiply(left: object, right: object) -> Number:
    """`left * right` for numbers."""
    return _arithmetic("*", operator.mul, left, right)


def divide(left: object, right: object) -> Number:
    """`left / right` for numbers; always a float."""
    return _arithmetic("/", operator.truediv, left, right)


def modulo(left: object, right: object) -> Number:
    """`left % right` for numbers; has the sign of `right`, as in Python."""
    return _arithmetic("%", operator.mod, left, right)


def negate(operand: object) -> Number:
    """`-operand` for a number."""
    if is_number(operand):
        return -operand
    raise NodeError(f"`-` takes a number, not {described(operand)}")


def described(value: object) -> str:
    """A value in messages: its kind and, if it is short, the value itself."""
    match value:
        case None:
            return "null"
        case bool():
            return "true" if value else "false"
        case int() | float():
            return f"the number {value}" if abs(value) < 10**40 else "a huge number"
        case str():
            return f"the string {value!r}" if len(value) <= 40 else f"the string {value[:40]!r}…"
        case list():
            return f"a list of {len(value)}"
        case dict():
            return f"a mapping of {len(value)}"
        case _:
            return type(value).__name__


def _arithmetic(sign: str, compute: Callable[[Number, Number], Number], left: object, right: object) -> Number:
    if not is_number(left) or not is_number(right):
        takes = "two numbers, two strings or two lists" if sign == "+" else "two numbers"
        raise NodeError(f"`{sign}` takes {takes}, not {described(left)} and {described(right)}")
    try:
        value = compute(left, right)
    except (ZeroDivisionError, OverflowError) as error:
        raise NodeError(f"`{sign}` of {described(left)} and {described(right)}: {error}") from error
    if isinstance(value, float) and not isfinite(value):
        raise NodeError(f"`{sign}` of {described(left)} and {described(right)} is not a finite number")
    if isinstance(value, int) and value.bit_length() > _BITS:
        raise NodeError(f"`{sign}` of {described(left)} and {described(right)} has thousands of digits")
    return value


def is_number(value: object) -> TypeGuard[Number]:
    """Whether a value is a number, and not a boolean."""
    return isinstance(value, (int, float)) and not isinstance(value, bool)
