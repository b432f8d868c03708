"""One line per diagnostic, in the format that editors and `grep` use."""

from __future__ import annotations

from collections.abc import Iterable

from graphwright.diagnostic import Diagnostic
from graphwright.render.layout import printable


def render(diagnostics: Iterable[Diagnostic]) -> str:
    """`path:line:column: severity[code] message; help`."""
    return "".join(f"{_line(diagnostic)}\n" for diagnostic in diagnostics)


def _line(diagnostic: Diagnostic) -> str:
    span = diagnostic.span
    advice = "; " + "; ".join(map(printable, diagnostic.help.split("\n"))) if diagnostic.help else ""
    return (
        f"{printable(span.path)}:{span.line}:{span.column}: "
        f"{diagnostic.severity.value}[{diagnostic.code}] {printable(diagnostic.message)}{advice}"
    )
