"""Conditions, read as plain mappings."""

from __future__ import annotations

import re
from collections.abc import Mapping

from reference.expressions import NodeFaultError, Scope, as_text, interpolate, number, read_path
from reference.observer import Watched, under


def holds(condition: object, scope: Scope) -> bool:
    """Whether a `when` holds; an absent or empty one always does."""
    if not condition:
        return True
    assert isinstance(condition, dict)
    if "any" in condition:
        outcome = any(holds(part, scope) for part in condition["any"])
    elif "all" in condition:
        outcome = all(holds(part, scope) for part in condition["all"])
    elif "not" in condition:
        outcome = not holds(condition["not"], scope)
    else:
        outcome = _compare(condition, scope)
    if isinstance(scope, Watched):
        scope.observer.held(condition, outcome)
    return outcome


def _compare(condition: Mapping[str, object], scope: Scope) -> bool:
    operator = str(condition.get("op", "eq"))
    asks_for_null = operator == "exists" or (operator in ("eq", "ne") and condition.get("value") is None)
    left = read_path(str(condition["path"]), under(scope, provided=asks_for_null))
    if operator == "exists":
        return left is not None
    right = interpolate(condition.get("value"), scope)
    if isinstance(scope, Watched):
        scope.observer.compares(condition, left, right)
    match operator:
        case "eq":
            return left == right
        case "ne":
            return left != right
        case "gt" | "gte" | "lt" | "lte":
            return _ordered(operator, left, right)
        case "in":
            return _is_in(left, right)
        case "contains":
            return _contains(left, right)
        case _:
            return left is not None and re.search(str(right), as_text(left)) is not None


def _ordered(operator: str, left: object, right: object) -> bool:
    if left is None:
        return False
    if isinstance(left, str) and isinstance(right, str):
        order = (left > right) - (left < right)
    else:
        a, b = number(left), number(right)
        order = (a > b) - (a < b)
    return {"gt": order > 0, "gte": order >= 0, "lt": order < 0, "lte": order <= 0}[operator]


def _is_in(left: object, right: object) -> bool:
    if right is None:
        return False
    if not isinstance(right, list):
        raise NodeFaultError(f"{right!r} is no list")
    return left in right


def _contains(left: object, right: object) -> bool:
    if isinstance(left, list):
        return right in left
    if isinstance(left, dict):
        return isinstance(right, str) and right in left
    if left is None or right is None or isinstance(left, bool):
        return False
    return as_text(right) in as_text(left)
