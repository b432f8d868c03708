"""Converts types to JSON Schema: the reverse of `types.py`, as far as types express it."""

from __future__ import annotations

from graphwright.analysis.jsontype import ARRAY, KINDS, NUMBER, OBJECT, Type
from graphwright.ir import Json


def to_schema(kind: Type) -> Json:
    """A schema of the values of a type: True if it has all values, False if it has none."""
    if not kind.known:
        return True
    if not kind.kinds:
        return False
    shaped = kind.kinds & (ARRAY.kinds | OBJECT.kinds)
    if kind.values is not None and not shaped:
        return {"enum": list(kind.values)}
    if kind.values is not None:
        return {"anyOf": [{"enum": list(kind.values)}, to_schema(kind.only(shaped))]}
    names: list[Json] = [
        name for name in KINDS if name in kind.kinds and not (name == "integer" and kind.kinds >= NUMBER.kinds)
    ]
    schema: dict[str, Json] = {"type": names[0] if len(names) == 1 else names}
    if "array" in kind.kinds and kind.items is not None:
        schema["items"] = to_schema(kind.items)
    if "object" in kind.kinds:
        if kind.fields:
            schema["properties"] = {name: to_schema(field.type) for name, field in kind.fields}
        if required := [name for name, field in kind.fields if field.required]:
            schema["required"] = list[Json](required)
        if kind.closed or kind.rest is not None:
            schema["additionalProperties"] = to_schema(kind.others)
    return schema
