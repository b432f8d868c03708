"""What the operations of the expression language make of types (language.md §4).

Each function answers for the cases in which the operation succeeds; `NEVER` says that it cannot. An operand whose
type is `NEVER` (not known yet, within a fixpoint) gives `NEVER`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Final

from graphwright.analysis.jsontype import (
    ANY,
    ARRAY,
    FLOAT,
    INTEGER,
    NEVER,
    NULL,
    NUMBER,
    OBJECT,
    STRING,
    Type,
    join,
    list_of,
)
from graphwright.expr.nodes import Segment
from graphwright.pattern import pattern

_INDEX = pattern(r"-?[0-9]+")
_OBJECT_OR_ARRAY: Final = frozenset({"object", "array"})


def at_path(start: Type, path: Sequence[Segment]) -> Type:
    """The value at a path below a value: null where something on the way is missing."""
    for segment in path:
        if start is ANY:
            return ANY
        start = step(start, segment)
    return start


def step(start: Type, segment: Segment) -> Type:
    """The value one step below a value."""
    if start is OBJECT or start is ANY:
        return ANY
    if not start.kinds:
        return NEVER
    found = NEVER
    if "object" in start.kinds:
        field = start.field(str(segment))
        found = start.others if field is None else field.type
        if field is None or not field.required or isinstance(segment, int):
            found = join(found, NULL)
    if "array" in start.kinds:
        is_index = isinstance(segment, int) or _INDEX.fullmatch(segment) is not None
        found = join(found, start.item, NULL) if is_index else join(found, NULL)
    return join(found, NULL) if start.kinds - _OBJECT_OR_ARRAY else found


def arithmetic(operator: str, left: Type, right: Type) -> Type:
    """`left operator right`."""
    found = [_numeric(operator, left, right)]
    if operator == "+":
        if "string" in left.kinds and "string" in right.kinds:
            found.append(STRING)
        if "array" in left.kinds and "array" in right.kinds:
            found.append(list_of(join(left.item, right.item)))
    return join(*found)


def _numeric(operator: str, left: Type, right: Type) -> Type:
    ours, theirs = left.kinds & NUMBER.kinds, right.kinds & NUMBER.kinds
    if not ours or not theirs:
        return NEVER
    if operator == "/":
        return FLOAT
    kinds = frozenset[str]()
    if "integer" in ours and "integer" in theirs:
        kinds |= INTEGER.kinds
    if "number" in ours or "number" in theirs:
        kinds |= FLOAT.kinds
    return Type(kinds)


def negative(operand: Type) -> Type:
    """`-operand`."""
    return Type(operand.kinds & NUMBER.kinds)


def fallback(operands: Sequence[Type]) -> Type:
    """`a || b`: the first that is not null."""
    found = NEVER
    for operand in operands:
        if not operand.nullable:
            return join(found, operand)
        found = join(found, operand.present)
    return join(found, operands[-1])


def pipe(name: str, operand: Type, arguments: Sequence[Type]) -> Type:
    """`operand | name(arguments)`; a name that is no pipe gives anything."""
    if not operand.kinds:
        return NEVER
    if name == "default":
        return fallback((operand, arguments[0]))
    make = _PIPES.get(name)
    if make is None:
        return ANY
    given = operand.present
    if not given.kinds:
        return NULL
    return join(make(given), NULL) if operand.nullable else make(given)


def _end_of(operand: Type) -> Type:
    """`first` and `last`: null of what is empty."""
    found = NULL
    if "array" in operand.kinds:
        found = join(found, operand.item)
    return join(found, STRING) if "string" in operand.kinds else found


_PIPES: Final[Mapping[str, Callable[[Type], Type]]] = {
    "json": lambda _: STRING,
    "from_json": lambda operand: ANY if "string" in operand.kinds else operand,
    "length": lambda _: INTEGER,
    "keys": lambda _: list_of(STRING),
    "upper": lambda _: STRING,
    "lower": lambda _: STRING,
    "trim": lambda _: STRING,
    "lines": lambda _: list_of(STRING),
    "int": lambda _: INTEGER,
    "float": lambda _: FLOAT,
    "str": lambda _: STRING,
    "first": _end_of,
    "last": _end_of,
    "quote": lambda _: STRING,
}


def items_of(over: Type) -> Type:
    """What a foreach's variable holds: a text may hold a list of anything."""
    if "string" in over.kinds or not over.kinds & ARRAY.kinds:
        return ANY
    return over.item
