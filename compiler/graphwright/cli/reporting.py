"""Shows a report in the requested format."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from graphwright.checking.report import Report
from graphwright.cli.console import Console
from graphwright.diagnostic import Diagnostic, Severity

#: Maximum number of findings in text output.
MOST_FINDINGS: Final = 200
#: The first format is for people, on standard error; the others are for programs, on standard output.
FORMATS = ("text", "concise", "json", "sarif", "github", "gitlab")


def show(
    report: Report,
    console: Console,
    form: str = "text",
    *,
    notes: bool = False,
    statistics: bool = False,
    most: int | None = MOST_FINDINGS,
    compact: bool = False,
) -> None:
    """Write the diagnostics, then a summary for people. Formats for programs include notes and all findings.

    Text contains at most `most` findings (None: all), preferring errors. With `compact`, JSON is one line.
    """
    notes = notes or form != "text"
    shown = report if notes else report.only(lambda each: each.severity is not Severity.NOTE)
    if form != "text":
        console.result(_rendered(shown, form, compact=compact))
    elif shown.diagnostics:
        from graphwright.render import text

        found = _gravest(shown.diagnostics, most)
        console.message(text.render(found, report.lines, colour=console.colour, width=console.width))
        left = len(shown.diagnostics) - len(found)
        if left:
            console.message(f"and {left} more findings: `--max-findings 0` shows all, `--statistics` counts them\n\n")
    if statistics:
        from graphwright.render.summary import statistics as table
        from graphwright.rules.catalogue import catalogue

        titles = {code: rule.title for code, rule in catalogue().items()}
        (console.result if form == "text" else console.message)(table(shown.statistics(), titles))
    if not console.quiet:
        from graphwright.render.summary import summary

        console.remark(summary(report, notes=notes))


def _gravest(found: Sequence[Diagnostic], most: int | None) -> Sequence[Diagnostic]:
    """The findings to show, in order; if there are too many, errors are preferred over warnings and notes."""
    if most is None or len(found) <= most:
        return found
    ranks = list(Severity)
    kept = sorted(range(len(found)), key=lambda index: (ranks.index(found[index].severity), index))[:most]
    return [found[index] for index in sorted(kept)]


def _rendered(report: Report, form: str, *, compact: bool) -> str:
    """The diagnostics in a format for programs."""
    if form == "sarif":
        from graphwright import __version__
        from graphwright.render import sarif
        from graphwright.rules.catalogue import catalogue

        return sarif.render(report.diagnostics, catalogue().values(), __version__)
    if form == "json":
        from graphwright.render import json

        return json.render(report.diagnostics, compact=compact)
    if form == "github":
        from graphwright.render import github

        return github.render(report.diagnostics)
    if form == "gitlab":
        from graphwright.render import gitlab

        return gitlab.render(report.diagnostics)
    from graphwright.render import concise

    return concise.render(report.diagnostics)
