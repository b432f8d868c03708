"""Evaluates constants: literals, and names of other constants in the same files."""

from __future__ import annotations

import ast
from typing import Final

from graphwright.contract.python.module import Module
from graphwright.contract.python.search import Place, Search
from graphwright.diagnostic import Json

#: Maximum nesting, including names.
_MAX_DEPTH: Final = 60


class NotLiteralError(Exception):
    """The value of an expression is only known by running it."""


def literal(expression: ast.expr, module: Module, search: Search, depth: int = _MAX_DEPTH) -> Json:
    """The JSON value of an expression; tuples and sets become lists. Raises NotLiteralError."""
    if not depth:
        raise NotLiteralError
    match expression:
        case ast.Constant(value=bool() | int() | float() | str() | None as value):
            return value
        case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=int() | float() as value)):
            return -value
        case ast.List(elts=parts) | ast.Tuple(elts=parts) | ast.Set(elts=parts):
            return [literal(part, module, search, depth - 1) for part in parts]
        case ast.Dict(keys=keys, values=values):
            return _mapping(keys, values, module, search, depth - 1)
        case ast.BinOp(left=left, op=ast.Add(), right=right):
            return _sum(literal(left, module, search, depth - 1), literal(right, module, search, depth - 1))
        case ast.Call(func=ast.Name(id="list" | "sorted" | "frozenset" | "tuple" as name), args=[inner], keywords=[]):
            found = literal(inner, module, search, depth - 1)
            if isinstance(found, list) and (name != "sorted" or all(isinstance(each, str) for each in found)):
                return sorted(found, key=str) if name == "sorted" else found
            raise NotLiteralError
        case ast.Name() | ast.Attribute():
            match search.target(expression, module):
                case Place(module=other, definition=ast.expr() as inner) if inner is not expression:
                    return literal(inner, other, search, depth - 1)
    raise NotLiteralError


def _mapping(
    keys: list[ast.expr | None], values: list[ast.expr], module: Module, search: Search, depth: int
) -> dict[str, Json]:
    found: dict[str, Json] = {}
    for key, value in zip(keys, values, strict=True):
        inner = literal(value, module, search, depth)
        if key is None:  # `**other`
            if not isinstance(inner, dict):
                raise NotLiteralError
            found.update(inner)
            continue
        name = literal(key, module, search, depth)
        if not isinstance(name, str):
            raise NotLiteralError
        found[name] = inner
    return found


def _sum(left: Json, right: Json) -> Json:
    """Concatenate strings or lists."""
    if isinstance(left, str) and isinstance(right, str):
        return left + right
    if isinstance(left, list) and isinstance(right, list):
        return left + right
    raise NotLiteralError
