"""Reads the metadata of `Annotated[…]` and the arguments of `Field(…)`: descriptions, constraints and validators."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from typing import Final

from graphwright.contract.python.forms import Schema, Validation
from graphwright.contract.python.module import Hint
from graphwright.contract.python.search import Search

#: Metadata of pydantic with which a type still accepts no other values.
_NARROWING: Final = frozenset(
    {
        *("Field", "StringConstraints", "Strict", "AllowInfNan", "FailFast", "AfterValidator", "Discriminator", "Tag"),
        *("PlainSerializer", "WrapSerializer", "WithJsonSchema"),
    }
)
_SERIALIZERS: Final = frozenset({"PlainSerializer", "WrapSerializer"})
_BOUNDS: Final = {"ge": "minimum", "gt": "exclusiveMinimum", "le": "maximum", "lt": "exclusiveMaximum"}
_LENGTHS: Final = {"string": "Length", "array": "Items", "object": "Properties"}


def annotated(
    schema: Schema, metadata: Sequence[Hint], search: Search, validation: Validation, *, returned: bool
) -> Schema:
    """The schema of a type with metadata. `returned`: of the values that it has in a result."""
    about = _described(metadata, search)
    if any(_changes(entry, search, validation, returned=returned) for entry in metadata):
        return about
    bounds = _bounds(schema, metadata, search) if schema and validation != "none" else {}
    return {**schema, **bounds, **about}


def strictness(metadata: Sequence[Hint], search: Search, validation: Validation) -> Validation:
    """How pydantic validates a type with metadata, which may say `strict=True`."""
    for entry in metadata if validation != "none" else ():
        if isinstance(entry.expression, ast.Call):
            strict = [each.value for each in entry.expression.keywords if each.arg == "strict"]
            if strict:
                is_strict = isinstance(strict[0], ast.Constant) and strict[0].value is True
                validation = "strict" if is_strict else "lax"
            elif _name(entry, search) == "Strict":
                validation = "lax" if entry.expression.args else "strict"
    return validation


def _described(metadata: Sequence[Hint], search: Search) -> Schema:
    """The description: a string, or the `description` argument of a call."""
    for entry in metadata:
        candidates = [entry.expression]
        if isinstance(entry.expression, ast.Call):
            candidates = [each.value for each in entry.expression.keywords if each.arg == "description"]
            if _name(entry, search) == "Doc":
                candidates = entry.expression.args[:1]
        for candidate in candidates:
            if isinstance(candidate, ast.Constant) and isinstance(candidate.value, str):
                return {"description": candidate.value}
    return {}


def _changes(entry: Hint, search: Search, validation: Validation, *, returned: bool) -> bool:
    """Whether values of other types may be accepted, or returned, because of an entry."""
    name = _name(entry, search)
    if returned:
        return name in _SERIALIZERS
    if validation == "none" or isinstance(entry.expression, ast.Constant):
        return False
    return not (name in _NARROWING or name in ("Doc", "annotated_types"))


def _name(entry: Hint, search: Search) -> str | None:
    """The name of a class of pydantic or typing; `annotated_types` for those of that package."""
    called = entry.expression.func if isinstance(entry.expression, ast.Call) else entry.expression
    target = search.target(called, entry.module)
    package, _, name = target.rpartition(".") if isinstance(target, str) else ("", "", "")
    if package == "annotated_types":
        return package
    return name if package.partition(".")[0] in ("pydantic", "typing", "typing_extensions") else None


def _bounds(schema: Schema, metadata: Sequence[Hint], search: Search) -> Schema:
    """The keywords for the constraints in calls such as `Field(ge=1)`.

    Not for the longest strings, because spaces around them may be removed first.
    """
    found: Schema = {}
    for entry in metadata:
        if not isinstance(entry.expression, ast.Call) or _name(entry, search) not in ("Field", "StringConstraints"):
            continue
        for each in entry.expression.keywords:
            limit = each.value.value if isinstance(each.value, ast.Constant) else None
            if isinstance(limit, bool) or not isinstance(limit, int | float):
                continue
            if each.arg in _BOUNDS:
                found[_BOUNDS[each.arg]] = limit
            elif each.arg in ("min_length", "max_length"):
                found.update((f"{each.arg[:3]}{noun}", limit) for noun in _lengths(schema, each.arg))
    return found


def _lengths(schema: Schema, constraint: str) -> Iterator[str]:
    options = schema.get("anyOf")
    for option in options if isinstance(options, list) else [schema]:
        kind = option.get("type") if isinstance(option, dict) else None
        if isinstance(kind, str) and kind in _LENGTHS and (kind, constraint) != ("string", "max_length"):
            yield _LENGTHS[kind]
