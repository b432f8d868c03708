"""Schemas of inputs, and expressions and conditions about them: by what a path may hold, mostly.

Everything has a name that means something to Python or to emitted modules, or none. A path is known with the kinds
of its values, so that a check accepts most of what is made of it, and type checkers see values of every type.
"""

from __future__ import annotations

import re
from typing import Any, Final

from property.phrases import Phrases

Schema = dict[str, Any]
Kinds = frozenset[str]

NAMES: Final = [
    "a", "count", "items", "keys", "type", "match", "class", "None", "self", "str", "list", "state", "result",
    "item", "id", "x y", "x-y", "x_y", "X_Y", "é", "e\u0301", "数据", "Json", "Literal", "c", "target", "params", "at",
    "1", "a.b", "it's", '"', "values", "get", "copy", "dict", "int", "object", "TypedDict", "Inputs", "State", "Output",
]  # fmt: skip
ODD_KEYS: Final = ["", "_x", "__x", "__x__", "inputs"]

ANY: Final[Kinds] = frozenset({"string", "integer", "number", "boolean", "array", "object", "null"})
_NUMBERS: Final[Kinds] = frozenset({"integer", "number"})
_SIZED: Final[Kinds] = frozenset({"string", "array", "object"})

_SCALARS: Final[list[Schema]] = [
    *({"type": kind} for kind in ("string", "integer", "number", "boolean", "null")),
    *({"type": kinds} for kinds in (["string", "null"], ["integer", "string"], ["boolean", "null"])),
    *({"enum": values} for values in (["a", "b"], [1, 2, 3], ["a", None], [True, "auto"], [0, 1, False], ["x y", ""])),
    *({"const": "k"}, {"const": True}, {"type": "number", "minimum": 0}, {}),
    *({"type": "string", "default": "d"}, {"type": "integer", "default": 4}),
]


def step(key: str) -> str:
    """How a path takes a step to a key."""
    if re.fullmatch(r"[^\W\d][\w-]*", key) and key.isascii():
        return f".{key}"
    return '["{}"]'.format(key.replace("\\", "\\\\").replace('"', '\\"'))


def kinds_of(schema: Schema) -> Kinds:
    """The kinds of the values that a schema takes, roughly."""
    options = schema.get("anyOf") or schema.get("oneOf")
    if options:
        return frozenset().union(*map(kinds_of, options))
    if "const" in schema or "enum" in schema:
        return frozenset(map(_kind, schema.get("enum", [schema.get("const")])))
    kind = schema.get("type", "object" if "allOf" in schema else list(ANY))
    return frozenset([kind] if isinstance(kind, str) else kind)


def _kind(value: object) -> str:
    kinds = {"NoneType": "null", "bool": "boolean", "int": "integer", "str": "string"}
    return kinds[type(value).__name__]


class Values(Phrases):
    """Makes schemas, and what can be said of values. `here` has the paths that only the place at hand has."""

    known: list[tuple[str, Kinds]]
    """The paths that can be read everywhere."""

    # --- schemas ----------------------------------------------------------------------------------------------------

    def keys(self, most: int) -> list[str]:
        return self.some([*NAMES, *ODD_KEYS], most)

    def schema(self, depth: int = 0) -> Schema:
        if depth > 2 or self.often(0.35):
            return dict(self.pick(*_SCALARS))
        inner = self.schema(depth + 1)
        return self.pick(
            self.objects(depth),
            self.objects(depth),
            {"type": self.pick("array", ["array", "null"]), "items": inner},
            {"type": "object", "additionalProperties": inner},
            {self.pick("anyOf", "oneOf"): [inner, self.schema(depth + 1)]},
            self.told_apart(depth),
            {"allOf": [{"type": "object", "properties": {"p": inner}}, self.objects(depth)]},
        )

    def objects(self, depth: int) -> Schema:
        properties = {key: self.schema(depth + 1) for key in self.keys(4)}
        required = [key for key in properties if self.often(0.6)]
        found = {"type": self.pick("object", "object", ["object", "null"]), "properties": properties}
        if self.often(0.2):
            others: list[Any] = [False, {"type": "integer"}, {"type": ["string", "null"]}]
            found["additionalProperties"] = self.pick(*others)
        return {**found, "required": required}

    def told_apart(self, depth: int) -> Schema:
        """Two objects that the value of one key tells apart."""
        key, tags = self.pick("type", "kind", "op"), self.some(["one", "two", "x y"], 2, 2)
        options = [{key: {"const": tag}, "v": self.schema(depth + 1)} for tag in tags]
        return {"oneOf": [{"type": "object", "properties": each, "required": list(each)} for each in options]}

    def learn(self, path: str, schema: Schema, depth: int = 0) -> None:
        """Know a path, and those below it."""
        self.known.append((path, kinds_of(schema)))
        for part in (schema, *(each for keyword in ("anyOf", "oneOf", "allOf") for each in schema.get(keyword, ()))):
            for key, inner in part.get("properties", {}).items() if depth < 4 else ():
                self.learn(path + step(key), inner, depth + 1)
            if isinstance(items := part.get("items"), dict) and depth < 4:
                self.learn(path + self.pick(".0", "[-1]"), items, depth + 1)
            if isinstance(others := part.get("additionalProperties"), dict) and depth < 4:
                self.learn(path + step(self.pick("zz", "keys", "a b")), others, depth + 1)

    # --- expressions ------------------------------------------------------------------------------------------------

    def path(self) -> str:
        return self.of(*ANY)

    def of(self, *kinds: str) -> str:
        """A path whose values are mostly of these kinds."""
        paths = [*self.known, *((path, ANY) for path in self.here * 2)]
        fitting = [path for path, held in paths if held & set(kinds)]
        return self.pick(*fitting) if fitting and self.often(0.95) else self.pick(*(path for path, _ in paths))

    def number(self, depth: int) -> str:
        if depth <= 0 or self.often(0.3):
            return self.pick(str(self.chance.randint(0, 9)), "1.5", self.of(*_NUMBERS), "_run.step")
        below = self.number(depth - 1)
        return self.pick(
            f"{below} {self.pick('+', '-', '*', '/', '%')} {self.number(depth - 1)}",
            f"({below})",
            f"-({below})",
            f"({self.of(*_NUMBERS)} || {self.number(0)})",
            f"({self.of(*_SIZED)} | length)",
            f"({self.of('string')} | {self.pick('int', 'float')})",
            f"({self.path()} | default(3))",
        )

    def text(self, depth: int) -> str:
        if depth <= 0 or self.often(0.3):
            return self.pick("'a'", '"x y"', "'it\\'s \\u00e9'", self.of("string"), self.of("string"), "_run.graph_id")
        return self.pick(
            f"{self.text(depth - 1)} + {self.text(0)}",
            f"({self.text(depth - 1)} | {self.pick('upper', 'lower', 'trim', 'quote')})",
            f"({self.path()} | {self.pick('str', 'json', 'quote')})",
            f"({self.of('string')} || {self.text(0)})",
            f"({self.rows(depth - 1)} | {self.pick('first', 'last')})",
        )

    def rows(self, depth: int) -> str:
        leaf = self.pick(self.of("array"), "[]", "[1, 'a', null]", "[[1], []]", f"[{self.path()}, {self.number(0)}]")
        if depth <= 0 or self.often(0.4):
            return leaf
        lines = f"({self.text(depth - 1)} | lines)"
        return self.pick(f"{leaf} + {self.rows(depth - 1)}", lines, f"({self.of('object')} | keys)", f"[{leaf}]")

    def anything(self, depth: int) -> str:
        if depth <= 0 or self.often(0.4):
            return self.path()
        pipe = self.pick("str", "json", "keys", "first", "last", "length", "int", "from_json", "default(null)")
        return self.pick(
            self.number(depth),
            self.text(depth),
            self.rows(depth),
            f"{self.path()} | {pipe}",
            f"{self.path()} || {self.path()} || {self.pick('0', 'null', '[]', self.text(0))}",
            f"[{self.anything(depth - 1)}] | {self.pick('first', 'last')} | default({self.path()})",
        )

    def leaf(self) -> object:
        inner = self.anything(2)
        return self.pick(
            f"${{{inner}}}",
            f"${{ {inner} }}",
            f"t ${{{inner}}}!",
            f"${{{inner}}}${{{self.anything(1)}}}",
            f"$${{{inner}}}",
            self.pick(1, "a", True, None, 1.5, 10**20, [], {}, "", -0.5),
        )

    def value(self, depth: int = 0) -> object:
        if depth > 2 or self.often(0.6):
            return self.leaf()
        listed = [self.value(depth + 1) for _ in range(self.chance.randint(0, 3))]
        return self.pick(listed, {key: self.value(depth + 1) for key in self.keys(3)})

    # --- conditions -------------------------------------------------------------------------------------------------

    def condition(self, depth: int) -> dict[str, object]:
        if depth and self.often(0.45):
            parts = [self.condition(depth - 1) for _ in range(self.chance.randint(1, 3))]
            return self.pick({"any": parts}, {"all": parts}, {"not": parts[0]})
        order = self.pick("gt", "gte", "lt", "lte")
        return self.pick(
            {"path": self.stored(*_NUMBERS), "op": order, "value": self.pick(0, 1.5, f"${{{self.number(1)}}}")},
            {"path": self.stored("string"), "op": order, "value": self.pick("a", f"${{{self.text(1)}}}")},
            {"path": self.stored(*ANY), "op": "in", "value": self.pick([1, "a", None], [[]], f"${{{self.rows(1)}}}")},
            {"path": self.stored(*_SIZED), "op": "contains", "value": self.pick("a", 1, f"${{{self.anything(1)}}}")},
            {"path": self.stored("string", "integer"), "op": "regex", "value": self.pick("^a", "\\d+$", "(?i)x|é")},
            {"path": self.stored(*ANY), "op": "exists"},
            {"path": self.stored(*ANY), "op": self.pick("eq", "ne"), "value": self.pick(1, "a", True, None, [], "b")},
            {"path": self.stored(*ANY), "value": f"${{{self.anything(1)}}}"},
        )

    def stored(self, *kinds: str) -> str:
        """A path that a condition can have."""
        found = self.of(*kinds)
        return found if found.split(".")[0].split("[")[0] in ("state", "inputs", "result") else self.known[0][0]
