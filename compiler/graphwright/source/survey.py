"""One walk over a fresh node tree: duplicate keys, what JSON cannot say, ambiguous scalars, aliases that explode.

The walk only notes nodes; `reader.py` turns them into places.
"""

from __future__ import annotations

import json
from collections.abc import Iterator

from yaml.nodes import MappingNode, Node, ScalarNode, SequenceNode

from graphwright.record import Record
from graphwright.source import scalars
from graphwright.source.compose import MAX_NODES, Composed
from graphwright.source.syntax import MAX_DEPTH


class Complaint(Record):
    """A fault at a node; `other` is a second node that the message needs (the first of two equal keys)."""

    code: str
    at: Node
    facts: dict[str, object]
    other: Node | None = None


class Survey:
    """What the walk found. `refused`: the node and the facts of a GW005, which ends everything.

    `irregular`: ids of mappings whose entries are not simply their pairs.
    """

    def __init__(self) -> None:
        self.complaints: list[Complaint] = []
        self.refused: tuple[Node, dict[str, object]] | None = None
        self.irregular: frozenset[int] = frozenset()


def survey(composed: Composed) -> Survey:
    """Walk the tree once (each node once, however often aliases lead to it)."""
    found = Survey()
    root = composed.root
    if root is None:
        return found
    if composed.aliased:
        found.refused = _explosion(root)
        if found.refused is not None:
            return found
    found.irregular = frozenset(_walk(root, composed, found.complaints))
    return found


def _walk(root: Node, composed: Composed, complaints: list[Complaint]) -> Iterator[int]:
    """Look at every node and yield the ids of irregular mappings. One loop: it sees hundreds of thousands of nodes."""
    suspects, tagged, aliased = composed.suspects, composed.tagged, composed.aliased
    stack, seen = [root], set[int]()
    while stack:
        node = stack.pop()
        if isinstance(node, ScalarNode):
            if tagged or node.value in suspects:
                complaints.extend(_scalar(node, composed))
            continue
        if aliased:
            if id(node) in seen:
                continue
            seen.add(id(node))
        if node.tag not in (scalars.MAP, scalars.SEQ):
            complaints.append(_tag(node))
        if isinstance(node, MappingNode):
            names = {key.value for key, _ in node.value if key.tag == scalars.STR}
            if len(names) != len(node.value):
                yield id(node)
                complaints.extend(_keys(node, composed))
            elif not suspects.isdisjoint(names):
                complaints.extend(_keys(node, composed))
            stack.extend([value for key, value in node.value if aliased or not _ignored(key)])
        else:
            stack.extend(node.value)


def _ignored(key: Node) -> bool:
    """Whether a key is the author's own; what is below it matters to nobody, unless an alias leads there."""
    return isinstance(key, ScalarNode) and key.value[:2] == "x-"


def _scalar(node: ScalarNode, composed: Composed) -> Iterator[Complaint]:
    known = None if node.style else composed.ambiguous.get(node.value)
    if known is not None and known[0] == node.tag:
        yield Complaint("GW004", node, _ambiguous(node, known[1], False))
    if node.tag == scalars.STR or node.tag in (scalars.NULL, scalars.MERGE):
        return
    if node.tag not in scalars.JSON_SCALARS:
        yield _tag(node)
        return
    try:
        scalars.read_scalar(node.tag, node.value)
    except scalars.NotJsonError:
        kind = "number" if node.tag in (scalars.INT, scalars.FLOAT) else "tag"
        yield Complaint("GW003", node, {"kind": kind, "text": node.value, "tag": _short(node.tag)})


def _tag(node: Node) -> Complaint:
    short = _short(node.tag)
    kind = {scalars.TIMESTAMP: "timestamp", scalars.EQUALS: "equals", scalars.MERGE: "merge"}.get(node.tag, "tag")
    if short in ("binary", "set", "omap", "pairs") and node.tag.startswith("tag:yaml.org"):
        kind = short
    text = node.value if isinstance(node, ScalarNode) else ""
    return Complaint("GW003", node, {"kind": kind, "text": text, "tag": short})


def _short(tag: str) -> str:
    return tag.removeprefix("tag:yaml.org,2002:")


def _ambiguous(node: ScalarNode, reason: str, key: bool) -> dict[str, object]:
    reads = json.dumps(scalars.read_scalar(node.tag, node.value), ensure_ascii=False)
    return {"text": node.value, "reason": reason, "reads": reads, "text_read": node.tag == scalars.STR, "key": key}


def _keys(mapping: MappingNode, composed: Composed) -> Iterator[Complaint]:
    """Duplicate keys, and keys that are no text or that YAML 1.2 would read differently."""
    seen: dict[str, Node] = {}
    merge: Node | None = None
    run: list[str] | None = None  # the keys behind a duplicate that are duplicates, too: they were pasted together
    for key, value in mapping.value:
        if not isinstance(key, ScalarNode):
            braces = key.start_mark.index == mapping.start_mark.index + 1 and isinstance(key, MappingNode)
            kind, at = ("braces", mapping) if braces else ("key", key)
            yield Complaint("GW003", at, {"kind": kind, "text": "", "tag": _short(key.tag)})
            continue
        if key.tag == scalars.MERGE:
            if merge is not None:
                yield Complaint("GW002", key, {"key": "<<", "merge": True}, merge)
            merge = merge or key
            yield from _merged(value)
            continue
        known = None if key.style else composed.ambiguous.get(key.value)
        if known is not None and known[0] == key.tag and key.value not in "yYnN":
            yield Complaint("GW004", key, _ambiguous(key, known[1], True))
        elif key.tag != scalars.STR:
            yield Complaint("GW003", key, {"kind": "key", "text": key.value, "tag": _short(key.tag)})
        if key.value not in seen:
            run = None
        elif run is None:
            run = []
            below = not isinstance(value, ScalarNode)
            yield Complaint(
                "GW002", key, {"key": key.value, "merge": False, "run": run, "below": below}, seen[key.value]
            )
        else:
            run.append(key.value)
        seen.setdefault(key.value, key)


def _merged(value: Node) -> Iterator[Complaint]:
    """A merge takes a mapping, or a list of them."""
    for base in value.value if isinstance(value, SequenceNode) else [value]:
        if not isinstance(base, MappingNode):
            yield Complaint("GW003", base, {"kind": "merged", "text": "", "tag": _short(base.tag)})


class _RefusedError(Exception):
    """The node at which following the aliases goes wrong, and the facts of the fault."""

    def __init__(self, node: Node, facts: dict[str, object]) -> None:
        super().__init__()
        self.node = node
        self.facts = facts


def _explosion(root: Node) -> tuple[Node, dict[str, object]] | None:
    """Where following the aliases goes too deep, in circles, or to more than `MAX_NODES` nodes."""
    try:
        _measure(root, {}, set())
    except _RefusedError as refused:
        return refused.node, refused.facts
    return None


def _measure(node: Node, known: dict[int, tuple[int, int]], opened: set[int]) -> tuple[int, int]:
    """How many nodes are at and below `node` with its aliases followed, and how deeply they nest."""
    if isinstance(node, ScalarNode):
        return 1, 0
    if id(node) in opened:
        raise _RefusedError(node, {"limit": "recursion"})
    if id(node) in known:
        return known[id(node)]
    opened.add(id(node))
    size, depth = 1, 1
    for part in (part for pair in node.value for part in pair) if isinstance(node, MappingNode) else node.value:
        inner_size, inner_depth = _measure(part, known, opened)
        size += inner_size
        depth = max(depth, inner_depth + 1)
    opened.discard(id(node))
    if size > MAX_NODES:
        raise _RefusedError(node, {"limit": "expansion", "maximum": MAX_NODES})
    if depth > MAX_DEPTH:
        raise _RefusedError(node, {"limit": "depth", "maximum": MAX_DEPTH})
    known[id(node)] = (size, depth)
    return size, depth
