"""The schemas of plain types, as they are written or as pydantic converts to them."""

from __future__ import annotations

from typing import Final, Literal, TypeAlias

from graphwright.contract.conversions import CONVERSIONS, CONVERTED
from graphwright.diagnostic import Json

#: A JSON Schema.
Schema: TypeAlias = dict[str, Json]

#: Whether pydantic validates values: not at all, converting them (`"3"` to 3), or without conversions.
Validation: TypeAlias = Literal["none", "lax", "strict"]

_SIMPLE: Final = {
    "str": "string",
    "int": "integer",
    "float": "number",
    "bool": "boolean",
    "None": "null",
    "dict": "object",
    "list": "array",
    "tuple": "array",
}
_STRICT: Final = {"StrictStr": "string", "StrictInt": "integer", "StrictFloat": "number", "StrictBool": "boolean"}
_BOUNDS: Final[dict[str, Schema]] = {
    "Positive": {"exclusiveMinimum": 0},
    "NonNegative": {"minimum": 0},
    "Negative": {"exclusiveMaximum": 0},
    "NonPositive": {"maximum": 0},
}
_BOUNDED: Final = {
    f"{sign}{name}": (kind, bounds)
    for sign, bounds in _BOUNDS.items()
    for name, kind in (("Int", "integer"), ("Float", "number"))
}
MAPPINGS: Final = frozenset({"dict", "Dict", "Mapping", "MutableMapping", "DefaultDict", "OrderedDict", "Counter"})
LISTS: Final = frozenset(
    {"list", "List", "Sequence", "MutableSequence", "Iterable", "Collection", "Deque", "deque", "Reversible"}
)
TUPLES: Final = frozenset({"tuple", "Tuple"})


def is_for_types(name: str) -> bool:
    """Whether an installed name is a type of Python, or creates one."""
    return name.startswith(
        ("builtins.", "typing.", "typing_extensions.", "collections.", "types.NoneType", "pydantic.")
    )


def plain(name: str, validation: Validation) -> Schema:
    """The schema of a type without brackets, by its full name."""
    last = name.rpartition(".")[2]
    if last in ("None", "NoneType"):
        return {"type": "null"}
    if name.startswith("builtins.") and last in _SIMPLE:
        return _of_kind(_SIMPLE[last], validation)
    if name.startswith("pydantic."):
        if last in _BOUNDED:
            kind, bounds = _BOUNDED[last]
            return {**_of_kind(kind, validation), **bounds}
        return {"type": _STRICT[last]} if last in _STRICT else {}
    if last in MAPPINGS:
        return {"type": "object"}
    if last in LISTS | TUPLES:
        return sequence(last, {}, validation)
    return {"type": "string"} if last in ("LiteralString", "AnyStr", "Text") else {}


def sequence(name: str, items: Schema, validation: Validation) -> Schema:
    """Lists of such items, by the name of their type. Pydantic takes a string, too, for an `Iterable`."""
    if validation != "none" and name == "Iterable":
        return {}
    return list_of(items)


def list_of(items: Schema) -> Schema:
    """Lists of such items."""
    return {"type": "array", "items": items} if items else {"type": "array"}


def either(options: list[Schema]) -> Schema:
    """A schema that accepts the values of any of several schemas; constants are combined in one list."""
    distinct: list[Schema] = []
    for option in options:
        if not option:
            return {}
        nested = option["anyOf"] if option.keys() == {"anyOf"} else None
        for each in nested if isinstance(nested, list) else [option]:
            if isinstance(each, dict) and each not in distinct:
                distinct.append(each)
    if len(distinct) == 1:
        return distinct[0]
    return {"anyOf": list(distinct)} if distinct else {}


def _of_kind(kind: str, validation: Validation) -> Schema:
    return {"type": kind, CONVERTED: True} if validation == "lax" and kind in CONVERSIONS else {"type": kind}
