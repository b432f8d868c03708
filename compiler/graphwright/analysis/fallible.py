"""Which values, conditions and nodes can fail at run time.

An action or a foreach can always fail. A gate fails only if one of its values or conditions can: arithmetic on what is
not a number, a pipe on a value that it does not take, an ordering of what has no order. Without types every such
operation counts as fallible, so "cannot fail" is a proof and "can fail" is a possibility. An assignment also fails if
`state_schema` rejects the value.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, assert_never

from graphwright import ir
from graphwright.analysis.jsontype import ANY, ARRAY, NULL, OBJECT, Type, from_value, join, list_of
from graphwright.ir import visit
from graphwright.language.operators import OPERATORS
from graphwright.language.pipes import PIPES

if TYPE_CHECKING:
    from graphwright.analysis.typing import Types


def assigns_surely(graph: ir.Graph, entry: ir.Assign) -> bool:
    """Whether the assigned value is proved to satisfy the declaration of its key."""
    if graph.state_schema is None:
        return True
    from graphwright.schema.conformance import conforms
    from graphwright.schema.state import key_schema

    found = from_value(entry.value.value) if isinstance(entry.value, ir.Const) else ANY
    return conforms(found, key_schema(graph.state_schema, entry.key), graph.state_schema)


def collects_surely(graph: ir.Graph, node: ir.Node) -> bool:
    """Whether everything a loop collects, including failed items and those never started, satisfies the declaration."""
    if graph.state_schema is None or not isinstance(node, ir.ForeachNode) or node.collect is None:
        return True
    from graphwright.schema.conformance import conforms
    from graphwright.schema.state import key_schema

    item = ANY if node.action is not None and node.action.async_exec else join(OBJECT, NULL)
    return conforms(list_of(item), key_schema(graph.state_schema, node.collect), graph.state_schema)


def collects(graph: ir.Graph, types: Types, node: ir.ForeachNode) -> bool:
    """Whether a foreach collects its results even if an item fails."""
    return is_list(node.over, types.of(node.over, node)) and collects_surely(graph, node)


def value_can_fail(value: ir.Value) -> bool:
    """Whether evaluating `value` can be a node error."""
    match value:
        case ir.Const() | ir.Read():
            return False
        case ir.Arithmetic() | ir.Negative():
            return True
        case ir.Pipe(name=name) if not (name in PIPES and PIPES[name].total):
            return True
        case _:
            return any(map(value_can_fail, visit.children(value)))


def assign_can_fail(entry: ir.Assign, graph: ir.Graph) -> bool:
    """Whether an assign can be a node error: evaluating its value fails, or `state_schema` rejects it."""
    return value_can_fail(entry.value) or not assigns_surely(graph, entry)


def is_list(over: ir.Value, kind: Type) -> bool:
    """Whether a foreach can iterate over a value of this type; an unknown type counts as a list."""
    if isinstance(over, ir.Const):
        return True
    return not value_can_fail(over) and (not kind.known or kind.kinds <= ARRAY.kinds | NULL.kinds)


def condition_can_fail(condition: ir.Condition) -> bool:
    """Whether evaluating `condition` can be a node error."""
    return any(map(_comparison_can_fail, visit.comparisons(condition)))


def _comparison_can_fail(compare: ir.Compare) -> bool:
    right = compare.right
    if isinstance(right, ir.Const):
        if compare.op == "in":
            return not isinstance(right.value, list)
        return not _is_total(compare.op) and compare.op != "regex"
    return not _is_total(compare.op) or value_can_fail(right)


def _is_total(operator: str) -> bool:
    return operator in OPERATORS and OPERATORS[operator].total


def node_can_fail(node: ir.Node, graph: ir.Graph) -> bool:
    """Whether a node can leave by its error edge, or be skipped under `on_error: continue`."""
    match node:
        case ir.ActionNode() | ir.ForeachNode():
            return True
        case ir.ReturnNode():
            return False
        case ir.GateNode():
            can_fail = any(assign_can_fail(entry, graph) for entry in node.assigns)
            return can_fail or any(map(condition_can_fail, visit.conditions(node)))
        case _:
            assert_never(node)
