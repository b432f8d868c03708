"""The old prototype (`initial_node`, `nodes` with ids, `edges`): its differences, and its translation.

Its layout differs too much for edits in place, so the translation is a new file without the comments of the old one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

import yaml
from yaml.nodes import MappingNode, Node, ScalarNode, SequenceNode

from graphwright.diagnostic import Json
from graphwright.dialects.difference import Difference
from graphwright.dialects.string_conditions import advice, as_condition
from graphwright.language.keys import CONFIG, TOP
from graphwright.language.nodes import node_keys
from graphwright.source.flow import flow
from graphwright.source.reader import Source

_KEYS: Final = {
    "initial_node": "`config.start` instead of `initial_node`",
    "edges": "`next` on each node instead of `edges`, for example `next: done`",
    "parameters": "`params` below `action` instead of `parameters`",
    "tool": "`action: {item_id: tool:tickets/list}` instead of `tool`",
    "target": "`to` instead of `target`",
    "from": "`next` on the node that the edge leaves",
}
_NAMES: Final = ("id", "name")
_TARGETS: Final = ("to", "target")
_CONDITIONS: Final = ("when", "condition")
_INTERPOLATION: Final = re.compile(r"(?<![$\w{])\{((?:state|inputs|result|action_result)\b[^{}\"']*)\}")
_RESULT: Final = re.compile(r"\baction_result\b")


def differences(source: Source, root: MappingNode) -> Iterator[Difference]:
    """The parts of the file that this language writes differently, in file order."""
    for key, value in _pairs(source, root):
        if key.value in _KEYS:
            yield Difference(source.span(key), key.value, _KEYS[key.value])
        elif key.value == "nodes" and isinstance(value, SequenceNode):
            yield Difference(source.span(key), "nodes", "a mapping `config.nodes` from the name of a node to the node")
        elif key.value in _CONDITIONS and isinstance(value, ScalarNode):
            yield Difference(source.span(key), key.value, advice(_RESULT.sub("result", value.value)))
        elif isinstance(value, ScalarNode):
            translated = _text(value.value)
            if translated != value.value:
                yield Difference(source.span(value), "{…}", f"`{translated}` instead of `{value.value}`")


def _pairs(source: Source, node: Node) -> Iterator[tuple[ScalarNode, Node]]:
    if isinstance(node, SequenceNode):
        for item in node.value:
            yield from _pairs(source, item)
    elif isinstance(node, MappingNode):
        for key, value in source.entries(node):
            yield key, value
            yield from _pairs(source, value)


def translated(source: Source, root: MappingNode) -> tuple[str, list[str]]:
    """The translated graph, and a list of phrases about what a person has to review."""
    left: list[str] = []
    old = {key.value: source.value(value) for key, value in source.entries(root)}
    below = old.pop("config", {})
    old |= below if isinstance(below, dict) else {}
    edges = _edges_by_node(old.pop("edges", []), left)
    nodes = {name: _node(name, node, edges.get(name, []), left) for name, node in _named(old.pop("nodes", {}))}
    config: dict[str, Json] = {"start": old.pop("initial_node", old.pop("start", None))}
    top: dict[str, Json] = {"tool_type": "graph"}
    for key, kept in old.items():
        if key in CONFIG.table and key not in TOP.table:
            config[key] = kept
        elif key != "tool_type":
            top[key] = kept
            left += [] if key in TOP.table else [f"`{key}` has no counterpart"]
    top.setdefault("permissions", _permissions(nodes))
    text = yaml.safe_dump({**top, "config": {**config, "nodes": nodes}}, sort_keys=False, allow_unicode=True, width=110)
    return text, left


def _permissions(nodes: dict[str, Json]) -> list[Json]:
    """Permissions for what the actions call; the prototype had no permissions."""
    found: dict[str, None] = {}
    for node in nodes.values():
        action = node.get("action") if isinstance(node, dict) else None
        called = action.get("item_id") if isinstance(action, dict) else None
        if isinstance(called, str) and "$" not in called:
            found[f"rye.execute.tool.{called.removeprefix('tool:').replace('/', '.')}"] = None
    return list(found)


def _named(nodes: Json) -> Iterator[tuple[str, dict[str, Json]]]:
    if isinstance(nodes, dict):
        for named, node in nodes.items():
            yield named, dict(node) if isinstance(node, dict) else {}
    elif isinstance(nodes, list):
        for number, node in enumerate(nodes, 1):
            if isinstance(node, dict):
                name = next((node[key] for key in _NAMES if isinstance(node.get(key), str)), f"node_{number}")
                yield str(name), {key: value for key, value in node.items() if key not in _NAMES}


def _edges_by_node(edges: Json, left: list[str]) -> dict[str, list[Json]]:
    found: dict[str, list[Json]] = {}
    for edge in edges if isinstance(edges, list) else []:
        if isinstance(edge, dict) and isinstance(edge.get("from"), str):
            found.setdefault(str(edge["from"]), []).append({key: edge[key] for key in edge if key != "from"})
        else:
            left.append(f"the edge {flow(edge)} does not say which node it leaves")
    return found


def _node(name: str, old: dict[str, Json], edges: list[Json], left: list[str]) -> Json:
    own = old.pop("edges", [])
    edges = [*(own if isinstance(own, list) else [own]), *edges]
    action = old.pop("action", None)
    tool, params = old.pop("tool", None), old.pop("parameters", old.pop("params", None))
    if isinstance(action, str):
        tool, action = action, None
    made: dict[str, Json] = {}
    if isinstance(action, dict):
        made["action"] = _value({("params" if key == "parameters" else key): action[key] for key in action})
    elif tool is not None:
        made["action"] = {"item_id": tool, **({} if params is None else {"params": _value(params)})}
    for key, value in old.items():
        made[key] = _value(value)
        left += [] if key in node_keys() or key == "type" else [f"node `{name}`: `{key}` has no counterpart"]
    if edges and "next" not in made:
        made["next"] = _next(name, edges, left)
    if "action" not in made and "type" not in made:
        made["type"] = "gate" if edges else "return"
    return made


def _next(name: str, edges: list[Json], left: list[str]) -> Json:
    made = [_edge(name, edge, left) for edge in edges]
    only = made[0]
    return only["to"] if len(made) == 1 and set(only) == {"to"} else list(made)


def _edge(name: str, edge: Json, left: list[str]) -> dict[str, Json]:
    if not isinstance(edge, dict):
        return {"to": edge}
    when = next((edge[key] for key in _CONDITIONS if key in edge), None)
    made: dict[str, Json] = {"to": next((edge[key] for key in _TARGETS if key in edge), None)}
    if isinstance(when, str):
        text = _RESULT.sub("result", when.replace("{", "").replace("}", ""))
        condition = as_condition(text)
        if condition is None:
            left.append(f"node `{name}`: the condition `{when}` has no counterpart")
        if condition != {}:
            made["when"] = when if condition is None else condition
    elif when is not None:
        made["when"] = when
    return made


def _value(value: Json) -> Json:
    if isinstance(value, dict):
        return {key: _value(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_value(item) for item in value]
    return _text(value) if isinstance(value, str) else value


def _text(text: str) -> str:
    """A string with its `{state.x}` as templates."""
    return _INTERPOLATION.sub(lambda found: f"${{{_RESULT.sub('result', found[1])}}}", text)
