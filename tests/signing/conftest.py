"""A home folder for each test, and a signed project."""

from __future__ import annotations

from pathlib import Path

import pytest

from signing.packages import Project, make_project


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder that keys of the user and the user's trust go to."""
    folder = tmp_path / "home"
    monkeypatch.setenv("XDG_CONFIG_HOME", str(folder))
    for name in ("GRAPHWRIGHT_SIGNING_KEY", "GRAPHWRIGHT_TRUST", "GRAPHWRIGHT_VERIFY"):
        monkeypatch.delenv(name, raising=False)
    return folder / "graphwright"


@pytest.fixture
def project(tmp_path: Path) -> Project:
    """A project with a signed package."""
    return make_project(tmp_path / "project")
