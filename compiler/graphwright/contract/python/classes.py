"""Converts classes to JSON Schema: TypedDict, dataclass, NamedTuple, pydantic models, and enumerations.

Any other class accepts anything. A class with an unknown base may have additional fields.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Final, Literal, TypeAlias

from graphwright.contract.python.annotations import Annotations, Hint, Schema, described
from graphwright.contract.python.defaults import Default
from graphwright.contract.python.enums import Written, bases_of, enumeration
from graphwright.contract.python.search import Place, Target
from graphwright.record import Record

Kind: TypeAlias = Literal["typeddict", "dataclass", "namedtuple", "pydantic", "enum"]

#: Kinds of classes by the names of their installed bases or decorators.
_KINDS: Final[dict[str, Kind]] = {
    "typing.TypedDict": "typeddict",
    "typing_extensions.TypedDict": "typeddict",
    "typing.NamedTuple": "namedtuple",
    "typing_extensions.NamedTuple": "namedtuple",
    "pydantic.BaseModel": "pydantic",
    "pydantic.main.BaseModel": "pydantic",
    "pydantic.RootModel": "pydantic",
    **{f"enum.{name}": "enum" for name in ("Enum", "StrEnum", "IntEnum", "Flag", "IntFlag", "ReprEnum")},
}
_DATACLASSES: Final = ("dataclasses.dataclass", "pydantic.dataclasses.dataclass")
#: Bases without fields.
_EMPTY: Final = frozenset(
    {
        "builtins.object",
        "builtins.str",
        "builtins.int",
        "builtins.float",
        "abc.ABC",
        "typing.Generic",
        "typing.Protocol",
    }
)
#: Kinds whose constructor rejects unknown names.
_CLOSED: Final = frozenset({"dataclass", "namedtuple"})

#: Settings of pydantic models with which a field that has an alias can also be passed under its own name.
_BY_NAME: Final = ("populate_by_name", "validate_by_name")

_MAX_BASES: Final = 30


class Described(Record):
    """A class with its bases: its kind, their statements, most distant base first, and whether all bases are known."""

    kind: Kind | None
    lineage: tuple[Written, ...]
    is_whole: bool


def class_schema(place: Place, annotations: Annotations) -> Schema:
    """The schema of the instances of a class."""
    found = describe_class(place, annotations)
    if found.kind == "enum":
        return enumeration(found.lineage, annotations)
    if found.kind is None:
        return {}
    properties: dict[str, Schema] = {}
    required: list[str] = []
    settings = _all_settings(found)
    if settings is None or "alias_generator" in settings:
        return {"type": "object"}  # the params have other names
    closed = found.kind in _CLOSED or settings.get("extra") == "forbid"
    by_name = any(settings.get(setting, False) is not False for setting in _BY_NAME)
    for each in found.lineage:
        total = _keyword(each.body, "total") is not False
        closed = closed or _keyword(each.body, "closed") is True
        for name, field, needed in _fields(each, annotations, found.kind, total=total, by_name=by_name):
            properties[name] = field
            required = [other for other in required if other != name] + ([name] if needed else [])
    if found.kind == "pydantic" and "root" in properties and _is_root_model(found, annotations):
        return properties["root"]
    schema: Schema = {"type": "object", "properties": dict(properties)}
    if required:
        schema["required"] = list(required)
    if not found.is_whole:
        schema["additionalProperties"] = True
    elif closed:
        schema["additionalProperties"] = False
    doc = ast.get_docstring(found.lineage[-1].body)
    return {**schema, "description": doc.partition("\n\n")[0]} if doc else schema


def called_schema(name: str, call: ast.Call, fields: Hint, annotations: Annotations) -> Schema:
    """The schema of `TypedDict("Name", {"key": type}, total=False)`; that of any other call is unknown."""
    if name != "TypedDict" or not isinstance(fields.expression, ast.Dict):
        return {}
    total = all(not (each.arg == "total" and ast.unparse(each.value) == "False") for each in call.keywords)
    properties: dict[str, Schema] = {}
    required: list[str] = []
    for key, value in zip(fields.expression.keys, fields.expression.values, strict=True):
        if not isinstance(key, ast.Constant) or not isinstance(key.value, str):
            return {"type": "object"}
        marks = annotations.marks(Hint(value, fields.module))
        about = described(annotations, marks.hint, list(marks.metadata))
        properties[key.value] = {**annotations.schema(marks.hint), **about}
        if total if marks.required is None else marks.required:
            required.append(key.value)
    schema: Schema = {"type": "object", "properties": dict(properties)}
    return {**schema, "required": list(required)} if required else schema


def describe_class(place: Place, annotations: Annotations) -> Described:
    """The kind of a class, and its bases in files of the project."""
    kind: Kind | None = None
    is_whole = True
    lineage: list[Written] = []
    pending: list[Target] = [place]
    while pending:
        target = pending.pop()
        if isinstance(target, Place) and isinstance(target.definition, ast.ClassDef):
            written = Written(target.module, target.definition)
            if any(each.body is written.body for each in lineage) or len(lineage) > _MAX_BASES:
                continue
            lineage.append(written)
            if _is_dataclass(written, annotations):
                kind = kind or "dataclass"
            pending += bases_of(written, annotations)
        elif isinstance(target, str) and target in _KINDS:
            kind = _KINDS[target]
        elif not (isinstance(target, str) and target in _EMPTY):
            is_whole = False
    return Described(kind, tuple(reversed(lineage)), is_whole)


def _is_dataclass(written: Written, annotations: Annotations) -> bool:
    for decorator in written.body.decorator_list:
        function = decorator.func if isinstance(decorator, ast.Call) else decorator
        if annotations.search.target(function, written.module) in _DATACLASSES:
            return True
    return False


def _fields(
    written: Written, annotations: Annotations, kind: Kind, *, total: bool, by_name: bool
) -> Iterator[tuple[str, Schema, bool]]:
    """The fields that a class itself declares: name, schema, and whether it is required.

    `by_name`: a field with an alias can also be passed under its own name.
    """
    if annotations.returned and kind == "pydantic":
        yield from _computed(written, annotations)
    for statement in written.body.body:
        if not isinstance(statement, ast.AnnAssign) or not isinstance(statement.target, ast.Name):
            continue
        name = statement.target.id
        marks = annotations.marks(Hint(statement.annotation, written.module))
        if marks.is_class_variable or (kind == "pydantic" and (name.startswith("_") or name == "model_config")):
            continue
        hint = marks.hint.expression
        outer = hint.value if isinstance(hint, ast.Subscript) else hint
        special = annotations.search.target(outer, written.module)
        if special == "dataclasses.KW_ONLY" or (special == "dataclasses.InitVar" and annotations.returned):
            continue
        is_positional = kind == "pydantic"
        default = Default(statement.value, marks.metadata, written.module, annotations, is_positional=is_positional)
        schema = annotations.schema(marks.hint)
        schema = {**schema, **described(annotations, marks.hint, [*marks.metadata, *default.calls])}
        if annotations.returned and kind != "typeddict":
            if default.is_returned:
                yield default.returned_name or name, schema, True
            continue
        if not default.is_parameter:
            continue
        needed = default.is_missing
        if kind == "typeddict":
            needed = total if marks.required is None else marks.required
        names = (name,) if default.alias is None else (default.alias, name) if by_name else (default.alias,)
        for each in names:
            yield each, {**schema, **default.value}, needed and len(names) == 1


def _computed(written: Written, annotations: Annotations) -> Iterator[tuple[str, Schema, bool]]:
    """The fields that a pydantic model computes when it is returned."""
    for each in written.body.body:
        if isinstance(each, ast.FunctionDef):
            functions = [one.func if isinstance(one, ast.Call) else one for one in each.decorator_list]
            if "pydantic.computed_field" in [annotations.search.target(one, written.module) for one in functions]:
                yield (
                    each.name,
                    {} if each.returns is None else annotations.schema(Hint(each.returns, written.module)),
                    True,
                )


def _keyword(definition: ast.ClassDef, name: str) -> object:
    """The constant value of a keyword in a class statement; None if there is none."""
    value = next((each.value for each in definition.keywords if each.arg == name), None)
    return value.value if isinstance(value, ast.Constant) else None


def _all_settings(found: Described) -> dict[str, object] | None:
    """The settings of a pydantic model and its bases; empty for other classes, None if they are not literal."""
    merged: dict[str, object] = {}
    for each in found.lineage if found.kind == "pydantic" else ():
        settings = _model_settings(each.body)
        if settings is None:
            return None
        merged.update(settings)
    return merged


def _model_settings(definition: ast.ClassDef) -> dict[str, object] | None:
    """The constant settings of a pydantic model, others by name; None if they are not literal."""
    found: dict[str, object] = {
        each.arg: each.value.value if isinstance(each.value, ast.Constant) else None
        for each in definition.keywords
        if each.arg is not None
    }
    for statement in definition.body:
        match statement:
            case (
                ast.Assign(targets=[ast.Name(id="model_config")], value=value)
                | ast.AnnAssign(target=ast.Name(id="model_config"), value=ast.expr() as value)
            ):
                if not isinstance(value, ast.Call | ast.Dict):
                    return None
                found.update(_entries(value))
            case ast.ClassDef(name="Config", body=body):
                found.update(
                    (target.id, inner.value.value if isinstance(inner.value, ast.Constant) else None)
                    for inner in body
                    if isinstance(inner, ast.Assign)
                    for target in inner.targets
                    if isinstance(target, ast.Name)
                )
    return found


def _entries(value: ast.Call | ast.Dict) -> Iterator[tuple[str, object]]:
    """The names and constants in `ConfigDict(extra="forbid")`, or in a mapping."""
    pairs: list[tuple[object, ast.expr]] = (
        [(entry.arg, entry.value) for entry in value.keywords]
        if isinstance(value, ast.Call)
        else [
            (key.value if isinstance(key, ast.Constant) else None, inner)
            for key, inner in zip(value.keys, value.values, strict=True)
        ]
    )
    for name, inner in pairs:
        if isinstance(name, str):
            yield name, inner.value if isinstance(inner, ast.Constant) else None


def _is_root_model(found: Described, annotations: Annotations) -> bool:
    return any("pydantic.RootModel" in bases_of(each, annotations) for each in found.lineage)
