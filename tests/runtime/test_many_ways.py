"""Schemas with two references to the next level: forty levels do not take 2^40 checks."""

from __future__ import annotations

import json
import time
from pathlib import Path

import pytest

from commands import graphwright

DEPTH = 40
TOP = "tool_type: graph\npermissions: []\n"
RETURN = "config: {start: a, nodes: {a: {type: return, output: '${inputs.x}'}}}\n"


def declared(step: str, more: str = "") -> str:
    return (
        f"{TOP}config_schema:\n  type: object\n{more}  properties: {{x: {{$ref: '#/$defs/d'}}}}\n"
        f"  $defs:\n    d: {step}\n{RETURN}"
    )


def nested(innermost: object, **more: object) -> object:
    value = innermost
    for _ in range(DEPTH):
        value = {"a": value, **more}
    return value


def ran(folder: Path, text: str, value: object) -> dict[str, object]:
    folder.joinpath("it.yaml").write_text(text, "utf-8")
    folder.joinpath("in.json").write_text(json.dumps({"x": value}), "utf-8")
    began = time.process_time()
    found: dict[str, object] = json.loads(graphwright("run", "-q", "it.yaml", "--inputs", "in.json").stdout)
    assert time.process_time() - began < 10
    return found


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


AGAIN = "properties: {a: {$ref: '#/$defs/d'}}"
WAYS = {
    "all": f"{{type: object, allOf: [{{{AGAIN}}}, {{{AGAIN}}}]}}",
    "any": f"{{type: object, anyOf: [{{{AGAIN}, required: [b]}}, {{{AGAIN}}}]}}",
    "one": f"{{type: object, oneOf: [{{{AGAIN}, required: [b]}}, {{{AGAIN}}}]}}",
    "if": f"{{type: object, if: {{{AGAIN}}}, then: {{{AGAIN}}}, else: false}}",
    "others": f"{{type: object, {AGAIN}, allOf: [{{additionalProperties: {{$ref: '#/$defs/d'}}}}]}}",
    "own": f"{{type: object, {AGAIN}, patternProperties: {{'^a$': {{$ref: '#/$defs/d'}}}}}}",
}


@pytest.mark.parametrize("step", WAYS.values(), ids=WAYS)
def test_what_fits_fits_and_what_does_not_is_refused(here: Path, step: str) -> None:
    fitting = nested({})
    assert ran(here, declared(step), fitting)["output"] == fitting
    assert "input 'x" in str(ran(here, declared(step), nested(7))["error"])


def test_a_wrong_part_is_reported_once_with_its_path(here: Path) -> None:
    error = str(ran(here, declared(WAYS["all"]), nested(7))["error"])
    assert error == f"input 'x{'.a' * DEPTH}': must be a mapping (found the number 7)"


def test_a_value_of_the_state_is_checked_once_too(here: Path) -> None:
    schema = f"{{type: object, properties: {{s: {{$ref: '#/$defs/d'}}}}, $defs: {{d: {WAYS['one']}}}}}"
    nodes = "{a: {type: gate, assign: {s: '${inputs.x}'}, next: b}, b: {type: return, output: '${state.s}'}}"
    text = (
        f"{TOP}config_schema: {{type: object, properties: {{x: {{type: object}}}}, required: [x]}}\n"
        f"config:\n  start: a\n  state_schema: {schema}\n  nodes: {nodes}\n"
    )
    assert ran(here, text, nested({}))["output"] == nested({})
    assert "state_schema" in str(ran(here, text, nested(7))["error"])


def test_defaults_are_filled_in_once_at_every_level(here: Path) -> None:
    step = f"{{type: object, allOf: [{{{AGAIN}}}, {{{AGAIN}}}, {{properties: {{b: {{default: 3}}}}}}]}}"
    assert ran(here, declared(step), nested({}))["output"] == nested({"b": 3}, b=3)


def test_a_default_with_many_ways_is_refused(here: Path) -> None:
    step = f"{{type: object, allOf: [{{{AGAIN}}}, {{{AGAIN}}}, {{properties: {{b: {{default: 3}}}}}}]}}"
    text = declared(step).replace(
        "x: {$ref: '#/$defs/d'}", f"x: {{$ref: '#/$defs/d', default: {json.dumps(nested({}))}}}"
    )
    here.joinpath("it.yaml").write_text(text, "utf-8")
    began = time.process_time()
    assert "error[GW112]" in graphwright("check", "it.yaml").stderr
    assert time.process_time() - began < 10


@pytest.mark.parametrize("part", ["false", "{type: object}"])
def test_the_library_is_bounded(here: Path, part: str) -> None:
    """`unevaluatedProperties` is not compiled: the library goes every way anew."""
    text = declared(WAYS["all"], f"  unevaluatedProperties: {part}\n")
    assert ran(here, text, nested({}))["error"] == "the schema asks for too many checks of one value"
    assert ran(here, text, {"a": {"a": {}}})["output"] == {"a": {"a": {}}}


def test_the_library_is_bounded_where_what_is_left_over_nests(here: Path) -> None:
    inner = "{type: object}"
    for _ in range(DEPTH):
        inner = f"{{allOf: [{inner}], unevaluatedProperties: {{type: integer}}}}"
    text = f"{TOP}config_schema:\n  type: object\n  properties: {{x: {inner}}}\n{RETURN}"
    assert ran(here, text, {"a": 1})["error"] == "the schema asks for too many checks of one value"
