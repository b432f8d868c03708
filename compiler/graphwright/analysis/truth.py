"""Evaluates conditions case by case.

A case gives each left side a value. What the values alone do not decide (a pattern, a right side that is a template) is
a question that each case answers; the same question always has the same answer. `cases.py` generates the cases.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping
from enum import Enum
from numbers import Rational
from typing import Final, TypeAlias

from graphwright import ir
from graphwright.analysis.fallible import value_can_fail
from graphwright.ir import visit
from graphwright.ir.printer import value_text
from graphwright.language.operators import ORDERS
from graphwright.record import Record

#: True, False, or None for a node error.
Outcome: TypeAlias = bool | None


class Subject(Record):
    """The left side of a comparison, by its path in the data."""

    root: ir.Root
    path: tuple[str | int, ...]


class Question(Record):
    """A comparison that values do not decide; `operator` is empty for an ordering relative to a template."""

    subject: Subject
    operator: str
    right: Hashable


class Relation(Enum):
    """How a value relates to an unknown one: ordered, or equal or different without an order.

    `FAILS`: evaluating the unknown one is a node error, whatever the value is.
    """

    LESS = "less"
    SAME = "same"
    GREATER = "greater"
    ODD_SAME = "odd, same"
    ODD = "odd"
    FAILS = "fails"


class Other(Enum):
    """The lists and mappings that no constant equals: equal to none, ordered with none."""

    OTHER = "other"


Case: TypeAlias = "Mapping[Subject | Question, object]"

_SIGNS: Final = {Relation.LESS: -1, Relation.SAME: 0, Relation.GREATER: 1}


def subject_of(read: ir.Read) -> Subject:
    """The subject of a path."""
    return Subject(read.root, read.path)


def evaluate(condition: ir.Condition, case: Case) -> Outcome:
    """The outcome of a condition, in the order of evaluation: `any` and `all` stop as soon as they can."""
    match condition:
        case ir.Compare():
            return _compare(condition, case)
        case ir.Not(inner):
            found = evaluate(inner, case)
            return None if found is None else not found
        case ir.AnyOf(parts) | ir.AllOf(parts):
            decisive = isinstance(condition, ir.AnyOf)
            for part in parts:
                found = evaluate(part, case)
                if found is None or found is decisive:
                    return found
            return not decisive


def questions(
    condition: ir.Condition, ordered: Callable[[ir.Compare], bool]
) -> Iterator[tuple[Question, tuple[object, ...]]]:
    """The questions that a condition depends on, with their possible answers.

    `ordered` tells whether the sides of a comparison with a template surely have an order if neither is null.
    """
    for compare in visit.comparisons(condition):
        if _decided(compare):
            continue
        if compare.op in ORDERS or compare.op in ("eq", "ne"):
            known = isinstance(compare.right, ir.Const)
            yield _question(compare), (True, False) if known else _relations(compare.right, ordered(compare))
        else:
            yield _question(compare), (True, False) if isinstance(compare.right, ir.Const) else (True, False, None)


def _relations(right: ir.Value, ordered: bool) -> tuple[Relation, ...]:
    """How a left side can relate to a template."""
    impossible = {Relation.ODD, Relation.ODD_SAME} if ordered else set[Relation]()
    if not value_can_fail(right):
        impossible.add(Relation.FAILS)
    return tuple(each for each in Relation if each not in impossible)


def constants(condition: ir.Condition) -> Iterator[tuple[Subject, tuple[ir.Json, ...]]]:
    """The subjects of a condition, each with the constants that it is compared with."""
    for compare in visit.comparisons(condition):
        right = compare.right.value if isinstance(compare.right, ir.Const) and _decided(compare) else None
        values = right if compare.op == "in" and isinstance(right, list) else [right]
        yield subject_of(compare.left), tuple(values)


def _decided(compare: ir.Compare) -> bool:
    """Whether a representative of the left side decides the comparison."""
    if compare.op == "exists":
        return True
    if not isinstance(compare.right, ir.Const):
        return False
    right = compare.right.value
    match compare.op:
        case "eq" | "ne":
            return True
        case "in":
            return isinstance(right, list)
        case operator:
            return operator in ORDERS and isinstance(right, int | float | str) and not isinstance(right, bool)


def _question(compare: ir.Compare) -> Question:
    order = not isinstance(compare.right, ir.Const) and (compare.op in ORDERS or compare.op in ("eq", "ne"))
    return Question(subject_of(compare.left), "" if order else compare.op, value_text(compare.right))


def _compare(compare: ir.Compare, case: Case) -> Outcome:
    left = case[subject_of(compare.left)]
    if compare.op == "exists":
        return left is not None
    answer = None if _decided(compare) else case[_question(compare)]
    if answer is Relation.FAILS:
        return None
    if _is_never_true(compare.op, left):
        return None if answer is None and value_can_fail(compare.right) else False
    if not _decided(compare):
        return _answered(compare, answer)
    right = compare.right.value if isinstance(compare.right, ir.Const) else None
    match compare.op:
        case "eq":
            return left == right
        case "ne":
            return left != right
        case "in":
            return isinstance(right, list) and left in right
        case operator:
            order = _order(left, right)
            return None if order is None else _ordered(operator, order)


def _is_never_true(operator: str, left: object) -> bool:
    """Whether a comparison is false for a left side, whatever is on the right: null, or a boolean with `contains`."""
    if operator == "contains":
        return left is None or isinstance(left, bool)
    return left is None and (operator in ORDERS or operator == "regex")


def _answered(compare: ir.Compare, answer: object) -> Outcome:
    """The outcome of the comparison, given the answer to a question."""
    if isinstance(answer, Relation):
        if compare.op in ("eq", "ne"):
            return (answer in (Relation.SAME, Relation.ODD_SAME)) is (compare.op == "eq")
        sign = _SIGNS.get(answer)
        return None if sign is None else _ordered(compare.op, sign)
    return answer if isinstance(answer, bool) else None


def _order(left: object, right: object) -> int | None:
    """-1, 0 or 1; None for two values that have no order."""
    if isinstance(left, str) and isinstance(right, str):
        return (left > right) - (left < right)
    if isinstance(left, bool) or not isinstance(left, int | float | Rational) or not isinstance(right, int | float):
        return None
    if left == right:
        return 0
    return -1 if left < right else 1


def _ordered(operator: str, sign: int) -> bool:
    match operator:
        case "gt":
            return sign > 0
        case "gte":
            return sign >= 0
        case "lt":
            return sign < 0
        case _:
            return sign <= 0
