"""Patterns that can take exponential time, and those that only look so."""

from __future__ import annotations

import pytest

from graphwright.schema.patterns import flaw

SLOW = [
    "^(a+)+$", "(a*)*b", "^(a|a)*$", "^(a|aa)+$", r"^(\w+\s?)*$", r"^([a-z]+)+@", r"(a?b?)*$", r"^(\d+|\w+)+$",
    "^(.*,)*x$", "(a|b|ab)*c", "^((a+)b?)*$", "(?=(a+)+$)b", "(a+){20}$", r"^(\s*\S+\s*)*$", "(.*a){20}$",
    "^(?:a|[ab])+$", "(?i:(a|A)+)$",
    "(?i:([a-c]|B)*)$", "(?i:(?:k|\u212a)+)$", "(?i:(?=(a|A)+$)b)", "(?i:x(?-i:(b|b)+))$", "(x+x+)+y",
    "^(foo|bar|foobar)*$",
]  # fmt: skip

FINE = [
    "^[a-z]+$", r"^\d{4}-\d{2}-\d{2}$", "^([a-z]+,)*[a-z]+$", r"^[\w.+-]+@[\w-]+(\.[\w-]+)+$", r"(\w+\s*)+",
    "^(?:(?!--)[a-z-])+$", "^(a|b)*$", r"^\s*\S+\s*$", r"^(\d{1,3}\.){3}\d{1,3}$", "a+$", "^(?:a?b)*$", "^(a?)*$",
    r"^(https?|ftp)://[^\s/$.?#].[^\s]*$", r'^(?:[^"\\]|\\.)*$', r"^(?:\w+(?:-\w+)*)$",
    "^([0-9a-f]{4}:){7}[0-9a-f]{4}$",
    r"^v?(0|[1-9]\d*)\.(0|[1-9]\d*)(?:-((?:0|[1-9]\d*|\d*[a-zA-Z-][0-9a-zA-Z-]*)(?:\.(?:0|[1-9]\d*|\d*[a-z]\w*))*))?$",
    "^(?:[a-z0-9]+(?:[._-][a-z0-9]+)*/)*[a-z0-9]+$", r"^((25[0-5]|(2[0-4]|1\d|[1-9]|)\d)\.?\b){4}$",
    "^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$", "^(en|de|fr)(,(en|de|fr))*$",
    r"^(?:.|\n)*(?:[^x])*$", "(a|A)+$", "(?i:(?-i:(a|A)+))$", "(?i:[a-z]+)$",
]  # fmt: skip


@pytest.mark.parametrize("pattern", SLOW)
def test_a_repetition_that_reads_a_text_in_many_ways_is_found(pattern: str) -> None:
    for found in (flaw(pattern, "ecma"), flaw(pattern, "python")):
        assert found is not None
        assert found.slow


@pytest.mark.parametrize("pattern", FINE)
def test_a_pattern_that_is_read_in_one_way_is_fine(pattern: str) -> None:
    assert flaw(pattern, "ecma") is None
    assert flaw(pattern, "python") is None


def test_flags_for_the_whole_pattern_count_too() -> None:
    found = flaw("(?i)(a|A)+$", "python")
    assert found is not None
    assert found.slow
