"""Diagnostics as JSON, a stable format for other programs."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from types import MappingProxyType

from graphwright.diagnostic import Diagnostic, Fix, Json, Span


def render(
    diagnostics: Iterable[Diagnostic], more: Mapping[str, Json] = MappingProxyType({}), *, compact: bool = False
) -> str:
    """`{"version": 1, "diagnostics": […]}`, and `more` keys. Lines and columns count from 1; ends are exclusive.

    With `compact`, the document is one line.
    """
    document: Json = {"version": 1, "diagnostics": [as_json(diagnostic) for diagnostic in diagnostics], **more}
    return json.dumps(document, indent=None if compact else 2) + "\n"


def as_json(diagnostic: Diagnostic) -> dict[str, Json]:
    """One diagnostic as a JSON object."""
    return {
        "code": diagnostic.code,
        "severity": diagnostic.severity.value,
        **_location(diagnostic.span),
        "message": diagnostic.message,
        "help": diagnostic.help,
        "related": [{**_location(label.span), "message": label.message} for label in diagnostic.related],
        "fix": _fix(diagnostic.fix),
        "data": dict(diagnostic.data),
    }


def _location(span: Span) -> dict[str, Json]:
    return {
        "path": span.path,
        "line": span.line,
        "column": span.column,
        "end_line": span.end_line,
        "end_column": span.end_column,
    }


def _fix(fix: Fix | None) -> Json:
    return {"edits": [{**_location(edit.span), "text": edit.text} for edit in fix.edits]} if fix else None
