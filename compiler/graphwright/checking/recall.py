"""Read → recall: returns the findings of an earlier check if nothing that they depend on has changed."""

from __future__ import annotations

import json
from contextlib import suppress
from typing import TypeAlias

from graphwright.checking.cache import Cache, Digests
from graphwright.checking.neighbours import Siblings
from graphwright.checking.reading import ReadFile
from graphwright.diagnostic import Diagnostic, Edit, Fix, Json, Label, Severity, Span
from graphwright.options import Options
from graphwright.record import Record

#: The kinds of file: a graph, a graph of another dialect, one that cannot be parsed, something else.
GRAPH, HOOKS, FOREIGN, UNREADABLE, OTHER = "graph", "hooks", "foreign", "unreadable", "other"


class Inspected(Record):
    """The findings in one file, after applying ignore comments but before applying the configuration.

    `nodes` is the number of nodes of the graph.
    """

    kind: str
    nodes: int = 0
    findings: tuple[Diagnostic, ...] = ()


class Recall:
    """Stores and retrieves the findings of checks in a cache."""

    def __init__(self, cache: Cache, digests: Digests, options: Options) -> None:
        self._cache = cache
        self._digests = digests
        asked = options.environment
        self._asked = "" if asked is None else repr((options.environment_name, sorted(asked.items())))

    def recall(self, read: ReadFile) -> Inspected | None:
        """The findings of an earlier check of this file; None if something has changed."""
        with suppress(ValueError):  # ignore a damaged entry
            if entry := self._cache.load(*self._name(read), self._digests):
                return loads(entry)
        return None

    def remember(self, read: ReadFile, inspected: Inspected, siblings: Siblings) -> None:
        """Store findings, which are valid until something that `siblings` looked up changes."""
        depends = [*siblings.depends(), *siblings.listings()]
        self._cache.store(*self._name(read), dumps(inspected), depends)

    def _name(self, read: ReadFile) -> tuple[str, str]:
        """The subject and the key of an entry; checks of the same file may use different folders and sets of files."""
        return f"{read.source_file.file}\0{read.shown}\0{read.source_file.graph_id}", f"{read.origin}\0{self._asked}"


_Place: TypeAlias = tuple[str, int, int, int, int]


def dumps(inspected: Inspected) -> bytes:
    """The form that `loads` reads."""
    findings = [
        (
            found.code, found.severity.value, _place(found.span), found.message, found.note, found.help,
            [(_place(label.span), label.message) for label in found.related],
            [(_place(edit.span), edit.text) for edit in found.fix.edits] if found.fix else None,
            dict(found.data),
        )
        for found in inspected.findings
    ]  # fmt: skip
    return json.dumps((inspected.kind, inspected.nodes, findings)).encode()


def loads(data: bytes) -> Inspected:
    """Read the output of `dumps`; raises ValueError for anything else."""
    try:
        kind, nodes, findings = json.loads(data)
        return Inspected(kind, nodes, tuple(_diagnostic(*fields) for fields in findings))
    except (TypeError, RecursionError) as error:
        raise ValueError(str(error)) from error


def _diagnostic(
    code: str,
    severity: str,
    source_file: _Place,
    message: str,
    note: str,
    advice: str | None,
    related: list[tuple[_Place, str]],
    edits: list[tuple[_Place, str]] | None,
    data: dict[str, Json],
) -> Diagnostic:
    labels = tuple(Label(Span(*where), text) for where, text in related)
    fix = Fix(tuple(Edit(Span(*where), text) for where, text in edits)) if edits else None
    return Diagnostic(code, Severity(severity), Span(*source_file), message, note, advice, labels, fix, data)


def _place(span: Span) -> _Place:
    return (span.path, span.line, span.column, span.end_line, span.end_column)
