"""Implements keywords of JSON Schema (draft 2020-12): kinds, equality, uniqueness, multiples.

Compiled validators, the compiler and the extended library jsonschema all use these functions.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeGuard

if TYPE_CHECKING:
    from fractions import Fraction


def is_list(value: object) -> TypeGuard[list[object]]:
    """JSON Schema's `array`."""
    return isinstance(value, list)


def is_mapping(value: object) -> TypeGuard[dict[str, object]]:
    """JSON Schema's `object`."""
    return isinstance(value, dict)


def is_integer(value: object) -> TypeGuard[int | float]:
    """JSON Schema's `integer`: also a float without a fraction, never a boolean."""
    if type(value) is int:
        return True
    if isinstance(value, float):
        return value.is_integer()
    return isinstance(value, int) and not isinstance(value, bool)


def multiple_of(value: float, factor: float) -> bool:
    """JSON Schema's `multipleOf`, exact for decimal fractions (0.3 is a multiple of 0.1)."""
    if isinstance(value, int) and isinstance(factor, int):
        return value % factor == 0
    return (_exact(value) / _exact(factor)).denominator == 1


def _exact(number: float) -> Fraction:
    """The exact value of a number as it is written: for a float, its shortest decimal, not the binary fraction."""
    from fractions import Fraction

    return Fraction(repr(number)) if isinstance(number, float) else Fraction(number)


def json_equal(left: object, right: object) -> bool:
    """Equality of JSON Schema (`const`, `enum`): true is not 1, but 1 is 1.0."""
    if isinstance(left, bool) or isinstance(right, bool):
        return left is right
    if isinstance(left, list) and isinstance(right, list):
        return len(left) == len(right) and all(map(json_equal, left, right))
    if isinstance(left, dict) and isinstance(right, dict):
        return left.keys() == right.keys() and all(json_equal(left[key], right[key]) for key in left)
    return left == right


def unique(items: list[object]) -> bool:
    """JSON Schema's `uniqueItems`."""
    if all(type(item) is str for item in items):
        return len(set(items)) == len(items)
    return len({_key(item) for item in items}) == len(items)


def _key(value: object) -> str:
    """A string that is the same for values that are equal according to `json_equal`.

    Strings are used because their hashes cannot be predicted; numbers could be chosen so that their hashes collide.
    """
    if isinstance(value, dict):
        return f"{{{','.join(sorted(f'{name!r}:{_key(part)}' for name, part in value.items()))}}}"
    if isinstance(value, list):
        return f"[{','.join(map(_key, value))}]"
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    return f"{value:x}" if type(value) is int else repr(value)
