"""Values and conditions that are worth analysing: what the nodes of a sketch are made of.

State keys are named by a letter for the type that they mostly have.
"""

from __future__ import annotations

from random import Random
from typing import Any, TypeVar

T = TypeVar("T")

NUMBERS, TEXTS, LISTS, MAPS = ["i", "j", "k"], ["s", "t"], ["x", "y"], ["m"]
INITIAL: dict[str, object] = {
    "i": 3, "j": 0, "k": -1, "s": "a", "t": "12", "x": [1, 2], "y": [], "m": {"v": 1, "w": "z"},
}  # fmt: skip

ORDERS = ["gt", "gte", "lt", "lte"]


class Phrases:
    """Makes values and conditions. `here` are paths that the place at hand has besides state and inputs."""

    def __init__(self, chance: Random) -> None:
        self.chance = chance
        self.here: list[str] = []

    # --- chance -----------------------------------------------------------------------------------------------------

    def often(self, probability: float) -> bool:
        return self.chance.random() < probability

    def pick(self, *options: T) -> T:
        return self.chance.choice(options)

    def some(self, options: list[str], most: int, least: int = 0) -> list[str]:
        return self.chance.sample(options, self.chance.randint(least, most))

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
        fields += ["state._retries.n0", "_run.step", "state.inputs.count"]
        more = ["inputs.owner.age", "inputs.limit", "inputs.fast", "inputs.colour", "inputs.ids.0", "inputs.count"]
        more += ["inputs.owner", "inputs.ids.0.v"]
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
            f"{self.path()} | {self.pick('first', 'last', 'from_json', 'int')} | default({self.leafword()})",
            f"{self.path()} {self.pick('+', '-', '*')} {self.number(0)}",
        )

    def leafword(self) -> str:
        return self.pick("0", "'a'", "null", "[]", "1.5", "true", "inputs.count")

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
        return self.pick(
            f"{below} + {self.text(0)}", f"({below} | upper)", f"({self.number(depth - 1)} | str)", f"({below} | trim)"
        )

    def rows(self, depth: int) -> str:
        leaf = self.pick(*(f"state.{key}" for key in LISTS), "inputs.ids", "[]", "[1, 'a', null]")
        if not depth or self.often(0.3):
            return leaf
        lines = f"({self.text(depth - 1)} | lines)"
        return self.pick(f"{leaf} + state.x", lines, f"[{self.anything(depth - 1)}]")

    # --- conditions -------------------------------------------------------------------------------------------------

    def condition(self, depth: int) -> dict[str, object]:
        if depth and self.often(0.35):
            parts = [self.condition(depth - 1) for _ in range(self.pick(0, 1, 1, 2, 2, 3))]
            return self.pick({"any": parts}, {"all": parts}, {"not": self.condition(depth - 1)})
        states = [f"state.{key}" for key in INITIAL]
        path = self.pick(*states, *states, "inputs.limit", "inputs.owner.age", *self.here)
        number, text = f"state.{self.pick(*NUMBERS)}", f"state.{self.pick(*TEXTS)}"
        return self.pick(
            {"path": path, "op": "exists"},
            {"path": path, "op": self.pick("eq", "ne"), "value": self.pick(0, "a", None, [], True, 1.5, {"v": 1})},
            {"path": path, "op": self.pick(*ORDERS), "value": self.pick(0, 1, 0.5, "${inputs.count}")},
            {"path": path, "op": "in", "value": self.pick([0, "a"], [None, 1], f"${{{self.rows(2)}}}")},
            {"path": path, "op": "contains", "value": self.pick("a", 1)},
            {"path": path, "op": self.pick("eq", "ne", *ORDERS), "value": f"${{{self.path()}}}"},
            {"path": text, "op": "regex", "value": "^a|1"},
            {"path": text, "op": self.pick("eq", "lt", "gte"), "value": self.pick("a", "b", "${inputs.label}")},
            {"path": number, "op": self.pick("gt", "lt"), "value": f"${{{self.number(1)}}}"},
            self.declared(),
        )

    def declared(self) -> dict[str, object]:
        """A comparison with an input of which something is known."""
        return self.pick(
            {"path": "inputs.colour", "op": self.pick("eq", "ne"), "value": self.pick("red", "green", "blue")},
            {"path": "inputs.colour", "op": "in", "value": self.pick(["red", "green"], ["blue", "black"])},
            {"path": "inputs.fast", "value": self.pick(True, False)},
            {"path": "inputs.count", "op": self.pick(*ORDERS), "value": self.chance.randint(-1, 3)},
            {"path": "inputs.count", "op": self.pick("eq", "ne"), "value": self.chance.randint(-1, 3)},
            {"path": "inputs.limit", "op": self.pick(*ORDERS), "value": self.chance.randint(0, 2)},
        )

    def family(self) -> list[dict[str, object]]:
        """Conditions that leave little over, or nothing."""
        if self.often(0.2):
            return [{"path": "inputs.colour", "value": colour} for colour in ("red", "green", "blue")]
        number = self.pick("inputs.count", "inputs.limit", "state.i", "state.j", "inputs.owner.age")
        low = self.chance.randint(-1, 2)
        high = low + self.chance.randint(0, 2)
        one = self.condition(1)
        key: Any = self.pick("state.i", "state.s", "inputs.limit", *self.here)
        found: list[dict[str, object]] = self.pick(
            [{"path": "inputs.colour", "value": colour} for colour in ("red", "green", "blue")],
            [{"path": "inputs.fast", "value": value} for value in (True, False)],
            [one, {"not": one}],
            [{"path": key, "op": "exists"}, {"not": {"path": key, "op": "exists"}}],
            [{"path": key, "op": "eq", "value": None}, {"path": key, "op": "ne", "value": None}],
            [
                {"path": number, "op": self.pick("lt", "lte"), "value": low},
                {"all": [{"path": number, "op": "gte", "value": low}, {"path": number, "op": "lte", "value": high}]},
                {"path": number, "op": self.pick("gt", "gte"), "value": high},
            ],
            [{"path": number, "op": "gt", "value": low}, {"path": number, "op": "lte", "value": low}],
            [
                {"path": number, "op": "lt", "value": "${inputs.count}"},
                {"path": number, "op": "gte", "value": "${inputs.count}"},
            ],
        )
        if self.often(0.3):
            self.chance.shuffle(found)
        return found
