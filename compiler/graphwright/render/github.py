"""Annotations for GitHub Actions: one workflow command per diagnostic."""

from __future__ import annotations

from collections.abc import Iterable

from graphwright.diagnostic import Diagnostic, Severity
from graphwright.render.layout import printable, printable_lines

_COMMAND = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.NOTE: "notice"}


def render(diagnostics: Iterable[Diagnostic]) -> str:
    """`::error file=…,line=…::message`; text is escaped as the runner expects."""
    return "".join(f"{_command(diagnostic)}\n" for diagnostic in diagnostics)


def _command(diagnostic: Diagnostic) -> str:
    span = diagnostic.span
    properties = {"file": span.path, "line": span.line, "col": span.column, "endLine": span.end_line}
    if span.end_line == span.line:
        properties["endColumn"] = max(span.column, span.end_column - 1)  # inclusive
    properties["title"] = diagnostic.code
    listed = ",".join(f"{name}={_property(str(value))}" for name, value in properties.items())
    advice = f"\n{printable_lines(diagnostic.help)}" if diagnostic.help else ""
    return f"::{_COMMAND[diagnostic.severity]} {listed}::{_data(printable(diagnostic.message) + advice)}"


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
