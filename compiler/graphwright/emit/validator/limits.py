"""Emits checks of whole values: allowed values, bounds, lengths, patterns."""

from __future__ import annotations

from typing import Final

from graphwright.emit.displays import constant_code, options_code, typed_constant
from graphwright.emit.literals import number as numeral
from graphwright.emit.literals import quoted
from graphwright.emit.uses import Uses
from graphwright.emit.validator import kinds
from graphwright.emit.validator.blocks import when
from graphwright.emit.validator.instance import Instance, complaint
from graphwright.ir import Json
from graphwright.schema.evaluation import described_format

_BOUNDS: Final = (
    ("minimum", "<", "must be at least {}"),
    ("maximum", ">", "must be at most {}"),
    ("exclusiveMinimum", "<=", "must be more than {}"),
    ("exclusiveMaximum", ">=", "must be less than {}"),
)
_SIZES: Final = {
    "string": ("character", (("minLength", "<", "at least"), ("maxLength", ">", "at most"))),
    "array": ("item", (("minItems", "<", "at least"), ("maxItems", ">", "at most"))),
    "object": ("key", (("minProperties", "<", "at least"), ("maxProperties", ">", "at most"))),
}

#: Maximum number of values that a message lists.
_LISTED: Final = 8


def values(schema: dict[str, Json], instance: Instance, uses: Uses) -> list[str]:
    """`enum`, including one that replaces a `const`."""
    options = schema.get("enum")
    if not isinstance(options, list):
        return []
    shown = ", ".join(map(kinds.shown, options[:_LISTED])) + ("…" if len(options) > _LISTED else "")
    refusal = complaint(instance, f"must be {'one of ' if len(options) > 1 else ''}{shown}")
    return when(_is_none_of(options, instance, uses), [refusal])


def _is_none_of(options: list[Json], instance: Instance, uses: Uses) -> str:
    """A test whether a value equals none of several constants. Strings and null equal only themselves."""
    value = instance.variable
    if options == [None]:
        return f"{value} is not None"
    if all(option is None or isinstance(option, str) for option in options):
        written = [constant_code(option, uses).text for option in options]
        return f"{value} != {written[0]}" if len(written) == 1 else f"{value} not in ({', '.join(written)})"
    equal = uses.runtime("json_equal")
    if len(options) == 1:
        return f"not {equal}({value}, {typed_constant(options[0], uses).text})"
    return f"not any({equal}({value}, option) for option in {options_code(options, uses).text})"


def number(schema: dict[str, Json], instance: Instance, uses: Uses) -> list[str]:
    """Bounds and `multipleOf`."""
    lines: list[str] = []
    for keyword, operator, message in _BOUNDS:
        bound = schema.get(keyword)
        if kinds.is_number(bound):
            lines += when(
                f"{instance.variable} {operator} {numeral(bound)}", [complaint(instance, message.format(bound))]
            )
    factor = schema.get("multipleOf")
    if kinds.is_number(factor):
        test = f"not {uses.runtime('multiple_of')}({instance.variable}, {numeral(factor)})"
        lines += when(test, [complaint(instance, f"must be a multiple of {factor}")])
    return lines


def string(schema: dict[str, Json], instance: Instance, uses: Uses) -> list[str]:
    """Length, `pattern` and `format`."""
    lines = sizes("string", schema, instance)
    pattern = schema.get("pattern")
    if isinstance(pattern, str):
        test = f"not {uses.schema_pattern(pattern)}.search({instance.variable})"
        lines += when(test, [complaint(instance, f"must match {kinds.shown(pattern)}")])
    name = schema.get("format")
    if isinstance(name, str):
        test = f"not {uses.runtime('has_format')}({instance.variable}, {quoted(name)})"
        lines += when(test, [complaint(instance, f"must be {described_format(name)}")])
    return lines


def sizes(kind: str, schema: dict[str, Json], instance: Instance) -> list[str]:
    """The length of a string, a list or a mapping."""
    lines: list[str] = []
    part, limits = _SIZES[kind]
    for keyword, operator, limit in limits:
        bound = schema.get(keyword)
        if kinds.is_number(bound):
            test = f"len({instance.variable}) {operator} {numeral(bound)}"
            parts = part if bound == 1 else f"{part}s"
            lines += when(test, [complaint(instance, f"must have {limit} {bound} {parts}")])
    return lines
