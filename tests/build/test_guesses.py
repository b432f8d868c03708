"""What a check is told to pass over does not become code where something had to be guessed."""

from __future__ import annotations

from pathlib import Path

import pytest

from commands import graphwright

GRAPH = """\
version: "1"
tool_type: graph
permissions: [rye.execute.tool.*]
config:
  start: work
  nodes:
    work: {action: {item_id: shop/work}, next: doen}
    done: {type: return}
"""


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project that does not want to hear of edges to nowhere."""
    (tmp_path / ".ai" / "tools").mkdir(parents=True)
    (tmp_path / ".ai" / "tools" / "work.yaml").write_text(GRAPH, "utf-8")
    (tmp_path / "graphwright.toml").write_text('[rules]\nGW202 = "off"\n', "utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_a_check_passes_over_what_it_is_told_to(project: Path) -> None:
    assert (project / "graphwright.toml").exists()
    assert graphwright("check").code == 0


def test_a_build_does_not_write_the_guess(project: Path) -> None:
    done = graphwright("build", "--no-sign")
    assert done.code == 1
    assert "error[GW202]" in done.stderr
    assert not (project / "generated" / "work.py").exists()


@pytest.mark.usefixtures("project")
def test_a_run_does_not_go_where_the_guess_leads() -> None:
    done = graphwright("run", "work")
    assert done.code != 0
    assert "GW202" in done.stderr
    assert done.stdout == ""
    assert "Traceback" not in done.stderr
