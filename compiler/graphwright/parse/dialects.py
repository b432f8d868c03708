"""What kind of YAML file this is: a graph of this dialect, one of another dialect, or something else altogether.

The tell-tale keys of the other dialects count with or without `tool_type`, so that one clear message comes instead
of fifty about keys.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, TypeAlias

from yaml.nodes import MappingNode, Node, ScalarNode, SequenceNode

from graphwright.faults.keys import OtherDialect
from graphwright.language.operators import OPERATOR_SYNONYMS, OPERATORS
from graphwright.pattern import pattern
from graphwright.source.reader import Pair, Source
from graphwright.suggest import nearest

if TYPE_CHECKING:
    from graphwright.faults.files import NotAGraph

#: The spellings of `tool_type` that say that a file is a graph.
TOOL_TYPES = ("graph", "state_graph")

#: At the beginning of a line, or in quotes anywhere. It begins with a plain word, which is found quickly in any text.
_CLAIM = pattern(
    r"tool_type(?:(?<=^tool_type)[^\S\n]*:[^\S\n]*[\"']?(?:state_)?graph[\"']?[^\S\n]*(?:#.*)?$"
    r"|(?<=[\"']tool_type)[\"']\s*:\s*[\"'](?:state_)?graph[\"'])",
    re.MULTILINE,
)
_EXPRESSION = pattern(r"[=<>!]=?|\b(?:and|or|not|in|is)\b|^[\w.]+\.[\w.]+$|^(?:true|else|default|always)$")

#: For each dialect: its name, and what this one writes for its keys.
_NEWER = "the newer dialect (`node_type`, typed `next`)"
_PROTOTYPE = "the old prototype (`initial_node`, `edges`)"
_INSTEAD = {
    "node_type": "`type` instead of `node_type`",
    "next": "`next: done`, or a list of edges `- {to: done, when: {path: state.total, op: gt, value: 0}}`",
    "requires": "`permissions`, a list of patterns such as `rye.execute.tool.tickets.*`, instead of `requires`",
    "initial_node": "`config.start` instead of `initial_node`",
    "edges": "a mapping `config.nodes` whose nodes name their successor in `next`, instead of `edges`",
}
_COMPARISON = pattern(r"\s*([\w.]+)\s*(==|!=|>=|<=|>|<)\s*(.+?)\s*\Z")


#: A tell-tale key: the dialect that it belongs to, the key, and for a condition its text.
_Tell: TypeAlias = tuple[str, ScalarNode, str]


def is_graph(source: Source) -> bool:
    """Whether the file says that it is a graph; of one that cannot be parsed, whether its text looks like it."""
    if source.root is None:
        return bool(source.faults) and bool(_CLAIM.search(source.text))
    kind = source.get(source.root, "tool_type")
    return isinstance(kind, ScalarNode) and kind.value in TOOL_TYPES


def why_no_graph(source: Source) -> NotAGraph:
    """What keeps a file from being a graph: nothing in it, a misspelled `tool_type`, or none."""
    from graphwright.faults.files import NotAGraph  # for a check of graphs it is not needed

    if source.root is None:
        return NotAGraph(source.top, empty=not source.text.strip())
    kind = source.get(source.root, "tool_type")
    if isinstance(kind, ScalarNode):
        return NotAGraph(source.top, value=kind.value, at=source.span(kind))
    keys = {key.value: key for key, _ in source.entries(source.root)} if isinstance(source.root, MappingNode) else {}
    near = nearest("tool_type", keys)
    return NotAGraph(source.top, key=near, at=None if near is None else source.span(keys[near]))


def foreign_dialect(source: Source) -> OtherDialect | None:
    """The fault GW114 of a file that is written in another dialect, at its first tell-tale key."""
    root = source.root
    if not isinstance(root, MappingNode):
        return None
    tells = sorted(_tells(source, root), key=lambda tell: int(tell[1].start_mark.index))
    if not tells:
        return None
    dialect, key, _ = tells[0]
    keys = tuple(dict.fromkeys(name.value for _, name, _ in tells))
    return OtherDialect(source.span(key), dialect, keys, _instead(tells))


def _tells(source: Source, root: MappingNode) -> Iterator[_Tell]:
    claimed = is_graph(source)
    top = {key.value: (key, value) for key, value in source.entries(root)}
    config = source.get(root, "config")
    below = (
        {key.value: (key, value) for key, value in source.entries(config)} if isinstance(config, MappingNode) else {}
    )
    nodes = source.get(config, "nodes")
    yield from _prototype(top, claimed)
    yield from _prototype(below, claimed)
    if isinstance(nodes, MappingNode):
        for _, node in source.entries(nodes):
            if isinstance(node, MappingNode):
                yield from _newer(source, node, claimed)
    if "requires" in top and (claimed or isinstance(nodes, MappingNode)):
        key, value = top["requires"]
        if source.get(value, "capabilities") is not None:
            yield _NEWER, key, ""


def _instead(tells: list[_Tell]) -> str:
    """What this dialect writes for all the tell-tale keys, each once."""
    found = dict.fromkeys(_INSTEAD.get(key.value) or _condition(text) for _, key, text in tells)
    return "; ".join(found)


def _condition(text: str) -> str:
    """What this dialect writes for a condition that is a text."""
    compared = _COMPARISON.match(text)
    if text.strip() in ("true", "else", "default", "always"):
        return "no `when` on an unconditional edge"
    if compared is None:
        return "a condition such as `when: {path: state.total, op: gt, value: 0}`"
    path, sign, value = compared.groups()
    return f"`when: {{path: {path}, op: {OPERATOR_SYNONYMS[sign]}, value: {value}}}`"


def _prototype(section: dict[str, Pair], claimed: bool) -> Iterator[_Tell]:
    if "initial_node" in section and (claimed or "nodes" in section):
        yield _PROTOTYPE, section["initial_node"][0], ""
    if "edges" in section and (claimed or ("initial_node" in section and "nodes" in section)):
        yield _PROTOTYPE, section["edges"][0], ""


def _newer(source: Source, node: MappingNode, claimed: bool) -> Iterator[_Tell]:
    for key, value in source.entries(node):
        if key.value == "node_type":
            yield _NEWER, key, ""
        elif key.value == "next":
            if isinstance(value, MappingNode) and isinstance(source.get(value, "type"), ScalarNode):
                yield _NEWER, key, ""
            elif claimed:
                yield from _text_conditions(source, value)


def _text_conditions(source: Source, edges: Node) -> Iterator[_Tell]:
    """`when: "state.total > 0"`: that dialect writes conditions as text."""
    if not isinstance(edges, SequenceNode):
        return
    for edge in edges.value:
        if isinstance(edge, MappingNode):
            for key, value in source.entries(edge):
                if key.value == "when" and isinstance(value, ScalarNode) and _is_expression(value):
                    yield _NEWER, key, value.value


def _is_expression(value: ScalarNode) -> bool:
    return value.value not in OPERATORS and bool(_EXPRESSION.search(value.value)) and bool(value.value.strip())
