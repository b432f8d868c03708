"""What is said of the edges of one node, against all that its conditions can come to.

The inputs of these graphs have small domains, or ones in which a few values stand for all of them where they are
compared with the numbers and texts of the graph; every combination is tried.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from itertools import product
from random import Random
from typing import Any, Final

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from graphwright.diagnostic import Diagnostic
from property.declarations import filled
from property.places import at, steps_to
from property.repair import inspected, spelled
from reference.conditions import holds
from reference.expressions import NodeFaultError

PHASES = [Phase.explicit, Phase.reuse, Phase.generate]
QUICK = settings(max_examples=120, deadline=None, phases=PHASES, suppress_health_check=[HealthCheck.too_slow])
LONG = settings(QUICK, max_examples=10_000)
SEEDS = st.integers(0, 2**48)

TYPES: Final[list[dict[str, Any]]] = [
    {"type": "integer"},
    {"type": "integer", "minimum": 0, "maximum": 2},
    {"type": "integer", "minimum": 1},
    {"type": "integer", "exclusiveMaximum": 2},
    {"type": "number"},
    {"type": "number", "minimum": 0, "exclusiveMaximum": 1.5},
    {"type": ["integer", "null"]},
    {"type": ["integer", "null"], "minimum": 1},
    {"type": "boolean"},
    {"type": "boolean", "default": False},
    {"type": "integer", "default": 1},
    {"type": "string"},
    {"type": ["string", "null"], "default": None},
    {"enum": ["a", "b", "c"]},
    {"enum": [0, 1, 2]},
    {"enum": [1, True, "a", None]},
    {"anyOf": [{"type": "integer", "minimum": 2}, {"const": "a"}]},
    {"oneOf": [{"const": "a"}, {"const": "b"}]},
    {"allOf": [{"type": "integer"}, {"minimum": 0}, {"maximum": 1}]},
    {"const": 1},
    {"type": "array", "items": {"type": "integer"}},
    {"type": ["object", "string"]},
    {},
]
NUMBERS: Final = [-1, 0, 1, 2, 3, 0.5, 1.5]
WORDS: Final = ["a", "b", "c"]

#: Values that stand for all others where they are compared with the numbers and texts above.
VALUES: Final[list[Any]] = [
    None, True, False, -7, -1, 0, 1, 2, 3, 9, -0.5, 0.25, 0.5, 1.25, 1.5, 1.75, 2.5,
    "", "A", "a", "aa", "b", "bb", "c", "cc", "1", [], [1], ["a"], {}, {"a": 1},
]  # fmt: skip
ABSENT: Final = object()


class Sketch:
    """One gate with its conditions. Their left sides are inputs, or what is assigned from them."""

    def __init__(self, seed: int) -> None:
        self.chance = chance = Random(seed)
        self.properties = {name: dict(chance.choice(TYPES)) for name in ("p", "q")}
        self.schema: dict[str, Any] = {
            "type": "object",
            "properties": self.properties,
            "required": [name for name in self.properties if chance.random() < 0.8],
        }
        conditions = [self.condition(2) for _ in range(chance.randint(1, 3))]
        if chance.random() < 0.5:
            conditions = self.family()
        nodes: dict[str, Any] = {f"e{number}": {"type": "return"} for number in range(len(conditions))}
        edges = [{"to": f"e{number}", "when": when} for number, when in enumerate(conditions)]
        gate: dict[str, Any] = {"type": "gate", "next": edges}
        if "state.k" in json.dumps(conditions):
            gate["assign"] = {"k": "${inputs.p}"}
        if chance.random() < 0.2:
            gate["on_error"] = "e0"
        config = {"start": "gate", "nodes": {"gate": gate, **nodes}}
        if chance.random() < 0.3:
            config["on_error"] = "continue"
        graph = {"tool_type": "graph", "permissions": [], "config_schema": self.schema, "config": config}
        self.graph: Any = json.loads(json.dumps(graph))

    def path(self) -> str:
        return self.chance.choice(["inputs.p", "inputs.p", "inputs.q", "state.k"])

    def constant(self) -> Any:
        return self.chance.choice([*NUMBERS, *NUMBERS, *WORDS, *WORDS, True, False, None, []])

    def condition(self, depth: int) -> dict[str, Any]:
        pick = self.chance.choice
        if depth and self.chance.random() < 0.4:
            parts = [self.condition(depth - 1) for _ in range(pick([0, 1, 2, 2, 3]))]
            return pick([{"any": parts}, {"all": parts}, {"not": self.condition(depth - 1)}])
        order = pick(["gt", "gte", "lt", "lte"])
        same = pick(["eq", "ne"])
        found: dict[str, Any] = pick(
            [
                {"op": order, "value": pick(NUMBERS)},
                {"op": order, "value": pick(NUMBERS)},
                {"op": order, "value": pick(WORDS)},
                {"op": same, "value": self.constant()},
                {"op": same, "value": self.constant()},
                {"op": "in", "value": [self.constant() for _ in range(pick([0, 1, 2, 3]))]},
                {"op": "exists"},
                {"op": "contains", "value": pick([1, "a"])},
                {"op": "regex", "value": pick(["^a", "1|c"])},
                {"op": pick([order, same]), "value": pick(["${inputs.q}", "${inputs.q + 1}", "${inputs.q || 1}"])},
            ]
        )
        return {"path": self.path(), **found}

    def family(self) -> list[dict[str, Any]]:
        """Conditions that leave little over, or nothing."""
        pick, path = self.chance.choice, self.path()
        number, one = pick([-1, 0, 1, 2, 0.5]), self.condition(1)
        sets: list[list[Any]] = [WORDS, [0, 1, 2], [True, False], [1, 2]]
        above, below = pick([("gt", "lte"), ("gte", "lt"), ("gt", "lt")])
        found: list[dict[str, Any]] = pick(
            [
                [{"path": path, "value": each} for each in pick(sets)],
                [one, {"not": one}],
                [{"path": path, "op": above, "value": number}, {"path": path, "op": below, "value": number}],
                [
                    {"path": path, "op": "lt", "value": number},
                    {"path": path, "value": number},
                    {"path": path, "op": "gt", "value": number},
                ],
                [{"path": path, "op": "exists"}, {"path": path, "op": "eq", "value": None}],
                [{"any": [{"path": path, "op": "lte", "value": 2}, {"path": path, "op": "gte", "value": 1}]}],
                [{"path": path, "op": "gte", "value": 0}],
                [
                    {"path": path, "op": above, "value": "${inputs.q}"},
                    {"path": path, "op": below, "value": "${inputs.q}"},
                ],
            ]
        )
        self.chance.shuffle(found)
        return found

    def scopes(self) -> Iterator[dict[str, Any]]:
        """All that the conditions can see, as far as they can tell it apart."""
        required = self.schema["required"]
        choices = []
        for name, schema in self.properties.items():
            taken = [value for value in VALUES if _taken(value, schema)]
            choices.append([*taken, *([] if name in required else [ABSENT])])
        for values in product(*choices):
            given = {name: value for name, value in zip(self.properties, values, strict=True) if value is not ABSENT}
            inputs = filled(given, self.schema)
            yield {"inputs": inputs, "state": {"k": inputs.get("p")}}


def _taken(value: Any, schema: dict[str, Any]) -> bool:
    return bool(Draft202012Validator(schema).is_valid(value))


def outcome(condition: Any, scope: dict[str, Any]) -> bool | None:
    """How a condition comes out, None where it fails."""
    try:
        return holds(condition, scope)
    except NodeFaultError:
        return None


def taken(edges: list[Any], scope: dict[str, Any], *, goes_on: bool) -> int | None:
    """The edge that is taken, None where the run falls off, -1 where the node fails for good."""
    outcomes = [outcome(edge["when"], scope) for edge in edges]
    first = next((number for number, each in enumerate(outcomes) if each is not False), None)
    if first is None or outcomes[first]:
        return first
    return next((number for number, each in enumerate(outcomes) if each), None) if goes_on else -1


class Judge:
    """What is found in one sketch, and what all inputs make of it."""

    def __init__(self, seed: int) -> None:
        sketch = Sketch(seed)
        self.graph, self.text = sketch.graph, spelled(sketch.graph)
        self.sketch = sketch
        self.facts, self.found = inspected(self.text)
        gate = self.graph["config"]["nodes"]["gate"]
        self.edges = gate["next"]
        self.goes_on = "on_error" in self.graph["config"] and "on_error" not in gate
        self.cases = [(scope, taken(self.edges, scope, goes_on=self.goes_on)) for scope in sketch.scopes()]

    def of(self, code: str) -> list[Diagnostic]:
        return [one for one in self.found if one.code == code]

    def wrong(self) -> Iterator[str]:
        """What is said and is not so, and what is not said and is so."""
        unread = any(one.code in ("GW406", "GW407") for one in self.found)
        for one in self.of("GW206"):
            edge = steps_to(self.text, one.span)[4]
            yield from (f"{one.message}: taken with {scope}" for scope, way in self.cases if way == edge)
        for one in self.of("GW213"):
            steps = steps_to(self.text, one.span)
            item = isinstance(steps[-1], int)  # of the list of an `in`, which alone never matches
            condition: Any = at(self.graph, steps[: -2 if item else -1])
            if item:
                condition = {**condition, "value": [at(self.graph, steps)]}
            always = one.note == "always true"
            for scope, _ in self.cases:
                if outcome(condition, scope) is (not always):
                    yield f"{one.message}: not with {scope}"
        open_ends = [scope for scope, way in self.cases if way is None]
        for one in self.of("GW207") if not unread else ():
            refuted = self._refuted(one)
            if refuted is not None:
                yield f"{one.message}: {refuted}"
        explained = unread or self.of("GW213") or self.of("GW206")  # a condition that is meant otherwise may be all
        if not self.of("GW207") and open_ends and not explained:
            yield f"falls off with {open_ends[0]}"

    def false_alarm(self) -> str | None:
        """A complaint that something is left over, where nothing is."""
        reported = any(one.code in ("GW406", "GW407") for one in self.found)
        for one in self.of("GW207") if not reported and "state.k" not in self.text else ():
            if all(way is not None for _, way in self.cases):
                return one.message
        return None

    def _refuted(self, one: Diagnostic) -> str | None:
        """Why the example of a message is none; it names all that the conditions look at, or nothing."""
        _, found, example = one.message.partition("for example when")
        if not found or "another string" in example:
            return None
        shown = {path: json.loads(value) for path, value in re.findall(r"`(\S+)` is (\"[^\"]*\"|\S+)", example)}
        inputs = {name: shown[f"inputs.{name}"] for name in self.sketch.properties if f"inputs.{name}" in shown}
        for name, value in inputs.items():
            absent = value is None and name not in self.sketch.schema["required"]
            if not absent and not _taken(value, self.sketch.properties[name]):
                return f"{name} cannot be {value!r}"
        way = taken(self.edges, {"inputs": inputs, "state": {"k": shown.get("state.k")}}, goes_on=self.goes_on)
        return None if way is None else f"with {shown} edge {way} is taken"


def judged(seed: int) -> None:
    """Nothing that is said of the edges is refuted by an input."""
    judge = Judge(seed)
    wrong = list(judge.wrong())
    if wrong:
        pytest.fail(f"{wrong[:3]}\n{judge.text}")


@QUICK
@given(SEEDS)
def test_edges(seed: int) -> None:
    judged(seed)


@pytest.mark.slow
@LONG
@given(SEEDS)
def test_edges_for_long(seed: int) -> None:
    judged(seed)
