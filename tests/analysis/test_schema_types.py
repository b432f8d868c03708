"""JSON Schema to types: whatever a schema accepts belongs to its type."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy
from jsonschema import Draft202012Validator

from analysis.membership import SCALARS, VALUES, belongs
from graphwright.analysis.jsontype import (
    ANY,
    INTEGER,
    NUMBER,
    OBJECT,
    STRING,
    Field,
    Type,
    join,
    list_of,
    object_of,
    one_of,
)
from graphwright.ir import Json
from graphwright.schema.types import from_schema

_NAMES = st.sampled_from(["a", "b", "c"])
_KINDS = st.sampled_from(["null", "boolean", "integer", "number", "string", "array", "object"])


def _schemas(inner: SearchStrategy[Json]) -> SearchStrategy[Json]:
    optional: dict[str, SearchStrategy[Json]] = {
        "type": _KINDS | st.lists(_KINDS, min_size=1, max_size=2, unique=True).map(list[Json]),
        "enum": st.lists(SCALARS, min_size=1, max_size=3).map(list[Json]),
        "const": VALUES,
        "properties": st.dictionaries(_NAMES, inner, max_size=2),
        "required": st.lists(_NAMES, max_size=2, unique=True).map(list[Json]),
        "additionalProperties": inner,
        "patternProperties": st.just({"^b": True}),
        "items": inner,
        "prefixItems": st.lists(inner, min_size=1, max_size=2),
        "anyOf": st.lists(inner, min_size=1, max_size=2),
        "oneOf": st.lists(inner, min_size=1, max_size=2),
        "allOf": st.lists(inner, min_size=1, max_size=2),
        "$ref": st.sampled_from(["#", "#/$defs/d", "#/properties/a"]),
    }
    keys = st.lists(st.sampled_from(sorted(optional)), max_size=3, unique=True)
    return keys.flatmap(lambda chosen: st.fixed_dictionaries({key: optional[key] for key in chosen}))


SCHEMAS: SearchStrategy[Json] = st.recursive(st.booleans(), _schemas, max_leaves=6)


def _as_integer(value: Json) -> Json:
    """Draft 2020-12 counts 1.0 as an integer, which types tell apart: the samples have none of those."""
    if isinstance(value, float) and value.is_integer():
        return int(value)
    if isinstance(value, list):
        return [_as_integer(item) for item in value]
    if isinstance(value, dict):
        return {key: _as_integer(item) for key, item in value.items()}
    return value


@settings(max_examples=120, deadline=None)
@given(SCHEMAS, VALUES)
def test_what_a_schema_accepts_belongs_to_its_type(schema: Json, value: Json) -> None:
    document: Json = schema
    if isinstance(schema, dict):
        schema.setdefault("$defs", {"d": {"type": "string"}})
        schema.setdefault("properties", {})
        if isinstance(schema["properties"], dict):
            schema["properties"].setdefault("a", True)
    document, sample = _as_integer(document), _as_integer(value)
    if isinstance(document, bool | dict):
        try:
            accepted = Draft202012Validator(document).is_valid(sample)
        except RecursionError:  # a reference that only leads to itself
            return
        if accepted:
            assert belongs(sample, from_schema(document, fills=False))


def test_properties_with_defaults_are_present_in_inputs() -> None:
    schema: Json = {"type": "object", "properties": {"a": {"type": "integer", "default": 1}, "b": {"type": "string"}}}
    found = from_schema(schema)
    assert found.field_map == {"a": Field(INTEGER, True), "b": Field(STRING, False)}
    assert from_schema(schema, fills=False).field_map["a"] == Field(INTEGER, False)


@pytest.mark.parametrize(
    "schema",
    [
        {"properties": {"a": {"default": 1}}, "required": ["a"]},
        {"allOf": [{"properties": {"a": {"default": 1}}}, {"required": ["a"]}]},
        {"$ref": "#/$defs/d", "required": ["a"], "$defs": {"d": {"properties": {"a": {"default": 1}}}}},
        {"properties": {"a": {"default": 1}}, "anyOf": [{"required": ["a"]}, {"required": ["b"]}]},
        {"properties": {"a": {"default": 1}}, "oneOf": [{"properties": {"a": {"const": 1}}, "required": ["a"]}]},
    ],
)
def test_a_caller_may_leave_out_what_has_a_default(schema: dict[str, Json]) -> None:
    found = from_schema({"type": "object", **schema}, given=True)
    assert all(belongs({"b": 1, **more}, found) for more in ({}, {"a": 1}))
    assert belongs({}, found)


def test_no_default_is_filled_in_below_an_alternative() -> None:
    option: Json = {"properties": {"a": {"default": 1}}, "required": ["a"]}
    schema: Json = {"type": "object", "anyOf": [option, {"required": ["b"]}]}
    assert not belongs({}, from_schema(schema, given=True))


def test_what_an_author_lists_is_all_there_is() -> None:
    listed: Json = {"type": "object", "properties": {"a": {"type": "object", "properties": {"b": {}}}}}
    assert not from_schema(listed).closed
    strict = from_schema(listed, listed_only=True)
    assert strict.closed
    assert strict.field_map["a"].type.closed
    opened: Json = {"type": "object", "properties": {"a": {}}, "additionalProperties": True}
    assert not from_schema(opened, listed_only=True).closed
    combined: Json = {"properties": {"a": {}}, "allOf": [{"properties": {"b": {}}}]}
    assert not from_schema(combined, listed_only=True).closed


@pytest.mark.parametrize(
    ("schema", "kind"),
    [
        (True, ANY),
        ({}, ANY),
        ({"type": "number"}, NUMBER),
        ({"type": ["string", "null"], "enum": ["a", None]}, one_of(["a", None])),
        ({"type": "array", "items": {"type": "string"}}, list_of(STRING)),
        (
            {"type": "array", "prefixItems": [{"type": "string"}], "items": {"type": "integer"}},
            list_of(join(STRING, INTEGER)),
        ),
        ({"type": "object", "additionalProperties": False}, object_of({})),
        ({"$ref": "#/$defs/x", "$defs": {"x": {"type": "string"}}}, STRING),
        ({"$ref": "#/$defs/x", "$defs": {"x": {"$ref": "#/$defs/x"}}}, ANY),
        ({"$ref": "https://example.org/schema"}, ANY),
        ({"type": "object", "properties": "wrong"}, OBJECT),
        ({"type": 7}, ANY),
    ],
)
def test_schemas(schema: Json, kind: Type) -> None:
    assert from_schema(schema) == kind
