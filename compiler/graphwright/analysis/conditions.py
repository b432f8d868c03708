"""What the conditions on a node's edges say together: whether one of them always matches, which can never be the
first to match, and which say nothing because they are always or never true.

Everything is decided by looking at all cases of `cases.py`, with the types of the left sides as their domains.
Where there are too many cases, nothing is claimed but that two equal conditions are equal.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from itertools import combinations, islice
from numbers import Rational
from typing import Final

from graphwright import ir
from graphwright.analysis.bounds import Bounds
from graphwright.analysis.cases import Cases, Domain
from graphwright.analysis.fallible import assign_can_fail
from graphwright.analysis.jsontype import ANY, NULL, Type, join
from graphwright.analysis.narrowing import is_null_check
from graphwright.analysis.truth import Case, Subject, constants, evaluate, subject_of
from graphwright.analysis.typing import Scope, Types
from graphwright.ir import visit
from graphwright.ir.printer import condition_text, value_text
from graphwright.record import Record

#: Cases among which one is looked for that can be.
_MOST_EXAMPLES: Final = 100

#: Edges of one node beyond which each is only looked up among the others, not compared with each.
_MOST_EDGES: Final = 50


class DeadEdge(Record):
    """An edge whose condition can hold, but only where that of `by`, an earlier edge, holds too."""

    edge: ir.Edge
    by: ir.Edge
    same: bool


class Constant(Record):
    """A condition, or a part of one, that always comes out the same way."""

    condition: ir.Condition
    holds: bool


class Conditions:
    """Facts on the conditions of one graph."""

    def __init__(self, graph: ir.Graph, types: Types) -> None:
        self._graph = graph
        self._types = types
        self._lone: dict[tuple[Type, Bounds, str, Hashable], bool | None] = {}
        self._dead: dict[str, tuple[DeadEdge, ...]] = {}

    def exhaustive(self, node: ir.Node) -> bool:
        """Whether a run never falls off the end of the node's edges: one matches, or evaluating them fails.

        Where the graph's policy suppresses the failure of the node, one must match then too.
        """
        return self.left_over(node) is None

    def left_over(self, node: ir.Node, conditions: Sequence[ir.Condition] | None = None) -> Case | None:
        """A case in which no edge of the node matches; an empty one where there are too many to tell.

        If possible it is one that the schema of the inputs allows. `conditions` count in place of those that are
        written at the edges.
        """
        if conditions is None:
            conditions = list(visit.conditions(node))
        if len(conditions) < len(node.edges):
            return None
        scope = self._types.leaving(node)
        found = self._left_over(conditions, scope)
        if found is not None and scope.failed and self._never_fails(node, conditions):
            found = self._left_over(conditions, Scope(node, scope.assigned))
        return found

    def _left_over(self, conditions: Sequence[ir.Condition], scope: Scope) -> Case | None:
        cases = self._cases(conditions, scope)
        if cases.too_many:
            return {}
        errors_end = not scope.failed
        alike = _alike(conditions)
        found = self._example((case for case in cases if not _ends_here(conditions, case, errors_end)), alike)
        if found is None and errors_end:
            # An error only counts where the comparison can succeed too: one that never can is a mistake, not a way.
            useful = [condition for condition in conditions if any(evaluate(condition, case) for case in cases)]
            found = self._example((case for case in cases if not _ends_here(useful, case, errors_end)), alike)
        return found

    def _example(self, cases: Iterator[Case], alike: Mapping[object, set[bool]]) -> Case | None:
        """The first case that can be, with values like those that are compared with if there is one; else the first."""
        first: Case | None = None
        likely: Case | None = None
        for case in islice(cases, _MOST_EXAMPLES):
            if self.possible(case):
                likely = case if likely is None else likely
                if all(_is_plain(value) and _is_number(value) in alike.get(key, ()) for key, value in case.items()):
                    return case
            first = case if first is None else first
        return first if likely is None else likely

    def possible(self, case: Case) -> bool:
        """Whether the schema of the inputs allows what they are in a case."""
        return all(
            self._types.allows(subject.path, value)
            for subject, value in case.items()
            if isinstance(subject, Subject) and subject.root is ir.Root.INPUTS
        )

    def _never_fails(self, node: ir.Node, conditions: Sequence[ir.Condition]) -> bool:
        """Whether neither the assigns nor the edges of a gate can fail, as far as types tell."""
        if not isinstance(node, ir.GateNode) or any(assign_can_fail(entry, self._graph) for entry in node.assigns):
            return False
        cases = self._cases(conditions, Scope(node, self._types.leaving(node).assigned))
        return not cases.too_many and not any(_fails(conditions, case) for case in cases)

    def _cases(self, conditions: Sequence[ir.Condition], scope: Scope) -> Cases:
        return Cases(conditions, self._domain(scope, lambda read: self._types.of(read, scope)))

    def _domain(self, scope: Scope, kind: Callable[[ir.Read], Type]) -> Domain:
        return Domain(lambda read: (kind(read), self._types.bounds(read)), lambda value: self._types.of(value, scope))

    def dead_edges(self, node: ir.Node) -> tuple[DeadEdge, ...]:
        """The conditional edges that can never be the first to match, because one earlier edge always is."""
        found = self._dead.get(node.name)
        if found is None:
            found = self._dead[node.name] = self._dead_edges(node)
        return found

    def _dead_edges(self, node: ir.Node) -> tuple[DeadEdge, ...]:
        edges = [(edge, edge.when) for edge in node.edges if edge.when is not None]
        if len(edges) < 2:
            return ()
        if len(edges) > _MOST_EDGES:
            return tuple(_repeated(edges))
        scope = self._types.leaving(node)
        found: list[DeadEdge] = []
        subjects = [frozenset(subject_of(compare.left) for compare in visit.comparisons(when)) for _, when in edges]
        for later, (edge, when) in enumerate(edges):
            for earlier, (by, other) in enumerate(edges[:later]):
                if subjects[earlier] & subjects[later] and self._implies(when, other, scope):
                    found.append(DeadEdge(edge, by, condition_text(when) == condition_text(other)))
                    break
        return tuple(found)

    def is_dead(self, node: ir.Node, edge: ir.Edge) -> bool:
        """Whether this edge of a node is one of its `dead_edges`."""
        return edge.when is not None and any(dead.edge is edge for dead in self.dead_edges(node))

    def _implies(self, when: ir.Condition, other: ir.Condition, scope: Scope) -> bool:
        """Whether `other` holds wherever `when` does, and that is somewhere."""
        match when, other:
            case ir.Compare(op="eq", right=ir.Const(value)), ir.Compare(op="eq", right=ir.Const(same)):
                return value == same
        cases = Cases((when, other), self._domain(scope, lambda read: self._visible(read, scope)))
        if cases.too_many:
            return condition_text(when) == condition_text(other)
        holds = False
        for case in cases:
            if evaluate(when, case):
                if not evaluate(other, case):
                    return False
                holds = True
        return holds

    def constants(self, condition: ir.Condition, node: ir.Node | None) -> tuple[Constant, ...]:
        """The smallest parts of the condition of an edge, or of a hook (None), that are always true, or never."""
        if isinstance(condition, ir.Compare) and not self._can_be_constant(condition):
            return ()
        return tuple(self._constant_parts(condition, self._types.leaving(node) if node is not None else Scope(None)))

    def clash(self, condition: ir.AllOf, node: ir.Node | None) -> tuple[ir.Condition, ir.Condition] | None:
        """The first two parts of an `all` that never hold together, where two of them are enough."""
        scope = self._types.leaving(node) if node is not None else Scope(None)
        domain = self._domain(scope, lambda read: self._visible(read, scope))
        for pair in combinations(condition.conditions, 2):
            if _outcome(ir.AllOf(pair, condition.at), domain) is False:
                return pair
        return None

    def _can_be_constant(self, compare: ir.Compare) -> bool:
        """Whether a lone comparison is worth a look: a check for null is none, nor the order of just any numbers."""
        if not isinstance(compare.right, ir.Const) or is_null_check(compare):
            return False
        return compare.op in ("eq", "ne", "in") or self._types.is_declared(compare.left)

    def _constant_parts(self, condition: ir.Condition, scope: Scope) -> Iterator[Constant]:
        if isinstance(condition, ir.Compare):
            holds = self._lone_outcome(condition, scope) if self._can_be_constant(condition) else None
            if holds is not None:
                yield Constant(condition, holds)
            return
        parts = (condition.condition,) if isinstance(condition, ir.Not) else condition.conditions
        found = [constant for part in parts for constant in self._constant_parts(part, scope)]
        yield from found
        subjects = [subject_of(compare.left) for compare in visit.comparisons(condition)]
        if found or 0 < len(subjects) == len(set(subjects)):
            return  # comparisons of different things, none of them constant, come out in every combination
        asked = {subject_of(compare.left) for compare in visit.comparisons(condition) if is_null_check(compare)}

        def kind(read: ir.Read) -> Type:
            visible = self._visible(read, scope)
            return join(visible, NULL) if subject_of(read) in asked else visible

        holds = _outcome(condition, self._domain(scope, kind))
        if holds is not None:
            yield Constant(condition, holds)

    def _lone_outcome(self, compare: ir.Compare, scope: Scope) -> bool | None:
        """How a comparison always comes out, if it does; large graphs ask the same thing over and over."""
        if compare.op == "in" and compare.right == ir.Const([]):
            return False
        kind = self._visible(compare.left, scope)
        if kind is ANY:
            return None
        bounds = self._types.bounds(compare.left)
        key = (kind, bounds, compare.op, value_text(compare.right))
        if key not in self._lone:
            self._lone[key] = _outcome(compare, self._domain(scope, lambda _: kind))
        return self._lone[key]

    def _visible(self, read: ir.Read, scope: Scope) -> Type:
        """The type of a left side as far as the author declared it or its kind follows from what is assigned.

        That a value merely happens to be the only one assigned, or is never null, says nothing about the author's
        intent, so both are left open.
        """
        found = self._types.of(read, scope)
        if found is ANY:
            return ANY
        declared = found.values is not None and self._types.is_declared(read)
        return found if declared else join(Type(found.kinds), NULL)


def _alike(conditions: Sequence[ir.Condition]) -> dict[object, set[bool]]:
    """For each left side whether it is compared with numbers, and whether with texts."""
    alike: dict[object, set[bool]] = {}
    for condition in conditions:
        for subject, values in constants(condition):
            alike.setdefault(subject, set()).update(map(_is_number, filter(_is_plain, values)))
    return alike


def _is_plain(value: object) -> bool:
    """Whether a value is a number or a text."""
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
    """Whether a condition fails before one of them holds."""
    outcomes = (evaluate(condition, case) for condition in conditions)
    return next((found for found in outcomes if found is not False), False) is None


def _repeated(edges: Sequence[tuple[ir.Edge, ir.Condition]]) -> Iterator[DeadEdge]:
    """The edges whose very condition stands further up."""
    seen: dict[object, ir.Edge] = {}
    for edge, when in edges:
        first = seen.setdefault(condition_text(when), edge)
        if first is not edge:
            yield DeadEdge(edge, first, same=True)


def _outcome(condition: ir.Condition, domain: Domain) -> bool | None:
    """How a condition comes out in all cases, errors aside; None where that differs or cannot be told.

    A comparison that only ever fails is another rule's complaint, so nothing is said of what it stands in.
    """
    cases = Cases((condition,), domain)
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


def _only_fails(compare: ir.Compare, cases: Cases) -> bool:
    subject = subject_of(compare.left)
    return all(evaluate(compare, case) is None for case in cases if case[subject] is not None)
