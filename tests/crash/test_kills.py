"""Runs that are killed at random moments and resumed end as they would have, and repeat nothing that was done."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from crash.graphs import GRAPHS

DRIVER = Path(__file__).with_name("driver.py")


OPERATIONS = Path(__file__).with_name("operations.py")

#: How many operations on files each scenario has at least.
SCENARIOS = {"first": 40, "cancelled": 25, "resumed": 40, "raced": 12}


def campaign(name: str, folder: Path, kills: int, seed: int) -> None:
    command = [sys.executable, str(DRIVER), name, str(folder), str(kills), str(seed)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=600, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert int(done.stdout.split()[-2]) >= kills


@pytest.mark.parametrize("name", GRAPHS)
def test_a_few_kills(name: str, tmp_path: Path) -> None:
    campaign(name, tmp_path, 8, 1)


@pytest.mark.slow
@pytest.mark.parametrize("name", GRAPHS)
def test_many_kills(name: str, tmp_path: Path) -> None:
    campaign(name, tmp_path, 200, 2)


@pytest.mark.parametrize("scenario", ["first", "raced"])
def test_a_kill_before_each_operation_on_files(scenario: str, tmp_path: Path) -> None:
    """Of views, objects, ref, context and registry, too; and processes that resume a run at once."""
    operations(scenario, tmp_path)


@pytest.mark.slow
@pytest.mark.parametrize("scenario", ["cancelled", "resumed"])
def test_a_kill_before_each_operation_of_an_end_and_of_a_resumption(scenario: str, tmp_path: Path) -> None:
    operations(scenario, tmp_path)


def operations(scenario: str, folder: Path) -> None:
    command = [sys.executable, str(OPERATIONS), scenario, str(folder)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=600, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert int(done.stdout.split()[-2]) >= SCENARIOS[scenario]
