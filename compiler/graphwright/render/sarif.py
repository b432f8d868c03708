"""SARIF 2.1.0, the format of code scanning services."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from urllib.parse import quote

from graphwright.diagnostic import Diagnostic, Fix, Json, Severity, Span
from graphwright.render.fingerprint import fingerprints
from graphwright.render.layout import printable, printable_lines
from graphwright.rules.registry import Rule

SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
_LEVEL = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.NOTE: "note"}


def render(diagnostics: Iterable[Diagnostic], rules: Iterable[Rule], version: str) -> str:
    """One SARIF run with all rules, and a result for each diagnostic."""
    catalogue = list(rules)
    index = {rule.code: number for number, rule in enumerate(catalogue)}
    driver: Json = {
        "name": "graphwright",
        "version": version,
        "semanticVersion": version,
        "rules": [_rule(rule) for rule in catalogue],
    }
    results: list[Json] = [_result(*each, index) for each in fingerprints(diagnostics)]
    run: Json = {"tool": {"driver": driver}, "columnKind": "unicodeCodePoints", "results": results}
    return json.dumps({"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}, indent=2) + "\n"


def _rule(rule: Rule) -> Json:
    summary = " ".join(rule.documentation.strip().partition("\n\n")[0].split())
    return {
        "id": rule.code,
        "shortDescription": {"text": rule.title},
        "fullDescription": {"text": summary or rule.title},
        "help": {"text": rule.documentation or rule.title},
        "defaultConfiguration": {"level": _LEVEL[rule.severity]},
    }


def _result(diagnostic: Diagnostic, fingerprint: str, index: Mapping[str, int]) -> Json:
    text = printable_lines(f"{diagnostic.message}\n{diagnostic.help}" if diagnostic.help else diagnostic.message)
    result: dict[str, Json] = {"ruleId": diagnostic.code}
    if diagnostic.code in index:
        result["ruleIndex"] = index[diagnostic.code]
    result["level"] = _LEVEL[diagnostic.severity]
    result["message"] = {"text": text}
    result["locations"] = [{"physicalLocation": _location(diagnostic.span)}]
    if diagnostic.related:
        result["relatedLocations"] = [
            {"id": number, "physicalLocation": _location(label.span), "message": {"text": printable(label.message)}}
            for number, label in enumerate(diagnostic.related)
        ]
    if diagnostic.data:
        result["properties"] = {"data": dict(diagnostic.data)}
    result["partialFingerprints"] = {"graphwright/v1": fingerprint}
    if diagnostic.fix:
        result["fixes"] = [_fix(diagnostic.fix, printable_lines(diagnostic.help or diagnostic.message))]
    return result


def _location(span: Span) -> dict[str, Json]:
    return {"artifactLocation": _artifact(span.path), "region": _region(span)}


def _artifact(path: str) -> Json:
    return {"uri": quote(path.encode(errors="surrogateescape"), safe="/")}


def _region(span: Span) -> Json:
    return {
        "startLine": span.line,
        "startColumn": span.column,
        "endLine": span.end_line,
        "endColumn": span.end_column,
    }


def _fix(fix: Fix, description: str) -> Json:
    by_path: dict[str, list[Json]] = {}
    for edit in fix.edits:
        replacement: Json = {"deletedRegion": _region(edit.span), "insertedContent": {"text": edit.text}}
        by_path.setdefault(edit.span.path, []).append(replacement)
    changes: list[Json] = [
        {"artifactLocation": _artifact(path), "replacements": replacements} for path, replacements in by_path.items()
    ]
    return {"description": {"text": description}, "artifactChanges": changes}
