"""Reads what pydantic models say about their fields as a whole: settings, validators and serializers."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from typing import Final

from graphwright.contract.python.annotations import Annotations
from graphwright.contract.python.enums import Written

#: Stands for all fields of a class.
EVERY: Final = "*"

#: Methods with which a class makes its instances, or turns them into results, in its own way.
_MAKING: Final = frozenset({"__init__", "__new__", "__get_pydantic_core_schema__", "model_validate"})
_DUMPING: Final = frozenset({"__get_pydantic_core_schema__", "model_dump"})

#: Decorators that name fields, or apply to all, each with the mode that it has if it does not say.
_VALIDATORS: Final = {
    "field_validator": "after",
    "validator": "after",
    "model_validator": "before",
    "root_validator": "after",
}
_SERIALIZERS: Final = {"field_serializer": "plain", "model_serializer": "plain"}
_OF_FIELDS: Final = frozenset({"field_validator", "validator", "field_serializer"})


def settings_of(lineage: Iterable[Written], annotations: Annotations) -> dict[str, object] | None:
    """The settings of a pydantic class and its bases: constants, full names of what is installed, otherwise None.

    None if the settings are computed.
    """
    merged: dict[str, object] = {}
    for each in lineage:
        for name, value in _settings(each, annotations):
            if name is None:
                return None
            named = annotations.search.target(value, each.module)
            other = named if isinstance(named, str) else None
            merged[name] = value.value if isinstance(value, ast.Constant) else other
    return merged


def own_ways(lineage: Iterable[Written], annotations: Annotations) -> frozenset[str]:
    """The fields whose types do not say what is accepted, or returned, because the code of the class converts it.

    `EVERY` is one of them if the class has its own way to make instances, or to turn them into results.
    """
    methods, functions = (_DUMPING, _SERIALIZERS) if annotations.returned else (_MAKING, _VALIDATORS)
    found: set[str] = set()
    for each in lineage:
        for statement in each.body.body:
            if isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef) and statement.name in methods:
                found.add(EVERY)
            for function in _decorating(statement):
                called = function.func if isinstance(function, ast.Call) else function
                name = _name(called, each, annotations)
                if name in functions and _mode(function, functions[name]) != "after":
                    found |= _named_fields(function) if name in _OF_FIELDS else {EVERY}
    return frozenset(found)


def makes_itself(lineage: Iterable[Written]) -> bool:
    """Whether a class has its own constructor."""
    return any(isinstance(each, ast.FunctionDef) and each.name in _MAKING for one in lineage for each in one.body.body)


def _decorating(statement: ast.stmt) -> list[ast.expr]:
    """The decorators of a method; for `name = field_validator("x")(function)`, what is called with the function."""
    match statement:
        case ast.FunctionDef(decorator_list=decorators) | ast.AsyncFunctionDef(decorator_list=decorators):
            return decorators
        case ast.Assign(value=ast.Call(func=ast.Call() as made)):
            return [made]
        case _:
            return []


def _name(expression: ast.expr, written: Written, annotations: Annotations) -> str:
    """The last part of a name of pydantic; empty for other names."""
    target = annotations.search.target(expression, written.module)
    return target.rpartition(".")[2] if isinstance(target, str) and target.startswith("pydantic.") else ""


def _mode(function: ast.expr, default: str) -> str:
    """When a validator runs; `pre=True` is the older spelling of `mode="before"`."""
    for each in function.keywords if isinstance(function, ast.Call) else ():
        if each.arg in ("mode", "pre", None):
            value = each.value.value if isinstance(each.value, ast.Constant) else None
            return "after" if value is False else str(value)
    return default


def _named_fields(function: ast.expr) -> set[str]:
    arguments = function.args if isinstance(function, ast.Call) else []
    values = [each.value if isinstance(each, ast.Constant) else None for each in arguments]
    names = {value for value in values if isinstance(value, str)}
    return names if len(names) == len(values) else {EVERY}


def _settings(written: Written, annotations: Annotations) -> Iterator[tuple[str | None, ast.expr]]:
    """The settings that a class itself has, with None for the name of those that are computed."""
    for each in written.body.keywords:
        yield each.arg, each.value
    for decorator in written.body.decorator_list:
        for each in decorator.keywords if isinstance(decorator, ast.Call) else ():
            if each.arg == "config":
                yield from _entries(each.value, written, annotations)
    for statement in written.body.body:
        match statement:
            case (
                ast.Assign(targets=[ast.Name(id="model_config")], value=value)
                | ast.AnnAssign(target=ast.Name(id="model_config"), value=ast.expr() as value)
            ):
                yield from _entries(value, written, annotations)
            case ast.ClassDef(name="Config", body=body):
                for inner in body:
                    match inner:
                        case ast.Assign(targets=[ast.Name(id=name)], value=value):
                            yield name, value


def _entries(value: ast.expr, written: Written, annotations: Annotations) -> Iterator[tuple[str | None, ast.expr]]:
    """The settings in `ConfigDict(extra="forbid")`, or in a mapping."""
    match value:
        case ast.Call(func=called, args=[], keywords=keywords) if annotations.search.target(called, written.module) in (
            "pydantic.ConfigDict",
            "builtins.dict",
        ):
            for each in keywords:
                yield each.arg, each.value
        case ast.Dict(keys=keys, values=values):
            for key, inner in zip(keys, values, strict=True):
                yield (key.value if isinstance(key, ast.Constant) and isinstance(key.value, str) else None), inner
        case _:
            yield None, value
