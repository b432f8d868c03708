"""Defines rules: functions with `@rule`, `@fault_rule` or `@graph_rule` that turn facts into findings.

A new rule is one such function in the file of its family; a family that only phrases faults lists its codes in
`catalogue`. The command line, `explain`, the documentation and the configuration find it there.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, TypeVar

from graphwright.diagnostic import Edit, Fix, Label, Severity, Span
from graphwright.fault import Fault
from graphwright.record import Record, replace
from graphwright.rules.wording import meant

if TYPE_CHECKING:
    from graphwright.facts import Facts
    from graphwright.ir import Graph


_F = TypeVar("_F", bound=Fault)


class Finding(Record):
    """A diagnostic without code and severity, which the registry adds.

    `severity` overrides that of the rule, for the few codes that have two. `suggestion` is the name that was probably
    meant; `help` is only used without a suggestion. `about` is the result of an analysis, for programs. `diff` are
    lines to show unchanged.
    """

    span: Span
    message: str
    note: str = ""
    help: str | None = None
    related: tuple[Label, ...] = ()
    fix: Fix | None = None
    severity: Severity | None = None
    about: Record | None = None
    suggestion: str | None = None
    diff: tuple[str, ...] = ()


def as_fix(edit: Edit | None) -> Fix | None:
    """A fix with one edit, if there is one."""
    return None if edit is None else Fix((edit,))


#: Maximum number of other locations in a finding.
_LABELS = 5

Check = Callable[["Facts"], Iterable[Finding]]
FaultCheck = Callable[["Facts", _F], Iterable[Finding]]
GraphCheck = Callable[["Facts", "Graph"], Iterable[Finding]]


class Rule(Record):
    """One entry of the catalogue. `documentation` is the docstring of the function, without indentation."""

    code: str
    severity: Severity
    title: str
    check: Check
    documentation: str


#: The imported rules by code; `catalogue` imports them.
RULES: dict[str, Rule] = {}


def rule(code: str, severity: Severity, title: str) -> Callable[[Check], Check]:
    """Register a function as the rule for `code`; `title` is its line in the table of rules."""
    return lambda check: _registered(code, severity, title, check.__doc__, check)


def fault_rule(
    kind: type[_F], severity: Severity, title: str, alike: Callable[[_F], object] | None = None
) -> Callable[[FaultCheck[_F]], Check]:
    """Register a function as the rule that phrases the faults of a class.

    `alike`: faults with equal values have one cause, so only the first of them is phrased, and it labels the others.
    """

    def register(check: FaultCheck[_F]) -> Check:
        def check_faults(facts: Facts) -> Iterable[Finding]:
            if alike is None:
                return (found for fault in facts.faults(kind) for found in check(facts, fault))
            groups: dict[object, list[_F]] = {}
            for fault in facts.faults(kind):
                groups.setdefault(alike(fault), []).append(fault)
            return (
                replace(found, related=(*found.related, *(Label(each.span, "here, too") for each in others[:_LABELS])))
                for first, *others in groups.values()
                for found in check(facts, first)
            )

        return _registered(kind.code, severity, title, check.__doc__, check_faults)

    return register


def graph_rule(code: str, severity: Severity, title: str) -> Callable[[GraphCheck], Check]:
    """Register a function that is only called if there is a graph, which is an argument."""

    def register(check: GraphCheck) -> Check:
        def check_graph(facts: Facts) -> Iterable[Finding]:
            return () if facts.graph is None else check(facts, facts.graph)

        return _registered(code, severity, title, check.__doc__, check_graph)

    return register


def _registered(code: str, severity: Severity, title: str, docstring: str | None, check: Check) -> Check:
    if code in RULES:
        raise ValueError(f"{code} is registered twice")

    def advised(facts: Facts) -> Iterable[Finding]:
        for found in check(facts):
            yield found if found.suggestion is None else replace(found, help=meant(found.suggestion))

    documentation = "\n".join(line.removeprefix("    ") for line in (docstring or "").strip().splitlines())
    RULES[code] = Rule(code, severity, title, advised, documentation)
    return advised
