"""A project with one graph for the tests of `inspect`, `diff` and `rename`."""

from __future__ import annotations

from pathlib import Path

import pytest

from readback.graphs import TICKETS


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of a project that is not signed, with the graph `team/close-tickets`; also the working directory."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("GRAPHWRIGHT_CACHE_DIR", str(tmp_path / ".cache"))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    (tmp_path / "graphwright.toml").write_text('roots = ["graphs"]\nsign = false\ntypecheck = false\n', "utf-8")
    (tmp_path / "graphs/team").mkdir(parents=True)
    (tmp_path / "graphs/team/close-tickets.yaml").write_text(TICKETS, "utf-8")
    return tmp_path
