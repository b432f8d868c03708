"""Unified diffs of long files."""

from __future__ import annotations

import re
from time import process_time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from graphwright.line_diff import unified_diff

LINES = st.lists(
    st.sampled_from([*(f"{letter}\n" for letter in "aabbcdefgh"), *(f"{n}\n" for n in range(30))]), max_size=40
)
HEADER = re.compile(r"@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@\n")


def patched(before: list[str], diff: list[str]) -> list[str]:
    """What a patch program makes of the text; every count and every line of the diff has to fit."""
    made: list[str] = []
    at = 0
    lines = iter(diff[2:])
    for header in lines:
        found = HEADER.fullmatch(header)
        assert found is not None
        start, count, new_start, new_count = (1 if part is None else int(part) for part in found.groups())
        begin = start - 1 if count else start
        made += before[at:begin]
        at = begin
        assert len(made) == (new_start - 1 if new_count else new_start)
        goal, new_goal = at + count, len(made) + new_count
        while at < goal or len(made) < new_goal:
            line = next(lines)
            if line[0] in " -":
                assert before[at] == line[1:]
                at += 1
            if line[0] in " +":
                made.append(line[1:])
        assert (at, len(made)) == (goal, new_goal)
    return made + before[at:]


@settings(max_examples=300, deadline=None)
@given(LINES, LINES)
def test_a_diff_leads_from_one_text_to_the_other(before: list[str], after: list[str]) -> None:
    diff = list(unified_diff(before, after, "a", "b"))
    assert bool(diff) == (before != after)
    if diff:
        assert diff[:2] == ["--- a\n", "+++ b\n"]
        assert patched(before, diff) == after


@settings(max_examples=100, deadline=None)
@given(LINES, st.data())
def test_a_diff_shows_what_changed_and_little_else(before: list[str], data: st.DataObject) -> None:
    at = data.draw(st.integers(0, len(before)))
    after = [*before[:at], "new\n", *before[at:]]
    diff = list(unified_diff(before, after, "a", "b"))
    assert [line for line in diff[3:] if line[0] in "+-"] == ["+new\n"]
    assert len(diff) <= 3 + 7


@pytest.mark.parametrize("step", [1, 2, 5])
def test_a_change_in_many_lines_of_a_long_file(step: int) -> None:
    before = [line for n in range(12_000) for line in (f"n{n}:\n", "node_type: action\n", f"p: {n}\n")]
    after = [line.replace("node_type", "type") if n % step == 1 % step else line for n, line in enumerate(before)]
    began = process_time()
    diff = list(unified_diff(before, after, "a", "b"))
    assert process_time() - began < 10
    assert patched(before, diff) == after
    changed = sum(line != other for line, other in zip(before, after, strict=True))
    assert sum(line[0] == "+" for line in diff[2:]) == changed


def test_long_texts_with_nothing_in_common() -> None:
    before, after = ["a\n", "b\n"] * 5_000, ["c\n"] * 5_000
    diff = list(unified_diff(before, after, "a", "b"))
    assert patched(before, diff) == after
