"""Converts the annotations of a module to JSON Schema, the form in which types are compared."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from typing import Final

from graphwright.ir import Json
from graphwright.readback.types import TypeDeclaration
from graphwright.schema.walk import listed, mapping

_SCALARS: Final = {"bool": "boolean", "int": "integer", "float": "number", "str": "string", "None": "null"}
#: Maximum nesting of types; the emitter writes fewer levels.
_DEEPEST: Final = 20


def schema_of(annotation: str, types: Mapping[str, TypeDeclaration], depth: int = 0) -> Json:
    """The schema of an annotation; `True`, which accepts anything, if it is not understood."""
    if depth > _DEEPEST:
        return True
    try:
        return _schema(ast.parse(annotation, mode="eval").body, types, depth)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return True


def object_schema(declared: TypeDeclaration, types: Mapping[str, TypeDeclaration], depth: int = 0) -> Json:
    """The schema of a declared type."""
    if declared.fields is None:
        return schema_of(declared.value or "", types, depth + 1)
    properties: dict[str, Json] = {
        key: schema_of(field.annotation, types, depth + 1) for key, field in declared.fields.items()
    }
    required: list[Json] = [key for key, field in declared.fields.items() if field.required]
    return {"type": "object", "properties": properties, "required": required, "additionalProperties": False}


def _schema(node: ast.expr, types: Mapping[str, TypeDeclaration], depth: int) -> Json:
    match node:
        case ast.BinOp(op=ast.BitOr(), left=left, right=right):
            return _either(_schema(left, types, depth), _schema(right, types, depth))
        case ast.Constant(value=None):
            return {"type": "null"}
        case ast.Name(id=name) if name in types:
            return object_schema(types[name], types, depth)
        case ast.Name(id=name) if name in _SCALARS:
            return {"type": _SCALARS[name]}
        case ast.Subscript(value=ast.Name(id="Literal"), slice=values):
            return {"enum": list(map(ast.literal_eval, values.elts if isinstance(values, ast.Tuple) else [values]))}
        case ast.Subscript(value=ast.Name(id="AwaitableOrValue"), slice=value):
            return _schema(value, types, depth)
        case ast.Subscript(value=ast.Name(id="list"), slice=item):
            return {"type": "array", "items": _schema(item, types, depth)}
        case ast.Subscript(value=ast.Name(id="dict" | "Mapping"), slice=ast.Tuple(elts=[_, value])):
            return {"type": "object", "additionalProperties": _schema(value, types, depth)}
        case _:
            return True


def _either(left: Json, right: Json) -> Json:
    """The schema of a union; a single list of types if both schemas are plain types."""
    names: list[Json] = []
    for side in (left, right):
        if not isinstance(side, dict) or side.keys() != {"type"}:
            return {"anyOf": [*(listed(mapping(left).get("anyOf")) or [left]), right]}
        names += side["type"] if isinstance(side["type"], list) else [side["type"]]
    return {"type": names}
