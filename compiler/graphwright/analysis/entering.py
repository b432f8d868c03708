"""Which values can be refused where they enter the state, as far as that is clear without their types.

The flow of a graph depends on it: a gate that assigns what `state_schema` may refuse can fail.
"""

from __future__ import annotations

from graphwright import ir
from graphwright.analysis.jsontype import ANY, NULL, OBJECT, from_value, join, list_of


def assigns_surely(graph: ir.Graph, entry: ir.Assign) -> bool:
    """Whether what is assigned is proved to be what is declared of its key."""
    if graph.state_schema is None:
        return True
    from graphwright.analysis.conformance import conforms
    from graphwright.analysis.state_schema import key_schema

    found = from_value(entry.value.value) if isinstance(entry.value, ir.Const) else ANY
    return conforms(found, key_schema(graph.state_schema, entry.key), graph.state_schema)


def collects_surely(graph: ir.Graph, node: ir.Node) -> bool:
    """Whether whatever a loop collects, failed items and those never started included, is what is declared."""
    if graph.state_schema is None or not isinstance(node, ir.ForeachNode) or node.collect is None:
        return True
    from graphwright.analysis.conformance import conforms
    from graphwright.analysis.state_schema import key_schema

    item = ANY if node.action is not None and node.action.async_exec else join(OBJECT, NULL)
    return conforms(list_of(item), key_schema(graph.state_schema, node.collect), graph.state_schema)
