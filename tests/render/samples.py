"""Diagnostics that the tests of the renderers share."""

from __future__ import annotations

from graphwright.diagnostic import Diagnostic, Edit, Fix, Label, Severity, Span

PATH = "graphs/stats.yaml"


def span(line: int, column: int, end_column: int, end_line: int | None = None, path: str = PATH) -> Span:
    """A place in a file; of several lines where `end_line` says so."""
    return Span(path, line, column, end_line or line, end_column)


TARGET = Diagnostic(
    "GW202",
    Severity.ERROR,
    span(31, 13, 23),
    "node `count_files` leads to `count_line`, which does not exist",
    note="no such node",
    help="did you mean `count_lines`?",
    fix=Fix((Edit(span(31, 13, 23), "count_lines"),)),
    data={"target": "count_line", "suggestion": "count_lines"},
)
TWICE = Diagnostic(
    "GW002",
    Severity.ERROR,
    span(4, 24, 31),
    "`retries` twice, 100% sure",
    note="duplicate",
    related=(
        Label(span(4, 12, 19), "first here"),
        Label(span(2, 1, 3, path="other file.yaml"), "and there"),
    ),
)
NOTE = Diagnostic("GW211", Severity.NOTE, span(1, 1, 1), "no return node")
