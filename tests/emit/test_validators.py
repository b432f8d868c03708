"""Compiled validators: the verdict of jsonschema, defaults at every level, exact messages."""

from __future__ import annotations

import copy
import json
import time
from collections.abc import Callable
from typing import cast

import pytest
from hypothesis import given, settings
from jsonschema import Draft202012Validator

from graphwright.emit.literals import quoted
from graphwright.emit.uses import Uses
from graphwright.emit.validator.declared import SCHEMA, validator
from graphwright.ir import Json
from graphwright.names import Namespace
from graphwright_runtime import checks, comparisons, expressions, formats, keywords, pipes
from graphwright_runtime.checks import Problems
from graphwright_runtime.inputs import prepared
from property.schemas import documents, inputs, is_valid
from running import compile_text, loaded

Validate = Callable[[dict[str, Json], Problems], None]


def compiled(schema: Json) -> Validate:
    """The validating function for a schema, as a module would define it."""
    uses = Uses(Namespace())
    functions = validator(schema, uses)
    names: dict[str, object] = {SCHEMA: schema}
    for module in (checks, comparisons, expressions, formats, keywords, pipes):
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


@settings(max_examples=150, deadline=None)
@given(documents(), inputs)
def test_the_verdict_is_that_of_jsonschema(document: dict[str, Json], given: dict[str, Json]) -> None:
    assert (not problems(document, copy.deepcopy(given))) == is_valid(document, given)


@pytest.mark.parametrize(
    ("schema", "valid", "invalid"),
    [
        ({"multipleOf": 0.01}, [19.99, 0.3, 5, 10**400, "x"], [19.995, 0.001]),
        ({"multipleOf": 2**70}, [2**70, 2**71, 0], [1, 2**69]),
        ({"type": "integer", "minimum": 2**70}, [2**70, 2.0**70, 10**400], [2**70 - 1, 1.5, True]),
        (
            {"uniqueItems": True},
            [[1, True], [0, False], [[1], [True]], [{"a": 1}, {"a": True}]],
            [[1, 1.0], [[1], [1.0]]],
        ),
        ({"const": {"a": [1, True]}}, [{"a": [1.0, True]}], [{"a": [True, True]}, {"a": [1, 1]}, {}]),
        ({"enum": [[], {}, None, 0]}, [[], {}, None, 0, 0.0], [False, "", [[]]]),
        ({"const": [[], {}]}, [[[], {}]], [[{}, []], []]),
        ({"type": "string", "enum": ["a", 1]}, ["a"], [1, "b"]),
        ({"contains": True, "minContains": 2}, [[1, 2], "x"], [[1], []]),
        ({"contains": False}, ["x"], [[], [1]]),
        ({"contains": False, "minContains": 0, "maxContains": 0}, [[], [1]], []),
        ({"propertyNames": False}, [{}, 1], [{"a": 1}]),
        ({"propertyNames": {"type": "string"}}, [{"a": 1}], []),
        ({"prefixItems": [True, False]}, [[], [1]], [[1, 2]]),
        ({"oneOf": [True, {"type": "null"}]}, [1], [None]),
        ({"oneOf": [True, True]}, [], [1, None]),
        ({"anyOf": [False, False]}, [], [1]),
        ({"if": False, "then": False}, [1], []),
        ({"maxLength": 2.0}, ["ab"], ["abc"]),
        ({"dependentSchemas": {"a": {"minProperties": 2}}}, [{}, {"a": 1, "b": 1}], [{"a": 1}]),
    ],
)
def test_verdicts(schema: Json, valid: list[Json], invalid: list[Json]) -> None:
    document: dict[str, Json] = {"properties": {"x": schema}}
    assert [value for value in valid if problems(document, {"x": value})] == []
    assert [value for value in invalid if not problems(document, {"x": value})] == []


def test_defaults_are_there_before_anything_is_checked() -> None:
    filling: Json = {"properties": {"a": {"default": 1}}}
    assert problems({"allOf": [{"required": ["a"]}, filling]}, {}) == []
    assert problems({"$ref": "#/$defs/r", "allOf": [filling], "$defs": {"r": {"required": ["a"]}}}, {}) == []
    assert problems({"allOf": [{"maxProperties": 0}, filling]}, {}) != []
    assert problems({"const": {"a": 1}, "allOf": [filling]}, {}) == []


def test_recursive_defaults_are_filled_in_all_the_way() -> None:
    node: Json = {"properties": {"n": {"default": 0}, "left": {"$ref": "#/$defs/node"}}, "patternProperties": {
        "^x": {"items": {"$ref": "#/$defs/node"}}}}  # fmt: skip
    given: dict[str, Json] = {"left": {"x1": [{}, 5, {"left": {}}]}}
    assert problems({"$ref": "#/$defs/node", "$defs": {"node": node}}, given) == []
    assert given == {"n": 0, "left": {"n": 0, "x1": [{"n": 0}, 5, {"n": 0, "left": {"n": 0}}]}}


# --- the rest ----------------------------------------------------------------------------------------------


def test_very_many_keys_are_checked_in_portions() -> None:
    """Type checkers give up on functions of many hundreds of branches."""
    keys: dict[str, Json] = {f"p{number}": {"type": "integer"} for number in range(300)}
    inner: Json = {"type": "object", "properties": keys, "required": ["p299", "other"], "additionalProperties": False}
    schema: Json = {"type": "object", "properties": {**keys, "inner": inner}, "required": ["p250"]}
    functions = validator(schema, Uses(Namespace()))
    assert max(len(function.body) for function in functions) < 350
    found = problems(schema, {"p3": "x", "inner": {"p7": None, "p299": 1, "more": 1}})
    assert found == [
        "input 'p3': must be an integer (found the string 'x')",
        "missing required input: 'p250'",
        "input 'inner.p7': must be an integer (found null)",
        "missing required input: 'inner.other'",
        "input 'inner.more': is not a known property (found the number 1)",
    ]


@pytest.mark.parametrize(
    ("schema", "value", "says"),
    [
        ({"type": "integer"}, True, "must be an integer (found true)"),
        ({"type": ["string", "null"]}, 1.5, "must be null or a string (found the number 1.5)"),
        ({"enum": ["a", 3]}, "b", "must be one of \"a\", 3 (found the string 'b')"),
        ({"const": "web"}, None, 'must be "web" (found null)'),
        ({"minLength": 3}, "ab", "must have at least 3 characters (found the string 'ab')"),
        ({"maxItems": 1}, [1, 2], "must have at most 1 item (found a list of 2)"),
        ({"minimum": 2}, 1, "must be at least 2 (found the number 1)"),
        ({"multipleOf": 2}, 3, "must be a multiple of 2 (found the number 3)"),
        ({"pattern": "^a"}, "b", "must match \"^a\" (found the string 'b')"),
        ({"format": "date"}, "2026-13-01", "must be a date (2026-01-31) (found the string '2026-13-01')"),
        ({"uniqueItems": True}, [1, 1], "must not contain duplicate items (found a list of 2)"),
        ({"minProperties": 1}, {}, "must have at least 1 key (found a mapping of 0)"),
        ({"not": {"type": "null"}}, None, "matches a schema that is not allowed (found null)"),
        ({"anyOf": [{"type": "null"}, {"type": "array"}]}, 1, "does not match any of the allowed schemas (found the"),
        ({"oneOf": [{"minimum": 1}, {"maximum": 3}]}, 2, "matches more than one of the allowed schemas (found the"),
    ],
    ids=lambda part: next(iter(part)) if isinstance(part, dict) and part else "",
)
def test_a_problem_has_a_path_a_rule_and_a_value(schema: Json, value: Json, says: str) -> None:
    (found,) = problems(
        {"properties": {"list": {"items": {"properties": {"x": schema}}}}}, {"list": [{}, {"x": value}]}
    )
    assert found.startswith(f"input 'list[1].x': {says}")


def kind(name: str, **properties: Json) -> Json:
    """An object with a constant, and properties that it requires."""
    return {
        "type": "object",
        "required": ["kind", *properties],
        "properties": {"kind": {"const": name}, **properties},
    }


PAYMENT: Json = {"oneOf": [kind("card", number={"type": "string"}), {"$ref": "#/$defs/cash"}]}
CASH: Json = kind("cash", amount={"type": "number"}, given={"properties": {"in": {"enum": ["eur"]}}})
NULLABLE: Json = {"anyOf": [{"type": "null"}, {"$ref": "#/$defs/payment"}]}


@pytest.mark.parametrize(
    ("schema", "value", "why"),
    [
        (PAYMENT, {"kind": "card", "number": 5}, ": 'x.number' must be a string (found the number 5)"),
        (
            PAYMENT,
            {"kind": "cash", "amount": "5"},
            ": 'x.amount' must be a number (found the string '5'), 'x.given' is",
        ),
        (PAYMENT, {"kind": "crad"}, ": 'x.kind' must be \"card\" or \"cash\" (found the string 'crad')"),
        (PAYMENT, {"number": "5"}, ": 'x.kind' is missing"),
        (PAYMENT, [], " (found a list of 0)"),
        (NULLABLE, {"kind": "card"}, ": 'x.number' is missing"),
        (NULLABLE, 5, " (found the number 5)"),
        ({"anyOf": [{"type": "null"}, {"pattern": "^a"}]}, "b", ": must match \"^a\" (found the string 'b')"),
        (
            {"anyOf": [{"required": ["a"]}, CASH]},
            {"kind": "cash", "amount": 1, "given": {"in": "usd"}},
            ": 'x.given.in'",
        ),
        ({"anyOf": [{"required": ["a"]}, {"required": ["b"]}]}, {}, " (found a mapping of 0)"),
    ],
)
def test_the_alternative_that_was_meant(schema: Json, value: Json, why: str) -> None:
    document: Json = {"properties": {"x": schema}, "$defs": {"cash": CASH, "payment": PAYMENT}}
    (found,) = problems(document, {"x": value})
    assert found.startswith(f"input 'x': does not match any of the allowed schemas{why}")


def test_explaining_alternatives_takes_bounded_time() -> None:
    """The number of ways into a tree doubles with each level."""
    options: list[Json] = [
        {"type": "object", "required": ["is"], "properties": {"is": {"type": kind}, "in": {"$ref": "#/$defs/tree"}}}
        for kind in ("string", "integer")
    ]
    value: Json = {"is": None}
    for _ in range(60):
        value = {"is": None, "in": value}
    started = time.monotonic()
    found = problems(
        {"properties": {"x": {"$ref": "#/$defs/tree"}}, "$defs": {"tree": {"anyOf": options}}}, {"x": value}
    )
    assert found == ["input 'x': does not match any of the allowed schemas (found a mapping of 2)"]
    assert time.monotonic() - started < 5


def test_defaults_are_filled_into_a_copy() -> None:
    schema = {"properties": {"a": {"properties": {"b": {"default": []}}, "default": {}}, "c": {"default": [1]}}}
    text = (
        f"tool_type: graph\nconfig_schema: {json.dumps(schema)}\nconfig: {{start: d, nodes: {{d: {{type: return}}}}}}\n"
    )
    given: dict[str, object] = {"a": {}}
    with loaded(compile_text(text)) as made:
        first, faults = prepared(made.GRAPH, given)
        assert (first, faults, given) == ({"a": {"b": []}, "c": [1]}, [], {"a": {}})
        cast("list[int]", first["c"]).append(2)
        assert prepared(made.GRAPH, given)[0] == {"a": {"b": []}, "c": [1]}, "each run has defaults of its own"


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


def test_what_is_referred_to_tests_its_kind_itself() -> None:
    address: Json = {"properties": {"country": {"default": "de"}}}
    properties: Json = {"home": {"$ref": "#/$defs/a"}, "others": {"type": "array", "items": {"$ref": "#/$defs/a"}}}
    functions = validator({"properties": properties, "$defs": {"a": address}}, Uses(Namespace()))
    assert [(each.name, list(each.body)) for each in functions[:2]] == [
        ("_fill_a", ["if is_mapping(value):", '    value.setdefault("country", "de")']),
        (
            "_fill",
            [
                '_fill_a(inputs.get("home"))',
                'others = inputs.get("others")',
                "if is_list(others):",
                "    for item in others:",
                "        _fill_a(item)",
            ],
        ),
    ]


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


@pytest.mark.parametrize(
    "schema",
    [
        {"$ref": "#/$defs/t"},
        {"allOf": [{"$ref": "#/$defs/t"}]},
        {"$ref": "#/$defs/u"},
        {"if": {"required": ["a"]}, "then": {"$ref": "#/$defs/t"}},
        {"dependentSchemas": {"a": {"if": True, "then": {"allOf": [{"$ref": "#/$defs/u"}]}}}},
    ],
)
def test_paths_of_schemas_that_the_whole_document_refers_to(schema: dict[str, Json]) -> None:
    defs: dict[str, Json] = {
        "t": {"required": ["x"], "properties": {"a": {"properties": {"x": {"type": "integer"}}, "$ref": "#/$defs/w"}}},
        "u": {"allOf": [{"$ref": "#/$defs/t"}]},
        "w": {"required": ["y"]},
    }
    assert sorted(problems({**schema, "$defs": defs}, {"a": {"x": "1"}})) == [
        "input 'a.x': must be an integer (found the string '1')",
        "missing required input: 'a.y'",
        "missing required input: 'x'",
    ]


def test_odd_names_stay_text() -> None:
    key = 'it\'s "{odd}" \\ \u202e\n'
    schema: Json = {"properties": {key: {"properties": {key: {"type": "integer"}}}}}
    assert problems(schema, {key: {key: "x"}}) == [
        f"input {f'{key}.{key}'!r}: must be an integer (found the string 'x')"
    ]
    assert quoted(key).isascii()


def test_deep_schemas_become_functions() -> None:
    schema: Json = {"type": "integer"}
    for _ in range(60):
        schema = {"type": "object", "properties": {"x": {"type": "array", "items": schema}}}
    value: Json = "no integer"
    for _ in range(60):
        value = {"x": [value]}
    found = problems(schema, cast("dict[str, Json]", value))
    assert found == [f"input {'.'.join(['x[0]'] * 60)!r}: must be an integer (found the string 'no integer')"]


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
