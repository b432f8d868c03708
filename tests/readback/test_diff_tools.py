"""`graphwright diff` and the tools that a graph calls: what an object that implements `Tools` no longer fits."""

from __future__ import annotations

import json
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from commands import graphwright

GRAPH = """\
version: "1.0.0"
tool_type: graph
permissions: [rye.execute.tool.*]
config:
  start: fetch
  nodes:
    fetch:
      action: {item_id: "tool:rows/fetch", params: {team: "${inputs.team}"}}
      assign: {found: "${result}"}
      next: done
    done: {type: return, output: {}}
"""
ANOTHER = GRAPH.replace("next: done", "next: pack") + "    pack: {action: {item_id: tool:rows/pack}, next: done}\n"
NESTED = GRAPH.replace("next: done", "next: pack") + "    pack: {action: {item_id: tool:packing}, next: done}\n"
PACKING = GRAPH.replace("rows/fetch", "rows/pack")
BUILT_IN = GRAPH.replace("tool:rows/fetch", "tool:rye/bash").replace('{team: "${inputs.team}"}', "{command: ls}")

TEXT, NUMBER, LIST = {"type": "string"}, {"type": "number"}, {"type": "array", "items": {"type": "integer"}}


def fields(required: str = "", **properties: object) -> dict[str, object]:
    return {"type": "object", "properties": properties, "required": required.split()}


SHAPES: dict[str, Any] = {
    "unknown": True,
    "any object": {"type": "object"},
    "numbers": {"type": "object", "additionalProperties": NUMBER},
    "team": fields("team", team=TEXT),
    "closed": {**fields("team", team=TEXT), "additionalProperties": False},
    "optional": fields(team=TEXT),
    "two": fields("team", team=TEXT, most={"type": "integer"}),
    "nullable": fields("team", team={"type": ["string", "null"]}),
    "choice": fields("team", team={"enum": ["blue", "red"]}),
    "any team": fields("team", team=True),
    "list": fields("team", team=LIST),
    "inner": fields("team", team=fields("name", name=TEXT)),
    "inner two": fields("team", team=fields("name", name=TEXT, size=NUMBER)),
    "rows": fields("team", team={"type": "array", "items": fields("id", id={"type": "integer"})}),
    "either": {"anyOf": [fields("team", team={"const": "a"}), fields("team size", team={"const": "b"}, size=NUMBER)]},
    "keyword": {"type": "object", "properties": {"class": TEXT}},
}
RESULTS: dict[str, Any] = {**SHAPES, "text": TEXT, "whole list": LIST, "nothing": {"type": "null"}}

pytestmark = pytest.mark.usefixtures("project")


def write(contract: dict[str, Any], text: str = GRAPH) -> None:
    for name, content in {"graphs/rows.yaml": text, "contracts/rows/fetch.json": json.dumps(contract)}.items():
        Path(name).parent.mkdir(parents=True, exist_ok=True)
        Path(name).write_text(content, "utf-8")


def module(contract: dict[str, Any], text: str = GRAPH, name: str = "module") -> str:
    """Build the graph; the path of its module."""
    write(contract, text)
    done = graphwright("build", "graphs/rows.yaml", "--output", f"built/{name}")
    assert done.code == 0, done.stderr
    return f"built/{name}/rows.py"


def told(old: str, new: str) -> list[tuple[str, str, bool, list[str]]]:
    found = json.loads(graphwright("diff", old, new, "--format", "json").stdout)
    tools = [each for each in found["differences"] if each["area"] == "tools"]
    return [(each["name"], each["message"], each["breaking"], each["lines"]) for each in tools]


@pytest.mark.parametrize(
    ("old", "new", "breaking", "lines"),
    [
        ("team", "two", False, ["+ most: integer, optional"]),
        ("two", "team", False, ["- most: integer, optional"]),
        ("team", "optional", True, ["- team: string", "+ team: string, optional"]),
        ("optional", "team", False, ["- team: string, optional", "+ team: string"]),
        ("team", "nullable", True, ["- team: string", "+ team: string or null"]),
        ("choice", "team", True, ['- team: "blue" or "red"', "+ team: string"]),
        ("team", "choice", False, ["- team: string", '+ team: "blue" or "red"']),
        ("team", "unknown", True, ["- team: string", "+ anything"]),
        ("unknown", "team", False, ["- anything", "+ team: string"]),
        ("team", "closed", None, []),
    ],
)
def test_params(old: str, new: str, breaking: bool | None, lines: list[str]) -> None:
    """`two` may pass more, which a method for `team` never sees; a key that may be absent breaks who reads it."""
    first = module({"params": SHAPES[old]}, name="old")
    second = module({"params": SHAPES[new]}, name="new")
    text = "the params of `tool:rows/fetch` changed"
    assert told(first, second) == ([] if breaking is None else [("tool:rows/fetch", text, breaking, lines)])


@pytest.mark.parametrize(
    ("old", "new", "breaking"),
    [
        ("team", "two", False),
        ("team", "nullable", False),
        ("nullable", "team", True),
        ("optional", "team", True),
        ("team", "optional", False),
        ("team", "inner", True),
        ("inner", "inner two", False),
        ("whole list", "text", True),
        ("unknown", "team", True),
        ("team", "unknown", False),
    ],
)
def test_results(old: str, new: str, breaking: bool) -> None:
    first, second = (module({"result": RESULTS[each]}, name=each.replace(" ", "_")) for each in (old, new))
    [(name, message, found, _)] = told(first, second)
    assert (name, message, found) == ("tool:rows/fetch", "the result of `tool:rows/fetch` changed", breaking)


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        (GRAPH, ANOTHER, [("tool:rows/pack", "added", True)]),
        (ANOTHER, GRAPH, [("tool:rows/pack", "removed", False)]),
        (GRAPH, NESTED, [("tool:packing", "added", False), ("tool:rows/pack", "added", True)]),
        (NESTED, ANOTHER, [("tool:rows/pack", "added", False), ("tool:packing", "removed", False)]),
        (BUILT_IN, GRAPH, [("tool:rows/fetch", "added", False), ("tool:rye/bash", "removed", False)]),
        (GRAPH, BUILT_IN, [("tool:rye/bash", "added", False), ("tool:rows/fetch", "removed", True)]),
    ],
)
def test_methods_that_come_and_go(old: str, new: str, expected: list[tuple[str, str, bool]]) -> None:
    Path("graphs/packing.yaml").write_text(PACKING, "utf-8")
    for path, text in (("graphs/old.yaml", old), ("graphs/new.yaml", new)):
        Path(path).write_text(text, "utf-8")
    sides = (["graphs/old.yaml", "graphs/new.yaml"], [module({}, old, "old"), module({}, new, "new")])
    for before, after in sides:
        found = json.loads(graphwright("diff", before, after, "--format", "json").stdout)["differences"]
        told = [(each["name"], each["kind"], each["breaking"]) for each in found if each["area"] == "tools"]
        assert told == expected
    done = graphwright("diff", *sides[1], "--breaking")
    assert done.code == int(any(breaking for *_, breaking in expected))


def test_graphs_and_modules_agree() -> None:
    """The types of the methods are those of the contracts, whichever way they are read."""
    from graphwright.cli.comparing import outlines, side
    from graphwright.compare.tools import tools

    contracts = [{"params": SHAPES.get(name, True), "result": result} for name, result in RESULTS.items()]
    of_graphs, of_modules = [], []
    for number, contract in enumerate(contracts):
        path = module(contract, name=f"m{number}")
        of_graphs.append(outlines(side("graphs/rows.yaml"), side("graphs/rows.yaml"))[0])
        of_modules.append(outlines(side(path), side(path))[0])
    pairs = list(product(range(len(contracts)), repeat=2))
    disagreed = [
        (contracts[old], contracts[new])
        for old, new in pairs
        if list(tools(of_graphs[old], of_graphs[new])) != list(tools(of_modules[old], of_modules[new]))
    ]
    assert disagreed == []
