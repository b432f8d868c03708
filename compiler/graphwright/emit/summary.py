"""The flow of a graph in a few lines: where each node leads, and when."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from graphwright import ir
from graphwright.emit.prose import in_docstring
from graphwright.ir.printer import value_text
from graphwright.language.operators import OPERATORS

#: Graphs of more nodes than this show their first ones.
MAX_NODES: Final = 40
#: Ways out of one node that are shown, and characters of one condition.
MAX_WAYS: Final = 6
MAX_CONDITION: Final = 40


def flow_summary(graph: ir.Graph) -> Iterator[str]:
    """Lines of a docstring, one a node, beginning with the node that the graph starts with."""
    nodes = list(graph.nodes.values())
    nodes.sort(key=lambda node: node.name != graph.start)
    for node in nodes[:MAX_NODES]:
        yield in_docstring(_line(node))
    if len(nodes) > MAX_NODES:
        yield f"… and {len(nodes) - MAX_NODES} more nodes"


def _line(node: ir.Node) -> str:
    if isinstance(node, ir.ReturnNode):
        return f"{node.name} (return)"
    ways = [_way(edge) for edge in node.edges[:MAX_WAYS]]
    if len(node.edges) > MAX_WAYS:
        ways.append(f"… {len(node.edges) - MAX_WAYS} more")
    elif not node.edges or node.edges[-1].when is not None:
        ways.append("end")
    kind = " (foreach)" if isinstance(node, ir.ForeachNode) else ""
    rescue = f" ; on error → {node.on_error.target}" if node.on_error is not None else ""
    return f"{node.name}{kind} → {' | '.join(ways)}{rescue}"


def _way(edge: ir.Edge) -> str:
    if edge.when is None:
        return str(edge.target)
    condition = _condition(edge.when)
    if len(condition) > MAX_CONDITION:
        condition = f"{condition[:MAX_CONDITION].rstrip()}…"
    return f"{edge.target} ({condition})"


def _condition(condition: ir.Condition) -> str:
    """A condition as one would say it; of a combination the first parts, the rest would be cut off anyway."""
    match condition:
        case ir.Compare(op="exists", left=left):
            return f"{left.written} exists"
        case ir.Compare(op, left, right):
            return f"{left.written} {OPERATORS[op].symbol or op} {value_text(right)}"
        case ir.Not(ir.Compare() as inner):
            return f"not {_condition(inner)}"
        case ir.AnyOf(parts) | ir.AllOf(parts):
            word = " or " if isinstance(condition, ir.AnyOf) else " and "
            return word.join(_condition(part) if isinstance(part, ir.Compare) else "(…)" for part in parts[:MAX_WAYS])
        case _:
            return "not (…)"
