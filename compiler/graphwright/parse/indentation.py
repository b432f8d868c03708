"""Indentation that slipped by a level: keys of a node that stand among the nodes, and nodes among other keys.

YAML reads both without complaint. Each is reported once, at its key, and read on as what it was meant to be.
"""

from __future__ import annotations

from collections.abc import Iterable

from yaml.nodes import MappingNode, Node, ScalarNode

from graphwright.language.homes import belongs
from graphwright.language.nodes import NODES
from graphwright.language.sections import Section
from graphwright.model import Owner
from graphwright.parse.reader import Reader
from graphwright.source import scalars
from graphwright.source.reader import Pair
from graphwright.suggest import nearest

_KEYS = frozenset(name for each in NODES.values() for name in each.table)
_TELLING = frozenset({"action", "next", "output", "over"})
_GRAPH = Owner("the graph")


def regrouped(reader: Reader, pairs: Iterable[Pair]) -> list[Pair]:
    """The nodes, with the keys that slipped out of one put back and the nodes that slipped into one taken out."""
    found: list[Pair] = []
    for key, body in pairs:
        if found and _slipped_out(reader, key, body):
            name, node = found[-1]
            own = reader.source.entries(node) if isinstance(node, MappingNode) else []
            whole = (
                node if isinstance(node, MappingNode) else MappingNode(scalars.MAP, [], key.start_mark, body.end_mark)
            )
            if (own or reader.absent(node)) and all(other.value != key.value for other, _ in own):
                _misplaced(reader, key, "among the nodes", f"in node `{name.value}` above it: indent it further")
                found[-1] = name, _with_pairs(whole, [*own, (key, body)])
                continue
        found += _taken_apart(reader, key, body)
    return found


def _taken_apart(reader: Reader, key: ScalarNode, body: Node) -> list[Pair]:
    """A node, and after it those that slipped into it: whole ones, and names that were followed by another body."""
    if not isinstance(body, MappingNode):
        return [(key, body)]
    where = f"in node `{key.value}`"
    own, slipped = without_nodes(reader, reader.source.entries(body), NODES["action"], where)
    node = (key, _with_pairs(body, own) if slipped else body)
    for place, (name, value) in enumerate(body.value):
        rest = body.value[place + 1 :]
        if not (rest and isinstance(name, ScalarNode) and reader.absent(value)):
            continue
        behind = _with_pairs(body, rest)
        if _is_strange(reader, name.value, NODES["action"]) and _is_node(reader, behind):
            for repeated, _ in rest:
                reader.log.settle(reader.source.span(repeated), "GW002")
            _misplaced(reader, name, where, "among the `nodes`: begin it in their column")
            return [(key, _with_pairs(body, body.value[:place])), (name, behind), *slipped]
    return [node, *slipped]


def without_nodes(
    reader: Reader, pairs: Iterable[Pair], section: Section, where: str | None = None
) -> tuple[list[Pair], list[Pair]]:
    """The entries of a mapping, and apart from them those that are nodes."""
    own: list[Pair] = []
    slipped: list[Pair] = []
    for pair in pairs:
        key, body = pair
        if isinstance(key, ScalarNode) and _is_strange(reader, key.value, section) and _is_node(reader, body):
            _misplaced(reader, key, where or section.phrase, "among the `nodes`: begin it in their column")
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


def _is_strange(reader: Reader, name: str, section: Section) -> bool:
    """Whether a key is none of its section, nor a misspelt one, nor known elsewhere, nor the name of another node."""
    if name in _KEYS or name.startswith("x-") or name in reader.names or name in section.synonyms:
        return False
    return name not in section.table and nearest(name, section.table) is None and belongs(name, section) is None


def _with_pairs(node: MappingNode, pairs: list[Pair]) -> MappingNode:
    return MappingNode(node.tag, pairs, node.start_mark, node.end_mark, node.flow_style)
