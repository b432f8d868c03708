"""What is said of calls of nested graphs, against runs of both: inputs that do not fit, outputs that never come."""

from __future__ import annotations

import json
from collections.abc import Iterator
from random import Random
from typing import Any, Final

import pytest
import yaml
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from property.declarations import filled
from property.places import steps_to
from reference.observer import Observer, Path, Watched
from reference.walker import walk
from rules.finding import Project, findings

PHASES = [Phase.explicit, Phase.reuse, Phase.generate]
QUICK = settings(max_examples=60, deadline=None, phases=PHASES, suppress_health_check=[HealthCheck.too_slow])
LONG = settings(QUICK, max_examples=5_000)
SEEDS = st.integers(0, 2**48)

#: Declarations of an input, and what is passed for it.
TYPES: Final[list[dict[str, Any]]] = [
    {"type": "integer"},
    {"type": "integer", "default": 2},
    {"type": "number"},
    {"type": ["integer", "null"]},
    {"type": "string"},
    {"enum": ["a", "b"]},
    {"const": 1},
    {"type": "array", "items": {"type": "integer"}},
    {"type": "object", "properties": {"v": {"type": "integer"}}, "required": ["v"]},
    {"anyOf": [{"type": "boolean"}, {"type": "string"}]},
    {},
]
PASSED: Final[list[Any]] = [
    1, 2, 2.0, 0.5, "a", "x", True, None, [], [1], ["a"], {}, {"v": 1}, {"v": "a"},
    "${inputs.n}", "${inputs.n / 2}", "${inputs.s}", "${inputs.s | lines}", "${inputs.any}", "${inputs.n | str}",
    "n ${inputs.n}", "${[inputs.n]}", "${inputs.maybe}",
]  # fmt: skip
INPUTS: Final = {
    "type": "object",
    "properties": {"n": {"type": "integer"}, "s": {"type": "string"}, "maybe": {"type": "integer"}, "any": {}},
    "required": ["n", "s", "any"],
}
NAMES: Final = ["p", "q"]
KEYS: Final = ["a", "b", "c"]


def callee(chance: Random) -> dict[str, Any]:
    """A graph that returns some keys, one of two mappings, or its state."""
    properties = {name: dict(chance.choice(TYPES)) for name in NAMES if chance.random() < 0.8}
    required = [name for name in properties if chance.random() < 0.6]

    def output() -> Any:
        return chance.choice(["${state.m}", {key: chance.choice([1, "${state.a}"]) for key in KEYS[:2]}, {"a": 1}])

    ends = {name: {"type": "return", "output": output()} for name in ("one", "two")}
    if chance.random() < 0.3:
        ends["two"].pop("output")
    work: dict[str, Any] = {"action": {"item_id": "tool:svc/a"}, "assign": {"c": "${result.v}"}}
    work["next"] = [{"to": "one", "when": {"path": "result.v", "op": "exists"}}, {"to": "two"}]
    config: dict[str, Any] = {"start": "work", "state": {"a": 1, "m": {"b": 2}}, "nodes": {"work": work, **ends}}
    if chance.random() < 0.4:
        config["on_error"] = "continue"
    schema: dict[str, Any] = {"type": "object", "properties": properties, "required": required}
    if chance.random() < 0.3:
        schema["additionalProperties"] = False
    return {"tool_type": "graph", "permissions": ["rye.execute.tool.svc.*"], "config_schema": schema, "config": config}


def caller(chance: Random) -> dict[str, Any]:
    """A graph that calls the other one, and reads of what it returns."""
    params = {name: chance.choice(PASSED) for name in (*NAMES, "r") if chance.random() < 0.6}
    key = chance.choice([*KEYS, "m", "_last_error", "d"])
    read = chance.choice([f"result.output.{key}", f"result.{chance.choice(['status', 'steps', 'state', key])}"])
    call = {
        "action": {"item_id": "tool:g/callee", **({"params": params} if params else {})},
        "assign": {"got": f"${{{read}}}"},
        "next": "end",
    }
    nodes = {"call": call, "end": {"type": "return", "output": "${state.got}"}}
    permissions = ["rye.execute.tool.svc.*", "rye.execute.tool.g.*"]
    config = {"start": "call", "nodes": nodes}
    return {"tool_type": "graph", "permissions": permissions, "config_schema": INPUTS, "config": config}


class Calls(Observer):
    """Notes with what the callee was called, whether it was refused, and what was read of its result."""

    def __init__(self, graph: dict[str, Any], chance: Random) -> None:
        self.graph = graph
        self.chance = chance
        self.refused: list[str] = []
        self.params: dict[str, Any] = {}
        self.read: list[object] = []

    def __call__(self, item_id: str, params: dict[str, Any]) -> object:
        if item_id != "g/callee":
            return self.chance.choice([{"v": 1}, {}, {"success": False}])
        self.params = params
        schema = self.graph["config_schema"]
        inputs = filled(params, schema)
        for error in Draft202012Validator(schema).iter_errors(inputs):
            self.refused.append(str(error.path[0]) if error.path else error.message)
        if self.refused:
            raise ValueError("the inputs do not fit")
        outcome = walk(self.graph, inputs, self)
        return {"success": True, "status": outcome.status, "output": outcome.output, "steps": outcome.steps}

    def reads(self, path: Path, value: object, scope: Watched) -> None:
        if path[0] == "result":
            self.read.append(value)


def contradictions(seed: int) -> Iterator[str]:
    """What runs make of what is said of the call."""
    chance = Random(seed)
    made = {"g/caller": caller(chance), "g/callee": callee(chance)}
    graphs: dict[str, Any] = json.loads(json.dumps(made))  # no part of them stands in two places
    texts = {name: yaml.safe_dump(graph, sort_keys=False) for name, graph in graphs.items()}
    facts = Project(texts).graph("g/caller")
    assert facts is not None
    found = findings("GW704", facts)
    params = graphs["g/caller"]["config"]["nodes"]["call"]["action"].get("params", {})
    for number in range(6):
        watch = Calls(graphs["g/callee"], Random(seed + number))
        inputs = {"n": number - 1, "s": chance.choice(["", "a"]), "any": chance.choice(["a", 1, None, [1], {"v": 1}])}
        walk(graphs["g/caller"], inputs, watch, watch)
        for one in found:
            steps = steps_to(texts["g/caller"], one.span)
            if "without" in one.message and not watch.refused:
                yield f"{one.message}: it runs"
            elif "this is" in one.message and steps[-1] in watch.params and steps[-1] not in watch.refused:
                yield f"{one.message}: it runs with {watch.params}"
            elif "assign" in steps and not any(value is None for value in watch.read) and watch.read:
                yield f"{one.message}: it is {watch.read}"
        literal = not any("${" in str(value) or value is None for value in params.values())
        if literal and watch.refused and not found:
            yield f"{params} is refused: {watch.refused}"


def judged(seed: int) -> None:
    """No run refutes a finding, and what is written out and refused is found."""
    wrong = list(contradictions(seed))
    assert not wrong, wrong[:2]


@QUICK
@given(SEEDS)
def test_calls(seed: int) -> None:
    judged(seed)


@pytest.mark.slow
@LONG
@given(SEEDS)
def test_calls_for_long(seed: int) -> None:
    judged(seed)
