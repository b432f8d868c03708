"""Suggestions: only near misses, and always the same one."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphwright import suggest
from graphwright.suggest import edits, nearest

KEYS = ("description", "max_steps", "next", "on_error", "op", "params", "path", "to", "type")


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("discription", "description"), ("max_step", "max_steps"), ("nxt", "next"), ("on_eror", "on_error"),
        ("too", "to"), ("parms", "params"), ("tpye", "type"), ("NEXT", "next"), ("po", "op"), ("whatever", None),
        ("xy", None), ("", None), ("next", None),
    ],
)  # fmt: skip
def test_nearest(written: str, meant: str | None) -> None:
    assert nearest(written, KEYS) == meant


def test_guesses_of_one_file_end_but_not_before_the_first(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(suggest, "_MAX_COMPARED", 5)
    guesses = suggest.Guesses()
    assert guesses.nearest("parms", (), KEYS) == "params"
    assert guesses.nearest("parms", KEYS) is None, "as many names as were to be compared have been"


@given(st.text("abc", max_size=8), st.text("abc", max_size=8), st.integers(0, 4))
def test_a_distance_past_the_limit_is_past_the_limit(left: str, right: str, most: int) -> None:
    distance = edits(left, right)
    assert edits(left, right, most) == distance or (distance > most and edits(left, right, most) > most)


def test_the_order_of_the_candidates_does_not_matter() -> None:
    assert nearest("cat", ["car", "cut", "bat"]) == nearest("cat", ["bat", "cut", "car"]) == "bat"


def test_letter_case_breaks_ties() -> None:
    assert nearest("Count", ["counts", "Counts"]) == "Counts"


@given(st.text(max_size=6), st.text(max_size=6))
def test_edits_is_a_distance(left: str, right: str) -> None:
    assert edits(left, right) == edits(right, left)
    assert (edits(left, right) == 0) is (left == right)
    assert edits(left, right) <= max(len(left), len(right))
