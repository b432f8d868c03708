"""Translates conditions that are strings, such as `state.total > 3 && !state.done`.

Two other dialects use such conditions. Arithmetic and calls of other functions are not translated, because conditions
of this language do not support them.
"""

from __future__ import annotations

import ast
import re
from typing import Final

from graphwright.diagnostic import Json
from graphwright.source.flow import flow

#: Words for a condition that is always true.
ALWAYS: Final = frozenset({"true", "else", "default", "always"})
#: Longer conditions, in characters, are not translated, because their syntax tree could be too deep.
_LONGEST: Final = 2_000

_OPERATORS: Final = {
    ast.Eq: "eq", ast.NotEq: "ne", ast.Gt: "gt", ast.GtE: "gte", ast.Lt: "lt", ast.LtE: "lte", ast.Is: "eq",
    ast.IsNot: "ne",
}  # fmt: skip
_FLIPPED: Final = {"gt": "lt", "gte": "lte", "lt": "gt", "lte": "gte"}
_FUNCTIONS: Final = {"contains": "contains", "matches": "regex"}
_WORDS: Final = {"true": True, "false": False, "null": None, "none": None}
_TOKEN: Final = re.compile(r"""("(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')|&&|\|\||!(?!=)|\$\{|\}""")
_PYTHON: Final = {"&&": " and ", "||": " or ", "!": " not ", "${": "(", "}": ")"}


class _NoCounterpartError(Exception):
    """A part of the condition has no counterpart in this language."""


def as_condition(text: str) -> dict[str, Json] | None:
    """The translation of a condition; empty if it is always true, None if it has no counterpart."""
    if text.strip().lower() in ALWAYS:
        return {}
    if len(text) > _LONGEST:
        return None
    python = _TOKEN.sub(lambda found: found[1] or _PYTHON[found[0]], text.strip())
    try:
        return _condition(ast.parse(python.strip(), mode="eval").body)
    except (SyntaxError, ValueError, RecursionError, MemoryError, _NoCounterpartError):
        return None


def advice(text: str, key: str = "when") -> str:
    """The advice for a condition that is a string; `key` is empty for an item of a list."""
    found, header = as_condition(text), f"{key}: " if key else ""
    if found is None:
        return f"a condition such as `{header}{{path: state.total, op: gt, value: 0}}`, instead of `{text}`"
    return f"`{header}{flow(found)}`" if found else "no `when`: the edge is unconditional"


def _condition(tree: ast.expr) -> dict[str, Json]:
    match tree:
        case ast.BoolOp(op=op, values=parts):
            return {"all" if isinstance(op, ast.And) else "any": [_condition(part) for part in parts]}
        case ast.UnaryOp(op=ast.Not(), operand=part):
            return {"not": _condition(part)}
        case ast.Compare(left=left, ops=[op], comparators=[right]):
            return _comparison(left, op, right)
        case ast.Call(func=ast.Name(id="exists"), args=[path], keywords=[]):
            return {"path": _path(path), "op": "exists"}
        case ast.Call(func=ast.Name(id=name), args=[path, value], keywords=[]) if name in _FUNCTIONS:
            return {"path": _path(path), "op": _FUNCTIONS[name], "value": _value(value)}
        case _:
            return {"path": _path(tree), "op": "eq", "value": True}


def _comparison(left: ast.expr, op: ast.cmpop, right: ast.expr) -> dict[str, Json]:
    if isinstance(op, ast.In | ast.NotIn):
        inside: dict[str, Json] = (
            {"path": _path(right), "op": "contains", "value": _value(left)}
            if _is_literal(left)
            else {"path": _path(left), "op": "in", "value": _value(right)}
        )
        return {"not": inside} if isinstance(op, ast.NotIn) else inside
    name = _OPERATORS[type(op)]
    if _is_literal(left):
        left, right, name = right, left, _FLIPPED.get(name, name)
    return {"path": _path(left), "op": name, "value": _value(right)}


def _path(tree: ast.expr) -> str:
    match tree:
        case ast.Name(id=name) if name.lower() not in _WORDS:
            return name
        case ast.Attribute(value=below, attr=name):
            return f"{_path(below)}.{name}"
        case ast.Subscript(value=below, slice=ast.Constant(value=int() | str() as key)) if not isinstance(key, bool):
            return f"{_path(below)}[{key!r}]"
        case ast.Subscript(value=below, slice=ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=int(key)))):
            return f"{_path(below)}[-{key}]"
    raise _NoCounterpartError


def _is_literal(tree: ast.expr) -> bool:
    try:
        _literal(tree)
    except _NoCounterpartError:
        return False
    return True


def _value(tree: ast.expr) -> Json:
    return _literal(tree) if _is_literal(tree) else f"${{{_path(tree)}}}"


def _literal(tree: ast.expr) -> Json:
    match tree:
        case ast.Constant(value=bool() | int() | float() | str() | None as value):
            return value
        case ast.Name(id=name) if name.lower() in _WORDS:
            return _WORDS[name.lower()]
        case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=int() | float() as number)):
            return -number
        case ast.List(elts=items) | ast.Tuple(elts=items):
            return [_literal(item) for item in items]
    raise _NoCounterpartError
