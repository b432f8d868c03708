"""A project with its own home folder and keys."""

from __future__ import annotations

from pathlib import Path

import pytest

from nested.project import INNER, LIST, OUTER, Project


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Project:
    """An empty project."""
    for name in ("GRAPHWRIGHT_SIGNING_KEY", "GRAPHWRIGHT_TRUST", "GRAPHWRIGHT_VERIFY"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    (tmp_path / "home").mkdir()
    folder = tmp_path / "project"
    (folder / ".ai" / "tools").mkdir(parents=True)
    monkeypatch.chdir(folder)
    return Project(folder)


@pytest.fixture
def shop(project: Project) -> Project:
    """A built project: `shop/all` calls `shop/count-items`, which calls a tool."""
    project.write({"shop/all.yaml": OUTER, "shop/count-items.yaml": INNER, "shop/list.py": LIST})
    project.build()
    return project
