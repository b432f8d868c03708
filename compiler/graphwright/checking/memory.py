"""What a check remembers of a file, and the form in which the cache keeps it."""

from __future__ import annotations

import json
from typing import TypeAlias

from graphwright.diagnostic import Diagnostic, Edit, Fix, Label, Severity, Span
from graphwright.record import Record

#: The kinds of file: a graph, a graph of another dialect, one that cannot be parsed, something else.
GRAPH, FOREIGN, UNREADABLE, OTHER = "graph", "foreign", "unreadable", "other"


class Memory(Record):
    """What was found in one file, ignore comments applied, before the configuration has its say.

    `nodes` is how many nodes the graph has.
    """

    kind: str
    nodes: int = 0
    findings: tuple[Diagnostic, ...] = ()


_Place: TypeAlias = tuple[str, int, int, int, int]


def dumps(memory: Memory) -> bytes:
    """The form that `loads` reads."""
    findings = [
        (
            found.code, found.severity.value, _place(found.span), found.message, found.note, found.help,
            [(_place(label.span), label.message) for label in found.related],
            [(_place(edit.span), edit.text) for edit in found.fix.edits] if found.fix else None,
        )
        for found in memory.findings
    ]  # fmt: skip
    return json.dumps((memory.kind, memory.nodes, findings)).encode()


def loads(data: bytes) -> Memory:
    """What `dumps` was given; raises ValueError where the data is anything else."""
    try:
        kind, nodes, findings = json.loads(data)
        return Memory(kind, nodes, tuple(_diagnostic(*fields) for fields in findings))
    except (TypeError, RecursionError) as error:
        raise ValueError(str(error)) from error


def _diagnostic(
    code: str,
    severity: str,
    place: _Place,
    message: str,
    note: str,
    mend: str | None,
    related: list[tuple[_Place, str]],
    edits: list[tuple[_Place, str]] | None,
) -> Diagnostic:
    labels = tuple(Label(Span(*where), text) for where, text in related)
    fix = Fix(tuple(Edit(Span(*where), text) for where, text in edits)) if edits else None
    return Diagnostic(code, Severity(severity), Span(*place), message, note, mend, labels, fix)


def _place(span: Span) -> _Place:
    return (span.path, span.line, span.column, span.end_line, span.end_column)
