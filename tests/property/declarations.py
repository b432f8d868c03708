"""What a graph declares of its inputs and its state, and inputs that the declaration takes.

Each input has a few declarations that mean nearly the same to the paths that read it: whole numbers with and without
bounds, texts that are one of a few, values that may be null, objects with defaults inside.
"""

from __future__ import annotations

import copy
from random import Random
from typing import Any, Final

Schema = dict[str, Any]

_NULL: Final = {"type": "null"}
_TEXTS: Final = ["", "a", "n", "x", "10", "a b", "red"]
_COLOURS: Final = ["red", "green", "blue"]

_REQUIRED: Final[dict[str, list[Schema]]] = {
    "count": [
        {"type": "integer"},
        {"type": "integer", "minimum": 0, "maximum": 3},
        {"type": "integer", "exclusiveMinimum": -1},
        {"anyOf": [{"type": "integer", "minimum": 1}, {"const": -1}]},
        {"enum": [0, 1, 2]},
    ],
    "colour": [
        {"type": "string", "enum": _COLOURS},
        {"enum": _COLOURS},
        {"oneOf": [{"const": colour} for colour in _COLOURS]},
        {"$ref": "#/$defs/colour"},
    ],
    "ids": [
        {"type": "array", "items": {"type": "integer"}},
        {"type": "array", "items": {"anyOf": [{"type": "integer"}, {"type": "string"}]}},
        {"type": "array", "items": {"type": ["integer", "null"]}, "minItems": 1},
        {"type": "array", "items": {"type": "object", "properties": {"v": {"type": "integer"}}}},
    ],
    "owner": [
        {
            "type": "object",
            "properties": {"name": {"type": "string"}, "age": {"type": "integer"}},
            "required": ["name"],
        },
        {
            "type": "object",
            "properties": {"name": {"type": "string", "default": "n"}, "age": {"type": "integer", "default": 7}},
            "additionalProperties": False,
        },
        {
            "type": ["object", "null"],
            "properties": {"name": {"enum": ["n", "m"]}, "age": {"type": ["integer", "null"]}},
            "required": ["name", "age"],
        },
    ],
}
_DEFAULTED: Final[dict[str, list[Schema]]] = {
    "label": [
        {"type": "string", "default": "x"},
        {"enum": ["x", "", "10"], "default": "x"},
        {"anyOf": [{"type": "string"}, _NULL], "default": "a"},
    ],
    "fast": [
        {"type": "boolean", "default": False},
        {"const": True, "default": True},
        {"enum": [True, False, None], "default": None},
    ],
}
_OPTIONAL: Final[dict[str, list[Schema]]] = {
    "limit": [
        {"type": "integer"},
        {"type": ["integer", "null"], "minimum": 0},
        {"anyOf": [{"type": "integer", "maximum": 2}, _NULL]},
    ],
}

STATE: Final[list[Schema]] = [
    {"properties": {"i": {"type": "integer"}, "s": {"type": "string"}}},
    {"properties": {"j": {"enum": [0, 1, 2]}, "t": {"type": ["string", "null"]}}},
    {
        "properties": {
            "x": {"type": "array", "items": {"type": "integer"}},
            "m": {"type": "object", "properties": {"v": {}, "w": {"const": "z"}}, "required": ["w"]},
        }
    },
    {
        "properties": {"i": {"type": "integer", "minimum": 1}, "s": {"$ref": "#/$defs/s"}},
        "$defs": {"s": {"minLength": 1}},
    },
    {"properties": {"x": {"items": {"type": "integer"}}}, "patternProperties": {"^[st]$": {"type": "string"}}},
    {"properties": {"i": {"anyOf": [{"type": "integer"}, {"const": "z"}]}}, "required": ["i"], "maxProperties": 6},
    {
        "allOf": [{"properties": {"s": {"type": "string"}}}],
        "properties": {"m": {"maxProperties": 1}},
        "minProperties": 1,
    },
]

OUTPUTS: Final[list[Schema]] = [
    {"type": "object", "properties": {"i": {"type": "integer"}, "s": {"type": "string"}}},
    {"type": "object", "additionalProperties": {"type": ["integer", "number", "string", "null"]}},
    {"properties": {"x": {"type": "array", "items": {"type": "integer"}}, "m": {"type": "object"}}},
]


def declaration(chance: Random) -> Schema:
    """A `config_schema`."""
    properties = {
        name: copy.deepcopy(chance.choice(variants)) for name, variants in (_REQUIRED | _DEFAULTED | _OPTIONAL).items()
    }
    found: Schema = {"type": "object", "properties": properties, "required": list(_REQUIRED)}
    if "$ref" in properties["colour"]:
        found["$defs"] = {"colour": {"enum": list(_COLOURS)}}
    return found


def instance(schema: Schema, chance: Random, document: Schema | None = None) -> Any:
    """A value that a schema takes, as a caller gives it: what has a default is left out at times."""
    document = document or schema
    if "const" in schema:
        return schema["const"]
    if "enum" in schema:
        return chance.choice(schema["enum"])
    if "$ref" in schema:
        return instance(document["$defs"][schema["$ref"].rpartition("/")[2]], chance, document)
    for keyword in ("anyOf", "oneOf"):
        if keyword in schema:
            return instance(chance.choice(schema[keyword]), chance, document)
    kind = schema.get("type")
    if isinstance(kind, list):
        kind = chance.choice(kind)
    match kind:
        case "integer":
            least = schema.get("minimum", schema.get("exclusiveMinimum", -4) + 1)
            return chance.randint(least, schema.get("maximum", 5))
        case "number":
            return chance.choice([0, 1, 0.5, -2.5])
        case "string":
            return chance.choice(_TEXTS)
        case "boolean":
            return chance.random() < 0.5
        case "array":
            size = chance.randint(schema.get("minItems", 0), 3)
            return [instance(schema.get("items", {}), chance, document) for _ in range(size)]
        case "object":
            required = schema.get("required", ())
            return {
                name: instance(inner, chance, document)
                for name, inner in schema.get("properties", {}).items()
                if name in required or chance.random() < 0.5
            }
        case "null":
            return None
        case _:
            return chance.choice([0, "a", None, True, [1], {"v": 1}])


def filled(value: Any, schema: Schema) -> Any:
    """The value with the defaults of what is absent, at every level of the objects that are there."""
    if not isinstance(value, dict):
        return value
    found = dict(value)
    for name, inner in schema.get("properties", {}).items():
        if name in found:
            found[name] = filled(found[name], inner)
        elif "default" in inner:
            found[name] = copy.deepcopy(inner["default"])
    return found
