"""Graphs that are worth analysing: keys set on some paths only, conditions that prove things, loops, failing nodes.

State keys are named by a letter for the type that they mostly have. What comes out is often faulty; `repair.py` takes
out what the compiler complains about, and what is left is what it has no complaint about. Graphs are made from a
seed, not drawn piece by piece: the pieces would mostly be small and plain. `repair.py` makes small what fails.
"""

from __future__ import annotations

from random import Random
from typing import TypeVar

T = TypeVar("T")

Graph = dict[str, object]

TOOLS = ["svc/a", "svc/b", "svc/c"]
VARIABLES = ["API_TOKEN", "REGION", "STAGE"]
END = "end"

NUMBERS, TEXTS, LISTS, MAPS = ["i", "j", "k"], ["s", "t"], ["x", "y"], ["m"]
INITIAL: dict[str, object] = {
    "i": 3, "j": 0, "k": -1, "s": "a", "t": "12", "x": [1, 2], "y": [], "m": {"v": 1, "w": "z"},
}  # fmt: skip

SCHEMA = {
    "type": "object",
    "properties": {
        "count": {"type": "integer"},
        "label": {"type": "string", "default": "x"},
        "colour": {"type": "string", "enum": ["red", "green", "blue"]},
        "fast": {"type": "boolean", "default": False},
        "limit": {"type": "integer"},
        "ids": {"type": "array", "items": {"type": "integer"}},
        "owner": {
            "type": "object",
            "properties": {"name": {"type": "string"}, "age": {"type": "integer"}},
            "required": ["name"],
        },
    },
    "required": ["count", "colour", "ids", "owner"],
}


def inputs(chance: Random) -> dict[str, object]:
    """Inputs that the schema takes, as a run gets them: defaults filled in."""
    found: dict[str, object] = {
        "count": chance.randint(-3, 5),
        "label": chance.choice(["x", "", "10", "a b"]),
        "colour": chance.choice(["red", "green", "blue"]),
        "fast": chance.random() < 0.5,
        "ids": [chance.randint(0, 3) for _ in range(chance.randint(0, 3))],
        "owner": {"name": chance.choice(["n", ""])},
    }
    if chance.random() < 0.5:
        found["limit"] = chance.randint(-1, 3)
    if chance.random() < 0.5:
        found["owner"] = {"name": "n", "age": 7}
    return found


def result(item_id: str, chance: Random) -> object:
    """What a tool answers; an exception is to be raised."""
    if item_id == "rye/bash":
        code = 0 if chance.random() < 0.8 else 1
        return {"stdout": chance.choice(["", "3", "a\nb"]), "stderr": "", "exit_code": code, "success": code == 0}
    kind = chance.random()
    if kind < 0.15:
        return chance.choice([ValueError("bad value"), ConnectionError("connection refused")])
    if kind < 0.3:
        return chance.choice([{"status": "error", "error": "no luck"}, {"success": False}, None, 3, ["a"]])
    return {name: payload(chance) for name in ("v", "more") if chance.random() < 0.8}


def payload(chance: Random) -> object:
    """Any JSON value."""
    return chance.choice([0, 1, -2, 2.5, "", "a", "10", True, False, None, [], [1, "a", None], {"v": 1}, {"k": "b"}])


def sketch(seed: int) -> Graph:
    """A graph as plain YAML values."""
    return _Sketcher(Random(seed)).graph()


class _Sketcher:
    """Makes one graph. `here` are paths that the place at hand has besides state and inputs."""

    def __init__(self, chance: Random) -> None:
        self.chance = chance
        self.order = [f"n{number}" for number in range(chance.randint(2, 6))]
        self.here: list[str] = []

    def graph(self) -> Graph:
        nodes: dict[str, object] = {name: self.node(index) for index, name in enumerate(self.order)}
        shown = self.some(list(INITIAL), 5)
        output = {key: self.pick(f"${{state.{key}}}", f"${{state.{key}}}", f"${{state.{key} || 0}}") for key in shown}
        nodes[END] = {"type": "return", "output": output or {"count": "${inputs.count}"}}
        config: Graph = {
            "start": self.order[0],
            "max_steps": self.chance.randint(len(self.order) + 1, 14),
            "state": {key: INITIAL[key] for key in self.some(list(INITIAL), 3)},
            "nodes": nodes,
        }
        if self.often(0.5):
            config["on_error"] = "continue"
        if self.often(0.2):
            config["on_max_steps"] = "return"
        if self.often(0.3):
            config["builtin_hooks"] = False
        if self.often(0.2):
            config["state_schema"] = {"properties": {"i": {"type": "integer"}, "s": {"type": "string"}}}
        graph: Graph = {
            "version": "1.0.0",
            "tool_type": "graph",
            "permissions": self.pick(["svc.*"], ["svc.a", "rye.bash"], ["*"], []),
            "config_schema": SCHEMA,
            "config": config,
        }
        patterns = graph["permissions"]
        assert isinstance(patterns, list)
        graph["permissions"] = [f"rye.execute.tool.{pattern}" for pattern in patterns]
        if self.often(0.3):
            graph["env_requires"] = self.some(VARIABLES, 2, 1)
        return graph

    # --- chance -----------------------------------------------------------------------------------------------------

    def often(self, probability: float) -> bool:
        return self.chance.random() < probability

    def pick(self, *options: T) -> T:
        return self.chance.choice(options)

    def some(self, options: list[str], most: int, least: int = 0) -> list[str]:
        return self.chance.sample(options, self.chance.randint(least, most))

    # --- nodes ------------------------------------------------------------------------------------------------------

    def node(self, index: int) -> Graph:
        kind = self.pick("action", "action", "action", "bash", "gate", "gate", "gate", "foreach", "foreach", "return")
        if kind == "return" and index:
            return {"type": "return", "output": self.value()}
        if kind == "gate":
            return {"type": "gate", **self.assign(), **self.ways(index)}
        if kind == "foreach":
            return self.loop(index)
        node: Graph = {"action": self.command() if kind == "bash" else self.action()}
        if kind == "bash" and self.often(0.3):
            node["env_requires"] = self.some(VARIABLES, 2, 1)
        if self.often(0.2):
            node["retry"] = {"attempts": self.chance.randint(1, 3)}
        self.here = ["result.v", "result.more", "result.more.0", "result.v.v"]
        if kind == "bash":
            self.here = ["result.stdout", "result.exit_code", "result.success"]
        node.update({**self.assign(), **self.ways(index)})
        self.here = []
        return node

    def loop(self, index: int) -> Graph:
        node: Graph = {"type": "foreach", "over": self.pick(f"${{{self.rows(2)}}}", "${inputs.ids}", [1, "a", None])}
        parallel = self.often(0.3)
        self.here = ["item", "item.v"]
        node["action"] = self.action()
        if parallel:
            node["parallel"] = True
        else:
            self.here += ["result.v", "result.more"]
            node.update(self.assign())
        self.here = []
        if self.often(0.6):
            node["collect"] = self.pick(*LISTS)
        return {**node, **self.ways(index)}

    def action(self) -> Graph:
        item = self.pick(*TOOLS, *TOOLS, "svc/${inputs.colour}", "${state.s}")
        return {"item_id": f"tool:{item}", "params": {name: self.value() for name in self.some(["p", "q", "r"], 2)}}

    def command(self) -> Graph:
        """A command that reads some variables, declared or not."""
        forms = ["${}", '"${}"', "'${}'", "$${{{}:-x}}"]
        read = [self.pick(*forms).format(name) for name in self.some(VARIABLES, 2)]
        text = self.pick("", "${inputs.label | quote}", "${inputs.count}", "${state.s | quote}")
        return {"item_id": "tool:rye/bash", "params": {"command": " ".join(["echo", *read, text]).strip()}}

    def assign(self) -> Graph:
        entries = {key: self.for_key(key) for key in self.some(list(INITIAL), 3)}
        return {"assign": entries} if entries else {}

    def ways(self, index: int) -> Graph:
        """`next` and `on_error`, mostly forward."""
        later = [*self.order[index + 1 :], END]
        found: Graph = {}
        if self.often(0.6):
            targets = [*later, *later, *self.order]
            edges: list[object] = [
                {"to": self.pick(*targets), "when": self.condition(2)} for _ in range(self.chance.randint(1, 3))
            ]
            if self.often(0.7):
                edges.append({"to": self.pick(*later)})
            found["next"] = edges
        else:
            found["next"] = later[0]
        if self.often(0.35):
            found["on_error"] = self.pick(*later)
        return found

    # --- values -----------------------------------------------------------------------------------------------------

    def for_key(self, key: str) -> object:
        """A value that mostly has the type of a key."""
        if self.often(0.2):
            return self.value()
        if key in NUMBERS:
            return f"${{{self.number(2)}}}"
        if key in TEXTS:
            return self.pick(f"${{{self.text(2)}}}", f"n ${{{self.number(1)}}}", "plain")
        if key in LISTS:
            return f"${{{self.rows(2)}}}"
        return {"v": f"${{{self.anything(2)}}}", "w": "z"}

    def value(self) -> object:
        return self.pick(self.leaf(), self.leaf(), [self.leaf()], {"v": self.leaf(), "w": self.leaf()})

    def leaf(self) -> object:
        return self.pick(
            f"${{{self.anything(2)}}}",
            f"${{{self.anything(2)}}}",
            f"${{{self.path()} || {self.pick(self.path(), '0')}}}",
            f"a ${{{self.anything(1)}}}",
            self.pick(1, "a", True, None, 1.5),
        )

    def path(self) -> str:
        states = [f"state.{key}" for key in INITIAL]
        fields = ["state.m.v", "state.m.w", "state.x.0", "state._last_error.node", "inputs.owner.name"]
        more = ["inputs.owner.age", "inputs.limit", "inputs.fast", "inputs.colour", "inputs.ids.0", "inputs.count"]
        return self.pick(*states, *states, *fields, *more, *self.here, *self.here)

    def anything(self, depth: int) -> str:
        """An expression; `depth` levels of others in it."""
        if not depth or self.often(0.4):
            return self.path()
        return self.pick(
            self.number(depth),
            self.text(depth),
            self.rows(depth),
            f"{self.path()} | {self.pick('default(1)', 'str', 'json', 'length', 'first', 'last', 'int', 'keys')}",
            f"{self.rows(depth - 1)} | {self.pick('first', 'last', 'json')}",
            f"{self.path()} {self.pick('+', '-', '*')} {self.number(0)}",
        )

    def number(self, depth: int) -> str:
        if not depth or self.often(0.3):
            return self.pick(str(self.chance.randint(0, 9)), *(f"state.{key}" for key in NUMBERS), "inputs.count")
        below = self.number(depth - 1)
        return self.pick(
            f"{below} {self.pick('+', '-', '*', '/', '%')} {self.number(depth - 1)}",
            f"({below})",
            f"-({below})",
            f"({self.path()} || 3)",
            f"({self.pick(self.rows(depth - 1), self.text(depth - 1))} | length)",
        )

    def text(self, depth: int) -> str:
        if not depth or self.often(0.3):
            return self.pick("'a'", "'10'", *(f"state.{key}" for key in TEXTS), "inputs.label", "inputs.colour")
        below = self.text(depth - 1)
        return self.pick(f"{below} + {self.text(0)}", f"({below} | upper)", f"({self.number(depth - 1)} | str)")

    def rows(self, depth: int) -> str:
        leaf = self.pick(*(f"state.{key}" for key in LISTS), "inputs.ids", "[]", "[1, 'a', null]")
        if not depth or self.often(0.3):
            return leaf
        lines = f"({self.text(depth - 1)} | lines)"
        return self.pick(f"{leaf} + state.x", lines, f"[{self.anything(depth - 1)}]")

    # --- conditions -------------------------------------------------------------------------------------------------

    def condition(self, depth: int) -> Graph:
        if depth and self.often(0.3):
            parts = [self.condition(depth - 1) for _ in range(self.chance.randint(1, 2))]
            return self.pick({"any": parts}, {"all": parts}, {"not": parts[0]})
        states = [f"state.{key}" for key in INITIAL]
        path = self.pick(*states, *states, "inputs.limit", *self.here)
        return self.pick(
            {"path": path, "op": "exists"},
            {"path": path, "op": self.pick("eq", "ne"), "value": self.pick(0, "a", None, [], True)},
            {"path": path, "op": self.pick("gt", "gte", "lt", "lte"), "value": self.pick(0, 1, "${inputs.count}")},
            {"path": path, "op": "in", "value": self.pick([0, "a"], [None, 1], f"${{{self.rows(2)}}}")},
            {"path": path, "op": "contains", "value": self.pick("a", 1)},
            {"path": f"state.{self.pick(*TEXTS)}", "op": "regex", "value": "^a|1"},
            {"path": f"state.{self.pick(*NUMBERS)}", "op": self.pick("gt", "lt"), "value": f"${{{self.number(1)}}}"},
            {"path": "inputs.colour", "op": self.pick("eq", "ne"), "value": self.pick("red", "green", "blue")},
            {"path": "inputs.fast", "value": self.pick(True, False)},
            {"path": "inputs.count", "op": self.pick("gt", "gte", "lt", "lte"), "value": self.chance.randint(0, 2)},
        )
