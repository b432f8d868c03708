"""Graphs that mix all features of the language, with odd names for everything and inputs of rich types."""

from __future__ import annotations

import json
from random import Random
from typing import Any, Final

from property.mixed_values import NAMES, Values, step
from property.sketches import END, Graph

ECHO: Final = "svc/echo"
"""A tool that returns its param `v`, for loops whose calls have no order."""

_FAILED: Final = "failed"
_VARIABLES: Final = ["item", "row", "match", "type", "class", "x-y", "é", "i", "str", "c", "Json", "target", "items"]
_CONTEXTS: Final = {
    "graph_started": ["inputs", "graph_id"],
    "after_step": ["node", "next_node", "step_count", "result.v", "status"],
    "error": ["classification.category", "classification.retryable", "node"],
    "limit": ["limit_code", "current_value", "current_max"],
    "graph_completed": ["steps", "status"],
}
_PROSE: Final = ['"""', "ends with \\", "Args:\n  x: y", "a\u2028b\u202ec", "# type: ignore", "", "{{ x }} {% y"]


def mixture(seed: int) -> Graph:
    """A graph as plain YAML values."""
    graph: Graph = json.loads(json.dumps(_Mixer(Random(seed)).graph()))  # no part of it stands in two places
    return graph


def answer(item_id: str, params: dict[str, Any], chance: Random) -> object:
    """What a tool answers; an exception is to be raised."""
    if item_id == ECHO:
        return {"v": params.get("v")}
    if chance.random() < 0.2:
        failures: list[object] = [ValueError("bad"), ConnectionError("refused"), {"status": "error", "error": "no"}]
        return chance.choice([*failures, {"success": False}])
    if chance.random() < 0.1:
        return chance.choice([None, 3, ["a"], "text"])
    values: list[object] = [0, -2, 2.5, "", "a", "10", True, None, [], [1, "a", None], {"v": 1}, [[1]], 10**20]
    return {key: chance.choice(values) for key in ("v", "more", "x y") if chance.random() < 0.8}


class _Mixer(Values):
    """Makes one graph."""

    def __init__(self, chance: Random) -> None:
        super().__init__(chance)
        self.known = []
        self.order = self.some(NAMES, 6, 2)
        number, text, rows, mapping = self.state = self.some(NAMES, 4, 4)
        self.initial = {number: 3, text: "a", rows: [1, 2], mapping: {"v": 1, "k k": None}}
        for key, kind in zip(self.state, ("integer", "string", "array", "object"), strict=True):
            self.learn(f"state{step(key)}", {"type": kind})
        self.declared_key = self.pick("", *(name for name in NAMES if name not in self.state))

    def graph(self) -> Graph:
        inputs = {**self.objects(0), "type": "object"}
        self.learn("inputs", inputs)
        state_schema = {"type": "object", "properties": {self.declared_key: self.schema(1)}}
        self.learn("state", state_schema)
        nodes = {name: self.node(index) for index, name in enumerate(self.order)}
        output = {key: f"${{state{step(key)}}}" for key in self.state}
        nodes[END] = {"type": "return", "output": {**output, "": self.value()}}
        nodes[_FAILED] = {"type": "return", "status": "error", "error": f"${{state._last_error.error}} {self.leaf()}"}
        config: Graph = {
            "start": self.order[0],
            "state": self.initial,
            "max_steps": self.chance.randint(4, 20),
            **({"state_schema": state_schema} if self.often(0.5) else {}),
            **({"on_error": "continue"} if self.often(0.4) else {}),
            **({"on_max_steps": self.pick("return", "flag")} if self.often(0.2) else {}),
            **({"builtin_hooks": False} if self.often(0.2) else {}),
            **({"hooks": [self.hook() for _ in range(self.chance.randint(1, 3))]} if self.often(0.3) else {}),
            "nodes": nodes,
        }
        graph: Graph = {"tool_type": "graph", "permissions": ["*"], "config_schema": inputs, "config": config}
        if self.often(0.3):
            properties = {"": {"type": ["string", "null"]}, self.state[0]: {"type": "integer"}}
            graph["output_schema"] = {"type": "object", "properties": properties}
        return {**graph, "description": self.pick(*_PROSE)}

    def hook(self) -> Graph:
        event = self.pick(*_CONTEXTS)
        read = [*_CONTEXTS[event], f"state{step(self.pick(*self.state))}", "state.step_count"]
        path = self.pick(*read)
        told = {self.pick(*NAMES): f"${{{self.pick(*read)}}}", "t": f"x ${{{self.pick(*read)}}} y"}
        found: Graph = {"event": event, "action": {"item_id": "svc/hook", "params": told}}
        if self.often(0.6):
            exists = {"path": path, "op": "exists"}
            found["condition"] = self.pick(exists, {"not": {"path": path, "value": "a"}}, {"any": [exists]})
        if event == "limit":  # else it might grant steps for ever
            found["condition"] = {"path": "current_value", "op": "lt", "value": 12}
            found["action"] = self.pick({"continue": True, "additional_steps": 2}, {"fail": True}, found["action"])
        if event == "error":
            found["action"] = self.pick({"retry": True, "max_retries": 2}, {"fail": True}, found["action"])
        if self.often(0.3):
            found |= {"layer": self.pick(1, 2, 3), "id": self.pick(*NAMES)}
        return found

    # --- nodes ------------------------------------------------------------------------------------------------------

    def node(self, index: int) -> Graph:
        kinds = ["action", "action", "gate", "foreach", "foreach"]
        match self.pick(*kinds, *(["return"] if index else [])):
            case "return":
                return {"type": "return", "output": self.value()}
            case "gate":
                found = {"type": "gate", **self.assign(), **self.ways(index)}
            case "foreach":
                found = self.loop(index)
            case _:
                found = self.acting(index)
        if self.often(0.1):
            found |= {"max_visits": self.chance.randint(1, 3), "description": self.pick(*_PROSE)}
        return found

    def acting(self, index: int) -> Graph:
        item = self.pick("svc/a", "svc/b", "svc/c.d", "tool:svc/a", f"svc/${{{self.of('string')}}}")
        found: Graph = {"action": {"item_id": item, "params": {key: self.value() for key in self.keys(3)}}}
        if self.often(0.1):
            found["feedback"] = True
        self.here = ["result.v", "result.more.x", "result", 'result["x y"]']
        found |= {**self.calling(), **self.assign(), **self.ways(index)}
        self.here = []
        return found

    def calling(self) -> Graph:
        """How the item of a node is called."""
        found: Graph = {}
        if self.often(0.25):
            waits: Graph = self.pick({}, {"jitter": False}, {"multiplier": 1.5, "max_backoff_ms": 10})
            when: Graph = self.pick({}, {"categories": ["permanent"]}, {"categories": ["transient", "permanent"]})
            attempts = self.chance.randint(1, 4)
            found["retry"] = {"attempts": attempts, "backoff_ms": self.pick(0, 1, 0.5), **waits, **when}
        if self.often(0.1):
            found["timeout_s"] = self.pick(60, 100.5, 1e3)
        if self.often(0.15):
            found["cache_result"] = True
        return found

    def loop(self, index: int) -> Graph:
        variable = self.pick(*_VARIABLES)
        parallel = self.often(0.35)
        listed: list[object] = [[1, "a", None], [[1], [self.leaf()]], [{"v": 1}, {"v": self.leaf()}], [], "[1, 2]"]
        found: Graph = {"type": "foreach", "as": variable}
        found["over"] = self.pick(f"${{{self.rows(1)}}}", f"${{{self.of('array')}}}", *listed)
        self.here = [variable, f"{variable}.v", f"{variable}.0", variable + step(self.pick(*NAMES))]
        params = {"v": f"${{{variable}}}", **{key: self.value() for key in self.keys(2)}}
        item = ECHO if parallel else self.pick("svc/a", "svc/b", f"svc/${{{self.anything(0)}}}")
        found["action"] = {"item_id": item, "params": params}
        if parallel:
            found |= {"parallel": True, "max_concurrency": self.chance.randint(1, 4)}
        else:
            self.here += ["result.v", "result"]
            found |= {**self.calling(), **self.assign()}
        self.here = []
        if self.often(0.6):
            found["collect"] = self.pick(self.state[2], self.state[2], self.declared_key)
        return {**found, **self.ways(index)}

    def assign(self) -> Graph:
        keys = self.some([*self.state, self.declared_key], 3)
        return {"assign": {key: self.for_key(key) for key in keys}} if keys else {}

    def for_key(self, key: str) -> object:
        if key not in self.state or self.often(0.15):
            return self.value()
        number, text, rows = f"${{{self.number(2)}}}", f"n ${{{self.anything(1)}}}", f"${{{self.rows(2)}}}"
        return [number, text, rows, {"v": number, "k k": self.value()}][self.state.index(key)]

    def ways(self, index: int) -> Graph:
        """`next` and `on_error`, mostly forward."""
        later = [*self.order[index + 1 :], END]
        found: Graph = {"next": self.pick(*later)}
        if self.often(0.55):
            edges = [
                {"to": self.pick(*later, *later, *self.order), "when": self.condition(self.chance.randint(0, 4))}
                for _ in range(self.chance.randint(1, 3))
            ]
            found["next"] = [*edges, {"to": self.pick(*later)}]
        if self.often(0.35):
            found["on_error"] = self.pick(*later, _FAILED)
        return found
