"""Compares two texts line by line."""

from __future__ import annotations

from collections.abc import Sequence
from difflib import SequenceMatcher


def changed_lines(old: Sequence[str], new: Sequence[str]) -> tuple[str, ...]:
    """The lines that are only in one of two texts, in order, prefixed with `- ` or `+ `."""
    found: list[str] = []
    for tag, start, end, begin, stop in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if tag != "equal":
            found += [f"- {line}" for line in old[start:end]]
            found += [f"+ {line}" for line in new[begin:stop]]
    return tuple(found)
