"""Determines the likely intended conditions of a node, if parts of them are mistakes that are already reported.

Cases that only a faulty condition leaves uncovered are not reported as well.
"""

from __future__ import annotations

from graphwright import ir
from graphwright.analysis.assignment import Assignment
from graphwright.analysis.constant_conditions import Conditions
from graphwright.analysis.jsontype import BOOLEAN
from graphwright.analysis.mismatch import Mismatches
from graphwright.analysis.symbols import resolve
from graphwright.analysis.typing import Types
from graphwright.record import replace


class Intent:
    """The conditions of one graph's edges, read so that they leave as few cases as possible uncovered."""

    def __init__(self, assignment: Assignment, types: Types, conditions: Conditions, mismatches: Mismatches) -> None:
        self._graph = assignment.graph
        self._assignment = assignment
        self._types = types
        self._conditions = conditions
        self._mismatches = mismatches

    def conditions(self, node: ir.Node) -> list[ir.Condition]:
        """The conditions of a node's edges, each as its author may have intended it."""
        repeated = {id(dead.edge) for dead in self._conditions.dead_edges(node) if dead.same}
        return [
            self._instead_of_repeated(node, edge.when) if id(edge) in repeated else self._at_best(node, edge.when, True)
            for edge in node.edges
            if edge.when is not None
        ]

    def _instead_of_repeated(self, node: ir.Node, condition: ir.Condition) -> ir.Condition:
        """What a condition that repeats another (GW206) may have been meant to be: one that leaves no case open, unless
        it compares an unconstrained value with a single constant."""
        if isinstance(condition, ir.Compare) and condition.op == "eq":
            found = self._types.of(condition.left, self._types.leaving(node))
            if found.values is None and not found.kinds <= BOOLEAN.kinds:
                return condition
        return ir.AllOf((), condition.at)

    def _at_best(self, node: ir.Node, condition: ir.Condition, holds: bool) -> ir.Condition:
        """A condition read so that it leaves the fewest cases open: a comparison that is already reported may be meant
        to hold wherever it does not, and a misspelled key is read as the key that was meant."""
        match condition:
            case ir.Not(part, at):
                return ir.Not(self._at_best(node, part, not holds), at)
            case ir.AnyOf(parts, at):
                return ir.AnyOf(tuple(self._at_best(node, part, holds) for part in parts), at)
            case ir.AllOf(parts, at):
                return ir.AllOf(tuple(self._at_best(node, part, holds) for part in parts), at)
            case ir.Compare(at=at):
                meant = replace(condition, left=self._corrected(condition.left))
                if self._is_sound(condition, meant) and not self._conditions.constants(meant, node):
                    return meant
                return ir.AllOf((), at) if holds else ir.AnyOf((), at)

    def _corrected(self, read: ir.Read) -> ir.Read:
        """The path with the state key that a misspelled one (GW301) means."""
        root, path = resolve(read)
        meant = self._assignment.misspelled.get(str(path[0])) if root is ir.Root.STATE and path else None
        if meant is None:
            return read
        return replace(read, path=(meant, *path[1:]))

    def _is_sound(self, written: ir.Compare, meant: ir.Compare) -> bool:
        """Whether nothing about a comparison is a mistake: its operator, what it reads, and how that is declared."""
        trusts, left = self._graph.doubt.trusts, meant.left
        root, path = resolve(left)
        declared = self._graph.inputs_at if root is ir.Root.INPUTS else {}
        keys = [declared.get(str(path[0]))] if path else declared.values()
        assignment = self._assignment
        return (
            trusts(written)
            and trusts(written.left)
            and all(map(trusts, keys))
            and not assignment.symbols.read(left) & (assignment.never_assigned | assignment.undeclared)
            and not any(found.read is left for found in self._mismatches.fields)
            and not any(clash.compare is meant for clash in self._mismatches.orders)
        )
