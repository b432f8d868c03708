"""What a value or a condition reads, and how it is written: for locals that something later needs, and for warnings."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from graphwright import ir
from graphwright.printer import value_text

#: The expressions that can come out null without failing.
NULLABLE: Final = (ir.Read, ir.FirstOf, ir.Pipe)


def written(value: ir.Value) -> str:
    """An expression as its author could have written it; paths are as they were."""
    match value:
        case ir.Template(value=inner):
            return written(inner)
        case ir.Read():
            return value.written
        case ir.FirstOf(operands):
            texts = [f"({written(each)})" if isinstance(each, ir.Pipe) else written(each) for each in operands]
            return " || ".join(texts)
        case ir.Pipe(name, operand, arguments):
            given = f"({', '.join(map(written, arguments))})" if arguments else ""
            return f"{written(operand)} | {name}{given}"
        case _:
            return value_text(value)


def roots_read(value: ir.Value) -> frozenset[ir.Root]:
    """What the paths in a value begin with."""
    if isinstance(value, ir.Read):
        return frozenset((value.root,))
    return frozenset[ir.Root]().union(*map(roots_read, ir.children(value)))


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
