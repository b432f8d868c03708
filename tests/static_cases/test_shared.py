"""The cases of diagnostics that lie next to the checkout."""

from __future__ import annotations

from pathlib import Path

import pytest

from casefolders import discover, outcome, shared
from static_cases.case import CASE_FILE
from static_cases.runner import judge

TOP = shared("conformance-static")


@pytest.mark.parametrize("folder", discover(TOP, CASE_FILE), ids=lambda folder: folder.name)
def test_case(folder: Path) -> None:
    assert outcome(judge, folder) is None
