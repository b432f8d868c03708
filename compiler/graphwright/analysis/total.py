"""Determines, based on types, whether resolving a value always succeeds; `fallible.py` does so without types."""

from __future__ import annotations

from graphwright import ir
from graphwright.analysis.jsontype import ARRAY, INTEGER, KINDS, NULL, NUMBER, OBJECT, STRING, Type
from graphwright.analysis.typing import ProgramPoint, Types
from graphwright.ir import visit
from graphwright.language.pipes import PIPES

#: The types that pipes accept, if they do not accept everything; for some, only those for which any value is valid.
_TAKEN = {
    "from_json": frozenset(KINDS) - STRING.kinds,
    "length": STRING.kinds | ARRAY.kinds | OBJECT.kinds,
    "first": STRING.kinds | ARRAY.kinds,
    "last": STRING.kinds | ARRAY.kinds,
    "int": INTEGER.kinds,
    "float": NUMBER.kinds,
    **dict.fromkeys(("upper", "lower", "trim", "lines"), STRING.kinds | NUMBER.kinds),
}


def is_total(value: ir.Value, scope: ProgramPoint, types: Types) -> bool:
    """Whether resolving a value can never cause a node error."""
    if not all(is_total(child, scope, types) for child in visit.children(value)):
        return False
    match value:
        case ir.Arithmetic():
            return all(_computes(each.operator, left, right) for each, left, right in types.operand_types(value, scope))
        case ir.Negative(operand):
            return _is(types.of(operand, scope), NUMBER)
        case ir.Pipe(name, operand, _) if not (name in PIPES and PIPES[name].total):
            return types.of(operand, scope).kinds <= _TAKEN.get(name, frozenset()) | NULL.kinds
        case _:
            return True


def _computes(operator: str, left: Type, right: Type) -> bool:
    if operator == "+" and any(_is(left, kind) and _is(right, kind) for kind in (STRING, ARRAY)):
        return True
    divides = operator in "/%"
    is_zero = right.values is None or 0 in right.values
    return _is(left, NUMBER) and _is(right, NUMBER) and not (divides and is_zero)


def _is(found: Type, wanted: Type) -> bool:
    return bool(found.kinds) and found.kinds <= wanted.kinds
