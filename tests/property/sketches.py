"""Strategies for graphs that are worth analysing: keys set on some paths only, conditions that prove things, loops.

State keys are named by a letter for the type that they mostly have. What comes out is often faulty; `repair.py` takes
out what the compiler complains about, and what is left is what it has no complaint about.
"""

from __future__ import annotations

import random
from dataclasses import dataclass

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from property.expressions import Keys, anything, conditions, literal, rows, whole, whole_numbers, words

TOOLS = ["svc/a", "svc/b", "svc/c"]
VARIABLES = ["API_TOKEN", "REGION", "STAGE"]
END = "end"

KEYS = Keys({"int": ["i", "j", "k"], "text": ["s", "t"], "list": ["x", "y"], "map": ["m"]})

INITIAL: dict[str, object] = {
    "i": 3,
    "j": 0,
    "k": -1,
    "s": "a",
    "t": "12",
    "x": [1, 2],
    "y": [],
    "m": {"v": 1, "w": "z"},
}

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


def inputs(chance: random.Random) -> dict[str, object]:
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


def result(item_id: str, chance: random.Random) -> object:
    """What a tool answers; an exception is to be raised."""
    if item_id == "rye/bash":
        code = 0 if chance.random() < 0.8 else 1
        return {"stdout": chance.choice(["", "3", "a\nb"]), "stderr": "", "exit_code": code, "success": code == 0}
    kind = chance.random()
    if kind < 0.12:
        return chance.choice([ValueError("bad value"), ConnectionError("connection refused")])
    if kind < 0.2:
        return chance.choice([{"status": "error", "error": "no luck"}, {"success": False}, None, 3, ["a"]])
    return {name: payload(chance) for name in ("v", "more") if chance.random() < 0.8}


def payload(chance: random.Random) -> object:
    """Any JSON value."""
    return chance.choice([0, 1, -2, 2.5, "", "a", "10", True, False, None, [], [1, "a", None], {"v": 1}, {"k": "b"}])


@dataclass(frozen=True, slots=True)
class Sketch:
    """A graph as plain YAML values."""

    graph: dict[str, object]


@st.composite
def sketches(draw: DrawFn) -> dict[str, object]:
    """One graph, as plain YAML values."""
    order = [f"n{number}" for number in range(draw(st.integers(2, 6)))]
    nodes: dict[str, object] = {name: draw(_node(order, index)) for index, name in enumerate(order)}
    nodes[END] = draw(_end())
    initial = [key for key in INITIAL if draw(st.integers(0, 2)) == 0]
    config: dict[str, object] = {
        "start": order[0],
        "max_steps": draw(st.integers(len(order) + 1, 14)),
        "state": {key: INITIAL[key] for key in initial},
        "nodes": nodes,
    }
    config.update(draw(_POLICIES))
    if draw(st.integers(0, 3)) == 0:
        config["state_schema"] = {"type": "object", "properties": {"i": {"type": "integer"}, "s": {"type": "string"}}}
    graph: dict[str, object] = {
        "version": "1.0.0",
        "tool_type": "graph",
        "permissions": draw(_PERMISSIONS),
        "config_schema": SCHEMA,
        "config": config,
    }
    if draw(st.booleans()):
        graph["env_requires"] = draw(st.lists(st.sampled_from(VARIABLES), min_size=1, max_size=2, unique=True))
    return graph


_POLICIES: SearchStrategy[dict[str, object]] = st.fixed_dictionaries(
    {},
    optional={
        "on_error": st.sampled_from(["fail", "continue"]),
        "on_max_steps": st.sampled_from(["fail", "return"]),
        "builtin_hooks": st.booleans(),
    },
)

_PERMISSIONS = st.sampled_from(
    [["rye.execute.tool.svc.*"], ["rye.execute.tool.svc.a", "rye.execute.tool.rye.bash"], ["rye.execute.tool.*"], []]
)


@st.composite
def _end(draw: DrawFn) -> dict[str, object]:
    """The return node at the end, which shows some keys."""
    shown = draw(st.lists(st.sampled_from(list(INITIAL)), max_size=4, unique=True))
    output = {key: whole(draw(st.sampled_from([f"state.{key}", f"state.{key} || 0"]))) for key in shown}
    return {"type": "return", "output": output or {"count": "${inputs.count}"}}


@st.composite
def _node(draw: DrawFn, order: list[str], index: int) -> dict[str, object]:
    match draw(st.sampled_from(["action", "action", "bash", "gate", "gate", "foreach", "return"])):
        case "return" if index:
            return {"type": "return", "output": draw(_value(KEYS))}
        case "gate":
            return {"type": "gate", **draw(_assign(KEYS)), **draw(_ways(KEYS, order, index))}
        case "foreach":
            return draw(_loop(order, index))
        case "bash":
            seeing = Keys(KEYS.of, result=True)
            return {**draw(_bash()), **draw(_assign(seeing)), **draw(_ways(seeing, order, index))}
        case _:
            seeing = Keys(KEYS.of, result=True)
            node: dict[str, object] = {"action": draw(_action(KEYS)), **draw(_assign(seeing))}
            node.update(draw(_ways(seeing, order, index)))
            if draw(st.integers(0, 3)) == 0:
                node["retry"] = {"attempts": draw(st.integers(1, 3))}
            return node


@st.composite
def _action(draw: DrawFn, keys: Keys) -> dict[str, object]:
    names = st.sampled_from([*TOOLS, *TOOLS, "svc/${inputs.colour}", "${state.s}"])
    params = draw(st.dictionaries(st.sampled_from(["p", "q", "r"]), _value(keys), max_size=2))
    return {"item_id": f"tool:{draw(names)}", "params": params}


@st.composite
def _bash(draw: DrawFn) -> dict[str, object]:
    """A command that reads some variables, declared or not."""
    read = draw(st.lists(st.sampled_from(VARIABLES), max_size=2, unique=True))
    parts = [draw(st.sampled_from([f"${name}", f'"${name}"', f"'${name}'", f"$${{{name}:-x}}"])) for name in read]
    text = draw(st.sampled_from(["", "${inputs.label | quote}", "${inputs.count}", "${state.s | quote}"]))
    node: dict[str, object] = {
        "action": {"item_id": "tool:rye/bash", "params": {"command": " ".join(["echo", *parts, text]).strip()}}
    }
    if draw(st.integers(0, 2)) == 0:
        node["env_requires"] = draw(st.lists(st.sampled_from(VARIABLES), min_size=1, max_size=2, unique=True))
    return node


@st.composite
def _assign(draw: DrawFn, keys: Keys) -> dict[str, object]:
    """Assigns that mostly keep the type of a key."""
    entries = {}
    for key in draw(st.lists(st.sampled_from(list(INITIAL)), max_size=3, unique=True)):
        kind = next(kind for kind, members in KEYS.of.items() if key in members)
        entries[key] = draw(_value_of(kind, keys))
    return {"assign": entries} if entries else {}


def _value_of(kind: str, keys: Keys) -> SearchStrategy[object]:
    same: SearchStrategy[object]
    match kind:
        case "int":
            same = whole_numbers(keys, 1).map(whole)
        case "list":
            same = rows(keys).map(whole)
        case "text":
            same = st.one_of(words(keys).map(whole), st.just("plain"), whole_numbers(keys, 0).map("n ${{{}}}".format))
        case _:
            same = st.just({"v": whole(keys.loose()[0]), "w": "z"})
    return st.one_of(same, same, same, _value(keys))


def _value(keys: Keys) -> SearchStrategy[object]:
    """A value that may be anything, fallbacks and paths into inputs included."""
    paths = ["inputs.owner.name", "inputs.owner.age", "inputs.limit", "inputs.fast", "inputs.colour", "inputs.ids.0"]
    states = [f"state.{key}" for key in INITIAL]
    leaf: SearchStrategy[object] = st.one_of(
        anything(keys).map(whole),
        st.sampled_from(paths).map(whole),
        st.tuples(st.sampled_from([*states, *paths]), st.sampled_from([*states, *paths, "0", literal("a")])).map(
            lambda both: whole(f"{both[0]} || {both[1]}")
        ),
        st.tuples(st.sampled_from(states), st.sampled_from(["default(1)", "str", "json", "length", "first"])).map(
            lambda both: whole(f"{both[0]} | {both[1]}")
        ),
        st.integers(-3, 3),
        st.sampled_from(["a", True, None, 1.5]),
    )
    return st.one_of(
        leaf, leaf, st.lists(leaf, max_size=2), st.dictionaries(st.sampled_from(["v", "w"]), leaf, max_size=2)
    )


def _conditions(keys: Keys) -> SearchStrategy[dict[str, object]]:
    """Conditions over the state, and over inputs with few values."""
    states = st.sampled_from([f"state.{key}" for key in INITIAL])
    return st.one_of(
        conditions(keys),
        st.builds(lambda path: {"path": path, "op": "exists"}, st.one_of(states, st.just("inputs.limit"))),
        st.builds(
            lambda op, value: {"path": "inputs.colour", "op": op, "value": value},
            st.sampled_from(["eq", "ne"]),
            st.sampled_from(["red", "green", "blue"]),
        ),
        st.builds(lambda value: {"path": "inputs.fast", "value": value}, st.booleans()),
        st.builds(
            lambda op, value: {"path": "inputs.count", "op": op, "value": value},
            st.sampled_from(["gt", "gte", "lt", "lte"]),
            st.integers(0, 2),
        ),
        st.builds(lambda path, value: {"path": path, "value": value}, states, st.sampled_from([0, "a", None, []])),
        st.builds(lambda part: {"not": part}, st.builds(lambda path: {"path": path, "op": "exists"}, states)),
    )


@st.composite
def _ways(draw: DrawFn, keys: Keys, order: list[str], index: int) -> dict[str, object]:
    """`next` and `on_error`, mostly forward."""
    later = [*order[index + 1 :], END]
    ways: dict[str, object] = {}
    if draw(st.integers(0, 2)):
        targets = st.sampled_from([*later, *later, *order])
        edges: list[object] = [
            {"to": draw(targets), "when": draw(_conditions(keys))} for _ in range(draw(st.integers(1, 3)))
        ]
        if draw(st.integers(0, 2)):
            edges.append({"to": draw(st.sampled_from(later))})
        ways["next"] = edges
    else:
        ways["next"] = later[0]
    if draw(st.integers(0, 3)) == 0:
        ways["on_error"] = draw(st.sampled_from(later))
    return ways


@st.composite
def _loop(draw: DrawFn, order: list[str], index: int) -> dict[str, object]:
    """A foreach, one item after the other or several at a time."""
    inside = Keys(KEYS.of, variable="item")
    node: dict[str, object] = {
        "type": "foreach",
        "over": draw(st.one_of(rows(KEYS).map(whole), st.just("${inputs.ids}"), st.just([1, "a", None]))),
        "action": draw(_action(inside)),
        **draw(_ways(KEYS, order, index)),
    }
    if draw(st.integers(0, 2)) == 0:
        node["parallel"] = True
    else:
        node.update(draw(_assign(Keys(KEYS.of, variable="item", result=True))))
    if draw(st.booleans()):
        node["collect"] = draw(st.sampled_from(["x", "y"]))
    return node
