"""Finds nodes whose conditions do not cover every case, so that a run ends if no edge matches."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence

from graphwright import ir
from graphwright.analysis.coverage import Coverage
from graphwright.analysis.intent import Intent
from graphwright.analysis.truth import Case
from graphwright.record import Record


class OpenEnd(Record):
    """A node that does not cover `case`; `conditions` are the intended conditions of its edges."""

    node: ir.RoutedNode
    case: Case
    conditions: Sequence[ir.Condition]


def open_ends(
    nodes: Iterable[ir.Node], reachable: Collection[str], doubt: ir.Doubt, intent: Intent, coverage: Coverage
) -> Iterator[OpenEnd]:
    """The nodes with an open end, as far as their edges are certain."""
    for node in nodes:
        if not isinstance(node, ir.RoutedNode) or not node.edges or node.edges[-1].when is None:
            continue
        if node.name in doubt.merged or node.name not in reachable or not doubt.trusts(node.edges[-1].at):
            continue
        conditions = intent.conditions(node)
        case = coverage.left_over(node, conditions)
        if case is not None:
            yield OpenEnd(node, case, conditions)
