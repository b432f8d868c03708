"""Strategies for whole graphs that mean something, and for what their tools answer.

State keys begin with a type and mostly keep it, edges mostly lead forward, so that the compiler accepts most graphs;
those that it refuses are of no interest to the properties, which say `assume`.
"""

from __future__ import annotations

from dataclasses import dataclass

import yaml
from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from property.expressions import Keys, anything, conditions, integers, names, rows, templates, texts, values, whole

TOOLS = ["svc/a", "svc/b", "svc/c.d"]
ECHO = "svc/echo"
"""A tool that never fails and looks at nothing but its parameters, for loops whose calls have no order."""

INPUTS_SCHEMA = {
    "type": "object",
    "properties": {"count": {"type": "integer"}, "label": {"type": "string", "default": "x"}},
    "required": ["count"],
}


@dataclass(frozen=True, slots=True)
class Plan:
    """A graph as YAML, inputs for it, and per tool what its calls return one after the other."""

    text: str
    inputs: dict[str, object]
    results: dict[str, list[object]]


@st.composite
def plans(draw: DrawFn) -> Plan:
    """A graph with everything that a run needs."""
    graph = draw(graphs())
    results = {tool: draw(st.lists(_results, min_size=1, max_size=4)) for tool in TOOLS}
    flow = draw(st.sampled_from([None, False, True]))
    text = yaml.safe_dump(
        graph, allow_unicode=True, sort_keys=False, default_flow_style=flow, width=draw(st.sampled_from([40, 200]))
    )
    return Plan(text, {"count": draw(integers), "label": draw(texts)}, results)


_payloads: SearchStrategy[object] = st.one_of(
    integers,
    texts,
    st.none(),
    st.booleans(),
    st.lists(st.one_of(integers, texts, st.none()), max_size=3),
    st.dictionaries(st.sampled_from(["v", "k"]), integers, max_size=2),
)
_results: SearchStrategy[object] = st.one_of(
    st.fixed_dictionaries({"v": _payloads}, optional={"more": _payloads}),
    st.fixed_dictionaries({"v": integers}),
    _payloads,
    st.sampled_from([ValueError("bad value"), ConnectionError("connection refused")]),
    st.sampled_from([{"status": "error", "error": "no luck"}, {"success": False, "message": "no luck"}]),
)


@st.composite
def graphs(draw: DrawFn) -> dict[str, object]:
    """One graph, as plain YAML values."""
    keys = draw(_keys())
    order = draw(st.lists(names, min_size=2, max_size=6, unique=True))
    nodes = {name: draw(_node(keys, order, index)) for index, name in enumerate(order)}
    config: dict[str, object] = {"start": order[0], "state": _initial(keys), "nodes": nodes}
    config["max_steps"] = draw(st.integers(len(order), 15))
    config.update(draw(_policies))
    return {
        "version": "1.0.0",
        "tool_type": "graph",
        "description": draw(texts),
        "permissions": ["rye.execute.tool.svc.*"],
        "config_schema": INPUTS_SCHEMA,
        "config": config,
    }


_policies: SearchStrategy[dict[str, object]] = st.fixed_dictionaries(
    {},
    optional={
        "on_error": st.sampled_from(["fail", "continue"]),
        "on_max_steps": st.sampled_from(["fail", "return", "flag"]),
        "builtin_hooks": st.booleans(),
    },
)


@st.composite
def _keys(draw: DrawFn) -> Keys:
    """At least one key of each type; none that the language keeps for itself."""
    free = names.filter(lambda name: name != "inputs" and not name.startswith("_"))
    drawn = draw(st.lists(free, min_size=4, max_size=6, unique=True))
    kinds = ("int", "text", "list", "map")
    of: dict[str, list[str]] = {kind: [] for kind in kinds}
    for index, key in enumerate(drawn):
        of[kinds[index % len(kinds)]].append(key)
    return Keys(of)


def _initial(keys: Keys) -> dict[str, object]:
    starts: dict[str, object] = {"int": 3, "text": "a", "list": [1, 2], "map": {"v": 1, "k": None}}
    return {key: starts[kind] for kind, members in keys.of.items() for key in members}


@st.composite
def _node(draw: DrawFn, keys: Keys, order: list[str], index: int) -> dict[str, object]:
    early = ["action", "action", "foreach", "gate"]
    match draw(st.sampled_from(early if index < len(order) - 2 else [*early, "return", "return"])):
        case "return":
            return draw(
                st.one_of(
                    st.fixed_dictionaries({"type": st.just("return")}, optional={"output": values(keys)}),
                    st.fixed_dictionaries(
                        {"type": st.just("return"), "status": st.just("error")},
                        optional={"output": values(keys), "error": st.just("failed")},
                    ),
                )
            )
        case "gate":
            return {"type": "gate", **draw(_assign(keys)), **draw(_ways(keys, order, index))}
        case "foreach":
            return draw(_loop(keys, order, index))
        case _:
            seeing = Keys(keys.of, result=True)
            node: dict[str, object] = {"action": draw(_action(keys)), **draw(_assign(seeing))}
            node.update(draw(_ways(seeing, order, index)))
            node.update(draw(st.fixed_dictionaries({}, optional={"retry": _retries})))
            return node


_retries: SearchStrategy[dict[str, object]] = st.fixed_dictionaries(
    {"attempts": st.integers(1, 3)}, optional={"categories": st.sampled_from([["transient"], ["permanent", "timeout"]])}
)


@st.composite
def _action(draw: DrawFn, keys: Keys) -> dict[str, object]:
    item = draw(st.sampled_from([*TOOLS, *(f"tool:{tool}" for tool in TOOLS)]))
    params = draw(st.dictionaries(names, values(keys), max_size=3))
    return {"item_id": item, "params": params} if params else {"item_id": item}


@st.composite
def _assign(draw: DrawFn, keys: Keys) -> dict[str, object]:
    """Assigns that mostly keep the type of a key."""
    entries: dict[str, object] = {}
    for kind, members in keys.of.items():
        for key in members:
            if draw(st.integers(0, 3)) == 0:
                entries[key] = draw(_value_of(kind, keys))
    return {"assign": entries} if entries else {}


def _value_of(kind: str, keys: Keys) -> SearchStrategy[object]:
    same: SearchStrategy[object]
    match kind:
        case "int":
            same = st.sampled_from(keys.paths("int")).map(lambda path: whole(f"{path} + 1"))
        case "list":
            same = rows(keys).map(whole)
        case "text":
            same = templates(keys).filter(lambda text: not text.startswith("${"))
        case _:
            same = st.just({"v": whole(keys.loose()[0]), "k": 2})
    return st.one_of(same, same, anything(keys).map(whole))


@st.composite
def _ways(draw: DrawFn, keys: Keys, order: list[str], index: int, *, routed: bool = True) -> dict[str, object]:
    """`next` and `on_error`; mostly forward, so that cycles have ways out. The last node mostly ends the run."""
    later = order[index + 1 :]
    ways: dict[str, object] = {}
    if routed and draw(st.integers(0, 1)):
        edge = st.fixed_dictionaries({"to": st.sampled_from([*later, *order]), "when": conditions(keys)})
        default = draw(st.lists(st.fixed_dictionaries({"to": st.sampled_from(later)}), max_size=1)) if later else []
        ways["next"] = [*draw(st.lists(edge, min_size=1, max_size=2)), *default]
    elif later and draw(st.integers(0, 3)) > 0:
        ways["next"] = draw(st.sampled_from(later))
    if later and draw(st.integers(0, 3)) == 0:
        ways["on_error"] = draw(st.sampled_from(later))
    return ways


@st.composite
def _loop(draw: DrawFn, keys: Keys, order: list[str], index: int) -> dict[str, object]:
    """A foreach, one item after the other or several at a time."""
    variable = draw(st.sampled_from(["item", "row", "each_one"]))
    inside = Keys(keys.of, variable=variable)
    parallel = draw(st.booleans())
    action = draw(_action(inside))
    if parallel:
        action["item_id"] = ECHO
    node: dict[str, object] = {
        "type": "foreach",
        "over": draw(_overs(keys)),
        "as": variable,
        "action": action,
        **draw(_ways(keys, order, index, routed=False)),
    }
    if parallel:
        node["parallel"] = True
        node["max_concurrency"] = draw(st.integers(1, 4))
    else:
        node.update(draw(_assign(Keys(keys.of, variable=variable, result=True))))
    if draw(st.booleans()):
        node["collect"] = draw(st.sampled_from(keys.of["list"]))
    return node


def _overs(keys: Keys) -> SearchStrategy[object]:
    literal: SearchStrategy[object] = st.lists(
        st.one_of(integers, texts.map(lambda text: text.replace("$", ""))), max_size=3
    )
    return st.one_of(
        rows(keys).map(whole),
        literal,
        st.just("${null}"),
        st.just("[1, 2]"),
        st.sampled_from(keys.paths("text")).map(whole),
    )
