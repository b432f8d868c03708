"""What is known on an edge: what its condition proves present and not null, and whether a condition on `result` holds
after a success or a failure of the action.

A result with `status: error` is a failure, so an edge sees one only if the graph continues after errors; then `status`
is `error`, `error` is a string, and the tool decides what else there is (language.md §7).
"""

from __future__ import annotations

from typing import Final

from graphwright import ir
from graphwright.analysis.symbols import EVERYTHING, Symbols
from graphwright.language.operators import OPERATORS, ORDERS

#: What is a string, or a mapping, as soon as a node has failed.
_SET_BY_FAILURE: Final = frozenset({(ir.Root.RESULT, ("error",)), (ir.Root.STATE, ("_last_error",))})


def outcome(condition: ir.Condition | None, failed: bool) -> bool | None:
    """True or False if `failed` decides `condition`, None if it depends on more than that."""
    match condition:
        case None:
            return True
        case ir.Compare():
            return _compared(condition, failed)
        case ir.Not(inner):
            inside = outcome(inner, failed)
            return None if inside is None else not inside
        case ir.AllOf(parts):
            return _combine([outcome(part, failed) for part in parts], decisive=False)
        case ir.AnyOf(parts):
            return _combine([outcome(part, failed) for part in parts], decisive=True)


def _combine(parts: list[bool | None], *, decisive: bool) -> bool | None:
    if decisive in parts:
        return decisive
    return None if None in parts else not decisive


def _compared(compare: ir.Compare, failed: bool) -> bool | None:
    left, right = compare.left, compare.right
    if not left.path or not isinstance(right, ir.Const):
        return None
    if failed and (left.root, left.path) in _SET_BY_FAILURE:
        return (compare.op != "eq") if is_null_check(compare) else None
    if left.root is not ir.Root.RESULT:
        return None
    return _after_failure(compare.op, left, right.value) if failed else _after_success(compare.op, left, right.value)


def _after_success(operator: str, left: ir.Read, right: ir.Json) -> bool | None:
    if left.path == ("status",) and right == "error" and operator in ("eq", "ne"):
        return operator == "ne"
    return None  # `success` can be 0, which is not a failure and yet equals false


def _after_failure(operator: str, left: ir.Read, right: ir.Json) -> bool | None:
    if left.path[0] not in ("status", "error"):
        return None
    value = "error" if left.path == ("status",) else None
    match operator:
        case "eq":
            return value == right
        case "ne":
            return value != right
        case "exists":
            return value is not None
        case "in" if isinstance(right, list):
            return value in right
        case _ if value is None:  # a missing value has no order, matches nothing and is not in any string
            return False if operator in ("gt", "gte", "lt", "lte", "contains", "regex") else None
        case _:
            return None


def is_null_check(compare: ir.Compare) -> bool:
    """Whether the comparison only asks if the left side is null (`exists`, `eq null`, `ne null`)."""
    return compare.op == "exists" or (compare.op in ("eq", "ne") and compare.right == ir.Const(None))


def of_null(compare: ir.Compare) -> bool | None:
    """What the comparison evaluates to if its left side is null; None if that depends on its right side."""
    right = compare.right
    if compare.op in OPERATORS and OPERATORS[compare.op].needs_value:
        return False
    if not isinstance(right, ir.Const):
        return None
    match compare.op:
        case "eq":
            return right.value is None
        case "ne":
            return right.value is not None
        case "in" if isinstance(right.value, list):
            return None in right.value
        case _:
            return None


def proves(condition: ir.Condition | None, holds: bool, symbols: Symbols) -> int:
    """The mask of what is present and not null if `condition` evaluates to `holds`."""
    match condition:
        case None:
            return 0
        case ir.Compare():
            return _compare_proves(condition, holds, symbols)
        case ir.Not(inner):
            return proves(inner, not holds, symbols)
        case ir.AllOf(parts) | ir.AnyOf(parts):
            masks = [proves(part, holds, symbols) for part in parts]
            every_part = holds is isinstance(condition, ir.AllOf)  # each part has this outcome, not just one of them
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
        case "?":  # reported; the operator that was meant may prove it either way
            return True
        case "in":
            return holds and isinstance(right, list) and None not in right
        case operator:
            return holds and OPERATORS[operator].needs_value
