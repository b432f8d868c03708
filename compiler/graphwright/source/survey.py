"""One walk over a fresh node tree: duplicate keys, what JSON cannot say, ambiguous scalars, aliases that explode.

The walk runs over every node of a file, so it asks for places only where there is a fault.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from functools import partial
from typing import Protocol

from yaml.nodes import MappingNode, Node, ScalarNode, SequenceNode

from graphwright.diagnostic import Span
from graphwright.fault import Fault
from graphwright.faults.yaml import AmbiguousScalar, BeyondLimit, DuplicateKey, NotJson
from graphwright.source import scalars
from graphwright.source.compose import MAX_NODES, Composed
from graphwright.source.syntax import MAX_DEPTH


class Places(Protocol):
    """Where nodes stand."""

    def span(self, node: Node) -> Span:
        """The whole of a node, without anchor and tag."""

    def tagged(self, node: Node) -> Span:
        """The whole of a node, from its tag."""


class RefusedError(Exception):
    """The node at which following the aliases goes wrong, and the fault there: there is nothing to be understood."""

    def __init__(self, node: Node, fault: Callable[[Span], Fault]) -> None:
        super().__init__()
        self.node = node
        self.fault = fault


def survey(composed: Composed, places: Places, faults: list[Fault]) -> frozenset[int]:
    """Walk the tree once (each node once, however often aliases lead to it), and add what is wrong to `faults`.

    The result are the ids of mappings whose entries are not simply their pairs. Raises `RefusedError`.
    """
    root = composed.root
    if root is None:
        return frozenset()
    if composed.aliased:
        _measure(root, {}, set())
    return frozenset(_walk(root, composed, places, faults))


def _walk(root: Node, composed: Composed, places: Places, faults: list[Fault]) -> Iterator[int]:
    """Look at every node and yield the ids of irregular mappings. One loop: it sees hundreds of thousands of nodes."""
    suspects, tagged, aliased = composed.suspects, composed.tagged, composed.aliased
    stack, seen = [root], set[int]()
    while stack:
        node = stack.pop()
        if isinstance(node, ScalarNode):
            if tagged or node.value in suspects:
                faults.extend(_scalar(node, composed, places))
            continue
        if aliased:
            if id(node) in seen:
                continue
            seen.add(id(node))
        if node.tag not in (scalars.MAP, scalars.SEQ):
            faults.append(_tag(node, places))
        if isinstance(node, MappingNode):
            names = {key.value for key, _ in node.value if key.tag == scalars.STR}
            if len(names) != len(node.value):
                yield id(node)
                faults.extend(_keys(node, composed, places))
            elif not suspects.isdisjoint(names):
                faults.extend(_keys(node, composed, places))
            stack.extend([value for key, value in node.value if aliased or not _ignored(key)])
        else:
            stack.extend(node.value)


def _ignored(key: Node) -> bool:
    """Whether a key is the author's own; what is below it matters to nobody, unless an alias leads there."""
    return isinstance(key, ScalarNode) and key.value[:2] == "x-"


def _scalar(node: ScalarNode, composed: Composed, places: Places) -> Iterator[Fault]:
    known = None if node.style else composed.ambiguous.get(node.value)
    if known is not None and known[0] == node.tag:
        yield _ambiguous(places.span(node), node, known[1], False)
    if node.tag == scalars.STR or node.tag in (scalars.NULL, scalars.MERGE):
        return
    if node.tag not in scalars.JSON_SCALARS:
        yield _tag(node, places)
        return
    try:
        scalars.read_scalar(node.tag, node.value)
    except scalars.NotJsonError:
        kind = "number" if node.tag in (scalars.INT, scalars.FLOAT) else "tag"
        yield NotJson(places.tagged(node), kind, node.value, _short(node.tag))


def _tag(node: Node, places: Places) -> NotJson:
    short = _short(node.tag)
    kind = {scalars.TIMESTAMP: "timestamp", scalars.EQUALS: "equals", scalars.MERGE: "merge"}.get(node.tag, "tag")
    if short in ("binary", "set", "omap", "pairs") and node.tag.startswith("tag:yaml.org"):
        kind = short
    text = node.value if isinstance(node, ScalarNode) else ""
    return NotJson(places.tagged(node), kind, text, short)


def _short(tag: str) -> str:
    return tag.removeprefix("tag:yaml.org,2002:")


def _ambiguous(span: Span, node: ScalarNode, reason: str, key: bool) -> AmbiguousScalar:
    reads = json.dumps(scalars.read_scalar(node.tag, node.value), ensure_ascii=False)
    return AmbiguousScalar(span, node.value, reason, reads, node.tag == scalars.STR, key)


def _keys(mapping: MappingNode, composed: Composed, places: Places) -> Iterator[Fault]:
    """Duplicate keys, and keys that are not strings or that YAML 1.2 would read differently."""
    seen: dict[str, Node] = {}
    duplicates: list[tuple[ScalarNode, Node, list[str]]] = []
    merge: Node | None = None
    run: list[str] | None = None  # the keys behind a duplicate that are duplicates, too: they were pasted together
    for key, value in mapping.value:
        if not isinstance(key, ScalarNode):
            braces = key.start_mark.index == mapping.start_mark.index + 1 and isinstance(key, MappingNode)
            kind, at = ("braces", mapping) if braces else ("key", key)
            yield NotJson(places.tagged(at), kind, "", _short(key.tag))
            continue
        if key.tag == scalars.MERGE:
            if merge is not None:
                yield DuplicateKey(places.span(key), "<<", places.span(merge), "<<", merge=True)
            merge = merge or key
            yield from _merged(value, places)
            continue
        known = None if key.style else composed.ambiguous.get(key.value)
        if known is not None and known[0] == key.tag and key.value not in "yYnN":
            yield _ambiguous(places.span(key), key, known[1], True)
        elif key.tag != scalars.STR:
            yield NotJson(places.tagged(key), "key", key.value, _short(key.tag))
        if key.value not in seen:
            run = None
        elif run is None:
            run = []
            duplicates.append((key, value, run))
        else:
            run.append(key.value)
        seen.setdefault(key.value, key)
    for key, value, run in duplicates:
        name, below = key.value, not isinstance(value, ScalarNode)
        yield DuplicateKey(places.span(key), name, places.span(seen[name]), name, tuple(run), below)


def _merged(value: Node, places: Places) -> Iterator[NotJson]:
    """A merge takes a mapping, or a list of them."""
    for base in value.value if isinstance(value, SequenceNode) else [value]:
        if not isinstance(base, MappingNode):
            yield NotJson(places.tagged(base), "merged", "", _short(base.tag))


def _measure(node: Node, known: dict[int, tuple[int, int]], opened: set[int]) -> tuple[int, int]:
    """How many nodes are at and below `node` with its aliases followed, and how deeply they nest.

    Raises `RefusedError` where that goes too deep, in circles, or to more than `MAX_NODES` nodes.
    """
    if isinstance(node, ScalarNode):
        return 1, 0
    if id(node) in opened:
        raise RefusedError(node, partial(BeyondLimit, limit="recursion"))
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
        raise RefusedError(node, partial(BeyondLimit, limit="expansion", maximum=MAX_NODES))
    if depth > MAX_DEPTH:
        raise RefusedError(node, partial(BeyondLimit, limit="depth", maximum=MAX_DEPTH))
    known[id(node)] = (size, depth)
    return size, depth
