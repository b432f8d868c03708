"""Runs that are killed at random moments and resumed end as they would have, and repeat nothing that was done."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from crash.graphs import GRAPHS

DRIVER = Path(__file__).with_name("driver.py")


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
    campaign(name, tmp_path, 260, 2)
