"""A short campaign and one of two minutes, each over the same texts in every run.

New texts are for whoever looks for new faults: `python -m fuzz`, see CONTRIBUTING.md.
"""

from __future__ import annotations

import os

import pytest

from fuzz.campaign import Failure, failures

#: Minutes of the long one.
MINUTES = float(os.environ.get("GRAPHWRIGHT_FUZZ_MINUTES", "2"))


def shown(found: list[Failure]) -> list[str]:
    """What went wrong, with what makes it go wrong again."""
    return [f"python -m fuzz --from {each.number} --count 1: {each.door}: {each.error!r}" for each in found]


def test_nothing_goes_wrong_with_the_same_texts() -> None:
    assert shown(list(failures(1, seconds=60, most=60))) == []


@pytest.mark.slow
def test_nothing_goes_wrong_in_two_minutes() -> None:
    assert shown(list(failures(1_000, seconds=MINUTES * 60))) == []
