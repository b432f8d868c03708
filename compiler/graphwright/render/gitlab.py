"""GitLab's code quality report."""

from __future__ import annotations

import json
from collections.abc import Iterable

from graphwright.diagnostic import Diagnostic, Severity
from graphwright.render.fingerprint import fingerprints
from graphwright.render.layout import printable

_SEVERITY = {Severity.ERROR: "major", Severity.WARNING: "minor", Severity.NOTE: "info"}


def render(diagnostics: Iterable[Diagnostic]) -> str:
    """A JSON list of issues with fingerprints."""
    issues = [
        {
            "description": printable(
                f"{diagnostic.message}; {diagnostic.help}" if diagnostic.help else diagnostic.message
            ),
            "check_name": diagnostic.code,
            "fingerprint": fingerprint,
            "severity": _SEVERITY[diagnostic.severity],
            "location": {
                "path": diagnostic.span.path,
                "lines": {"begin": diagnostic.span.line, "end": diagnostic.span.end_line},
            },
        }
        for diagnostic, fingerprint in fingerprints(diagnostics)
    ]
    return json.dumps(issues, indent=2) + "\n"
