"""One mistake in a clean graph is one complaint: the right code, on the right lines, and no error besides.

Each kind of mistake is made everywhere; a few places of each are looked at every time, the rest in the long run.
"""

from __future__ import annotations

import pytest

from checking import loud
from graphwright.diagnostic import Severity
from mutation.bases import BASES, check
from mutation.mutants import Mutant, kinds, mutants

#: Places of each kind of mistake that are looked at every time.
FEW = 5

ALL = [mutant for path, text in BASES.items() for mutant in mutants(path, text)]


def parameters() -> list[object]:
    """Every mutant; all but a few of each kind, spread over the graphs, are slow."""
    found: list[object] = []
    for kind in kinds():
        made = [mutant for mutant in ALL if mutant.kind == kind]
        every = -(-len(made) // FEW)
        for number, mutant in enumerate(made):
            marks = () if number % every == 0 else pytest.mark.slow
            found.append(pytest.param(mutant, marks=marks, id=str(mutant)))
    return found


@pytest.mark.parametrize("path", BASES)
def test_the_bases_are_clean(path: str) -> None:
    assert loud(tuple(check(path, BASES[path]))) == []


def test_every_kind_of_mistake_is_made() -> None:
    assert {mutant.kind for mutant in ALL} == set(kinds())
    assert len(kinds()) >= 25


@pytest.mark.parametrize("mutant", parameters())
def test_a_mistake_is_found(mutant: Mutant) -> None:
    found = check(mutant.path, mutant.text)
    ours = [one for one in found if one.code == mutant.code]
    labelled = {label.span.line for one in ours for label in one.related}
    assert {one.span.line for one in ours} <= mutant.lines <= {one.span.line for one in ours} | labelled, [
        f"{one.code}:{one.span.line}" for one in found
    ]
    errors = {one.code for one in found if one.severity is Severity.ERROR} - {mutant.code}
    assert not errors, f"a cascade: {errors}"
    assert all(one.help for one in ours), "what to type"
    if mutant.meant is not None:
        assert all(mutant.meant in f"{one.help}" for one in ours), [one.help for one in ours]
