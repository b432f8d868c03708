"""The command line as pre-commit and CI use it: many files, odd names, several processes at once."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

GRAPH = """\
version: "1.0.0"
tool_type: graph
description: "g{number}"
permissions: [rye.execute.tool.shop.*]
config:
  start: done
  nodes:
    done: {{type: return}}
"""
ODD = ["sub dir/with space.yaml", "-dash.yaml", "naïve.yaml", "数据.yaml"]


def graphwright(*arguments: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    """A real process, as a hook starts it."""
    command = [sys.executable, "-m", "graphwright", *arguments]
    return subprocess.run(command, cwd=cwd, capture_output=True, text=True, check=False, timeout=120)


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    names = [f"g{number}.yaml" for number in range(20)] + ODD
    for number, name in enumerate(names):
        path = tmp_path / "graphs" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(GRAPH.format(number=number), encoding="utf-8")
    (tmp_path / "graphs" / "not-a-graph.yaml").write_text("a: 1\n", encoding="utf-8")
    return tmp_path


def files(repository: Path) -> list[str]:
    return sorted(path.relative_to(repository).as_posix() for path in repository.rglob("*.yaml"))


def test_odd_names_and_another_folder(repository: Path) -> None:
    named = [name for name in files(repository) if "not-a" not in name]
    assert graphwright("check", "--", *named, cwd=repository).returncode == 0
    assert (
        graphwright("check", "--", "-dash.yaml", "sub dir/with space.yaml", cwd=repository / "graphs").returncode == 0
    )


def test_a_file_that_is_gone_is_a_message(repository: Path) -> None:
    done = graphwright("check", "--", "graphs/gone.yaml", cwd=repository)
    assert done.returncode == 2
    assert "GW008" in done.stderr
    assert "Traceback" not in done.stderr


def test_no_graph_is_passed_over_in_a_folder_and_refused_by_name(repository: Path) -> None:
    assert graphwright("check", "graphs", cwd=repository).returncode == 0
    done = graphwright("check", "graphs/not-a-graph.yaml", cwd=repository)
    assert (done.returncode, "GW006" in done.stderr) == (1, True)


def test_checking_writes_nothing_beside_the_graphs(repository: Path) -> None:
    before = files(repository)
    graphwright("check", "graphs", cwd=repository)
    assert files(repository) == before
    assert {path.name for path in (repository / "graphs").iterdir()} == {Path(name).parts[1] for name in before}


def test_parallel_batches_agree(repository: Path) -> None:
    """Several processes at once, each with some of the files, all building into one folder."""
    named = [name for name in files(repository) if "not-a" not in name]
    batches = [named[start : start + 6] for start in range(0, len(named), 6)]
    command = [sys.executable, "-m", "graphwright"]
    running = [
        subprocess.Popen([*command, "build", "--no-typecheck", "--", *batch], cwd=repository, stderr=subprocess.PIPE)
        for batch in batches
    ]
    for process in running:
        _, said = process.communicate(timeout=120)
        assert process.returncode == 0, said.decode()
    assert graphwright("build", "--check", "--no-typecheck", "graphs", cwd=repository).returncode == 0
