"""Constants in params that violate a keyword of the schema; for graphs, the runtime gives the same verdict."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest

from checking import check_files, loud
from durability.kept import compiled
from graphwright.diagnostic import Diagnostic, Severity
from graphwright_runtime.execute import execute

SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {
        "limit": {"type": "integer", "minimum": 1, "exclusiveMaximum": 100},
        "step": {"type": "number", "multipleOf": 5},
        "name": {"type": "string", "minLength": 3, "maxLength": 5, "pattern": "^[a-z]+$"},
        "day": {"type": "string", "format": "date"},
        "tags": {"type": "array", "items": {"$ref": "#/$defs/tag"}, "minItems": 1, "maxItems": 2, "uniqueItems": True},
        "kind": {"enum": [["a"], {"b": 1}]},
        "fixed": {"const": [1, 2]},
        "range": {
            "type": "object",
            "properties": {"low": {"type": "integer", "minimum": 0}, "team": {"type": "string"}},
            "dependentRequired": {"low": ["team"]},
        },
        "either": {"oneOf": [{"minimum": 5}, {"maximum": 7}]},
    },
    "$defs": {"tag": {"type": "string", "maxLength": 4}},
}
GRAPH = """\
tool_type: graph
permissions: [rye.execute.tool.team.*]
config_schema: {type: object, properties: {team: {type: string}}, required: [team]}
config:
  start: call
  nodes:
    call: {action: {item_id: tool:team/list, params: PARAMS}, next: done}
    done: {type: return, output: "${inputs.team}"}
"""
CALLED = """\
tool_type: graph
permissions: []
config_schema: SCHEMA
config: {start: done, nodes: {done: {type: return, output: "${inputs}"}}}
"""

WRONG = {
    "limit: 0": "0 is less than the minimum 1",
    "limit: 100": "100 is not less than 100",
    "step: 7": "7 is not a multiple of 5",
    "name: ab": "it has 2 characters, fewer than 3",
    "name: abcdef": "it has 6 characters, more than 5",
    "name: ABC": '"ABC" does not match the pattern ^[a-z]+$',
    "day: tomorrow": '"tomorrow" is not a date (2026-01-31)',
    "tags: []": "it has 0 items, fewer than 1",
    "tags: [a, b, c]": "it has 3 items, more than 2",
    "tags: [a, a]": "its items are not unique",
    "tags: [abcde]": "it has 5 characters, more than 4",
    "kind: []": '[] is not one of [["a"], {"b": 1}]',
    "fixed: [2, 1]": "[2, 1] is not [1, 2]",
    "range: {low: -1, team: a}": "-1 is less than the minimum 0",
    "range: {low: 1}": "`team` is missing, which `low` requires",
    "range: {low: 1, team: null}": "`team` is missing, which `low` requires",
    "either: 6": "6 does not match exactly one of `oneOf`",
}
RIGHT = [
    "limit: 99",
    "limit: null",
    "step: 10.0",
    "name: abc",
    "day: '2026-01-31'",
    "tags: [a, b]",
    'kind: ["a"]',
    "fixed: [1, 2]",
    "range: {low: 0, team: a}",
    "range: {low: null}",
    "either: 4",
]


def said(params: str, *, is_graph: bool = False, schema: dict[str, Any] = SCHEMA) -> list[Diagnostic]:
    """The errors for a call of a tool, or of a graph, with this schema."""
    written = json.dumps(schema)
    called = CALLED.replace("SCHEMA", written) if is_graph else f"CONFIG_SCHEMA = {written.replace('true', 'True')}\n"
    name = ".ai/tools/team/list." + ("yaml" if is_graph else "py")
    code = "" if is_graph else "def execute(params, project_path):\n    return {}\n"
    files = {name: called + code, ".ai/tools/team/g.yaml": GRAPH.replace("PARAMS", f"{{{params}}}")}
    return [each for each in check_files(files, ".ai") if each.severity is Severity.ERROR]


@pytest.mark.parametrize("params", WRONG)
@pytest.mark.parametrize("is_graph", [False, True])
def test_a_constant_that_violates_the_schema(params: str, is_graph: bool) -> None:
    found = said(params, is_graph=is_graph)
    assert [each.code for each in found] == ["GW704" if is_graph else "GW412"]
    assert found[0].message.endswith(WRONG[params])


@pytest.mark.parametrize("params", RIGHT)
@pytest.mark.parametrize("is_graph", [False, True])
def test_a_constant_that_fits(params: str, is_graph: bool) -> None:
    assert said(params, is_graph=is_graph) == []


@pytest.mark.parametrize("params", [*WRONG, *RIGHT])
def test_a_run_gives_the_same_verdict(params: str) -> None:
    called = CALLED.replace("SCHEMA", json.dumps(SCHEMA))
    with compiled(called, "team/list") as inner, compiled(GRAPH.replace("PARAMS", f"{{{params}}}"), "g") as outer:
        tools = {"team/list": inner.GRAPH}
        run = execute(outer.GRAPH, {"team": "a"}, tools=tools, capabilities=["*"], env={}, durability="off")
        assert asyncio.run(run).success is (params in RIGHT)


def test_the_parts_around_templates() -> None:
    assert said('range: {low: -1, team: "${inputs.team}"}')[0].message == (
        "node `call`: param `range.low` does not fit tool `team/list`: -1 is less than the minimum 0"
    )
    assert said('tags: [abcde, "${inputs.team}"]')[0].message.startswith("node `call`: param `tags.0` does not fit")
    assert said('range: {low: 1, team: "${inputs.team}"}') == []


def test_a_wrong_type_is_one_finding() -> None:
    assert loud(tuple(said("limit: many"))) == ["GW412:7"]
    assert (
        said("limit: many")[0].message
        == "node `call`: param `limit` is a string, but tool `team/list` takes an integer"
    )


def test_the_advice_names_the_contract() -> None:
    assert said("limit: 0")[0].help == "change the value, or the schema in .ai/tools/team/list.py"
    assert said("limit: 0", is_graph=True)[0].help == "change the value, or the `config_schema` of that graph"


def test_defaults_are_filled_in_for_graphs() -> None:
    inner = {"type": "object", "properties": {"b": {"default": 1}}, "required": ["b"], "minProperties": 2}
    schema = {"type": "object", "properties": {"o": inner}}
    assert said("o: {a: 1}", is_graph=True, schema=schema) == []
