"""One mistake of each kind, each in one place: the right code on the right line, and no error besides."""

from __future__ import annotations

import pytest

from graphwright.diagnostic import Severity
from mutation.bases import BASES, check
from mutation.slips import EDITS, Edit


def test_the_kinds_have_different_names() -> None:
    assert len({edit.kind for edit in EDITS}) == len(EDITS) >= 80


@pytest.mark.parametrize("edit", EDITS, ids=str)
def test_a_slip_is_found(edit: Edit) -> None:
    base = BASES[edit.path]
    assert base.count(edit.old) == 1, "the place is there once"
    text = base.replace(edit.old, edit.new)
    anchor = edit.anchor or edit.new
    assert text.count(anchor) == 1, "the line is known"
    line = text.count("\n", 0, text.index(anchor)) + 1
    found = check(edit.path, text)
    assert (edit.code, line) in {(one.code, one.span.line) for one in found}
    assert {one.code for one in found if one.severity is Severity.ERROR} <= {edit.code}, "a cascade"
    assert all(one.help for one in found if one.code == edit.code), "what to type"
