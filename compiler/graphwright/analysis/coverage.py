"""Decides whether the conditions on a node's edges cover every case, and whether they can fail.

All cases of `cases.py` are enumerated, with the types of the left sides as their domains. If there are too many cases,
nothing is reported.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import islice
from numbers import Rational
from typing import Final

from graphwright import ir
from graphwright.analysis.cases import CaseSpace, Domain
from graphwright.analysis.fallible import assign_can_fail, assigns_surely
from graphwright.analysis.jsontype import Type
from graphwright.analysis.narrowing import is_null_check
from graphwright.analysis.total import is_total
from graphwright.analysis.truth import Case, Subject, constants, evaluate, subject_of
from graphwright.analysis.typing import ProgramPoint, Types
from graphwright.ir import visit

#: Maximum number of cases among which a realistic example is searched.
_MAX_EXAMPLES: Final = 100

#: Maximum number of edges of a node for which covered edges are searched.
_MAX_EDGES: Final = 10


def domain(types: Types, scope: ProgramPoint, kind: Callable[[ir.Read], Type]) -> Domain:
    """The domain of comparisons in a scope; `kind` returns the types of left sides."""
    return Domain(lambda read: (kind(read), types.bounds(read)), lambda value: types.of(value, scope))


class Coverage:
    """Determines which cases the edges of a graph's nodes cover."""

    def __init__(self, graph: ir.Graph, types: Types) -> None:
        self._graph = graph
        self._types = types
        self._taken: dict[str, int] = {}

    def exhaustive(self, node: ir.Node) -> bool:
        """Whether one of the node's edges always matches, or evaluating them fails.

        If the graph's policy suppresses the failure of the node, one must match after a failure, too.
        """
        return self.left_over(node) is None

    def left_over(self, node: ir.Node, conditions: Sequence[ir.Condition] | None = None) -> Case | None:
        """A case in which no edge of the node matches; empty if there are too many cases to decide.

        If possible, the schema of the inputs allows it. `conditions` replace those of the edges.
        """
        if conditions is None:
            conditions = list(visit.conditions(node))
        if len(conditions) < len(node.edges):
            return None
        scope = self._types.leaving(node)
        found = self._left_over(conditions, scope)
        if found is not None and scope.failed and self._never_fails(node, conditions):
            found = self._left_over(conditions, ProgramPoint(node, scope.assigned))
        return found

    def _left_over(self, conditions: Sequence[ir.Condition], scope: ProgramPoint) -> Case | None:
        cases = self._cases(conditions, scope)
        if cases.too_many:
            return {}
        errors_end = not scope.failed
        alike = _alike(conditions)
        found = self._example((case for case in cases if not _ends_here(conditions, case, errors_end)), alike)
        if found is None and errors_end:
            # An error is only an outcome if the comparison can also succeed: one that never can is a mistake.
            useful = [condition for condition in conditions if any(evaluate(condition, case) for case in cases)]
            found = self._example((case for case in cases if not _ends_here(useful, case, errors_end)), alike)
        return found

    def _example(self, cases: Iterator[Case], alike: Mapping[object, set[bool]]) -> Case | None:
        """The first possible case, preferring values like those in the comparisons; otherwise the first case."""
        first: Case | None = None
        likely: Case | None = None
        for case in islice(cases, _MAX_EXAMPLES):
            if self.possible(case):
                likely = case if likely is None else likely
                if all(_is_plain(value) and _is_number(value) in alike.get(key, ()) for key, value in case.items()):
                    return case
            first = case if first is None else first
        return first if likely is None else likely

    def possible(self, case: Case) -> bool:
        """Whether the schema of the inputs allows their values in a case."""
        return all(
            self._types.allows(subject.path, value)
            for subject, value in case.items()
            if isinstance(subject, Subject) and subject.root is ir.Root.INPUTS
        )

    def _never_fails(self, node: ir.Node, conditions: Sequence[ir.Condition]) -> bool:
        """Whether neither the assigns nor the edges of a gate can fail, according to their types."""
        if not isinstance(node, ir.GateNode) or any(assign_can_fail(entry, self._graph) for entry in node.assigns):
            return False
        return self._routes_surely(node, conditions)

    def _routes_surely(self, node: ir.Node, conditions: Sequence[ir.Condition]) -> bool:
        cases = self._cases(conditions, ProgramPoint(node, self._types.leaving(node).assigned))
        return not cases.too_many and not any(_fails(conditions, case) for case in cases)

    def is_covered(self, node: ir.Node, edge: ir.Edge) -> bool:
        """Whether an edge is never taken because one before it always matches, or evaluating those fails.

        Failures that the graph suppresses are not considered.
        """
        taken = self._taken.get(node.name)
        if taken is None:
            taken = self._taken[node.name] = self._count_taken(node)
        return not any(each is edge for each in node.edges[:taken])

    def _count_taken(self, node: ir.Node) -> int:
        """The number of the node's edges that can be taken; their conditions cover every case."""
        conditions = list(visit.conditions(node))
        everything = len(node.edges)
        point = ProgramPoint(node, self._types.leaving(node).assigned)
        before = conditions[: everything - 1]
        if not before or len(before) > _MAX_EDGES or not self._may_cover(before, point):
            return everything
        if self._left_over(before, point) is not None:
            return everything
        lengths = range(1, len(before))
        return next((n for n in lengths if self._left_over(before[:n], point) is None), len(before))

    def _may_cover(self, conditions: Sequence[ir.Condition], point: ProgramPoint) -> bool:
        """Whether enumerating cases is worthwhile: the values of a left side are known, or it is compared with null, or
        it is compared more than once and known not to be null.
        """
        compared = [compare for when in conditions for compare in visit.comparisons(when)]
        counts = Counter(subject_of(compare.left) for compare in compared)
        for compare in compared:
            kind = self._types.of(compare.left, point)
            can_be_complete = is_null_check(compare) or (kind.known and not kind.nullable)
            if kind.values is not None or (can_be_complete and counts[subject_of(compare.left)] > 1):
                return True
        return not compared

    def never_fails(self, node: ir.Node) -> bool:
        """Whether a run of the node always succeeds, according to types."""
        values = ((entry, scope) for entry, scope in self._types.assigning(node))
        return (
            isinstance(node, ir.GateNode)
            and all(is_total(entry.value, scope, self._types) for entry, scope in values)
            and all(assigns_surely(self._graph, entry) for entry in node.assigns)
            and self._routes_surely(node, list(visit.conditions(node)))
        )

    def _cases(self, conditions: Sequence[ir.Condition], scope: ProgramPoint) -> CaseSpace:
        return CaseSpace(conditions, domain(self._types, scope, lambda read: self._types.of(read, scope)))


def _alike(conditions: Sequence[ir.Condition]) -> dict[object, set[bool]]:
    """For each left side, whether it is compared with numbers (True) and with strings (False)."""
    alike: dict[object, set[bool]] = {}
    for condition in conditions:
        for subject, values in constants(condition):
            alike.setdefault(subject, set()).update(map(_is_number, filter(_is_plain, values)))
    return alike


def _is_plain(value: object) -> bool:
    """Whether a value is a number or a string."""
    return isinstance(value, str) or _is_number(value)


def _is_number(value: object) -> bool:
    return isinstance(value, Rational | float) and not isinstance(value, bool)


def _ends_here(conditions: Sequence[ir.Condition], case: Case, errors_end: bool) -> bool:
    for condition in conditions:
        found = evaluate(condition, case)
        if found or (found is None and errors_end):
            return True
    return False


def _fails(conditions: Sequence[ir.Condition], case: Case) -> bool:
    """Whether a condition fails before one of them is true."""
    outcomes = (evaluate(condition, case) for condition in conditions)
    return next((found for found in outcomes if found is not False), False) is None
