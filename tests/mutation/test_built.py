"""A graph that only has warnings is built, whatever mistake it contains, and the module passes every gate."""

from __future__ import annotations

from pathlib import Path

import pytest

from advice import test_following as advice
from graphwright.building.compile import compile_source
from graphwright.diagnostic import Severity
from independence import mistakes as independent
from independence.mistakes import CLAIMS
from mutation.bases import BASES
from mutation.mutants import mutants
from mutation.slips import EDITS
from property.batches import mypy_complaints
from rules.documented import examples

#: Graphs with one mistake each, and their paths.
MISTAKES = [
    *((f"{code}.yaml", text) for code, text in examples("Fails")),
    *(("claims.yaml", CLAIMS.replace(mistake.old, mistake.new)) for mistake in independent.MISTAKES),
    *((f"{case.graph}.yaml", case.before) for case in advice.CASES),
    *((edit.path, BASES[edit.path].replace(edit.old, edit.new)) for edit in EDITS),
    *((path, mutant.text) for path, text in BASES.items() for mutant in mutants(path, text)),
]

#: Every so many mistakes are compiled every time, all of them in the long run.
EVERY = 7


def modules(mistakes: list[tuple[str, str]]) -> list[str]:
    """The modules of the graphs without errors."""
    made = []
    for path, text in mistakes:
        compiled = compile_source(text, path=path)
        errors = [one for one in compiled.diagnostics if one.severity is Severity.ERROR]
        assert (compiled.text is None) == bool(errors)
        if compiled.text is not None:
            made.append(compiled.text)
    return made


def test_what_has_only_warnings_is_compiled() -> None:
    made = modules(MISTAKES[::EVERY])
    assert len(made) > 20


@pytest.mark.slow
def test_all_that_has_only_warnings_is_type_checked(tmp_path: Path) -> None:
    made = modules(MISTAKES)
    assert len(made) > 150
    for number, text in enumerate(made):
        file = tmp_path / "generated" / f"m{number}.py"
        file.parent.mkdir(exist_ok=True)
        file.write_text(text, "utf-8")
    assert mypy_complaints(tmp_path) == []
