"""Identifies keys with unknown names by their values.

Even if a name is not similar to any valid one, the value often shows what it is: a mapping with an `item_id` is an
action, a list of `rye.…` patterns are permissions. Reading it as such keeps one wrong name to one diagnostic.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Final, TypeAlias

from yaml.nodes import MappingNode, Node, ScalarNode, SequenceNode

from graphwright.language.events import EVENTS
from graphwright.language.operators import OPERATORS
from graphwright.source import scalars
from graphwright.source.reader import Source

_Test: TypeAlias = Callable[[Source, Node, frozenset[str]], bool]


def key_by_value(source: Source, value: Node, absent: Iterable[str], names: frozenset[str]) -> str | None:
    """The first of the missing keys that a value looks like; `names` are those of the graph's nodes."""
    return next((key for key in absent if key in _LOOKS_LIKE and _LOOKS_LIKE[key](source, value, names)), None)


def _having(*keys: str) -> _Test:
    """A mapping with one of these keys."""

    def test(source: Source, value: Node, _: frozenset[str]) -> bool:
        return isinstance(value, MappingNode) and any(key.value in keys for key, _ in source.entries(value))

    return test


def _word(*words: str) -> _Test:
    def test(_source: Source, value: Node, _: frozenset[str]) -> bool:
        return isinstance(value, ScalarNode) and value.value in words

    return test


def _text(*beginnings: str) -> _Test:
    def test(_source: Source, value: Node, _: frozenset[str]) -> bool:
        return isinstance(value, ScalarNode) and value.tag == scalars.STR and value.value.startswith(beginnings)

    return test


def _node(_: Source, value: Node, names: frozenset[str]) -> bool:
    return isinstance(value, ScalarNode) and value.value in names


def _edges(source: Source, value: Node, names: frozenset[str]) -> bool:
    if _node(source, value, names):
        return True
    return isinstance(value, SequenceNode) and any(_having("to")(source, item, names) for item in value.value)


def _nodes(source: Source, value: Node, names: frozenset[str]) -> bool:
    looks = _having("action", "next", "type", "output")
    if not isinstance(value, MappingNode) or not value.value:
        return False
    return all(looks(source, body, names) for _, body in source.entries(value))


def _assignments(source: Source, value: Node, _: frozenset[str]) -> bool:
    if not isinstance(value, MappingNode):
        return False
    return any(isinstance(item, ScalarNode) and "${result" in item.value for _, item in source.entries(value))


def _patterns(source: Source, value: Node, names: frozenset[str]) -> bool:
    looks = _text("rye.", "ryeos.")
    return isinstance(value, SequenceNode) and any(looks(source, item, names) for item in value.value)


def _mapping(_source: Source, value: Node, _: frozenset[str]) -> bool:
    return isinstance(value, MappingNode)


_CONDITION: Final = _having("path", "any", "all", "not")
_LOOKS_LIKE: Final[Mapping[str, _Test]] = {
    "config": _having("nodes", "start"),
    "config_schema": _having("properties"),
    "permissions": _patterns,
    "nodes": _nodes,
    "start": _node,
    "action": _having("item_id"),
    "assign": _assignments,
    "next": _edges,
    "type": _word("action", "gate", "foreach", "return"),
    "item_id": _text("tool:", "directive:", "knowledge:", "rye/"),
    "params": _mapping,
    "to": _node,
    "when": _CONDITION,
    "condition": _CONDITION,
    "path": _text("state.", "inputs.", "result."),
    "op": _word(*OPERATORS),
    "event": _word(*EVENTS),
}
