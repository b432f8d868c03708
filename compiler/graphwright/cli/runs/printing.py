"""Formats runs as tables and JSON."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import TYPE_CHECKING

from graphwright.render.layout import printable

if TYPE_CHECKING:
    from graphwright_runtime.durable.survey import RunStatus


def table(rows: Sequence[tuple[str, ...]]) -> str:
    """Rows in columns; the first row is the heading."""
    cells = [tuple(map(printable, row)) for row in rows]
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    lines = ["  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in cells]
    return "".join(f"{line}\n" for line in lines)


def json_text(value: object) -> str:
    """A value as JSON on several lines."""
    from graphwright_runtime.durable.canonical import any_length

    with any_length():
        return json.dumps(value, indent=2, ensure_ascii=False) + "\n"


def when(timestamp: float) -> str:
    """A time as ISO-8601 in UTC; a number that is not a valid time is returned unchanged."""
    from graphwright_runtime.durable.views import moment

    try:
        return moment(timestamp)
    except (ValueError, OverflowError, OSError):
        return str(timestamp)


def resumption(found: RunStatus) -> str:
    """A message about whether a run that was cancelled or killed can be resumed."""
    if found.is_resumable:
        return "it can be resumed"
    return "it cannot be resumed" + ("" if found.keeps_steps else ", because its steps are not kept")


def duration(seconds: float) -> str:
    """A duration such as `0.4 ms`, `12.3 s`, `4 min 05 s`, `3 h 20 min`."""
    if seconds < 0.1:
        return f"{1000 * seconds:.1f} ms"
    if seconds < 60:
        return f"{seconds:.1f} s"
    minutes, rest = divmod(round(seconds), 60)
    if minutes < 60:
        return f"{minutes} min {rest:02} s"
    return f"{minutes // 60} h {minutes % 60:02} min"
