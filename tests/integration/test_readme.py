"""What the README shows is what happens."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from commands import graphwright

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text("utf-8")


def block(language: str, start: str) -> str:
    """The code block of a language that begins with a text."""
    blocks: list[str] = re.findall(rf"^```{language}\n(.*?)^```$", README, re.DOTALL | re.MULTILINE)
    return next(text for text in blocks if text.startswith(start))


@pytest.fixture
def graph(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The README's graph, in a project of its own, which is the current folder."""
    path = tmp_path / ".ai" / "tools" / "reports" / "tickets.yaml"
    path.parent.mkdir(parents=True)
    path.write_text(block("yaml", "version:"), encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("NO_COLOR", "1")
    return path


def test_the_mistake_is_found_as_shown(graph: Path) -> None:
    outcome = graphwright("check", "--no-cache")
    assert outcome.code == 1
    shown = block("console", "$ graphwright check\n").removeprefix("$ graphwright check\n")
    assert outcome.stderr.strip() == shown.strip()


def test_the_fixed_graph_compiles_as_shown(graph: Path) -> None:
    graph.write_text(graph.read_text("utf-8").replace("totl", "total"), encoding="utf-8")
    assert graphwright("check", "--strict", "--no-cache").code == 0
    outcome = graphwright("build", "--no-typecheck")
    assert outcome.code == 0, outcome.stderr
    assert block("python", "# .ai/tools").strip() in Path("generated/reports/tickets.py").read_text("utf-8")


def test_golden_output_of_the_demo() -> None:
    environment = {**os.environ, "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"}
    command = ["sh", str(ROOT / "examples" / "demo.sh")]
    ran = subprocess.run(
        command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False
    )
    shown = block("console", "$ make demo\n").removeprefix("$ make demo\n")
    if os.environ.get("GRAPHWRIGHT_GOLDEN"):
        (ROOT / "README.md").write_text(README.replace(shown, ran.stdout), "utf-8")
    assert ran.returncode == 0
    assert os.environ.get("GRAPHWRIGHT_GOLDEN") or ran.stdout == shown, "README.md is stale: run `make golden`"
