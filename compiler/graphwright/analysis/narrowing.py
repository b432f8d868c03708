"""What a condition proves: the keys and inputs that are surely there, and not null, once it is known to hold or not."""

from __future__ import annotations

from graphwright import ir
from graphwright.analysis.symbols import EVERYTHING, Symbols
from graphwright.language.operators import OPERATORS, ORDERS


def is_null_check(compare: ir.Compare) -> bool:
    """Whether the comparison asks just this: is the left side null? (`exists`, `eq null`, `ne null`)."""
    return compare.op == "exists" or (compare.op in ("eq", "ne") and compare.right == ir.Const(None))


def proves(condition: ir.Condition | None, holds: bool, symbols: Symbols) -> int:
    """The mask of what is there and not null where `condition` came out as `holds`."""
    match condition:
        case None:
            return 0
        case ir.Compare():
            return _compare_proves(condition, holds, symbols)
        case ir.Not(inner):
            return proves(inner, not holds, symbols)
        case ir.AllOf(parts) | ir.AnyOf(parts):
            masks = [proves(part, holds, symbols) for part in parts]
            every_part = holds is isinstance(condition, ir.AllOf)  # each part came out so, not just one of them
            mask = 0 if every_part or not masks else EVERYTHING
            for proved in masks:
                mask = mask | proved if every_part else mask & proved
            return mask


def _compare_proves(compare: ir.Compare, holds: bool, symbols: Symbols) -> int:
    if not compare.left.path or not _left_is_a_value(compare, holds):
        return 0
    mask = symbols.read(compare.left)
    if holds and compare.op in ORDERS:  # a null right side is a node error, not a match
        right = compare.right.value if isinstance(compare.right, ir.Template) else compare.right
        if isinstance(right, ir.Read) and right.path:
            mask |= symbols.read(right)
    return mask | symbols.meant.get(mask, 0)


def _left_is_a_value(compare: ir.Compare, holds: bool) -> bool:
    right = compare.right.value if isinstance(compare.right, ir.Const) else None
    known = isinstance(compare.right, ir.Const)
    match compare.op:
        case "eq":
            return known and (right is not None) is holds
        case "ne":
            return known and (right is None) is holds
        case "?":  # reported; what was meant may prove it either way
            return True
        case "in":
            return holds and isinstance(right, list) and None not in right
        case operator:
            return holds and OPERATORS[operator].needs_value
