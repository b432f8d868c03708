"""Diagnostics as data. Rules create them and `render/` prints them.

Lines and columns count from 1, columns in code points; the end of a span is exclusive.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum
from types import MappingProxyType
from typing import NamedTuple, TypeAlias

from graphwright.record import Record

#: A JSON value. Its mappings and lists must not be changed.
Json: TypeAlias = "bool | int | float | str | list[Json] | dict[str, Json] | None"
#: The details of a diagnostic for programs; the keys depend on its code.
Data: TypeAlias = Mapping[str, Json]


class Severity(Enum):
    """The severity of a finding: errors fail a check, warnings do with `--strict`, notes never do."""

    ERROR = "error"
    WARNING = "warning"
    NOTE = "note"


class Span(NamedTuple):
    """A range of a file. Spans are ordered by their position."""

    path: str
    line: int
    column: int
    end_line: int
    end_column: int


class Label(Record):
    """Another location that a diagnostic refers to, and a message about it."""

    span: Span
    message: str


class Edit(Record):
    """Replace what `span` covers by `text`."""

    span: Span
    text: str


class Fix(Record):
    """Edits that fix a fault without changing what the graph does. They are applied together or not at all."""

    edits: tuple[Edit, ...]


class Diagnostic(Record):
    """One finding: what is wrong (`message`), where (`span`, with `note` next to the caret) and what to type (`help`).

    `data` has the fields of the fault for programs; it is empty for findings of analyses. `diff` are lines of a unified
    diff that people are shown.
    """

    code: str
    severity: Severity
    span: Span
    message: str
    note: str = ""
    help: str | None = None
    related: tuple[Label, ...] = ()
    fix: Fix | None = None
    data: Data = MappingProxyType({})
    diff: tuple[str, ...] = ()

    def __hash__(self) -> int:
        return hash(self.sort_key)  # `data` has no hash

    @property
    def sort_key(self) -> tuple[Span, str, str]:
        """The order of diagnostics in a report: by position, code and message."""
        return (self.span, self.code, self.message)
