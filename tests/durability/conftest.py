"""A project with a graph to run on the command line."""

from __future__ import annotations

from pathlib import Path

import pytest

from durability.processes import made


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A project with the graph `count`."""
    return made(tmp_path)
