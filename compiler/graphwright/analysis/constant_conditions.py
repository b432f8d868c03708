"""Conditions on a node's edges that are always or never true, or that can never be the first to match. Whether the
conditions cover every case is decided by `coverage.py`.

Everything is decided by enumerating the cases of `cases.py`, with the types of the left sides as their domains. If
there are too many cases, only equal conditions are known to be equal.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from itertools import combinations
from typing import Final

from graphwright import ir
from graphwright.analysis.bounds import Bounds
from graphwright.analysis.cases import CaseSpace, Domain
from graphwright.analysis.coverage import Coverage, domain
from graphwright.analysis.jsontype import ANY, NULL, Scalar, Type, join, one_of
from graphwright.analysis.known_values import ExcludedItem, excluded_items, is_never_found
from graphwright.analysis.narrowing import is_null_check
from graphwright.analysis.operations import at_path
from graphwright.analysis.symbols import resolve
from graphwright.analysis.truth import evaluate, subject_of
from graphwright.analysis.typing import ProgramPoint, Types
from graphwright.ir import visit
from graphwright.ir.printer import condition_text, value_text
from graphwright.model import UNKNOWN_NAME
from graphwright.record import Record
from graphwright.suggest import nearest

#: For nodes with more edges, only equal conditions are found, instead of comparing each pair.
_MAX_EDGES: Final = 50

#: Operators that can only have one outcome if the values of the left side are known.
_KNOWN: Final = frozenset({"eq", "ne", "in", "contains", "regex"})


class DeadEdge(Record):
    """An edge whose condition is true only if that of `by`, an earlier edge, is true as well."""

    edge: ir.Edge
    by: ir.Edge
    same: bool


class Constant(Record):
    """A condition, or a part of one, that is always or never true."""

    condition: ir.Condition
    holds: bool


class Conditions:
    """Facts about the conditions of one graph."""

    def __init__(self, graph: ir.Graph, types: Types) -> None:
        self._graph = graph
        self._types = types
        self._coverage = Coverage(graph, types)
        self._lone: dict[tuple[Type, Bounds, str, Hashable], bool | None] = {}
        self._dead: dict[str, tuple[DeadEdge, ...]] = {}

    def dead_edges(self, node: ir.Node) -> tuple[DeadEdge, ...]:
        """The conditional edges that never match first, because one earlier edge always does."""
        found = self._dead.get(node.name)
        if found is None:
            found = self._dead[node.name] = self._dead_edges(node)
        return found

    def _dead_edges(self, node: ir.Node) -> tuple[DeadEdge, ...]:
        edges = [(edge, edge.when) for edge in node.edges if edge.when is not None]
        if len(edges) < 2:
            return ()
        if len(edges) > _MAX_EDGES:
            return tuple(_repeated(edges))
        point = self._types.leaving(node)
        found: list[DeadEdge] = []
        subjects = [frozenset(subject_of(compare.left) for compare in visit.comparisons(when)) for _, when in edges]
        for later, (edge, when) in enumerate(edges):
            for earlier, (by, other) in enumerate(edges[:later]):
                if subjects[earlier] & subjects[later] and self._implies(when, other, point):
                    found.append(DeadEdge(edge, by, condition_text(when) == condition_text(other)))
                    break
        return tuple(found)

    def is_dead(self, node: ir.Node, edge: ir.Edge) -> bool:
        """Whether an edge is one of the node's `dead_edges`, or the edges before it leave nothing for it."""
        if edge.when is not None and any(dead.edge is edge for dead in self.dead_edges(node)):
            return True
        return self._coverage.is_covered(node, edge)

    def _implies(self, when: ir.Condition, other: ir.Condition, point: ProgramPoint) -> bool:
        """Whether `when` implies `other`, and can be true."""
        match when, other:
            case ir.Compare(op="eq", right=ir.Const(value)), ir.Compare(op="eq", right=ir.Const(same)):
                return value == same
        cases = CaseSpace((when, other), domain(self._types, point, lambda read: self._visible(read, point)))
        if cases.too_many:
            return condition_text(when) == condition_text(other)
        holds = False
        for case in cases:
            if evaluate(when, case):
                if not evaluate(other, case):
                    return False
                holds = True
        return holds

    def constants(self, condition: ir.Condition, place: ir.Node | ProgramPoint) -> tuple[Constant, ...]:
        """The smallest parts of a condition of a node's edges, or of a hook, that are always or never true."""
        if isinstance(condition, ir.Compare) and not self._can_be_constant(condition):
            return ()
        point = place if isinstance(place, ProgramPoint) else self._types.leaving(place)
        return tuple(self._constant_parts(condition, point))

    def clash(self, condition: ir.AllOf, point: ProgramPoint) -> tuple[ir.Condition, ir.Condition] | None:
        """The first two parts of an `all` that are never both true, if two of them suffice."""
        visible = domain(self._types, point, lambda read: self._visible(read, point))
        for pair in combinations(condition.conditions, 2):
            if _outcome(ir.AllOf(pair, condition.at), visible) is False:
                return pair
        return None

    def _can_be_constant(self, compare: ir.Compare) -> bool:
        """Whether a lone comparison is worth evaluating: not a check for null, nor an ordering of arbitrary numbers."""
        if not isinstance(compare.right, ir.Const) or is_null_check(compare):
            return False
        if not self._graph.doubt.trusts(compare.right):  # a template in the syntax of another language (GW415)
            return False
        return compare.op in _KNOWN or self._types.is_declared(compare.left)

    def _constant_parts(self, condition: ir.Condition, point: ProgramPoint) -> Iterator[Constant]:
        if isinstance(condition, ir.Compare):
            holds = self._lone_outcome(condition, point) if self._can_be_constant(condition) else None
            if holds is not None:
                yield Constant(condition, holds)
            return
        parts = (condition.condition,) if isinstance(condition, ir.Not) else condition.conditions
        found = [constant for part in parts for constant in self._constant_parts(part, point)]
        yield from found
        subjects = [subject_of(compare.left) for compare in visit.comparisons(condition)]
        if found or 0 < len(subjects) == len(set(subjects)):
            return  # comparisons of different, not constant values can have any combination of outcomes
        asked = {subject_of(compare.left) for compare in visit.comparisons(condition) if is_null_check(compare)}

        def kind(read: ir.Read) -> Type:
            visible = self._visible(read, point)
            return join(visible, NULL) if subject_of(read) in asked else visible

        holds = _outcome(condition, domain(self._types, point, kind))
        if holds is not None:
            yield Constant(condition, holds)

    def _lone_outcome(self, compare: ir.Compare, point: ProgramPoint) -> bool | None:
        """The constant outcome of a comparison, or None; cached because large graphs repeat comparisons."""
        if compare.op == "in" and compare.right == ir.Const([]):
            return False
        kind = self._visible(compare.left, point)
        if kind is ANY:
            return None
        found = self._outcome_for(compare, kind, point)
        values = self.known_values(compare.left, point) if found is None else None
        if values is not None and self._is_changed(compare.left) and is_never_found(compare, values):
            return False
        if values is None or not self._is_strange(compare, values):
            return found
        return self._outcome_for(compare, one_of((*values, None)), point)

    def known_values(self, read: ir.Read, point: ProgramPoint) -> tuple[Scalar, ...] | None:
        """All possible values of a path: those that are declared, or constants if nothing else is ever assigned.

        None if they are unknown, or if an unknown key may be assigned.
        """
        root, path = resolve(read)
        found = self._types.of(read, point)
        if root is ir.Root.STATE and path:
            found = at_path(self._types.state.get(str(path[0]), ANY), path[1:])
        if found.values is None or UNKNOWN_NAME in self._types.reassigned:
            return None
        return tuple(value for value in found.values if value is not None)

    def _is_strange(self, compare: ir.Compare, values: Sequence[Scalar]) -> bool:
        """Whether a comparison of a key with a constant that it never has can only be a mistake.

        A key that only `config.state` sets is a setting that its author may change, unless the value is misspelled.
        """
        if compare.op not in ("eq", "ne", "in") or not isinstance(compare.right, ir.Const) or not values:
            return False
        if self._is_changed(compare.left):
            return True
        right = compare.right.value
        return isinstance(right, str) and nearest(right, [each for each in values if isinstance(each, str)]) is not None

    def _is_changed(self, read: ir.Read) -> bool:
        """Whether anything other than `config.state` determines the value of a path."""
        root, path = resolve(read)
        return root is not ir.Root.STATE or not path or str(path[0]) in self._types.reassigned

    def excluded_items(self, condition: ir.Condition, place: ir.Node | ProgramPoint) -> Iterator[ExcludedItem]:
        """The items of lists in a condition that no known value of the left side equals.

        Empty for a comparison that is constant as a whole.
        """
        for compare in visit.comparisons(condition):
            if compare.op == "in" and isinstance(compare.right, ir.Const) and compare.right.value:
                point = place if isinstance(place, ProgramPoint) else self._types.leaving(place)
                values = self.known_values(compare.left, point)
                if values and self._lone_outcome(compare, point) is None:
                    is_declared = self._types.is_declared(compare.left)
                    yield from excluded_items(compare, values, is_declared=is_declared)

    def _outcome_for(self, compare: ir.Compare, kind: Type, point: ProgramPoint) -> bool | None:
        """The constant outcome of a comparison if its left side has a type; None if it varies."""
        bounds = self._types.bounds(compare.left)
        key = (kind, bounds, compare.op, value_text(compare.right))
        if key not in self._lone:
            self._lone[key] = _outcome(compare, domain(self._types, point, lambda _: kind))
        return self._lone[key]

    def _visible(self, read: ir.Read, point: ProgramPoint) -> Type:
        """The type of a left side as far as the author declared it or it follows from the kinds of assigned values.

        That a value is the only one assigned, or never null, says nothing about the author's intent and is ignored.
        """
        found = self._types.of(read, point)
        if found is ANY:
            return ANY
        declared = found.values is not None and self._types.is_declared(read)
        return found if declared else join(Type(found.kinds), NULL)


def _repeated(edges: Sequence[tuple[ir.Edge, ir.Condition]]) -> Iterator[DeadEdge]:
    """The edges whose exact condition occurs on an earlier edge."""
    seen: dict[object, ir.Edge] = {}
    for edge, when in edges:
        first = seen.setdefault(condition_text(when), edge)
        if first is not edge:
            yield DeadEdge(edge, first, same=True)


def _outcome(condition: ir.Condition, domain: Domain) -> bool | None:
    """The outcome of a condition in all cases, ignoring errors; None if it varies or cannot be determined.

    A comparison that always fails is reported by another rule, so a condition that contains it has no outcome.
    """
    cases = CaseSpace((condition,), domain)
    if cases.too_many:
        return None
    outcomes: set[bool | None] = set()
    for case in cases:
        outcomes.add(evaluate(condition, case))
        if True in outcomes and len(outcomes) > 1:
            return None
    if any(_only_fails(compare, cases) for compare in visit.comparisons(condition)):
        return None
    return True in outcomes if outcomes - {None} else None


def _only_fails(compare: ir.Compare, cases: CaseSpace) -> bool:
    subject = subject_of(compare.left)
    return all(evaluate(compare, case) is None for case in cases if case[subject] is not None)
