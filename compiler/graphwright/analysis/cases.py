"""All cases that a set of conditions can distinguish.

The outcome of a comparison with a constant depends only on how the value relates to that constant, so finitely many
representatives stand for all values of a type. Looking at more cases than can occur is sound for every claim about all
of them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import pairwise, product
from math import ceil, floor, prod
from typing import Final

from graphwright import ir
from graphwright.analysis.bounds import UNBOUNDED, Bounds
from graphwright.analysis.jsontype import ANY, NUMBER, STRING, Type, kind_of
from graphwright.analysis.truth import Case, Other, Question, Subject, constants, questions, subject_of
from graphwright.ir import visit
from graphwright.record import Record

#: The most cases, times conditions, that a query may take.
_MAX_CASES: Final = 20_000


class Domain(Record):
    """The types of compared values: `left` returns type and bounds of a left side, `right` the type of a template."""

    left: Callable[[ir.Read], tuple[Type, Bounds]]
    right: Callable[[ir.Value], Type]

    def ordered(self, compare: ir.Compare) -> bool:
        """Whether both sides are numbers or both are strings, unless the left one is null."""
        left, right = self.left(compare.left)[0].present.kinds, self.right(compare.right).kinds
        return any(left <= kinds and right <= kinds for kinds in (NUMBER.kinds, STRING.kinds)) and bool(left and right)


class CaseSpace:
    """The cases of some conditions. Iterating yields those with the constants themselves first."""

    def __init__(self, conditions: Sequence[ir.Condition], domain: Domain) -> None:
        compared: dict[Subject, list[ir.Json]] = {}
        domains: dict[Subject, tuple[Type, Bounds]] = {}
        variables: dict[Subject | Question, tuple[object, ...]] = {}
        for condition in conditions:
            for compare in visit.comparisons(condition):
                subject = subject_of(compare.left)
                if subject not in domains:
                    domains[subject] = domain.left(compare.left)
            for subject, values in constants(condition):
                compared.setdefault(subject, []).extend(values)
            variables |= questions(condition, domain.ordered)
        self.too_many = sum(map(len, compared.values())) > _MAX_CASES
        if not self.too_many:
            for subject, against in compared.items():
                kind, bounds = domains[subject]
                variables[subject] = tuple(representatives(kind if kind.kinds else ANY, against, bounds))
            self.too_many = prod(map(len, variables.values())) * len(conditions) > _MAX_CASES
        self._variables = variables

    def __iter__(self) -> Iterator[Case]:
        names = tuple(self._variables)
        for values in product(*self._variables.values()):
            yield dict(zip(names, values, strict=True))


def representatives(kind: Type, compared: Iterable[ir.Json], bounds: Bounds = UNBOUNDED) -> list[object]:
    """Values of a type that stand for all of its values in comparisons with these constants.

    Those that can be shown come first, because messages take the first as an example. Numbers are within the bounds,
    unless there are none.
    """
    if bounds is UNBOUNDED:
        return _representatives(kind, compared)
    found = _representatives(kind, [*compared, *bounds.numbers])
    return [value for value in found if bounds.contains(value)] or found


def _representatives(kind: Type, compared: Iterable[ir.Json]) -> list[object]:
    scalars = [value for value in compared if not isinstance(value, list | dict)]
    found: list[object] = [
        value for value in compared if isinstance(value, list | dict) and kind_of(value) in kind.kinds
    ]
    others = [Other.OTHER] if kind.kinds & {"array", "object"} else []
    if kind.values is not None:
        return [*kind.values, *found, *others]
    if "null" in kind.kinds:
        found.append(None)
    if "boolean" in kind.kinds:
        found += (True, False)
    if kind.kinds & {"integer", "number"}:
        numbers = {value for value in scalars if isinstance(value, int | float)}
        found += _numbers(sorted(int(number) if isinstance(number, bool) else number for number in numbers), kind)
    if "string" in kind.kinds:
        found += _texts(sorted({value for value in scalars if isinstance(value, str)}))
    return [*found, *others]


def _numbers(bounds: list[int | float], kind: Type) -> Iterator[object]:
    """The constants and a number in each gap; no fractions if the type has none."""
    if all(isinstance(bound, int) for bound in bounds) and "number" not in kind.kinds:
        yield from dict.fromkeys([*bounds, *(bound + 1 for bound in bounds), (bounds[0] if bounds else 0) - 1])
        return
    from fractions import Fraction  # few graphs need it, and it imports `decimal`

    exact = [Fraction(bound) for bound in bounds] or [Fraction(0)]
    points = [*exact, exact[0] - 1, exact[-1] + 1, *((low + high) / 2 for low, high in pairwise(exact))]
    points += [Fraction(rounded) for point in points for rounded in (floor(point), ceil(point))]
    for point in dict.fromkeys(points):
        if point.denominator == 1:
            yield int(point)
        elif "number" in kind.kinds:
            yield point


def _texts(bounds: list[str]) -> Iterator[str]:
    """The constants and a string in each gap: directly after each constant, and the smallest string."""
    yield from dict.fromkeys([*bounds, *(f"{bound}\0" for bound in bounds), "", "\0"])
