"""Determines what values and conditions read, and their source form, for locals and warnings."""

from __future__ import annotations

from typing import Final

from graphwright import ir
from graphwright.ir import visit
from graphwright.ir.printer import value_text

#: Expressions that can be null without failing.
NULLABLE: Final = (ir.Read, ir.FirstOf, ir.Pipe)


def written(value: ir.Value) -> str:
    """An expression in source form; paths are unchanged."""
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
    """The roots of the paths in a value."""
    return frozenset(read.root for read in visit.reads(value))


def reads_later(node: ir.Node, position: int) -> bool:
    """Whether anything after the assign at `position` reads what it assigns."""
    key = node.assigns[position].key
    assigned = (read for entry in node.assigns[position + 1 :] for read in visit.reads(entry.value))
    if any(_reads_key(read, key) for read in assigned):
        return True
    compared = (read for condition in visit.conditions(node) for read, _ in visit.condition_reads(condition))
    return not isinstance(node, ir.ForeachNode) and any(_reads_key(read, key) for read in compared)


def _reads_key(read: ir.Read, key: str) -> bool:
    """Whether a path reads a state key, or the whole state."""
    return read.root is ir.Root.STATE and read.path[:1] in ((), (key,))
