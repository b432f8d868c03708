"""Keys that stand a level too deep or too high in a node: in its `action`, its `assign`, or beside them.

YAML reads all of it without complaint. Each is reported once and read on as what it was meant to be.
"""

from __future__ import annotations

from yaml.nodes import MappingNode, Node, ScalarNode, SequenceNode

from graphwright.language.keys import ACTION
from graphwright.language.nodes import node_types
from graphwright.model import Owner
from graphwright.parse.reader import Reader
from graphwright.source import scalars
from graphwright.source.reader import Pair
from graphwright.suggest import nearest

_BESIDE = "on a node, beside `{}`"
_PARTS = ("params", "item_id", "primary", "item_type")
_EDGES = ("next", "on_error")
_IN_ACTIONS = frozenset(ACTION.table)
_WITHOUT_ASSIGN = "under `assign:`, a line that is missing above it"


def settled(reader: Reader, body: MappingNode, owner: Owner) -> MappingNode:
    """A node's body, with the keys that slipped by a level back where they belong."""
    pairs = reader.source.entries(body)
    if not any(_may_hide_a_slip(reader, *pair) for pair in pairs):
        return body
    pairs = _into_action(reader, pairs, owner)
    own = {key.value for key, _ in pairs}
    found: list[Pair] = []
    raised: list[Pair] = []
    for key, value in pairs:
        kept: Node = value
        moved: tuple[Pair, ...] = ()
        if isinstance(value, MappingNode) and key.value == "action":
            kept, moved = _out_of_action(reader, value, owner, own)
        elif isinstance(value, MappingNode) and key.value == "assign":
            kept, moved = _out_of_assign(reader, value, owner, own)
        found.append((key, kept))
        raised += moved
    return _with_pairs(body, [*found, *raised]) if [*found, *raised] != reader.source.entries(body) else body


def _may_hide_a_slip(reader: Reader, key: ScalarNode, value: Node) -> bool:
    """Whether there is a reason to look closer; for most nodes there is none."""
    name = key.value
    if name == "action" and isinstance(value, MappingNode):
        return any(inner.value not in _IN_ACTIONS for inner, _ in reader.source.entries(value))
    if name == "assign" and isinstance(value, MappingNode):
        return any(inner.value in _EDGES for inner, _ in reader.source.entries(value))
    return name in _PARTS


def _into_action(reader: Reader, pairs: list[Pair], owner: Owner) -> list[Pair]:
    """The entries of a node, with the parts of its action that stand beside it put back."""
    action = next((value for key, value in pairs if key.value == "action"), None)
    if not isinstance(action, MappingNode):
        return pairs
    inside = {key.value for key, _ in reader.source.entries(action)}
    slipped = [pair for pair in pairs if pair[0].value in _PARTS and pair[0].value not in inside]
    if not slipped:
        return pairs
    for key, _ in slipped:
        _report(reader, key, owner, "on a node", "under `action`")
    whole = _with_pairs(action, [*reader.source.entries(action), *slipped])
    return [(key, whole if value is action else value) for key, value in pairs if (key, value) not in slipped]


def _out_of_action(reader: Reader, action: MappingNode, owner: Owner, own: set[str]) -> tuple[Node, tuple[Pair, ...]]:
    kept: list[Pair] = []
    raised: list[Pair] = []
    strange: list[Pair] = []
    for pair in reader.source.entries(action):
        name = pair[0].value
        if name in ACTION.table or name in ACTION.synonyms or name.startswith("x-"):
            kept.append(pair)
        elif node_types(name) and name not in own:
            raised.append(pair)
        else:
            strange.append(pair)
    empty = next((key for key, value in kept if key.value == "params" and reader.absent(value)), None)
    if empty is not None and strange and not raised:
        _report(reader, strange[0][0], owner, "in an action", "under `params`: indent it further")
        kept = [pair for pair in kept if pair[0] is not empty]
        return _with_pairs(action, [*kept, (empty, _below(strange))]), ()
    header = next((key for key, value in raised if key.value == "assign" and reader.absent(value)), None)
    assigns = header is not None or ("assign" not in own and _look_assigned(reader, strange))
    if not raised and not assigns:
        return action, ()
    for key, _ in raised:
        _report(reader, key, owner, "in an action", _BESIDE.format("action"))
    if assigns and strange:
        first = strange[0][0]
        if header is None:
            _report(reader, first, owner, "in an action", _WITHOUT_ASSIGN)
            header = ScalarNode(scalars.STR, "assign", first.start_mark, first.end_mark)
        else:
            raised = [pair for pair in raised if pair[0] is not header]
        raised.append((header, _below(strange)))
    else:
        kept += strange
    return _with_pairs(action, kept), tuple(raised)


def _look_assigned(reader: Reader, strange: list[Pair]) -> bool:
    """Whether unknown keys of an action are entries of an `assign`: they keep a result, or are read as state."""
    if any(nearest(key.value, ACTION.keys) for key, _ in strange):
        return False
    return any(
        (isinstance(value, ScalarNode) and "${result" in value.value) or f"state.{key.value}" in reader.source.text
        for key, value in strange
    )


def _out_of_assign(reader: Reader, assign: MappingNode, owner: Owner, own: set[str]) -> tuple[Node, tuple[Pair, ...]]:
    """An edge is no value to keep: a list of `to`, or the name of a node where nothing reads a key `next`."""
    entries = reader.source.entries(assign)
    raised = tuple(
        (key, value)
        for key, value in entries
        if key.value in _EDGES and key.value not in own and _is_edge(reader, key.value, value)
    )
    for key, _ in raised:
        _report(reader, key, owner, "in `assign`", _BESIDE.format("assign"))
    return _with_pairs(assign, [pair for pair in entries if pair not in raised]) if raised else assign, raised


def _is_edge(reader: Reader, key: str, value: Node) -> bool:
    if isinstance(value, SequenceNode):
        return bool(value.value) and all(
            isinstance(item, MappingNode) and any(name.value == "to" for name, _ in reader.source.entries(item))
            for item in value.value
        )
    named = isinstance(value, ScalarNode) and value.value in reader.names
    return named and f"state.{key}" not in reader.source.text


def _report(reader: Reader, key: ScalarNode, owner: Owner, place: str, home: str) -> None:
    reader.fault("GW101", key, owner, key=key.value, place=place, suggestion=None, legal=(), belongs=home, taken=False)


def _below(pairs: list[Pair]) -> MappingNode:
    return MappingNode(scalars.MAP, pairs, pairs[0][0].start_mark, pairs[-1][1].end_mark)


def _with_pairs(mapping: MappingNode, pairs: list[Pair]) -> MappingNode:
    return MappingNode(mapping.tag, pairs, mapping.start_mark, mapping.end_mark, mapping.flow_style)
