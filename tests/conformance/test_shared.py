"""The cases of run-time behavior that lie next to the checkout."""

from __future__ import annotations

from pathlib import Path

import pytest

from casefolders import discover, outcome, shared
from conformance.case import CASE_FILE
from conformance.runner import judge

TOP = shared("conformance")


@pytest.mark.parametrize("folder", discover(TOP, CASE_FILE), ids=lambda folder: folder.name)
def test_case(folder: Path) -> None:
    assert outcome(judge, folder) is None
