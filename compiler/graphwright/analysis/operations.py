"""The types of the results of expression operations (language.md §4).

Each function covers the cases in which the operation succeeds; `NEVER` means that it cannot. An operand of type `NEVER`
(not known yet, within a fixpoint) yields `NEVER`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
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
from graphwright.language.pipes import PIPES, Gives
from graphwright.pattern import pattern

_INDEX = pattern(r"-?[0-9]+")
_OBJECT_OR_ARRAY: Final = frozenset({"object", "array"})

#: The result types of pipes that do not depend on the operand.
_GIVEN: Final[Mapping[Gives, Type]] = {
    Gives.STRING: STRING,
    Gives.INTEGER: INTEGER,
    Gives.FLOAT: FLOAT,
    Gives.STRINGS: list_of(STRING),
}


def at_path(start: Type, path: Sequence[Segment]) -> Type:
    """The value at a path below a value: null if something on the way is missing."""
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
    """`operand | name(arguments)`; an unknown pipe may yield anything."""
    if not operand.kinds:
        return NEVER
    gives = PIPES[name].gives if name in PIPES else None
    if gives is None:
        return ANY
    if gives is Gives.FALLBACK:
        return fallback((operand, arguments[0]))
    given = operand.present
    if not given.kinds:
        return NULL
    if given.kinds <= PIPES[name].refuses:
        return NULL if operand.nullable else NEVER
    made = _made(gives, given)
    return join(made, NULL) if operand.nullable else made


def _made(gives: Gives, operand: Type) -> Type:
    match gives:
        case Gives.END:
            return _end_of(operand)
        case Gives.PARSED:
            return ANY if "string" in operand.kinds else operand
        case _:
            return _GIVEN[gives]


def _end_of(operand: Type) -> Type:
    """`first` and `last`: null if empty."""
    found = NULL
    if "array" in operand.kinds:
        found = join(found, operand.item)
    return join(found, STRING) if "string" in operand.kinds else found


def items_of(over: Type) -> Type:
    """What a foreach's variable holds: a string may contain a list of anything."""
    if "string" in over.kinds or not over.kinds & ARRAY.kinds:
        return ANY
    return over.item
