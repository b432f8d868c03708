"""What is proved to conform to a schema conforms to it; what is refused at run time was not proved."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from front.test_schemas import SCHEMAS, VALUES
from graphwright.analysis.jsontype import (
    ANY,
    BOOLEAN,
    FLOAT,
    INTEGER,
    NEVER,
    NULL,
    OBJECT,
    STRING,
    Field,
    Type,
    from_value,
    join,
    limited,
    list_of,
    object_of,
    one_of,
)
from graphwright.ir import Json
from graphwright.schema.conformance import conforms
from graphwright.schema.state import key_schema, required_keys, whole_schema
from graphwright.schema.types import from_schema


@given(st.lists(VALUES, min_size=1, max_size=3), SCHEMAS, st.integers(0, 3))
@settings(max_examples=400, deadline=None)
def test_a_proof_holds_for_every_value_of_the_type(values: list[Json], schema: Json, depth: int) -> None:
    if conforms(limited(join(*map(from_value, values)), depth), schema, schema):
        assert isinstance(schema, dict)
        assert all(Draft202012Validator(schema).is_valid(value) for value in values)


@given(VALUES, SCHEMAS, SCHEMAS)
@settings(max_examples=300, deadline=None)
def test_a_proof_from_a_schema_holds_for_what_it_accepts(value: Json, given_by: Json, schema: Json) -> None:
    assert isinstance(schema, dict)
    assert isinstance(given_by, dict)
    if conforms(from_schema(given_by, fills=False), schema, schema) and Draft202012Validator(given_by).is_valid(value):
        assert Draft202012Validator(schema).is_valid(value)


TEXTS = one_of(["a", "b"])
ROW = object_of({"id": Field(INTEGER, True), "name": Field(STRING, False)})


@pytest.mark.parametrize(
    ("found", "schema", "proved"),
    [
        (INTEGER, {"type": "number"}, True),
        (INTEGER, {"type": ["integer", "null"], "description": "n", "pattern": "x"}, True),
        (FLOAT, {"type": "integer"}, False),
        (INTEGER, {"type": "integer", "minimum": 0}, False),
        (one_of([1, 2]), {"type": "integer", "minimum": 0, "not": {"const": 3}}, True),
        (one_of([1, 2]), {"if": {"const": 1}, "then": {"const": 1}}, True),
        (TEXTS, {"enum": ["a", "b", "c"]}, True),
        (STRING, {"enum": ["a", "b", "c"]}, False),
        (BOOLEAN, {"enum": [True, False]}, True),
        (NULL, {"const": None}, True),
        (join(STRING, NULL), {"anyOf": [{"type": "string"}, {"type": "null"}]}, True),
        (join(STRING, NULL), {"type": "string"}, False),
        (list_of(STRING), {"type": "array", "items": {"type": "string"}}, True),
        (list_of(STRING), {"items": {"type": "string"}, "minItems": 1}, False),
        (list_of(ANY), {"items": {"type": "string"}}, False),
        (ROW, {"properties": {"id": {"type": "integer"}}, "required": ["id"], "additionalProperties": False}, False),
        (ROW, {"properties": {"id": {}, "name": {}}, "required": ["id"], "additionalProperties": False}, True),
        (ROW, {"required": ["name"]}, False),
        (ROW, {"minProperties": 1}, False),
        (ROW, {"$ref": "#/$defs/row", "$defs": {"row": {"required": ["id"]}}}, True),
        (OBJECT, {"type": "object", "properties": {}}, True),
        (OBJECT, {"$ref": "#/$defs/none", "$defs": {}}, False),
        (ANY, True, True),
        (ANY, {}, True),
        (ANY, False, False),
        (NEVER, False, True),
        (ANY, {"$id": "x"}, False),
        (OBJECT, {"properties": {"below": {"$ref": "#"}}}, False),
    ],
)
def test_what_is_proved(found: Type, schema: Json, proved: bool) -> None:
    assert conforms(found, schema, schema) is proved


@pytest.mark.parametrize(("levels", "proved"), [(18, True), (500, False)])
def test_a_schema_of_absurd_size_proves_little_and_costs_little(levels: int, proved: bool) -> None:
    defs: dict[str, Json] = {
        f"d{n}": {"allOf": [{"$ref": f"#/$defs/d{n + 1}"}, {"$ref": f"#/$defs/d{n + 1}"}]} for n in range(levels)
    }
    document: Json = {"$ref": "#/$defs/d0", "$defs": {**defs, f"d{levels}": {"type": ["object", "string"]}}}
    assert not conforms(OBJECT, document, document)
    assert conforms(one_of(["x"]), document, document) is proved


DOCUMENT: Json = {
    "$ref": "#/$defs/base",
    "properties": {"a": {"type": "string"}},
    "patternProperties": {"^a": {"maxLength": 3}, "^b": {}},
    "additionalProperties": {"type": "number"},
    "required": ["a"],
    "minProperties": 1,
    "$defs": {"base": {"properties": {"c": {"minimum": 0}}, "required": ["a", "c"], "type": "object"}},
}


@pytest.mark.parametrize(
    ("key", "schema"),
    [
        ("a", {"allOf": [{"type": "string"}, {"maxLength": 3}]}),
        ("ab", {"maxLength": 3}),
        ("b", True),
        ("c", {"allOf": [{"type": "number"}, {"minimum": 0}]}),
        ("x", {"type": "number"}),
    ],
)
def test_what_is_said_of_one_key(key: str, schema: Json) -> None:
    assert key_schema(DOCUMENT, key) == schema


def test_what_is_said_of_the_whole() -> None:
    assert required_keys(DOCUMENT) == ("a", "c")
    assert whole_schema(DOCUMENT, assigned=frozenset("a")) == {"allOf": [{"required": ["c"]}, {"minProperties": 1}]}
    assert whole_schema({"type": "object", "required": ["a"]}, assigned=frozenset("a")) is True
    assert whole_schema({"allOf": [{"$ref": "#"}, {"not": {}}]}, assigned=frozenset()) == {"not": {}}
