"""Findings of a changed text, with the locations of the original text."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from graphwright.checking.inspection import inspect
from graphwright.diagnostic import Severity, Span
from graphwright.facts import Facts
from graphwright.source.reader import read_text
from rules.finding import Project


@dataclass(frozen=True, slots=True)
class Change:
    """What stood from `start` to `end` becomes `new`."""

    start: int
    end: int
    new: str

    def touches(self, other: Change) -> bool:
        """Whether the two are about one piece of text, or would stand next to each other."""
        return self.start <= other.end and other.start <= self.end


@dataclass(frozen=True, slots=True)
class Found:
    """A finding: `where` its first letter stood, or which letter of which change it is; the text under the caret."""

    code: str
    severity: Severity
    where: tuple[int, int]
    caret: str
    message: str


def change(text: str, old: str, new: str) -> Change:
    """The change that makes `new` of `old`, which occurs once, without what is the same at both ends."""
    assert text.count(old) == 1, f"{old!r} occurs {text.count(old)} times"
    start = text.index(old)
    same = next((n for n, (a, b) in enumerate(zip(old, new, strict=False)) if a != b), min(len(old), len(new)))
    old, new, start = old[same:], new[same:], start + same
    pairs = zip(reversed(old), reversed(new), strict=False)
    same = next((n for n, (a, b) in enumerate(pairs) if a != b), min(len(old), len(new)))
    return Change(start, start + len(old) - same, new[: len(new) - same])


def changed(text: str, changes: Iterable[Change]) -> str:
    """The text with all changes made."""
    for each in sorted(changes, key=lambda each: each.start, reverse=True):
        text = text[: each.start] + each.new + text[each.end :]
    return text


def look(project: Project, text: str, changes: Iterable[Change] = ()) -> frozenset[Found]:
    """Everything that is found in `text` after the changes; `project` has the graphs that it calls."""
    made = sorted(changes, key=lambda each: each.start)
    after = changed(text, made)
    lines = after.split("\n")
    starts = [0]
    for line in lines:
        starts.append(starts[-1] + len(line) + 1)
    facts = Facts(read_text(after, "graph.yaml"), graph_id="graph", project=project)
    return frozenset(
        Found(
            one.code,
            one.severity,
            _before(made, starts[one.span.line - 1] + one.span.column - 1),
            after[slice(*_offsets(starts, one.span))],
            _without_examples(one.message),
        )
        for one in inspect(facts).findings
    )


def _offsets(starts: list[int], span: Span) -> tuple[int, int]:
    return starts[span.line - 1] + span.column - 1, starts[span.end_line - 1] + span.end_column - 1


def _before(changes: list[Change], offset: int) -> tuple[int, int]:
    """Where an offset was before the changes: (offset, 0), or (start of the change, 1 + letters into what is new)."""
    moved = 0
    for each in changes:
        start = each.start + moved
        if offset < start:
            break
        if offset < start + len(each.new):
            return each.start, 1 + offset - start
        moved += len(each.new) - (each.end - each.start)
    return offset - moved, 0


def _without_examples(message: str) -> str:
    """A message without what depends on the rest of the graph: lines, example values, witness paths, what hangs on."""
    message = re.sub(r"\blines? \d+", "line", message)
    return re.split(r", for instance |(?<=may be unassigned here): |, nor ", message)[0]
