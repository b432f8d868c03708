"""What the compiler says about a file: data only, no phrasing and no printing.

Rules make `Diagnostic`s, `render/` shows them. Lines and columns count from 1, columns in code points;
the end of a span is exclusive.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum
from types import MappingProxyType
from typing import NamedTuple, TypeAlias

from graphwright.record import Record

#: What JSON can say. Mappings and lists of it are never changed.
Json: TypeAlias = "bool | int | float | str | list[Json] | dict[str, Json] | None"
#: What a diagnostic is about, for programs: the keys depend on its code.
Data: TypeAlias = Mapping[str, Json]


class Severity(Enum):
    """How much a finding matters: an error fails the check, a warning does under `--strict`, a note never."""

    ERROR = "error"
    WARNING = "warning"
    NOTE = "note"


class Span(NamedTuple):
    """A stretch of a file, as an editor counts it. Spans have an order: that of the places."""

    path: str
    line: int
    column: int
    end_line: int
    end_column: int


class Label(Record):
    """A second place that a diagnostic talks about, and what is to be seen there."""

    span: Span
    message: str


class Edit(Record):
    """Replace what `span` covers by `text`."""

    span: Span
    text: str


class Fix(Record):
    """Edits that fix the fault without changing what the graph does; all of them or none."""

    edits: tuple[Edit, ...]


class Diagnostic(Record):
    """One finding: what is wrong (`message`), where (`span`, `note` next to the caret) and what to type (`help`).

    `data` is what the message was made of, for programs; empty where analyses found it.
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

    def __hash__(self) -> int:
        return hash(self.sort_key)  # `data` has no hash

    @property
    def sort_key(self) -> tuple[Span, str, str]:
        """The order of a report: by position, then by code and text, so that output never varies."""
        return (self.span, self.code, self.message)
