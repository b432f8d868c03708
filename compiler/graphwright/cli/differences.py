"""Formats the differences of two graphs as text, as Markdown for reviews, and as JSON."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from itertools import groupby
from typing import Final

from graphwright.compare.difference import Comparison, Difference, Kind
from graphwright.render.layout import printable

#: The marks before differences.
_MARKS: Final = {Kind.ADDED: "+", Kind.REMOVED: "-", Kind.BROADER: ">", Kind.NARROWER: "<"}


def as_text(old: str, new: str, comparison: Comparison) -> str:
    """One section for each part of the graph; breaking differences are marked."""
    lines = [f"{printable(old)} → {printable(new)}: {summary(comparison)}"]
    for area, differences in _areas(comparison):
        lines += ["", area]
        for each in differences:
            lines.append(f"  {_MARKS.get(each.kind, '~')} {printable(each.text)}{_note(each)}")
            lines += [f"      {printable(line)}" for line in each.lines]
    if comparison.limits:
        lines += ["", *(f"note: {limit}" for limit in comparison.limits)]
    return "\n".join([*lines, ""])


def as_markdown(old: str, new: str, comparison: Comparison) -> str:
    """The differences as Markdown, for a review comment."""
    lines = [f"**{_escaped(old)} → {_escaped(new)}**: {summary(comparison)}"]
    for area, differences in _areas(comparison):
        lines += ["", f"#### {area}", ""]
        for each in differences:
            note = f" **{_note(each).strip()}**" if _note(each) else ""
            lines.append(f"- {_escaped(each.text)}{note}")
            if each.lines:
                fence = "`" * (3 + max((line.count("`") for line in each.lines), default=0))
                lines += ["", f"  {fence}diff", *(f"  {printable(line)}" for line in each.lines), f"  {fence}"]
    if comparison.limits:
        lines += ["", *(f"_{limit}_" for limit in comparison.limits)]
    return "\n".join([*lines, ""])


def as_json(old: str, new: str, comparison: Comparison) -> str:
    """The differences as JSON; future versions only add keys."""
    record = {
        "old": old,
        "new": new,
        "equal": not comparison.differences,
        "breaking": bool(comparison.breaking),
        "differences": [
            {
                "area": each.area.value,
                "name": each.name,
                "kind": each.kind.value,
                "breaking": each.breaking,
                "review": each.review,
                "message": each.text,
                "lines": list(each.lines),
                "old": each.old,
                "new": each.new,
            }
            for each in comparison.differences
        ],
        "not_compared": list(comparison.limits),
    }
    return json.dumps(record, indent=2, ensure_ascii=False) + "\n"


LAYOUTS: Final[Mapping[str, Callable[[str, str, Comparison], str]]] = {
    "text": as_text,
    "markdown": as_markdown,
    "json": as_json,
}


def summary(comparison: Comparison) -> str:
    """A summary of the number of differences."""
    count = len(comparison.differences)
    if not count:
        return "no differences"
    breaking = len(comparison.breaking)
    words = f"{count} difference{'' if count == 1 else 's'}"
    return f"{words}, {breaking} breaking" if breaking else f"{words}, none breaking"


def _areas(comparison: Comparison) -> Iterator[tuple[str, Iterator[Difference]]]:
    return ((area.value, found) for area, found in groupby(comparison.differences, key=lambda each: each.area))


def _note(each: Difference) -> str:
    if each.breaking:
        return " (breaking)"
    return " (review this)" if each.review else ""


def _escaped(text: str) -> str:
    """Escape text for Markdown, except inside backticks."""
    parts = printable(text).split("`")
    parts[::2] = ["".join(f"\\{each}" if each in "\\*_<>[]#|" else each for each in part) for part in parts[::2]]
    return "`".join(parts)
