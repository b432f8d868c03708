"""Emits conditions as boolean expressions."""

from __future__ import annotations

from typing import Final

from graphwright import ir
from graphwright.analysis.fallible import condition_can_fail
from graphwright.emit.code import AND, OR, Code, call, joined, negated
from graphwright.emit.expressions import shallow, value_code
from graphwright.emit.scope import FunctionScope
from graphwright.language.operators import OPERATORS

#: Longer lists of alternatives are split, because type checkers treat a chain of `or` as nested pairs.
MAX_OPERANDS: Final = 16


def decided(condition: ir.Condition) -> bool | None:
    """The constant outcome of a condition whose evaluation cannot fail; None if it depends on values."""
    match condition:
        case ir.Compare():
            return None
        case ir.Not(inner):
            verdict = decided(inner)
            return None if verdict is None else not verdict
        case ir.AnyOf(parts) | ir.AllOf(parts):
            decisive = isinstance(condition, ir.AnyOf)
            verdicts = [decided(part) for part in parts]
            if decisive in verdicts:
                before = parts[: verdicts.index(decisive)]
                return None if any(map(condition_can_fail, before)) else decisive
            return None if None in verdicts else not decisive


def condition_code(condition: ir.Condition, scope: FunctionScope) -> Code:
    """A condition as an expression. Call `decided` first: a constant condition needs no code."""
    match condition:
        case ir.Compare():
            return _comparison(condition, scope)
        case ir.Not(inner):
            return negated(shallow(condition_code(inner, scope), scope, "bool"))
        case ir.AnyOf(parts):
            return _several(parts, scope, "or", OR, decisive=True)
        case ir.AllOf(parts):
            return _several(parts, scope, "and", AND, decisive=False)


def _several(
    parts: tuple[ir.Condition, ...], scope: FunctionScope, operator: str, level: int, *, decisive: bool
) -> Code:
    """`any` and `all`: a part with the outcome `decisive` decides, and the parts after it are not evaluated."""
    codes: list[Code] = []
    for part in parts:
        verdict = decided(part)
        if verdict is None:
            codes.append(shallow(condition_code(part, scope), scope, "bool"))
        elif verdict is decisive:  # the parts before it can fail, so they must be evaluated
            never = call(scope.uses.runtime("exists"), (Code("None"),))
            codes.append(negated(never) if decisive else never)
            break
    while len(codes) > MAX_OPERANDS:
        groups = [codes[start : start + MAX_OPERANDS] for start in range(0, len(codes), MAX_OPERANDS)]
        codes = [scope.outlined(joined(operator, level, group), "bool") for group in groups]
    return codes[0] if len(codes) == 1 else joined(operator, level, codes)


def _comparison(compare: ir.Compare, scope: FunctionScope) -> Code:
    left = scope.read(compare.left)
    if compare.op == "regex":
        return _matches(compare, left, scope)
    operator = OPERATORS[compare.op]
    right = () if compare.op == "exists" else (shallow(value_code(compare.right, scope), scope),)
    answer = call(scope.uses.runtime(operator.function), (left, *right))
    return negated(answer) if operator.negative else answer


def _matches(compare: ir.Compare, left: Code, scope: FunctionScope) -> Code:
    if isinstance(compare.right, ir.Const) and isinstance(compare.right.value, str):
        expression = Code(scope.uses.pattern(compare.right.value))
    else:
        expression = shallow(value_code(compare.right, scope), scope)
    return call(scope.uses.runtime("matches"), (expression, left))
