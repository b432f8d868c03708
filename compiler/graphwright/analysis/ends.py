"""Determines where the runs of a graph can end, with which outputs, and where they can fail without an output.

Only failures that the graph causes are considered: an action, a template, a limit. A log that cannot be written, or a
cancellation after the last node, can occur anywhere and is ignored.
"""

from __future__ import annotations

from collections.abc import Iterator

from graphwright import ir
from graphwright.analysis.assignment import Assignment
from graphwright.analysis.declarations import Declarations
from graphwright.analysis.jsontype import Type
from graphwright.analysis.total import is_total
from graphwright.analysis.typing import ProgramPoint, Types
from graphwright.ir import visit
from graphwright.record import Record


class End(Record):
    """Nodes at which runs end with outputs of the same type.

    `output` is None for the state. `fails`: return nodes with `status: error`, which can still have an output.
    `anywhere`: a limit can end the run as completed after any node with a successor; these are not in `nodes`.
    """

    nodes: tuple[str, ...]
    output: Type | None
    fails: bool = False
    anywhere: bool = False


class Ends:
    """The ends of one graph's runs."""

    def __init__(self, assignment: Assignment, types: Types, declarations: Declarations) -> None:
        self._graph = assignment.graph
        self._flow = assignment.flow
        self._assignment = assignment
        self._types = types
        self._declarations = declarations

    def __iter__(self) -> Iterator[End]:
        """Each distinct end, ordered by its first node; an end that only a limit causes is the last."""
        found: dict[tuple[Type | None, bool], list[str]] = {}
        for node in self._graph.nodes.values():
            if node.name not in self._flow.reachable:
                continue
            fails = isinstance(node, ir.ReturnNode) and node.fails
            output = visit.output(node)
            if fails and output is None:
                continue
            if fails or self._flow.may_complete(node.name):
                kind = None if output is None else self._types.of(output, node)
                found.setdefault((kind, fails), []).append(node.name)
        cut_off = bool(self._assignment.cut_off)
        if cut_off:
            found.setdefault((None, False), [])
        for (kind, fails), names in found.items():
            yield End(tuple(names), kind, fails, cut_off and kind is None)

    def can_fail(self, node: ir.Node) -> bool:
        """Whether a run can end at the node with an error and without an output."""
        if not isinstance(node, ir.ReturnNode) or self._declarations.whole_state is not True:
            return True
        if node.fails:
            return node.output is None or not (self._resolves(node.output, node) and self._resolves(node.error, node))
        if node.output is None:
            return not self._declarations.is_state_as_output_proved
        return not (self._resolves(node.output, node) and self._declarations.is_output_proved(node))

    def _resolves(self, value: ir.Value | None, node: ir.Node) -> bool:
        return value is None or is_total(value, ProgramPoint(node), self._types)
