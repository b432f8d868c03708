"""Indentation that slipped by a level: keys of a node that stand among the nodes, and nodes among other keys.

YAML reads both without complaint. Each is reported once, at its key, and read on as what it was meant to be.
"""

from __future__ import annotations

from collections.abc import Iterable

from yaml.nodes import MappingNode, Node, ScalarNode

from graphwright.model import Owner
from graphwright.parse.keys import NODES, Place, belongs
from graphwright.parse.reader import Reader
from graphwright.source.reader import Pair
from graphwright.suggest import nearest

_KEYS = frozenset(key for place in NODES.values() for key in (*place.keys, *place.aliases))
_TELLING = frozenset({"action", "next", "output", "over"})
_GRAPH = Owner("the graph")


def regrouped(reader: Reader, pairs: Iterable[Pair]) -> list[Pair]:
    """The nodes, with the keys that slipped out of one put back and the nodes that slipped into one taken out."""
    found: list[Pair] = []
    for key, body in pairs:
        if found and _slipped_out(reader, key, body):
            name, node = found[-1]
            if isinstance(node, MappingNode) and _is_plain(reader, node) and not _has(node, key.value):
                _misplaced(reader, key, "among the nodes", f"in node `{name.value}` above it: indent it further")
                found[-1] = name, _with_pairs(node, [*node.value, (key, body)])
                continue
        if isinstance(body, MappingNode) and _is_plain(reader, body):
            own, slipped = without_nodes(reader, body.value, NODES["action"], f"in node `{key.value}`")
            found += [(key, _with_pairs(body, own) if slipped else body), *slipped]
        else:
            found.append((key, body))
    return found


def without_nodes(
    reader: Reader, pairs: Iterable[Pair], place: Place, where: str | None = None
) -> tuple[list[Pair], list[Pair]]:
    """The entries of a mapping, and apart from them those that are nodes."""
    own: list[Pair] = []
    slipped: list[Pair] = []
    for pair in pairs:
        key, body = pair
        if isinstance(key, ScalarNode) and _is_strange(reader, key.value, place) and _is_node(reader, body):
            _misplaced(reader, key, where or place.phrase, "among the `nodes`: begin it in their column")
            slipped.append(pair)
        else:
            own.append(pair)
    return own, slipped


def _misplaced(reader: Reader, key: ScalarNode, place: str, home: str) -> None:
    reader.fault("GW101", key, _GRAPH, key=key.value, place=place, suggestion=None, legal=(), belongs=home, taken=False)


def _slipped_out(reader: Reader, key: ScalarNode, body: Node) -> bool:
    """Whether an entry of `nodes` has the name of a key, and a value that is no node."""
    if key.value not in _KEYS or reader.absent(body):
        return False
    if not isinstance(body, MappingNode):
        return True
    return bool(body.value) and not any(name.value in _KEYS for name, _ in reader.source.entries(body))


def _is_node(reader: Reader, body: Node) -> bool:
    """Whether a value is plainly the body of a node."""
    if not isinstance(body, MappingNode):
        return False
    entries = {name.value: value for name, value in reader.source.entries(body)}
    kind = entries.get("type")
    tells = not _TELLING.isdisjoint(entries) or (isinstance(kind, ScalarNode) and kind.value in NODES)
    return tells and all(name in _KEYS or name.startswith("x-") for name in entries)


def _is_strange(reader: Reader, name: str, place: Place) -> bool:
    """Whether a key is none of its place, nor a misspelt one, nor known elsewhere, nor the name of another node."""
    if name in _KEYS or name.startswith("x-") or name in reader.names or name in place.synonyms:
        return False
    legal = (*place.keys, *place.aliases)
    return name not in legal and nearest(name, legal) is None and belongs(name, place) is None


def _is_plain(reader: Reader, node: MappingNode) -> bool:
    """Whether a mapping's entries are simply its pairs: no merges, no key twice."""
    return id(node) not in reader.source.irregular


def _has(node: MappingNode, name: str) -> bool:
    return any(key.value == name for key, _ in node.value)


def _with_pairs(node: MappingNode, pairs: list[Pair]) -> MappingNode:
    return MappingNode(node.tag, pairs, node.start_mark, node.end_mark, node.flow_style)
