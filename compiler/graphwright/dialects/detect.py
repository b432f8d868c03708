"""Determines whether a YAML file is a graph of this dialect, of another dialect, or not a graph.

The characteristic keys of other dialects are recognized with or without `tool_type`, so that the author gets one clear
message instead of one for each key.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from yaml.nodes import MappingNode, Node, ScalarNode

from graphwright.faults.keys import OtherDialect
from graphwright.pattern import pattern
from graphwright.source.reader import Pair, Source
from graphwright.suggest import nearest

if TYPE_CHECKING:
    from graphwright.dialects.difference import Difference
    from graphwright.faults.files import NotAGraph

#: The values of `tool_type` for graphs.
TOOL_TYPES = ("graph", "state_graph")
NEWER: Final = "the newer dialect (`node_type`, typed `next`)"
PROTOTYPE: Final = "the old prototype (`initial_node`, `edges`)"

#: `tool_type` of a graph, at the beginning of a line or in quotes anywhere. Begins with a literal, for a fast search.
_CLAIM = pattern(
    r"tool_type(?:(?<=^tool_type)[^\S\n]*:[^\S\n]*[\"']?(?:state_)?graph[\"']?[^\S\n]*(?:#.*)?$"
    r"|(?<=[\"']tool_type)[\"']\s*:\s*[\"'](?:state_)?graph[\"'])",
    re.MULTILINE,
)
#: A file of another dialect that has the `tool_type` of a graph contains one of these.
_HINTS: Final = ("node_type", "ref_bindings", "onditional", "capabilities", "initial_node", "edges")


def is_graph(source: Source) -> bool:
    """Whether the file has the `tool_type` of a graph; for a file that cannot be parsed, whether its text looks so."""
    if source.root is None:
        return bool(source.faults) and bool(_CLAIM.search(source.text))
    kind = source.get(source.root, "tool_type")
    return isinstance(kind, ScalarNode) and kind.value in TOOL_TYPES


def is_python(source: Source) -> bool:
    """Whether a file has the suffix of a Python module."""
    return source.path.endswith((".py", ".pyi"))


def is_nearly_graph(source: Source) -> bool:
    """Whether a file has the nodes of a graph, and its `tool_type` is misspelled or missing."""
    nodes = source.get(source.root, "config", "nodes")
    if not isinstance(source.root, MappingNode) or not isinstance(nodes, MappingNode):
        return False
    kind = source.get(source.root, "tool_type")
    if kind is not None:
        return isinstance(kind, ScalarNode) and nearest(kind.value, TOOL_TYPES) is not None
    start = source.get(source.root, "config", "start")
    has_start = isinstance(start, ScalarNode) and any(key.value == start.value for key, _ in source.entries(nodes))
    return has_start or _kind_key(source) is not None


def _kind_key(source: Source) -> ScalarNode | None:
    """The key that was probably meant to be `tool_type`, by its name or as `type: graph`."""
    entries = source.entries(source.root) if isinstance(source.root, MappingNode) else ()
    nearly = nearest("tool_type", [key.value for key, _ in entries])
    for key, value in entries:
        is_kind = isinstance(value, ScalarNode) and value.value in TOOL_TYPES
        if key.value == nearly or (is_kind and key.value in ("type", "kind")):
            return key
    return None


def not_a_graph(source: Source) -> NotAGraph:
    """The fault for a file that is not a graph: it is empty, or its `tool_type` is missing or misspelled."""
    from graphwright.faults.files import NotAGraph  # imported late: graphs do not need it

    if is_python(source):
        return NotAGraph(source.top, python=True)
    if source.root is None:
        return NotAGraph(source.top, empty=not source.text.strip())
    kind = source.get(source.root, "tool_type")
    if isinstance(kind, ScalarNode):
        return NotAGraph(source.top, value=kind.value, at=source.span(kind))
    near = _kind_key(source)
    return NotAGraph(source.top) if near is None else NotAGraph(source.top, key=near.value, at=source.span(near))


def foreign_dialect(source: Source) -> OtherDialect | None:
    """The fault GW114 of a file in another dialect, at its first characteristic key; otherwise None."""
    dialect = dialect_of(source)
    if dialect is None:
        return None
    found: dict[str, Difference] = {}
    for each in differences(source, dialect):
        found.setdefault(each.advice, each)
    first = min((each.span for each in found.values() if each.key != "tool_type"), default=source.top)
    listed = tuple((each.span.line, each.key, each.advice) for each in found.values())
    return OtherDialect(first, dialect, listed)


def dialect_of(source: Source) -> str | None:
    """The other dialect that a file is written in, `NEWER` or `PROTOTYPE`; otherwise None."""
    root, claimed = source.root, is_graph(source)
    if not isinstance(root, MappingNode) or (claimed and not any(hint in source.text for hint in _HINTS)):
        return None
    top = {key.value: (key, value) for key, value in source.entries(root)}
    config = source.get(root, "config")
    below = (
        {key.value: (key, value) for key, value in source.entries(config)} if isinstance(config, MappingNode) else {}
    )
    if _is_prototype(top, claimed) or _is_prototype(below, claimed):
        return PROTOTYPE
    nodes = source.get(config, "nodes") or source.get(root, "nodes")
    if claimed and "ref_bindings" in top | below:
        return NEWER
    capabilities = source.get(root, "requires", "capabilities")
    if capabilities is not None and (claimed or isinstance(nodes, MappingNode)):
        return NEWER
    if isinstance(nodes, MappingNode) and any(_is_newer(source, node) for _, node in source.entries(nodes)):
        return NEWER
    if claimed or not isinstance(nodes, MappingNode) or "start" not in below or "tool_type" in top:
        return None
    # A fallback in a template may also be one of this language, in a graph that lacks its `tool_type`.
    return NEWER if any(each.key not in ("tool_type", "${…}") for each in differences(source, NEWER)) else None


def differences(source: Source, dialect: str) -> Iterator[Difference]:
    """The parts of a file in another dialect that this language writes differently."""
    from graphwright.dialects import newer, prototype  # imported late: few files need them

    root = source.root
    if isinstance(root, MappingNode):
        yield from (prototype if dialect == PROTOTYPE else newer).differences(source, root)


def _is_prototype(section: dict[str, Pair], claimed: bool) -> bool:
    start, edges, nodes = ("initial_node" in section, "edges" in section, "nodes" in section)
    return (start and (claimed or nodes)) or (edges and (claimed or (start and nodes)))


def _is_newer(source: Source, node: Node) -> bool:
    """Whether a node has a key that exists only in the newer dialect."""
    if not isinstance(node, MappingNode):
        return False
    for key, value in source.entries(node):
        if key.value == "node_type":
            return True
        if key.value == "next" and isinstance(source.get(value, "type"), ScalarNode):
            return True
        if key.value == "action" and source.get(value, "ref_bindings") is not None:
            return True
    return False
