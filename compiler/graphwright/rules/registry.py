"""How a rule is written: a function under `@rule(...)` that turns facts into findings.

A new rule is one such function in the file of its family; a family that only phrases faults lists its codes in
`catalogue`. The command line, `explain`, the documentation and the configuration find it there.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

from graphwright.diagnostic import Fix, Label, Severity, Span
from graphwright.record import Record

if TYPE_CHECKING:
    from graphwright.facts import Facts


class Finding(Record):
    """A complaint without its code: the registry adds code and severity.

    `severity` overrides the rule's own, for the few codes that have two.
    """

    span: Span
    message: str
    note: str = ""
    help: str | None = None
    related: tuple[Label, ...] = ()
    fix: Fix | None = None
    severity: Severity | None = None


Check = Callable[["Facts"], Iterable[Finding]]


class Rule(Record):
    """One entry of the catalogue. `documentation` is the function's docstring, cleaned."""

    code: str
    severity: Severity
    title: str
    check: Check
    documentation: str


#: The rules that have been imported, by code; `catalogue` imports them.
RULES: dict[str, Rule] = {}


def rule(code: str, severity: Severity, title: str) -> Callable[[Check], Check]:
    """Register the function below as the rule for `code`; `title` is its line in the table of rules."""

    def register(check: Check) -> Check:
        if code in RULES:
            raise ValueError(f"{code} is registered twice")
        lines = (check.__doc__ or "").strip().splitlines()
        documentation = "\n".join(line.removeprefix("    ") for line in lines)
        RULES[code] = Rule(code, severity, title, check, documentation)
        return check

    return register
