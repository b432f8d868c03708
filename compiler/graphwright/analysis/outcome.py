"""How a condition on `result` comes out, as far as success or failure of the action decides it.

A result with `status: error` is a failure, so no edge sees one unless the graph goes on after
errors; then `status` is `error` and `error` a text, and what else there is the tool decides (language.md §7).
"""

from __future__ import annotations

from graphwright import ir


def outcome(condition: ir.Condition | None, failed: bool) -> bool | None:
    """True or False where `failed` decides `condition`, None where it depends on more than that."""
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
    if left.root is not ir.Root.RESULT or not left.path:
        return None
    if not isinstance(right, ir.Const):
        return None
    return _after_failure(compare.op, left, right.value) if failed else _after_success(compare.op, left, right.value)


def _after_success(operator: str, left: ir.Read, right: ir.Json) -> bool | None:
    if left.path == ("status",) and right == "error" and operator in ("eq", "ne"):
        return operator == "ne"
    return None  # `success` can be 0, which is no failure and yet equals false


def _after_failure(operator: str, left: ir.Read, right: ir.Json) -> bool | None:
    if left.path[0] not in ("status", "error"):
        return None
    if left.path == ("error",):
        return True if operator == "exists" or (operator, right) == ("ne", None) else None
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
        case _ if value is None:  # no order, no match, no text in what is not there
            return False if operator in ("gt", "gte", "lt", "lte", "contains", "regex") else None
        case _:
            return None
