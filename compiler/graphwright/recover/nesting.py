"""Moves keys that are indented too far or not far enough, which YAML accepts.

For example, keys of a node among the nodes, nodes among other keys, keys of a node in its `action` or `assign`, and
vice versa. Each is reported once, at its key, and moved to the right mapping.
"""

from __future__ import annotations

from collections.abc import Iterable

from yaml.nodes import MappingNode, Node, ScalarNode, SequenceNode

from graphwright.fault import GRAPH, Owner
from graphwright.faults.yaml import DuplicateKey
from graphwright.language.homes import belongs
from graphwright.language.keys import ACTION
from graphwright.language.nodes import NODES, node_types
from graphwright.language.sections import Section
from graphwright.recover.actions import into_action
from graphwright.recover.recovery import Recovery, mapping_of
from graphwright.source import scalars
from graphwright.source.reader import Pair
from graphwright.suggest import nearest

_NODE_KEYS = frozenset(name for each in NODES.values() for name in each.table)
#: Keys that exist only in nodes.
_NODES_ONLY = frozenset({"action", "next", "output", "over"})
#: Edges that are found in the `assign` of their node.
_EDGES = ("next", "on_error")
_AMONG_NODES = "among the `nodes`: begin it in their column"


# --- among the nodes -----------------------------------------------------------------------------------------


def regrouped(recovery: Recovery, pairs: Iterable[Pair]) -> list[Pair]:
    """The nodes, with the keys that slipped out of one put back and the nodes that slipped into one taken out."""
    found: list[Pair] = []
    for key, body in pairs:
        if found and _slipped_out(recovery, key, body):
            name, node = found[-1]
            own = recovery.source.entries(node) if isinstance(node, MappingNode) else []
            taken = {other.value for other, _ in own}
            kept, after = _with_its_siblings(recovery, body)
            if (own or scalars.is_null(node)) and taken.isdisjoint((key.value, *(each.value for each, _ in after))):
                home = f"in node `{name.value}` above it: indent it further"
                recovery.misplaced(key, GRAPH, "among the nodes", home)
                found[-1] = name, mapping_of([*own, (key, kept), *after], node)
                continue
        found += _split(recovery, key, body)
    return found


def _split(recovery: Recovery, key: ScalarNode, body: Node) -> list[Pair]:
    """A node, followed by those that slipped into it: whole ones, and names that were followed by another body."""
    if not isinstance(body, MappingNode):
        return [(key, body)]
    where = f"in node `{key.value}`"
    own, slipped = without_nodes(recovery, recovery.source.entries(body), NODES["action"], where)
    node = (key, mapping_of(own, body) if slipped else body)
    for place, (name, value) in enumerate(body.value):
        rest = body.value[place + 1 :]
        if not (rest and isinstance(name, ScalarNode) and scalars.is_null(value)):
            continue
        after = mapping_of(rest, body)
        if _is_unknown(recovery, name.value, NODES["action"]) and _is_node(recovery, after):
            for repeated, _ in rest:
                recovery.log.retract(recovery.source.span(repeated), DuplicateKey)
            recovery.misplaced(name, GRAPH, where, _AMONG_NODES)
            return [(key, mapping_of(body.value[:place], body)), (name, after), *slipped]
    return [node, *slipped]


def without_nodes(
    recovery: Recovery, pairs: Iterable[Pair], section: Section, where: str | None = None
) -> tuple[list[Pair], list[Pair]]:
    """The entries of a mapping, and separately those that are nodes."""
    own: list[Pair] = []
    slipped: list[Pair] = []
    for pair in pairs:
        key, body = pair
        nodes = _nodes_in(recovery, key, body) if _is_unknown(recovery, key.value, section) else []
        if nodes:
            recovery.misplaced(key, GRAPH, where or section.phrase, _AMONG_NODES)
            slipped += nodes
        else:
            own.append(pair)
    return own, slipped


def _nodes_in(recovery: Recovery, key: ScalarNode, body: Node) -> list[Pair]:
    """A node, and those after it that YAML reads as part of it; nothing if the entry is not a node."""
    if not isinstance(body, MappingNode):
        return []
    pairs = recovery.source.entries(body)
    after = [pair for pair in pairs if pair[0].value not in _NODE_KEYS and _is_node(recovery, pair[1])]
    node = mapping_of([pair for pair in pairs if pair not in after], body)
    return [(key, node), *after] if _is_node(recovery, node) else []


def _slipped_out(recovery: Recovery, key: ScalarNode, body: Node) -> bool:
    """Whether an entry of `nodes` has the name of a key and a value that is not a node."""
    if key.value not in _NODE_KEYS or scalars.is_null(body):
        return False
    if not isinstance(body, MappingNode):
        return True
    names = {name.value for name, _ in recovery.source.entries(body)}
    return not names <= _NODE_KEYS and names.isdisjoint(("action", "type", "over", "output"))


def _with_its_siblings(recovery: Recovery, body: Node) -> tuple[Node, list[Pair]]:
    """The value of a key that slipped out of a node, and separately the keys of the node that follow it, which YAML
    reads as part of that value."""
    pairs = recovery.source.entries(body) if isinstance(body, MappingNode) else []
    after = [pair for pair in pairs if pair[0].value in _NODE_KEYS]
    return (mapping_of([pair for pair in pairs if pair not in after], body), after) if after else (body, [])


def _is_node(recovery: Recovery, body: Node) -> bool:
    """Whether a value is clearly the body of a node."""
    if not isinstance(body, MappingNode):
        return False
    entries = {name.value: value for name, value in recovery.source.entries(body)}
    kind = entries.get("type")
    is_typical = not _NODES_ONLY.isdisjoint(entries) or (isinstance(kind, ScalarNode) and kind.value in NODES)
    return is_typical and all(name in _NODE_KEYS or name.startswith("x-") for name in entries)


def _is_unknown(recovery: Recovery, name: str, section: Section) -> bool:
    """Whether a key is unknown everywhere: not misspelled, and not the name of another node."""
    if name in _NODE_KEYS or name.startswith("x-") or name in recovery.names or name in section.synonyms:
        return False
    return name not in section.table and nearest(name, section.table) is None and belongs(name, section) is None


# --- inside a node -------------------------------------------------------------------------------------------


def releveled(recovery: Recovery, body: MappingNode, owner: Owner) -> MappingNode:
    """A node's body, with the keys that slipped by one level moved back."""
    pairs = recovery.source.entries(body)
    if not any(_may_hide_a_slip(recovery, *pair) for pair in pairs):
        return body
    pairs = into_action(recovery, pairs, owner, "on a node")
    pairs = _into_assign(recovery, pairs, owner)
    own = {key.value for key, _ in pairs}
    found: list[Pair] = []
    raised: list[Pair] = []
    for key, value in pairs:
        kept: Node = value
        moved: tuple[Pair, ...] = ()
        if isinstance(value, MappingNode) and key.value == "action":
            kept, moved = _out_of_action(recovery, value, owner, own)
        elif isinstance(value, MappingNode) and key.value == "assign":
            kept, moved = _out_of_assign(recovery, value, owner, own)
        found.append((key, kept))
        raised += moved
    return body if [*found, *raised] == recovery.source.entries(body) else mapping_of([*found, *raised], body)


def _may_hide_a_slip(recovery: Recovery, key: ScalarNode, value: Node) -> bool:
    """A fast test for whether an entry may need to be moved; most nodes have none."""
    name = key.value
    if name == "action" and isinstance(value, MappingNode):
        return any(inner.value not in ACTION.table for inner, _ in recovery.source.entries(value))
    if name == "assign" and isinstance(value, MappingNode):
        return any(inner.value in _EDGES for inner, _ in recovery.source.entries(value))
    return name not in _NODE_KEYS


def _into_assign(recovery: Recovery, pairs: list[Pair], owner: Owner) -> list[Pair]:
    """The entries of a node, with assigns that follow the `assign` they belong to moved back."""
    place = next((number for number, (key, _) in enumerate(pairs) if key.value == "assign"), len(pairs))
    slipped: list[Pair] = []
    for key, value in pairs[place + 1 :]:
        if key.value in _NODE_KEYS or nearest(key.value, _NODE_KEYS) or not _look_assigned(recovery, [(key, value)]):
            break
        slipped.append((key, value))
    if not slipped:
        return pairs
    header, assign = pairs[place]
    inside = recovery.source.entries(assign) if isinstance(assign, MappingNode) else []
    if not (inside or scalars.is_null(assign)):
        return pairs
    recovery.misplaced(slipped[0][0], owner, "on a node", "under `assign`: indent it further")
    rest = [pair for pair in pairs if pair not in slipped and pair[0] is not header]
    return [*rest[:place], (header, mapping_of([*inside, *slipped], assign)), *rest[place:]]


def _out_of_action(
    recovery: Recovery, action: MappingNode, owner: Owner, own: set[str]
) -> tuple[Node, tuple[Pair, ...]]:
    """An action, and separately the keys of its node that were found in it."""
    kept: list[Pair] = []
    raised: list[Pair] = []
    unknown: list[Pair] = []
    for pair in recovery.source.entries(action):
        name = pair[0].value
        if name in ACTION.table or name in ACTION.synonyms or name.startswith("x-"):
            kept.append(pair)
        elif node_types(name) and name not in own:
            raised.append(pair)
        else:
            unknown.append(pair)
    empty = next((key for key, value in kept if key.value == "params" and scalars.is_null(value)), None)
    if empty is not None and unknown and not raised:
        recovery.misplaced(unknown[0][0], owner, "in an action", "under `params`: indent it further")
        kept = [pair for pair in kept if pair[0] is not empty]
        return mapping_of([*kept, (empty, mapping_of(unknown))], action), ()
    header = next((key for key, value in raised if key.value == "assign" and scalars.is_null(value)), None)
    assigns = header is not None or ("assign" not in own and _look_assigned(recovery, unknown))
    if not raised and not assigns:
        return action, ()
    for key, _ in raised:
        recovery.misplaced(key, owner, "in an action", "on a node, next to `action`")
    if assigns and unknown:
        first = unknown[0][0]
        if header is None:
            recovery.misplaced(first, owner, "in an action", "under `assign:`, a line that is missing above it")
            header = ScalarNode(scalars.STR, "assign", first.start_mark, first.end_mark)
        else:
            raised = [pair for pair in raised if pair[0] is not header]
        raised.append((header, mapping_of(unknown)))
    else:
        kept += unknown
    return mapping_of(kept, action), tuple(raised)


def _look_assigned(recovery: Recovery, unknown: list[Pair]) -> bool:
    """Whether unknown keys of an action look like entries of an `assign`: they store a result, or are read as state."""
    if any(nearest(key.value, ACTION.keys) for key, _ in unknown):
        return False
    return any(
        (isinstance(value, ScalarNode) and "${result" in value.value) or f"state.{key.value}" in recovery.source.text
        for key, value in unknown
    )


def _out_of_assign(
    recovery: Recovery, assign: MappingNode, owner: Owner, own: set[str]
) -> tuple[Node, tuple[Pair, ...]]:
    """The assigns, and separately entries that are edges: a list of `to`, or a node's name if no state key is read."""
    entries = recovery.source.entries(assign)
    raised = tuple(
        (key, value)
        for key, value in entries
        if key.value in _EDGES and key.value not in own and _is_edge(recovery, key.value, value)
    )
    for key, _ in raised:
        recovery.misplaced(key, owner, "in `assign`", "on a node, next to `assign`")
    return mapping_of([pair for pair in entries if pair not in raised], assign) if raised else assign, raised


def _is_edge(recovery: Recovery, key: str, value: Node) -> bool:
    if isinstance(value, SequenceNode):
        return bool(value.value) and all(
            isinstance(item, MappingNode) and any(name.value == "to" for name, _ in recovery.source.entries(item))
            for item in value.value
        )
    named = isinstance(value, ScalarNode) and value.value in recovery.names
    return named and f"state.{key}" not in recovery.source.text
