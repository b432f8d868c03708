"""Checks a node tree in one pass: duplicate keys, values that are not JSON, ambiguous scalars, expanding aliases.

Every node of a file is visited, so spans are computed only for faults.
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


class Locator(Protocol):
    """Locates nodes."""

    def span(self, node: Node) -> Span:
        """The span of a node, without anchor and tag."""

    def tagged(self, node: Node) -> Span:
        """The span of a node, starting at its tag."""


class AliasError(Exception):
    """Aliases cannot be expanded at `node`, so the file cannot be read."""

    def __init__(self, node: Node, fault: Callable[[Span], Fault]) -> None:
        super().__init__()
        self.node = node
        self.fault = fault


def survey(composed: Composed, locator: Locator, faults: list[Fault]) -> frozenset[int]:
    """Visit each node once, regardless of aliases, and append faults to `faults`.

    Returns the ids of mappings with duplicate keys, merges or keys that are not strings. Raises `AliasError`.
    """
    root = composed.root
    if root is None:
        return frozenset()
    if composed.aliased:
        _measure(root, {}, set())
    return frozenset(_walk(root, composed, locator, faults))


def _walk(root: Node, composed: Composed, locator: Locator, faults: list[Fault]) -> Iterator[int]:
    """Visit every node and yield the ids of irregular mappings. A single loop, for speed: files have hundreds of
    thousands of nodes."""
    suspects, tagged, aliased = composed.suspects, composed.tagged, composed.aliased
    stack, seen = [root], set[int]()
    while stack:
        node = stack.pop()
        if isinstance(node, ScalarNode):
            if tagged or node.value in suspects:
                faults.extend(_scalar(node, composed, locator))
            continue
        if aliased:
            if id(node) in seen:
                continue
            seen.add(id(node))
        if node.tag not in (scalars.MAP, scalars.SEQ):
            faults.append(_tag(node, locator))
        if isinstance(node, MappingNode):
            names = {key.value for key, _ in node.value if key.tag == scalars.STR}
            if len(names) != len(node.value):
                yield id(node)
                faults.extend(_keys(node, composed, locator))
            elif not suspects.isdisjoint(names):
                faults.extend(_keys(node, composed, locator))
            stack.extend([value for key, value in node.value if aliased or not _ignored(key)])
        else:
            stack.extend(node.value)


def _ignored(key: Node) -> bool:
    """Whether a key is ignored (`x-`); what is below it does not matter, unless an alias refers to it."""
    return isinstance(key, ScalarNode) and key.value[:2] == "x-"


def _scalar(node: ScalarNode, composed: Composed, locator: Locator) -> Iterator[Fault]:
    known = None if node.style else composed.ambiguous.get(node.value)
    if known is not None and known[0] == node.tag:
        yield _ambiguous(locator.span(node), node, known[1], False)
    if node.tag == scalars.STR or node.tag in (scalars.NULL, scalars.MERGE):
        return
    if node.tag not in scalars.JSON_SCALARS:
        yield _tag(node, locator)
        return
    try:
        scalars.read_scalar(node.tag, node.value)
    except scalars.NotJsonError:
        kind = "number" if node.tag in (scalars.INT, scalars.FLOAT) else "tag"
        yield NotJson(locator.tagged(node), kind, node.value, _short(node.tag))


def _tag(node: Node, locator: Locator) -> NotJson:
    short = _short(node.tag)
    kind = {scalars.TIMESTAMP: "timestamp", scalars.EQUALS: "equals", scalars.MERGE: "merge"}.get(node.tag, "tag")
    if short in ("binary", "set", "omap", "pairs") and node.tag.startswith("tag:yaml.org"):
        kind = short
    text = node.value if isinstance(node, ScalarNode) else ""
    return NotJson(locator.tagged(node), kind, text, short)


def _short(tag: str) -> str:
    return tag.removeprefix("tag:yaml.org,2002:")


def _ambiguous(span: Span, node: ScalarNode, reason: str, key: bool) -> AmbiguousScalar:
    reads = json.dumps(scalars.read_scalar(node.tag, node.value), ensure_ascii=False)
    return AmbiguousScalar(span, node.value, reason, reads, node.tag == scalars.STR, key)


def _keys(mapping: MappingNode, composed: Composed, locator: Locator) -> Iterator[Fault]:
    """Duplicate keys, and keys that are not strings or that YAML 1.2 would read differently."""
    seen: dict[str, Node] = {}
    duplicates: list[tuple[ScalarNode, Node, list[str]]] = []
    merge: Node | None = None
    run: list[str] | None = None  # the following keys that are duplicates, too: they were pasted together
    for key, value in mapping.value:
        if not isinstance(key, ScalarNode):
            braces = key.start_mark.index == mapping.start_mark.index + 1 and isinstance(key, MappingNode)
            kind, at = ("braces", mapping) if braces else ("key", key)
            yield NotJson(locator.tagged(at), kind, "", _short(key.tag))
            continue
        if key.tag == scalars.MERGE:
            if merge is not None:
                yield DuplicateKey(locator.span(key), "<<", locator.span(merge), "<<", merge=True)
            merge = merge or key
            yield from _merged(value, locator)
            continue
        known = None if key.style else composed.ambiguous.get(key.value)
        if known is not None and known[0] == key.tag and key.value not in "yYnN":
            yield _ambiguous(locator.span(key), key, known[1], True)
        elif key.tag != scalars.STR:
            yield NotJson(locator.tagged(key), "key", key.value, _short(key.tag))
        if key.value not in seen:
            run = run if duplicates and not isinstance(duplicates[-1][1], ScalarNode) else None
        elif run is None:
            run = []
            duplicates.append((key, value, run))
        else:
            run.append(key.value)
        seen.setdefault(key.value, key)
    for key, value, run in duplicates:
        name, below = key.value, not isinstance(value, ScalarNode)
        yield DuplicateKey(locator.span(key), name, locator.span(seen[name]), name, tuple(run), below)


def _merged(value: Node, locator: Locator) -> Iterator[NotJson]:
    """A merge takes a mapping, or a list of mappings."""
    for base in value.value if isinstance(value, SequenceNode) else [value]:
        if not isinstance(base, MappingNode):
            yield NotJson(locator.tagged(base), "merged", "", _short(base.tag))


def _measure(node: Node, known: dict[int, tuple[int, int]], opened: set[int]) -> tuple[int, int]:
    """The size and depth of `node` with its aliases expanded.

    Raises `AliasError` if that is too deep, circular, or has more than `MAX_NODES` nodes.
    """
    if isinstance(node, ScalarNode):
        return 1, 0
    if id(node) in opened:
        raise AliasError(node, partial(BeyondLimit, limit="recursion"))
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
        raise AliasError(node, partial(BeyondLimit, limit="expansion", maximum=MAX_NODES))
    if depth > MAX_DEPTH:
        raise AliasError(node, partial(BeyondLimit, limit="depth", maximum=MAX_DEPTH))
    known[id(node)] = (size, depth)
    return size, depth
