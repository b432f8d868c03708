"""Reads the constants of a module: literals, names of other constants, and calls that create records.

The emitter writes only data at the top level of a module. Any other code there is not read as a value, and nothing is
executed.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence
from typing import Final, TypeAlias

from graphwright.diagnostic import Json
from graphwright.record import Record

#: Maximum nesting of a value; the emitter flattens deeper ones.
_DEEPEST: Final = 200


class Call(Record):
    """A record of the runtime, such as `Action("execute", …)`; `name` is the name of its class."""

    name: str
    arguments: tuple[Constant, ...]
    options: Mapping[str, Constant]

    def get(self, name: str, position: int | None = None) -> Constant:
        """An option by name, or the argument at a position; None if neither exists."""
        if name in self.options:
            return self.options[name]
        if position is not None and position < len(self.arguments):
            return self.arguments[position]
        return None


class Name(Record):
    """The name of something other than data: a function or a class."""

    text: str


Constant: TypeAlias = "bool | int | float | str | Sequence[Constant] | Mapping[str, Constant] | Call | Name | None"


class UnreadableError(ValueError):
    """An expression that is not data."""


class Constants:
    """The values of names at the top level of a module, read on demand."""

    def __init__(self, body: Sequence[ast.stmt]) -> None:
        self._written: dict[str, ast.expr] = {}
        for statement in body:
            match statement:
                case ast.AnnAssign(target=ast.Name(id=name), value=ast.expr() as value):
                    self._written[name] = value
                case ast.Assign(targets=[ast.Name(id=name)], value=value):
                    self._written[name] = value
                case _:
                    continue

    def __contains__(self, name: str) -> bool:
        return name in self._written

    def written(self, name: str) -> ast.expr | None:
        """The expression that is assigned to a name; None if there is none."""
        return self._written.get(name)

    def get(self, name: str) -> Constant:
        """The value of a name; None if it has none. Raises `UnreadableError` if it is not data."""
        expression = self._written.get(name)
        return None if expression is None else self.value(expression)

    def value(self, expression: ast.expr, depth: int = 0) -> Constant:
        """The value of an expression. Raises `UnreadableError` if it is not data."""
        if depth > _DEEPEST:
            raise UnreadableError("nested too deeply")
        match expression:
            case ast.Constant(value=None | bool() | int() | float() | str() as value):
                return value
            case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=int() | float() as number)):
                return -number
            case ast.Tuple(elts=items) | ast.List(elts=items):
                return tuple(self.value(item, depth + 1) for item in items)
            case ast.Dict(keys=keys, values=values):
                return {_key(key): self.value(value, depth + 1) for key, value in zip(keys, values, strict=True)}
            case ast.Name(id=name):
                known = self._written.get(name)
                return Name(name) if known is None else self.value(known, depth + 1)
            case ast.Call(func=function, args=arguments, keywords=options):
                return self._call(function, arguments, options, depth)
            case _:
                raise UnreadableError(f"line {expression.lineno} is not a constant")

    def _call(
        self, function: ast.expr, arguments: Sequence[ast.expr], options: Sequence[ast.keyword], depth: int
    ) -> Call:
        called = function.value if isinstance(function, ast.Subscript) else function  # Graph[Inputs, …](…)
        if not isinstance(called, ast.Name):
            raise UnreadableError(f"line {function.lineno} is not a constant")
        given = {option.arg: self.value(option.value, depth + 1) for option in options if option.arg is not None}
        return Call(called.id, tuple(self.value(each, depth + 1) for each in arguments), given)


def json_of(value: Constant) -> Json:
    """A constant as JSON. Records and names, which are not data of the graph, become null."""
    if isinstance(value, Mapping):
        return {key: json_of(each) for key, each in value.items()}
    if isinstance(value, bool | int | float | str) or value is None:
        return value
    if isinstance(value, Call | Name):
        return None
    return [json_of(each) for each in value]


def mapping_of(value: Constant) -> Mapping[str, Constant]:
    """A constant that should be a mapping; empty if it is not."""
    return value if isinstance(value, Mapping) else {}


def texts_of(value: Constant) -> tuple[str, ...]:
    """The strings in a constant that should be a list of strings."""
    if isinstance(value, str | Mapping | Call | Name) or not isinstance(value, Sequence):
        return ()
    return tuple(each for each in value if isinstance(each, str))


def text_of(value: Constant) -> str:
    """A constant that should be a string; empty if it is not."""
    return value if isinstance(value, str) else ""


def records_of(value: Constant) -> Sequence[Call]:
    """The records in a constant that should be a list of records."""
    if isinstance(value, str | Mapping | Call | Name) or not isinstance(value, Sequence):
        return ()
    return [each for each in value if isinstance(each, Call)]


def _key(key: ast.expr | None) -> str:
    if isinstance(key, ast.Constant) and isinstance(key.value, str):
        return key.value
    raise UnreadableError("a key that is not a string")
