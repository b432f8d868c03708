"""Compiled validators: the verdict of jsonschema, defaults at every level, exact messages."""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import cast

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy
from jsonschema import Draft202012Validator

import graphwright_runtime.checks
import graphwright_runtime.conditions
import graphwright_runtime.formats
import graphwright_runtime.pipes
from graphwright.emit.literals import quoted
from graphwright.emit.uses import Uses
from graphwright.emit.validator.function import SCHEMA, validator
from graphwright.ir import Json
from graphwright.names import Namespace
from graphwright_runtime.checks import Problems

Validate = Callable[[dict[str, Json], Problems], None]


def compiled(schema: Json) -> Validate:
    """The validating function for a schema, as a module would define it."""
    uses = Uses(Namespace())
    functions = validator(schema, uses)
    names: dict[str, object] = {SCHEMA: schema}
    runtime = graphwright_runtime
    for module in (runtime.checks, runtime.conditions, runtime.formats, runtime.pipes):
        names |= vars(module)
    source = "\n".join(f"{name} = {value}" for name, value in uses.constants())
    for each in functions:
        source += f"\ndef {each.name}({each.arguments}) -> {each.returns}:\n"
        source += "".join(f"    {line}\n" for line in each.body)
    exec(compile(source, "<validator>", "exec"), names)
    return cast("Validate", names["_validate"]) if functions else lambda _inputs, _problem: None


def problems(schema: Json, inputs: dict[str, Json]) -> list[str]:
    """What the compiled validator finds; defaults are filled into `inputs`."""
    found = Problems()
    compiled(schema)(inputs, found)
    return found.found


# --- against jsonschema ------------------------------------------------------------------------------------

_keys = st.sampled_from(["a", "b", "c", "class", "a.b", "{x}", 'q"', "path"])
_scalars: SearchStrategy[Json] = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-3, 3),
    st.sampled_from([0.0, 1.0, 1.5, -2.0, 1e300]),
    st.sampled_from(["", "a", "ab", "abc", "x1", "é"]),
)
_values: SearchStrategy[Json] = st.recursive(
    _scalars,
    lambda below: st.one_of(st.lists(below, max_size=3), st.dictionaries(_keys, below, max_size=3)),
    max_leaves=6,
)
_types = st.sampled_from(["null", "boolean", "integer", "number", "string", "array", "object"])


def _keywords(below: SearchStrategy[Json]) -> SearchStrategy[Json]:
    count = st.integers(0, 3)
    few = st.lists(below, min_size=1, max_size=3)
    keyed = st.dictionaries(_keys, below, max_size=3)
    optional: dict[str, SearchStrategy[Json]] = {
        "type": st.one_of(_types, st.lists(_types, min_size=1, max_size=3, unique=True)),
        "enum": st.lists(_values, min_size=1, max_size=3),
        "const": _values,
        "minimum": st.integers(-2, 2),
        "exclusiveMaximum": st.sampled_from([-1, 0.5, 3]),
        "multipleOf": st.sampled_from([1, 2, 0.5]),
        "minLength": count,
        "maxLength": count,
        "pattern": st.sampled_from(["^a", "[0-9]", "b$", '"']),
        "minItems": count,
        "maxItems": count,
        "uniqueItems": st.booleans(),
        "prefixItems": few,
        "items": below,
        "contains": below,
        "minContains": st.integers(0, 2),
        "maxContains": st.integers(0, 2),
        "properties": keyed,
        "required": st.lists(_keys, max_size=2, unique=True),
        "patternProperties": st.dictionaries(st.sampled_from(["^a", "b", "\\."]), below, max_size=2),
        "additionalProperties": below,
        "propertyNames": below,
        "minProperties": count,
        "maxProperties": count,
        "dependentRequired": st.dictionaries(_keys, st.lists(_keys, max_size=2, unique=True), max_size=2),
        "dependentSchemas": keyed,
        "allOf": few,
        "anyOf": few,
        "oneOf": few,
        "not": below,
        "if": below,
        "then": below,
        "else": below,
        "$ref": st.sampled_from(["#/$defs/one", "#/$defs/two"]),
    }
    return st.lists(st.sampled_from(sorted(optional)), max_size=4, unique=True).flatmap(
        lambda names: st.fixed_dictionaries({name: optional[name] for name in names}).map(lambda each: each)
    )


_schemas: SearchStrategy[Json] = st.recursive(st.booleans(), _keywords, max_leaves=8)


@settings(max_examples=150, deadline=None)
@given(_schemas, _schemas, _schemas, st.dictionaries(_keys, _values, max_size=4))
def test_the_verdict_is_that_of_jsonschema(main: Json, one: Json, two: Json, inputs: dict[str, Json]) -> None:
    if not isinstance(main, dict):
        main = {"properties": {"a": main}}
    for definition in (one, two):  # a definition must not lead to itself without going into the value
        _without_references(definition)
    document = {**main, "$defs": {"one": one, "two": two}}
    verdict = Draft202012Validator(document).is_valid(inputs)
    assert (not problems(document, copy.deepcopy(inputs))) == verdict


def _without_references(schema: Json) -> None:
    if isinstance(schema, dict):
        schema.pop("$ref", None)
        for each in schema.values():
            _without_references(each)
    elif isinstance(schema, list):
        for each in schema:
            _without_references(each)


# --- the rest ----------------------------------------------------------------------------------------------


def test_a_missing_input_is_named_exactly() -> None:
    assert problems({"required": ["day"], "properties": {"day": {"type": "string"}}}, {}) == [
        "missing required input: 'day'"
    ]


def test_a_missing_key_inside_is_named_with_its_path() -> None:
    row: Json = {"type": "object", "required": ["id"]}
    schema: Json = {"properties": {"rows": {"type": "array", "items": row}, "one": row}}
    assert problems(schema, {"rows": [{"id": 1}, {}], "one": {}}) == [
        "missing required input: 'rows[1].id'",
        "missing required input: 'one.id'",
    ]


def test_defaults_are_filled_at_every_level_of_objects_that_are_there() -> None:
    leaf: dict[str, Json] = {"properties": {"x": {"default": [1]}}}
    schema: Json = {
        "properties": {
            "absent": {"properties": {"y": {"default": 1}}},
            "given": leaf,
            "made": {"default": {}, **leaf},
            "rows": {"items": leaf},
        }
    }
    inputs: dict[str, Json] = {"given": {}, "rows": [{}, {"x": None}, 3]}
    assert problems(schema, inputs) == []
    assert inputs == {"given": {"x": [1]}, "made": {"x": [1]}, "rows": [{"x": [1]}, {"x": None}, 3]}


def test_a_default_satisfies_required() -> None:
    inputs: dict[str, Json] = {}
    assert problems({"required": ["n"], "properties": {"n": {"default": 2}}}, inputs) == []
    assert inputs == {"n": 2}


def test_defaults_are_fresh() -> None:
    validate = compiled({"properties": {"tags": {"type": "array", "default": []}}})
    first: dict[str, Json] = {}
    second: dict[str, Json] = {}
    validate(first, Problems())
    validate(second, Problems())
    assert first["tags"] == []
    assert first["tags"] is not second["tags"]


def test_schemas_that_are_only_tried_fill_nothing() -> None:
    schema: Json = {"anyOf": [{"properties": {"a": {"default": 1}}, "required": ["b"]}, True]}
    inputs: dict[str, Json] = {}
    assert problems(schema, inputs) == []
    assert inputs == {}


@pytest.mark.parametrize(("value", "valid"), [(3, True), (3.0, True), (3.5, False), (True, False), ("3", False)])
def test_an_integer_may_be_a_float_without_fraction(value: Json, valid: bool) -> None:
    assert (not problems({"properties": {"n": {"type": "integer"}}}, {"n": value})) == valid


def test_references_may_be_recursive() -> None:
    schema: Json = {
        "properties": {"tree": {"$ref": "#/$defs/node"}},
        "$defs": {
            "node": {
                "type": "object",
                "required": ["name"],
                "properties": {
                    "size": {"default": 0},
                    "children": {"type": "array", "items": {"$ref": "#/$defs/node"}},
                },
            }
        },
    }
    inputs: dict[str, Json] = {"tree": {"name": "a", "children": [{"name": "b"}, {"children": []}]}}
    assert problems(schema, inputs) == ["missing required input: 'tree.children[1].name'"]
    assert inputs["tree"] == {
        "name": "a",
        "children": [{"name": "b", "size": 0}, {"children": [], "size": 0}],
        "size": 0,
    }


def test_what_cannot_be_compiled_goes_to_jsonschema_with_its_defaults() -> None:
    schema: Json = {
        "properties": {"a": {"type": "integer"}, "b": {"default": 1}},
        "required": ["a"],
        "unevaluatedProperties": False,
    }
    inputs: dict[str, Json] = {"c": 1}
    assert "missing required input: 'a'" in problems(schema, inputs)
    assert inputs == {"c": 1, "b": 1}
    assert problems(schema, {"a": 1}) == []


def test_odd_names_stay_text() -> None:
    key = 'it\'s "{odd}" \\ \u202e\n'
    schema: Json = {"properties": {key: {"properties": {key: {"type": "integer"}}}}}
    assert problems(schema, {key: {key: "x"}}) == [f"input {f'{key}.{key}'!r}: must be an integer"]
    assert quoted(key).isascii()


def test_deep_schemas_become_functions() -> None:
    schema: Json = {"type": "integer"}
    for _ in range(60):
        schema = {"type": "object", "properties": {"x": {"type": "array", "items": schema}}}
    value: Json = "no integer"
    for _ in range(60):
        value = {"x": [value]}
    found = problems(schema, cast("dict[str, Json]", value))
    assert found == [f"input {'.'.join(['x[0]'] * 60)!r}: must be an integer"]


@pytest.mark.parametrize(
    ("then", "other"),
    [
        ({"minimum": 5}, {"type": "integer"}),
        ({"type": "string"}, {"minLength": 2}),
        ({"required": ["path"]}, {"required": ["href"]}),
        ({"not": {"const": 1}}, {"if": {"type": "null"}, "then": False, "else": {"type": ["string", "object"]}}),
        ({"if": {"minimum": 1}, "then": {"type": "integer"}}, {"enum": ["a", "xyz"]}),
    ],
)
@pytest.mark.parametrize("test", [{"type": "integer"}, {"required": ["mode"]}, {"minLength": 3}])
def test_else_belongs_to_its_own_if(test: Json, then: Json, other: Json) -> None:
    """Whatever the branches come to: a single check, a chain, or nothing."""
    schema: Json = {"properties": {"a": {"if": test, "then": then, "else": other}}}
    values: list[Json] = [
        None,
        True,
        0,
        1,
        6,
        1.5,
        "",
        "a",
        "xyz",
        {},
        {"path": 1},
        {"href": 1},
        {"mode": 1, "path": 1},
    ]
    for value in values:
        verdict = Draft202012Validator(cast("dict[str, Json]", schema)).is_valid({"a": value})
        assert (not problems(schema, {"a": value})) == verdict, value
