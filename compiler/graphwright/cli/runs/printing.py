"""How runs are printed: tables and JSON."""

from __future__ import annotations

import json
from collections.abc import Sequence

from graphwright.render.layout import printable


def table(rows: Sequence[tuple[str, ...]]) -> str:
    """Rows in columns; the first row names them."""
    cells = [tuple(map(printable, row)) for row in rows]
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    lines = ["  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in cells]
    return "".join(f"{line}\n" for line in lines)


def json_text(value: object) -> str:
    """A value as JSON in several lines."""
    from graphwright_runtime.durable.canonical import any_length

    with any_length():
        return json.dumps(value, indent=2, ensure_ascii=False) + "\n"
