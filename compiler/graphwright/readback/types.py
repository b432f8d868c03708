"""Reads the types that a module declares: TypedDicts, aliases and the protocol of its tools."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from graphwright.record import Record

_OPTIONAL: Final = "NotRequired"


class FieldType(Record):
    """One key of a TypedDict: its annotation as text, and whether it is required."""

    annotation: str
    required: bool


class MethodType(Record):
    """One method of a protocol: the annotations of its params and its result, as text."""

    params: str
    returns: str


class TypeDeclaration(Record):
    """A TypedDict with `fields`, an alias with a `value`, or a protocol with `methods`; the others are None."""

    name: str
    fields: Mapping[str, FieldType] | None
    value: str | None = None
    methods: Mapping[str, MethodType] | None = None


def declarations(body: Sequence[ast.stmt]) -> dict[str, TypeDeclaration]:
    """The types at the top level of a module, by name, in order."""
    found: dict[str, TypeDeclaration] = {}
    for statement in body:
        match statement:
            case ast.ClassDef(name=name, bases=[ast.Name(id="TypedDict")], body=members):
                found[name] = TypeDeclaration(name, dict(_class_fields(members)))
            case ast.ClassDef(name=name, bases=[ast.Name(id="Protocol")], body=members):
                found[name] = TypeDeclaration(name, None, methods=dict(_methods(members)))
            case ast.Assign(
                targets=[ast.Name(id=name)],
                value=ast.Call(func=ast.Name(id="TypedDict"), args=[ast.Constant(), ast.Dict() as fields]),
            ):
                found[name] = TypeDeclaration(name, dict(_called_fields(fields)))
            case ast.AnnAssign(
                target=ast.Name(id=name), annotation=ast.Name(id="TypeAlias"), value=ast.expr() as value
            ):
                found[name] = TypeDeclaration(name, None, ast.unparse(value))
            case _:
                continue
    return found


def _class_fields(members: Sequence[ast.stmt]) -> list[tuple[str, FieldType]]:
    return [
        (member.target.id, _field(member.annotation))
        for member in members
        if isinstance(member, ast.AnnAssign) and isinstance(member.target, ast.Name)
    ]


def _methods(members: Sequence[ast.stmt]) -> Iterator[tuple[str, MethodType]]:
    for member in members:
        match member:
            case ast.FunctionDef(
                name=name,
                args=ast.arguments(posonlyargs=[_, ast.arg(annotation=ast.expr() as params)]),
                returns=ast.expr() as returns,
            ):
                yield name, MethodType(ast.unparse(params), ast.unparse(returns))
            case _:
                continue


def _called_fields(fields: ast.Dict) -> list[tuple[str, FieldType]]:
    return [
        (key.value, _field(value))
        for key, value in zip(fields.keys, fields.values, strict=True)
        if isinstance(key, ast.Constant) and isinstance(key.value, str)
    ]


def _field(annotation: ast.expr) -> FieldType:
    match annotation:
        case ast.Subscript(value=ast.Name(id=name), slice=inner) if name == _OPTIONAL:
            return FieldType(ast.unparse(inner), required=False)
        case _:
            return FieldType(ast.unparse(annotation), required=True)
