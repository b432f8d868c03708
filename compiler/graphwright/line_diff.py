"""Computes a unified diff of two long texts.

`difflib` takes quadratic time: minutes for a file of ten thousand lines in which every other line has changed. So lines
that occur exactly once in both texts are matched first, and `difflib` only compares the lines between them.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher
from typing import Final, NamedTuple

#: Number of unchanged lines around a change.
_CONTEXT: Final = 3
#: Longer sections without such a line are shown as replaced.
_LONGEST: Final = 2_000


class _Change(NamedTuple):
    """Lines `start` to `end` become lines `new_start` to `new_end`; each end is exclusive."""

    start: int
    end: int
    new_start: int
    new_end: int


def unified_diff(before: Sequence[str], after: Sequence[str], before_name: str, after_name: str) -> Iterator[str]:
    """The lines of the diff; none if the texts are equal. Each line of the texts has its line break."""
    hunks: list[list[_Change]] = []
    for change in _changes(before, after):
        if hunks and change.start - hunks[-1][-1].end <= 2 * _CONTEXT:
            hunks[-1].append(change)
        else:
            hunks.append([change])
    if hunks:
        yield f"--- {before_name}\n"
        yield f"+++ {after_name}\n"
    for hunk in hunks:
        yield from _hunk(before, after, hunk)


def _hunk(before: Sequence[str], after: Sequence[str], changes: Sequence[_Change]) -> Iterator[str]:
    first, last = changes[0], changes[-1]
    start = max(0, first.start - _CONTEXT)
    end = min(len(before), last.end + _CONTEXT)
    new_start, new_end = first.new_start - (first.start - start), last.new_end + (end - last.end)
    yield f"@@ -{_range(start, end)} +{_range(new_start, new_end)} @@\n"
    at = start
    for change in changes:
        yield from (f" {line}" for line in before[at : change.start])
        yield from (f"-{line}" for line in before[change.start : change.end])
        yield from (f"+{line}" for line in after[change.new_start : change.new_end])
        at = change.end
    yield from (f" {line}" for line in before[at:end])


def _range(start: int, end: int) -> str:
    """A range of lines in a hunk's header: counted from 1; for an empty range, the line before it."""
    return f"{start + 1}" if end - start == 1 else f"{start + (start < end)},{end - start}"


def _changes(before: Sequence[str], after: Sequence[str]) -> Iterator[_Change]:
    """The differences, in order."""
    at = new_at = 0
    for end, new_end in (*_common(before, after), (len(before), len(after))):
        old, new = before[at:end], after[new_at:new_end]
        if old != new and max(len(old), len(new)) > _LONGEST:
            yield _Change(at, end, new_at, new_end)
        elif old != new:
            for tag, start, stop, new_start, new_stop in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
                if tag != "equal":
                    yield _Change(at + start, at + stop, new_at + new_start, new_at + new_stop)
        at, new_at = end + 1, new_end + 1


def _common(before: Sequence[str], after: Sequence[str]) -> list[tuple[int, int]]:
    """The line numbers of a longest common sequence of lines that occur exactly once in both texts."""
    once = {line for line, count in Counter(after).items() if count == 1}
    once &= {line for line, count in Counter(before).items() if count == 1}
    new_places = {line: place for place, line in enumerate(after) if line in once}
    pairs = [(place, new_places[line]) for place, line in enumerate(before) if line in once]
    ends: list[int] = []  # the smallest end of an increasing chain of each length, its pair, and the pair before each
    chain: list[int] = []
    previous: list[int] = []
    for number, (_, place) in enumerate(pairs):
        length = bisect_left(ends, place)
        previous.append(chain[length - 1] if length else -1)
        ends[length : length + 1] = [place]
        chain[length : length + 1] = [number]
    kept: list[tuple[int, int]] = []
    number = chain[-1] if chain else -1
    while number >= 0:
        kept.append(pairs[number])
        number = previous[number]
    return kept[::-1]
