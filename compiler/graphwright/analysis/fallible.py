"""Which values, conditions and nodes can fail when a graph runs.

An action can always fail, and so can a foreach. A gate fails only where one of its values or conditions can:
arithmetic on what is no number, a pipe on a value it does not take, an ordering of what has no order. Without
types every such operation counts as fallible, so "cannot fail" is a proof and "can fail" is a possibility.
"""

from __future__ import annotations

from typing import Final

from graphwright import ir
from graphwright.analysis.jsontype import ARRAY, NULL, Type

#: Pipes that give a result for every value: `default` and those that only look at what they understand.
_TOTAL_PIPES: Final = frozenset({"default", "json", "keys", "str"})

#: Operators that compare any two values.
_TOTAL_OPERATORS: Final = frozenset({"eq", "ne", "exists", "contains"})


def value_can_fail(value: ir.Value) -> bool:
    """Whether resolving `value` can be a node error."""
    match value:
        case ir.Const() | ir.Read():
            return False
        case ir.Arithmetic() | ir.Negative():
            return True
        case ir.Pipe(name=name) if name not in _TOTAL_PIPES:
            return True
        case _:
            return any(map(value_can_fail, ir.children(value)))


def is_list(over: ir.Value, kind: Type) -> bool:
    """Whether a foreach can go through `over`, which is of this type; what nothing is known of counts as a list."""
    if isinstance(over, ir.Const):
        return True
    return not value_can_fail(over) and (not kind.known or kind.kinds <= ARRAY.kinds | NULL.kinds)


def condition_can_fail(condition: ir.Condition) -> bool:
    """Whether evaluating `condition` can be a node error."""
    return any(map(_comparison_can_fail, ir.comparisons(condition)))


def _comparison_can_fail(compare: ir.Compare) -> bool:
    right = compare.right
    if isinstance(right, ir.Const):
        if compare.op == "in":
            return not isinstance(right.value, list)
        return compare.op not in _TOTAL_OPERATORS and compare.op != "regex"
    return compare.op not in _TOTAL_OPERATORS or value_can_fail(right)


def node_can_fail(node: ir.Node) -> bool:
    """Whether a node can leave by its error edge, or be skipped over under `on_error: continue`."""
    match node.kind:
        case ir.Kind.ACTION | ir.Kind.FOREACH:
            return True
        case ir.Kind.RETURN:
            return False
        case ir.Kind.GATE:
            return any(value_can_fail(entry.value) for entry in node.assigns) or any(
                edge.when is not None and condition_can_fail(edge.when) for edge in node.edges
            )
