"""Checks of a value as a whole: the values it may be, bounds, lengths, patterns."""

from __future__ import annotations

from typing import Final

from graphwright.emit.expressions import constant_code
from graphwright.emit.uses import Uses
from graphwright.emit.validator import kinds
from graphwright.emit.validator.blocks import when
from graphwright.emit.validator.place import Place, complaint
from graphwright.ir import Json

_BOUNDS: Final = (
    ("minimum", "<", "must be at least {}"),
    ("maximum", ">", "must be at most {}"),
    ("exclusiveMinimum", "<=", "must be more than {}"),
    ("exclusiveMaximum", ">=", "must be less than {}"),
)
_SIZES: Final = {
    "string": (("minLength", "<", "at least {} characters"), ("maxLength", ">", "at most {} characters")),
    "array": (("minItems", "<", "at least {} items"), ("maxItems", ">", "at most {} items")),
    "object": (("minProperties", "<", "at least {} keys"), ("maxProperties", ">", "at most {} keys")),
}

#: Values that a message lists.
_LISTED: Final = 8


def values(schema: dict[str, Json], place: Place, uses: Uses) -> list[str]:
    """`enum` and `const`."""
    lines: list[str] = []
    for options in ([schema["const"]] if "const" in schema else None, schema.get("enum")):
        if isinstance(options, list):
            written = ", ".join(constant_code(value, uses).text for value in options)
            if all(value is None or isinstance(value, str) for value in options):
                test = f"{place.variable} not in ({written}{',' if len(options) == 1 else ''})"
            else:
                equal = uses.runtime("json_equal")
                test = f"not any({equal}({place.variable}, option) for option in [{written}])"
            listed = ", ".join(map(kinds.shown, options[:_LISTED])) + ("…" if len(options) > _LISTED else "")
            lines += when(test, [complaint(place, f"must be {'one of ' if len(options) > 1 else ''}{listed}")])
    return lines


def number(schema: dict[str, Json], place: Place, uses: Uses) -> list[str]:
    """Bounds and `multipleOf`."""
    lines: list[str] = []
    for keyword, operator, message in _BOUNDS:
        bound = schema.get(keyword)
        if kinds.is_number(bound):
            lines += when(f"{place.variable} {operator} {bound!r}", [complaint(place, message.format(bound))])
    factor = schema.get("multipleOf")
    if kinds.is_number(factor):
        test = f"not {uses.runtime('multiple_of')}({place.variable}, {factor!r})"
        lines += when(test, [complaint(place, f"must be a multiple of {factor}")])
    return lines


def string(schema: dict[str, Json], place: Place, uses: Uses) -> list[str]:
    """Length and `pattern`."""
    lines = sizes("string", schema, place)
    pattern = schema.get("pattern")
    if isinstance(pattern, str):
        test = f"not {uses.pattern(pattern)}.search({place.variable})"
        lines += when(test, [complaint(place, f"must match {kinds.shown(pattern)}")])
    return lines


def sizes(kind: str, schema: dict[str, Json], place: Place) -> list[str]:
    """Length of a text, a list or a mapping."""
    lines: list[str] = []
    for keyword, operator, message in _SIZES[kind]:
        bound = schema.get(keyword)
        if kinds.is_number(bound):
            test = f"len({place.variable}) {operator} {bound!r}"
            lines += when(test, [complaint(place, f"must have {message.format(bound)}")])
    return lines
