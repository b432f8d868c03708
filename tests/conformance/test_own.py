"""The project's own cases of run-time behavior, in the same form."""

from __future__ import annotations

from pathlib import Path

import pytest

from casefolders import discover, outcome
from conformance.case import CASE_FILE
from conformance.runner import judge

CASES = Path(__file__).parent / "cases"


@pytest.mark.parametrize("folder", discover(CASES, CASE_FILE), ids=lambda folder: folder.name)
def test_case(folder: Path) -> None:
    assert outcome(judge, folder) is None
