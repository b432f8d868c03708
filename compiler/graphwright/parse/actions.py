"""Actions of nodes and hooks."""

from __future__ import annotations

from yaml.nodes import MappingNode, Node, ScalarNode

from graphwright.fault import Owner
from graphwright.faults.keys import AsyncLoop, MissingKey, UnsupportedKey
from graphwright.language.keys import ACTION
from graphwright.language.words import PRIMARY_ALIASES, PRIMARY_SYNONYMS
from graphwright.model import Action
from graphwright.parse.reader import Reader
from graphwright.recover.actions import out_of_params
from graphwright.source.reader import Pair
from graphwright.source.scalars import is_null


def parse_action(reader: Reader, pair: Pair, owner: Owner, *, foreach: bool = False) -> Action | None:
    """The action at a key `action`; None (with a fault) if it is not a mapping."""
    key, node = pair
    if not isinstance(node, MappingNode):
        if is_null(node):
            reader.report(MissingKey(reader.span(key), owner, "item_id", "an action"))
        else:
            reader.wrong("action", node, owner, "an action such as `{item_id: tool:rye/bash, params: {…}}`")
        return None
    pairs = out_of_params(reader.recovery, reader.source.entries(node), owner)
    entries = reader.section(pairs, ACTION, owner)
    primary: str | None = "execute"
    if "primary" in entries:
        primary = _primary(reader, entries["primary"][1], owner)
    kind = kind_at = None
    if "item_type" in entries:
        kind_at = entries["item_type"][1]
        kind = reader.choice(ACTION["item_type"], kind_at, owner)
    item_id = _item_id(reader, entries["item_id"][1], owner) if "item_id" in entries else None
    if "item_id" not in entries and primary not in ("search", None):  # None: unknown whether it takes one
        reader.report(MissingKey(reader.span(key), owner, "item_id", "an action"))
    params = reader.mapping("params", entries["params"][1], owner) if "params" in entries else None
    asynchronous = _asynchronous(reader, entries.get("async"), owner, foreach)
    if params is not None:
        asynchronous = _params(reader, params, owner, foreach) or asynchronous
    lost = params is None and "params" in entries and not is_null(entries["params"][1])
    return Action(primary, kind, kind_at, item_id, params, lost, asynchronous, node)


def _primary(reader: Reader, node: Node, owner: Owner) -> str | None:
    if isinstance(node, ScalarNode) and node.value in PRIMARY_ALIASES:
        return PRIMARY_ALIASES[node.value]
    return reader.choice(ACTION["primary"], node, owner, PRIMARY_SYNONYMS)


def _item_id(reader: Reader, node: Node, owner: Owner) -> Node | None:
    name = reader.text("item_id", node, owner)
    if name is not None and (not name.text.strip() or name.text.rstrip().endswith(":")):
        reader.wrong("item_id", node, owner, "the id of an item")
        return None
    return node if name is not None and name.plain else None


def _asynchronous(reader: Reader, pair: Pair | None, owner: Owner, foreach: bool) -> bool:
    """`action.async`, which has no effect; on a foreach it was the old way to request parallel items."""
    if pair is None:
        return False
    if foreach and pair[0].value == "async":
        reader.report(AsyncLoop(reader.span(pair[0]), owner, "action.async"))
        return False
    asked = reader.boolean(pair[0].value, pair[1], owner) or False
    if asked:
        reader.report(UnsupportedKey(reader.span(pair[0]), owner, pair[0].value))
    return asked


def _params(reader: Reader, params: MappingNode, owner: Owner, foreach: bool) -> bool:
    """Whether the params ask to start in the background."""
    started = False
    for key, value in reader.source.entries(params):
        if key.value == "async" and foreach:
            reader.report(AsyncLoop(reader.span(key), owner, "params.async"))
        elif key.value in ("async", "async_exec"):
            started = started or reader.source.value(value) is True
    return started
