"""The summary of a report: the number of findings and graphs."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from graphwright.checking.report import Report
from graphwright.diagnostic import Severity


def counted(count: int, noun: str) -> str:
    """ "1 graph", "3 graphs"."""
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"


def summary(report: Report, *, notes: bool) -> str:
    """A summary in one line; `notes` tells whether notes were shown."""
    if not report.diagnostics and not report.graphs:
        return "no graphs found\n"
    kinds = (Severity.ERROR, Severity.WARNING, *((Severity.NOTE,) if notes else ()))
    found = [counted(report.count(kind), kind.value) for kind in kinds if report.count(kind)]
    looked = counted(len(report.graphs), "graph")
    if not found:
        return f"{looked} checked, no problems found\n"
    fixable = sum(each.fix is not None and each.severity in kinds for each in report.diagnostics)
    advice = f"; {fixable} can be fixed with `--fix`" if fixable else ""
    return f"{', '.join(found)} ({looked} checked){advice}\n"


def statistics(counts: Iterable[tuple[str, int]], titles: Mapping[str, str]) -> str:
    """A line for each code: the number of findings, the code, its title."""
    rows = list(counts)
    width = max((len(str(count)) for _, count in rows), default=1)
    return "".join(f"{count:>{width}}  {code}  {titles.get(code, '')}".rstrip() + "\n" for code, count in rows)
