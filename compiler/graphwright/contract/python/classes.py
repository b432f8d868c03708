"""Converts classes to JSON Schema: TypedDict, dataclass, NamedTuple, pydantic models, and enumerations.

Any other class accepts anything. A class with an unknown base may have additional fields.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from typing import Final, Literal, TypeAlias

from graphwright.contract.python.aliases import GENERATORS
from graphwright.contract.python.annotations import Annotations
from graphwright.contract.python.defaults import ComputedNameError, Default
from graphwright.contract.python.enums import Written, bases_of, enumeration
from graphwright.contract.python.forms import Schema, either
from graphwright.contract.python.models import EVERY, makes_itself, own_ways, settings_of
from graphwright.contract.python.module import Hint
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
_ROOT_MODEL: Final = "pydantic.RootModel"
_MODEL_DATACLASS: Final = "pydantic.dataclasses.dataclass"
_DATACLASSES: Final = frozenset({"dataclasses.dataclass", _MODEL_DATACLASS})
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
        "typing_extensions.Generic",
        "typing_extensions.Protocol",
    }
)
_NAMED_TUPLES: Final = frozenset({"typing.NamedTuple", "typing_extensions.NamedTuple"})
#: Kinds whose constructor rejects unknown names, and whose fields are those of the class that is made one.
_CLOSED: Final = frozenset({"dataclass", "namedtuple"})

#: Settings of pydantic models with which types are not those of the fields.
_CONVERTING: Final = frozenset({"coerce_numbers_to_str", "json_encoders"})
#: Settings of pydantic models with which a field that has an alias can also be passed under its own name.
_BY_NAME: Final = ("populate_by_name", "validate_by_name")

_MAX_BASES: Final = 30


#: A key of a mapping, the schema of its value, and whether it is required.
_Field: TypeAlias = tuple[str, Schema, bool]


class Described(Record):
    """A class with its bases: its kind, the statements that declare fields, most distant base first, whether all bases
    are known, and whether pydantic makes its instances."""

    kind: Kind | None
    lineage: tuple[Written, ...]
    is_whole: bool
    is_model: bool


class _Naming:
    """The names of the fields of a model. `by_name`: one with an alias can also be passed under its own name."""

    def __init__(self, settings: Mapping[str, object]) -> None:
        self.by_name = any(settings.get(setting, False) is not False for setting in _BY_NAME)
        self._is_generated = "alias_generator" in settings
        self._generate = GENERATORS.get(settings.get("alias_generator"))

    def alias(self, name: str) -> str:
        """The name under which a field without an alias of its own is passed. Raises ComputedNameError."""
        if self._is_generated and self._generate is None:
            raise ComputedNameError
        return name if self._generate is None else self._generate(name)


def class_schema(place: Place, annotations: Annotations) -> Schema:
    """The schema of the instances of a class."""
    found = describe_class(place, annotations)
    if found.kind is None or (found.kind == "namedtuple" and annotations.validation != "none"):
        return {}
    if found.kind == "enum":
        return enumeration(found.lineage, annotations)
    settings = settings_of(found.lineage, annotations) if found.is_model else {}
    converted = own_ways(found.lineage, annotations) if found.is_model else frozenset[str]()
    if EVERY in converted:
        return {}
    if settings is None or not _CONVERTING.isdisjoint(settings) or not (found.is_whole or not found.is_model):
        return {"type": "object"}  # the fields have other names or types
    if found.kind == "pydantic" and (root := _root_type(found, annotations)) is not None:
        with annotations.validating("none" if annotations.returned else "lax"):
            return annotations.schema(root)
    try:
        return _object(found, annotations, settings, converted)
    except ComputedNameError:
        return {"type": "object"}


def _object(
    found: Described, annotations: Annotations, settings: Mapping[str, object], converted: frozenset[str]
) -> Schema:
    """The schema of a class with fields. `converted`: those whose values may be of other types than their hints say."""
    validation = annotations.validation
    if found.is_model and not annotations.returned:
        validation = "strict" if settings.get("strict") is True else "lax"
    closed = found.kind in _CLOSED if validation == "none" and not found.is_model else False
    closed = closed or settings.get("extra") == "forbid"
    naming = _Naming(settings)
    fields: dict[str, list[_Field]] = {}
    for each in found.lineage:
        total = _keyword(each.body, "total") is not False
        closed = closed or _keyword(each.body, "closed") is True
        with annotations.validating(validation):
            fields.update(_fields(each, annotations, found, total=total, naming=naming))
    properties = {name: {} if own in converted else field for own, named in fields.items() for name, field, _ in named}
    required = [name for named in fields.values() for name, _, is_needed in named if is_needed]
    if "root" in properties and any(_ROOT_MODEL in bases_of(each, annotations) for each in found.lineage):
        return properties["root"]
    schema: Schema = {"type": "object", "properties": dict(properties)}
    if required:
        schema["required"] = list(required)
    if not found.is_whole or settings.get("extra", "ignore") not in ("ignore", "forbid"):
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
        properties[key.value] = annotations.marked(marks)
        if total if marks.required is None else marks.required:
            required.append(key.value)
    schema: Schema = {"type": "object", "properties": dict(properties)}
    return {**schema, "required": list(required)} if required else schema


def describe_class(place: Place, annotations: Annotations) -> Described:
    """The kind of a class, and its bases in files of the project."""
    kind: Kind | None = None
    is_whole, is_model = True, False
    lineage: list[tuple[Written, bool]] = []
    pending: list[Target] = [place]
    while pending:
        target = pending.pop()
        if isinstance(target, Place) and isinstance(target.definition, ast.ClassDef):
            written = Written(target.module, target.definition)
            if any(each.body is written.body for each, _ in lineage) or len(lineage) > _MAX_BASES:
                continue
            decorators = _DATACLASSES & set(_decorators(written, annotations))
            bases = bases_of(written, annotations)
            lineage.append((written, bool(decorators) or not _NAMED_TUPLES.isdisjoint(bases)))
            if decorators:
                kind = kind or "dataclass"
            is_model = is_model or _MODEL_DATACLASS in decorators
            pending += bases
        elif isinstance(target, str) and target in _KINDS:
            kind = _KINDS[target]
        elif not (isinstance(target, str) and target in _EMPTY):
            is_whole = False
    declaring = tuple(each for each, declares in reversed(lineage) if declares or kind not in _CLOSED)
    if kind in _CLOSED and not annotations.returned and makes_itself(each for each, _ in lineage):
        kind = None
    return Described(kind, declaring, is_whole, is_model or kind == "pydantic")


def _decorators(written: Written, annotations: Annotations) -> Iterator[Target]:
    for decorator in written.body.decorator_list:
        function = decorator.func if isinstance(decorator, ast.Call) else decorator
        yield annotations.search.target(function, written.module)


def _fields(
    written: Written, annotations: Annotations, found: Described, *, total: bool, naming: _Naming
) -> Iterator[tuple[str, list[_Field]]]:
    """The fields that a class itself declares, each with the keys under which it is passed or returned."""
    if annotations.returned and found.kind == "pydantic":
        yield from _computed(written, annotations, naming)
    is_model = found.is_model or annotations.validation != "none"
    module = written.module.within(written.body)
    for statement in written.body.body:
        if not isinstance(statement, ast.AnnAssign) or not isinstance(statement.target, ast.Name):
            continue
        name = statement.target.id
        marks = annotations.marks(Hint(statement.annotation, module))
        if marks.is_class_variable or (is_model and (name.startswith("_") or name == "model_config")):
            continue
        hint = marks.hint.expression
        outer = hint.value if isinstance(hint, ast.Subscript) else hint
        special = annotations.search.target(outer, module)
        if special == "dataclasses.KW_ONLY" or (special == "dataclasses.InitVar" and annotations.returned):
            continue
        assigned = None if statement.value is None else Hint(statement.value, module)
        default = Default(assigned, marks.metadata, annotations, is_model=is_model)
        schema = annotations.marked(marks, *default.calls)
        if annotations.returned and found.kind != "typeddict":
            renamed = (default.returned_name() or naming.alias(name)) if found.is_model else name
            if found.kind == "dataclass" and renamed != name:
                raise ComputedNameError  # it has this name only within a model
            if default.is_returned:
                yield name, [(renamed, _or_null(schema, default), not default.may_be_left_out)]
            continue
        if not default.is_parameter:
            continue
        needed = default.is_missing
        if found.kind == "typeddict":
            needed = total if marks.required is None else marks.required
        names = (default.names() or [(naming.alias(name), True)]) if is_model else [(name, True)]
        if naming.by_name and (name, True) not in names:
            names.append((name, True))
        schema = {**schema, **default.value}
        yield name, [(each, schema if whole else {}, needed and whole and len(names) == 1) for each, whole in names]


def _or_null(schema: Schema, default: Default) -> Schema:
    """The schema of a field in a result: pydantic does not check defaults, so `x: str = None` can be null."""
    return either([schema, {"type": "null"}]) if default.is_null else schema


def _computed(written: Written, annotations: Annotations, naming: _Naming) -> Iterator[tuple[str, list[_Field]]]:
    """The fields that a pydantic model computes when it is returned."""
    for each in written.body.body:
        if not isinstance(each, ast.FunctionDef):
            continue
        for decorator in each.decorator_list:
            function = decorator.func if isinstance(decorator, ast.Call) else decorator
            if annotations.search.target(function, written.module) == "pydantic.computed_field":
                arguments = decorator.keywords if isinstance(decorator, ast.Call) else []
                alias = next(
                    (one.value for one in arguments if one.arg == "alias"), ast.Constant(naming.alias(each.name))
                )
                if not isinstance(alias, ast.Constant) or not isinstance(alias.value, str):
                    raise ComputedNameError
                schema = {} if each.returns is None else annotations.schema(Hint(each.returns, written.module))
                yield each.name, [(alias.value, schema, True)]


def _keyword(definition: ast.ClassDef, name: str) -> object:
    """The constant value of a keyword in a class statement; None if there is none."""
    value = next((each.value for each in definition.keywords if each.arg == name), None)
    return value.value if isinstance(value, ast.Constant) else None


def _root_type(found: Described, annotations: Annotations) -> Hint | None:
    """The type in the brackets of `RootModel[…]`."""
    for each in reversed(found.lineage):
        for base in each.body.bases:
            if isinstance(base, ast.Subscript) and annotations.search.target(base.value, each.module) == _ROOT_MODEL:
                return Hint(base.slice, each.module)
    return None
