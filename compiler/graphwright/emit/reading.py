"""Which keys of the state a value or a condition reads: what has to be a local, because something later needs it."""

from __future__ import annotations

from collections.abc import Iterator

from graphwright import ir


def keys_read(value: ir.Value) -> Iterator[str | None]:
    """The keys that a value reads; None where it reads the state as a whole."""
    pending = [value]
    while pending:
        each = pending.pop()
        if isinstance(each, ir.Read):
            if each.root is ir.Root.STATE:
                first = each.path[0] if each.path else None
                yield first if isinstance(first, str) else None
        else:
            pending.extend(ir.children(each))


def keys_compared(edges: tuple[ir.Edge, ...]) -> Iterator[str | None]:
    """The keys that conditions of edges read."""
    for edge in edges:
        if edge.when is not None:
            for compare in ir.comparisons(edge.when):
                yield from keys_read(compare.left)
                yield from keys_read(compare.right)


def reads_later(node: ir.Node, position: int) -> bool:
    """Whether anything behind the assign at `position` reads what it assigns."""
    key = node.assigns[position].key
    for entry in node.assigns[position + 1 :]:
        if any(read in (key, None) for read in keys_read(entry.value)):
            return True
    return node.kind is not ir.Kind.FOREACH and any(read in (key, None) for read in keys_compared(node.edges))
