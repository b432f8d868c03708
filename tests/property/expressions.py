"""Strategies for the content of strings: names, paths, expressions by type, templates, conditions."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

TRICKY = [
    "a-b", "a_b", "A_B", "a.b", "class", "match", "None", "print", "state", "inputs", "result", "c", "run", "nodes",
    "self", "2nd", "with space", 'quo"te', "apo'strophe", "back\\slash", "{brace}", "${dollar", "#hash", "ünïcode",
    "\ufb01le", "file", "数据", "🚀", "yes", "null", "12", "\u202ebidi", "\u2028line", '"""', "...", "__init__",
]  # fmt: skip
"""Names that collide after folding, mean something to Python, YAML or the emitted module, or look odd."""

names: SearchStrategy[str] = st.one_of(
    st.sampled_from(TRICKY),
    st.text(st.characters(exclude_categories=["Cc", "Cs", "Cn", "Co"]), min_size=1, max_size=8),
)
texts: SearchStrategy[str] = st.one_of(
    st.sampled_from(
        ["", "a", "10", "x y", "it's", '"', "\\n", "line\nline", "$", "${", "$${x}", "{input:label}", "é🚀"]
    ),
    st.text(st.characters(exclude_categories=["Cs", "Cn", "Co"]), max_size=6),
)
integers: SearchStrategy[int] = st.integers(-20, 20)

_NAME = re.compile(r"[^\W\d][\w-]*")


@dataclass(frozen=True, slots=True)
class Keys:
    """State keys by the type that they begin with, and roots that may be read besides the state."""

    of: Mapping[str, list[str]]
    variable: str | None = None
    result: bool = False

    def paths(self, kind: str) -> list[str]:
        """Every path to a value of a kind (`int`, `text`, `list`, `map`)."""
        inputs = {"int": ["inputs.count"], "text": ["inputs.label"]}
        return [f"state{step(key)}" for key in self.of.get(kind, [])] + inputs.get(kind, [])

    def loose(self) -> list[str]:
        """Paths to values that may be anything, or nothing."""
        more = [self.variable, f"{self.variable}.v"] if self.variable else []
        result = ["result.v", "result.more", "result.more.0", "result"] if self.result else []
        return [*more, *result, *(f"{path}.nothing" for path in self.paths("map"))] or ["null"]


def step(key: str) -> str:
    """How a path takes a step to a key."""
    if _NAME.fullmatch(key) and key.isascii():
        return f".{key}"
    quoted = key.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n").replace("\t", "\\t")
    return f'["{quoted}"]'


def literal(text: str) -> str:
    """A text inside an expression."""
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'").replace("\n", "\\n").replace("\t", "\\t") + "'"


def escaped(text: str) -> str:
    """A text that is not a template, whatever is in it."""
    return text.replace("${", "$${")


def whole_numbers(keys: Keys, depth: int = 2) -> SearchStrategy[str]:
    """Expressions that are integers as long as nothing changes a key's type."""
    leaf = st.one_of(st.integers(0, 9).map(str), st.sampled_from(keys.paths("int") or ["1"]))
    if depth == 0:
        return leaf
    below = whole_numbers(keys, depth - 1)
    return st.one_of(
        leaf,
        st.tuples(below, st.sampled_from(["+", "-", "*", "%"]), below).map(" ".join),
        below.map("({})".format),
        below.map("-({})".format),
        st.sampled_from(keys.loose()).map("({} || 3)".format),
        st.sampled_from([*keys.paths("list"), *keys.paths("text")]).map("({} | length)".format),
    )


def words(keys: Keys, depth: int = 1) -> SearchStrategy[str]:
    """Expressions that are text as long as nothing changes a key's type."""
    leaf = st.one_of(texts.map(literal), st.sampled_from(keys.paths("text")))
    if depth == 0:
        return leaf
    below = words(keys, depth - 1)
    return st.one_of(
        leaf,
        st.tuples(below, below).map(" + ".join),
        st.tuples(below, st.sampled_from(["upper", "lower", "trim", "quote"])).map(
            lambda both: "({} | {})".format(*both)
        ),
        whole_numbers(keys, 1).map("({} | str)".format),
        st.sampled_from([*keys.paths("list"), *keys.paths("map"), "null"]).map("({} | json)".format),
    )


def rows(keys: Keys) -> SearchStrategy[str]:
    """Expressions that are lists as long as nothing changes a key's type."""
    leaf = st.sampled_from([*keys.paths("list"), "[]", "[1, 'a', null]"])
    return st.one_of(
        leaf,
        st.tuples(leaf, leaf).map(" + ".join),
        words(keys, 0).map("({} | lines)".format),
        st.sampled_from([*keys.paths("map"), "null"]).map("({} | keys | default([1]))".format),
        whole_numbers(keys, 1).map("[{}]".format),
    )


def chains(keys: Keys) -> SearchStrategy[str]:
    """Long chains: of numbers with all operators, of one type of value with `+`, of anything with fallbacks."""
    numbers = st.tuples(st.sampled_from([" + ", " - ", " * ", " / ", " % "]), whole_numbers(keys, 1))
    joined = st.just(" + ")
    rest = st.one_of(
        st.lists(numbers, min_size=10, max_size=40),
        st.lists(st.tuples(joined, words(keys)), min_size=10, max_size=40),
        st.lists(st.tuples(joined, rows(keys)), min_size=10, max_size=40),
        st.lists(st.tuples(st.one_of(joined, st.just(" || ")), anything(keys).map("({})".format)), max_size=20),
    )
    return st.tuples(anything(keys).map("({})".format), rest).map(
        lambda both: both[0] + "".join("".join(each) for each in both[1])
    )


def anything(keys: Keys) -> SearchStrategy[str]:
    """Any expression, those included that fail at run time."""
    loose = st.sampled_from(keys.loose())
    return st.one_of(
        whole_numbers(keys),
        words(keys),
        rows(keys),
        st.sampled_from(keys.paths("map") or ["null"]),
        loose,
        loose.map("{} + 1".format),
        loose.map("{} | length".format),
        loose.map("{} | default(0)".format),
    )


def whole(expression: str) -> str:
    """A template that is nothing but its expression."""
    return f"${{{expression}}}"


def templates(keys: Keys) -> SearchStrategy[str]:
    """Whole templates and mixed text."""
    part = st.one_of(texts.map(escaped), anything(keys).map(whole))
    return st.one_of(anything(keys).map(whole), st.lists(part, max_size=3).map("".join))


def values(keys: Keys) -> SearchStrategy[object]:
    """What may stand in `params`, `assign` and `output`: templates in nested YAML, nulls included."""
    leaf: SearchStrategy[object] = st.one_of(
        templates(keys), integers, st.booleans(), st.none(), st.floats(-4, 4, width=16)
    )
    return st.recursive(
        leaf,
        lambda inner: st.one_of(st.lists(inner, max_size=2), st.dictionaries(names, inner, max_size=2)),
        max_leaves=4,
    )


def conditions(keys: Keys) -> SearchStrategy[dict[str, object]]:
    """A `when`: comparisons, and the three ways to combine them."""
    return st.recursive(
        comparisons(keys),
        lambda inner: st.one_of(
            st.lists(inner, max_size=2).map(lambda parts: {"any": parts}),
            st.lists(inner, max_size=2).map(lambda parts: {"all": parts}),
            inner.map(lambda part: {"not": part}),
        ),
        max_leaves=3,
    )


def comparisons(keys: Keys) -> SearchStrategy[dict[str, object]]:
    """`{path, op, value}`, the operator left out at times."""
    plain = [path for path in keys.loose() if path != "null"]
    anywhere = [path for kind in ("int", "text", "list", "map") for path in keys.paths(kind)] + plain
    same = st.sampled_from(["eq", "ne"])
    order = st.sampled_from(["gt", "gte", "lt", "lte"])
    return st.one_of(
        _comparison(anywhere, same, st.one_of(integers, texts.map(escaped), st.booleans(), st.just([]))),
        _comparison(keys.paths("int"), order, st.one_of(integers, whole_numbers(keys, 1).map(whole))),
        _comparison(plain or keys.paths("int"), order, integers),
        _comparison(anywhere, st.just("in"), st.lists(st.one_of(integers, st.none()), min_size=1, max_size=3)),
        _comparison([*keys.paths("text"), *keys.paths("list")], st.just("contains"), st.one_of(integers, st.just("a"))),
        _comparison(keys.paths("text"), st.just("regex"), st.sampled_from(["^a", "\\d+", "x|é", "[a-c]{2}$"])),
        st.sampled_from(anywhere).map(lambda path: {"path": path, "op": "exists"}),
        st.tuples(st.sampled_from(keys.paths("int")), integers).map(lambda both: {"path": both[0], "value": both[1]}),
    )


def _comparison(
    paths: list[str], operators: SearchStrategy[str], right: SearchStrategy[object]
) -> SearchStrategy[dict[str, object]]:
    return st.fixed_dictionaries({"path": st.sampled_from(paths), "op": operators, "value": right})
