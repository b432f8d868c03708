"""Conditions -> Python expressions that are true or false."""

from __future__ import annotations

from typing import Final, Literal, TypeAlias

from graphwright import ir
from graphwright.analysis.fallible import condition_can_fail
from graphwright.emit.code import AND, OR, Code, call, joined, negated
from graphwright.emit.expressions import shallow, value_code
from graphwright.emit.scope import Scope

#: More alternatives than this are tried in groups: type checkers read a chain of `or` as nested pairs.
MAX_OPERANDS: Final = 16

_COMPARISONS: Final = {
    "eq": "equal",
    "gt": "greater",
    "gte": "greater_equal",
    "lt": "less",
    "lte": "less_equal",
    "in": "is_in",
    "contains": "contains",
}

#: A condition that is decided before the graph runs.
Decided: TypeAlias = Literal[True, False]


def condition_code(condition: ir.Condition, scope: Scope) -> Code | Decided:
    """A condition as an expression, or what it always comes to."""
    match condition:
        case ir.Compare():
            return _comparison(condition, scope)
        case ir.Not(inner):
            code = condition_code(inner, scope)
            return negated(shallow(code, scope, "bool")) if isinstance(code, Code) else not code
        case ir.AnyOf(conditions):
            return _several(conditions, scope, "or", OR, decisive=True)
        case ir.AllOf(conditions):
            return _several(conditions, scope, "and", AND, decisive=False)


def _several(
    conditions: tuple[ir.Condition, ...], scope: Scope, operator: str, level: int, *, decisive: bool
) -> Code | Decided:
    """`any` and `all`: one that is `decisive` settles the matter, nothing behind it is asked."""
    codes: list[Code] = []
    for position, condition in enumerate(conditions):
        code = condition_code(condition, scope)
        if isinstance(code, Code):
            codes.append(shallow(code, scope, "bool"))
        elif code is decisive:
            if not any(map(condition_can_fail, conditions[:position])):
                return decisive
            never = call(scope.uses.runtime("exists"), (Code("None"),))
            codes.append(negated(never) if decisive else never)
            break
    while len(codes) > MAX_OPERANDS:
        groups = [codes[start : start + MAX_OPERANDS] for start in range(0, len(codes), MAX_OPERANDS)]
        codes = [scope.outlined(joined(operator, level, group), "bool") for group in groups]
    if not codes:
        return not decisive
    return codes[0] if len(codes) == 1 else joined(operator, level, codes)


def _comparison(compare: ir.Compare, scope: Scope) -> Code:
    left = scope.read(compare.left)
    if compare.op == "exists":
        return call(scope.uses.runtime("exists"), (left,))
    if compare.op == "regex":
        return _matches(compare, left, scope)
    operands = (left, shallow(value_code(compare.right, scope), scope))
    if compare.op == "ne":
        return negated(call(scope.uses.runtime("equal"), operands))
    return call(scope.uses.runtime(_COMPARISONS[compare.op]), operands)


def _matches(compare: ir.Compare, left: Code, scope: Scope) -> Code:
    if isinstance(compare.right, ir.Const) and isinstance(compare.right.value, str):
        expression = Code(scope.uses.pattern(compare.right.value))
    else:
        expression = shallow(value_code(compare.right, scope), scope)
    return call(scope.uses.runtime("matches"), (expression, left))
