"""One verdict on every schema and value: of the compiler about constants, of emitted code, and of jsonschema."""

from __future__ import annotations

import copy
import os

import pytest
import yaml
from hypothesis import assume, given, settings

from checking import check_text
from emit.test_validators import problems
from graphwright.diagnostic import Severity
from graphwright.ir import Json
from graphwright.schema.defaults import FillingError, filled_default
from graphwright.schema.evaluation import is_satisfied, violation
from property.batches import around
from property.schemas import documents, inputs, is_valid
from property.suite import archive, groups, one_input

FILE = archive()
QUICK = settings(max_examples=300 if os.environ.get("CI") else 80, deadline=None)


def verdicts(schema: dict[str, Json], value: Json) -> tuple[bool, bool]:
    """Whether the compiler accepts a value, and whether emitted code does, for which the value is an input."""
    emitted = not problems(one_input(schema), {"value": copy.deepcopy(value)})
    return violation(value, schema, schema) is None, emitted


@QUICK
@given(documents(), inputs)
def test_random_schemas(document: dict[str, Json], value: dict[str, Json]) -> None:
    expected = is_valid(document, value)
    assert (violation(value, document, document) is None) is expected
    assert (not problems(document, copy.deepcopy(value))) is expected
    assert expected or not is_satisfied(value, document, document)


@QUICK
@given(documents(), inputs)
def test_parts_of_random_schemas(document: dict[str, Json], value: dict[str, Json]) -> None:
    """As for the default of a key: references lead into the whole document."""
    definitions = document["$defs"]
    assert isinstance(definitions, dict)
    for name, part in definitions.items():
        pointer = name.replace("/", "~1").replace("%", "%25")
        expected = is_valid({"$ref": f"#/$defs/{pointer}", "$defs": definitions}, value)
        assert (violation(value, part, document) is None) is expected


@QUICK
@given(documents(defaults=True), inputs)
def test_defaults_are_filled_in_alike(document: dict[str, Json], value: dict[str, Json]) -> None:
    try:
        filled = filled_default({**document, "default": value}, document)
    except FillingError:
        assume(False)
    given_to_run = copy.deepcopy(value)
    found = problems(document, given_to_run)
    assert given_to_run == filled
    assert (violation(filled, document, document) is None) is (not found)


@pytest.mark.parametrize(
    ("schema", "value", "expected"),
    [
        ({"$ref": "#/%24defs/a%20b", "$defs": {"a b": {"type": "string"}}}, 1, False),
        ({"$ref": "#/%24defs/a%20b", "$defs": {"a b": {"type": "string"}}}, "x", True),
        ({"$ref": "#/$defs/a~1b", "$defs": {"a/b": {"type": "string"}}}, 1, False),
        ({"$ref": "#/$defs/a/anyOf/1", "$defs": {"a": {"anyOf": [True, {"const": 1}]}}}, 2, False),
        ({"$ref": "#/$defs/a/anyOf/1", "$defs": {"a": {"anyOf": [True, {"const": 1}]}}}, 1.0, True),
        ({"multipleOf": 0.01}, 19.99, True),
        ({"multipleOf": 0.1}, 0.3, True),
        ({"multipleOf": 0.1}, 0.35, False),
        ({"multipleOf": 1e-300}, 1e300, True),
        ({"multipleOf": 2.5}, 10**400, True),
        ({"uniqueItems": True}, [1, 1.0], False),
        ({"uniqueItems": True}, [1, True], True),
        ({"uniqueItems": True}, [{"a": [1]}, {"a": [1.0]}], False),
        ({"uniqueItems": True}, [-0.0, 0], False),
        ({"enum": [1]}, 1.0, True),
        ({"const": 0}, False, False),
        ({"contains": {"const": 1}, "minContains": 2.0}, [1], False),
        ({"contains": {"const": 1}, "maxContains": 1.0}, [1, 1.0], False),
        ({"maxLength": 2.0}, "\U0001f600\U0001f600", True),
        ({"type": "integer"}, 2.0, True),
        ({"type": "integer"}, 1e300, True),
        ({"properties": {"a": True}, "unevaluatedProperties": False}, {"b": 1}, False),
        ({"allOf": [{"properties": {"a": True}}], "unevaluatedProperties": False}, {"a": 1}, True),
        ({"prefixItems": [True], "unevaluatedItems": False}, [1, 2], False),
        ({"$ref": "#name", "$defs": {"a": {"$anchor": "name", "type": "string"}}}, 1, False),
        ({"$ref": "urn:a#/$defs/b", "$defs": {"a": {"$id": "urn:a", "$defs": {"b": {"const": 1}}}}}, 2, False),
    ],
)
def test_chosen_schemas(schema: dict[str, Json], value: Json, expected: bool) -> None:
    assert is_valid(schema, value) is expected
    assert verdicts(schema, value) == (expected, expected)


def _is_accepted(schema: Json) -> bool:
    """Whether a check accepts a schema for an input: references must not lead out of the file, for example."""
    found = check_text(yaml.safe_dump(around(one_input(schema)), allow_unicode=True, sort_keys=False))
    return not any(each.severity is Severity.ERROR for each in found)


@pytest.mark.skipif(FILE is None, reason="the source distribution of jsonschema is not in .venv/sources: see Makefile")
def test_the_official_suite() -> None:
    assert FILE is not None
    wrong, counted = [], 0
    for group in groups(FILE):
        if isinstance(group.schema, dict) and _is_accepted(group.schema):
            counted += 1
            for description, value, valid in group.tests:
                found = verdicts(group.schema, value)
                if found != (valid, valid):
                    wrong.append(f"{group.name}: {description}: {found}")
    assert wrong == []
    assert counted > 250


@pytest.mark.parametrize(
    ("schema", "default"),
    [
        ("type: object, properties: {b: {}}, unevaluatedProperties: false", "{c: 1}"),
        ("type: array, prefixItems: [{}], unevaluatedItems: false", "[1, 2]"),
        ("$defs: {t: {$anchor: here, type: string}}, $ref: '#here'", "1"),
        ("$id: 'urn:a', $ref: '#/$defs/t', $defs: {t: {type: string}}", "1"),
        ("contains: {const: 1}, minContains: 2.0", "[1]"),
    ],
)
def test_a_default_that_every_run_refuses_is_reported(schema: str, default: str) -> None:
    text = (
        "tool_type: graph\npermissions: []\n"
        f"config_schema: {{properties: {{a: {{{schema}, default: {default}}}}}}}\n"
        "config: {start: done, nodes: {done: {type: return, output: '${inputs.a}'}}}\n"
    )
    assert [each.code for each in check_text(text)] == ["GW112"]
