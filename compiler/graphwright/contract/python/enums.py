"""Reads the values of enumerations."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Sequence
from typing import Final

from graphwright.contract.python.annotations import Annotations
from graphwright.contract.python.forms import Schema
from graphwright.contract.python.literals import NotLiteralError, literal
from graphwright.contract.python.module import Module
from graphwright.contract.python.search import Target
from graphwright.diagnostic import Json
from graphwright.record import Record

#: Methods with which an enumeration, or a base of it, has other values than it says, or takes others.
_COMPUTING: Final = frozenset({"_generate_next_value_", "_missing_", "__new__", "__init__"})


class Written(Record):
    """A class statement and the file that contains it."""

    module: Module
    body: ast.ClassDef


def bases_of(written: Written, annotations: Annotations) -> list[Target]:
    """The targets of the bases of a class, without type arguments."""
    plain = [base.value if isinstance(base, ast.Subscript) else base for base in written.body.bases]
    return [annotations.search.target(base, written.module) for base in plain]


def enumeration(lineage: Sequence[Written], annotations: Annotations) -> Schema:
    """The values of an enumeration; accepts anything if values are computed. Its bases come first."""
    bases = {target for each in lineage for target in bases_of(each, annotations) if isinstance(target, str)}
    if bases & {"enum.Flag", "enum.IntFlag"}:
        return {"type": "integer"}  # flags are combined
    own = lineage[-1]
    for statement in (each for one in lineage for each in one.body.body):
        if isinstance(statement, ast.FunctionDef) and statement.name in _COMPUTING:
            return {}
    found: list[Json] = []
    for statement in own.body.body:
        match statement:
            case (
                ast.Assign(targets=[ast.Name(id=name)], value=value)
                | ast.AnnAssign(target=ast.Name(id=name), value=ast.expr() as value)
            ):
                member = None if name.startswith("_") else _member(name, value, bases, own, annotations)
                if member is not None:
                    found.append(member)
                elif not name.startswith("_"):
                    return {}
            case ast.Assign():  # several members at once
                return {}
    if annotations.validation == "lax" and not all(isinstance(each, str) for each in found):
        return {}  # pydantic also converts to them
    return {"enum": found} if found else {}


def _member(
    name: str, value: ast.expr, bases: Iterable[str], own: Written, annotations: Annotations
) -> str | int | float | bool | None:
    """The value of a member; None if it is not a constant."""
    if isinstance(value, ast.Call) and annotations.search.target(value.func, own.module) == "enum.auto":
        return name.lower() if "enum.StrEnum" in bases else None
    try:
        found = literal(value, own.module, annotations.search)
    except NotLiteralError:
        return None
    return None if isinstance(found, list | dict) else found
