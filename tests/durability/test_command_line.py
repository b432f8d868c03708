"""`graphwright run --resume`: real processes that are killed, interrupted, and continued."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

GRAPH = """\
version: "1.0.0"
tool_type: graph
permissions: ["rye.execute.tool.*"]
config_schema: {type: object, properties: {limit: {type: integer}}, required: [limit]}
config:
  start: work
  state: {n: 0}
  nodes:
    work: {action: {item_id: tool:t/add, params: {n: "${state.n}"}}, assign: {n: "${result.n}"}, next: check}
    check:
      type: gate
      next:
        - {to: work, when: {path: state.n, op: lt, value: "${inputs.limit}"}}
        - {to: done}
    done: {type: return, output: {n: "${state.n}"}}
"""
TOOL = """\
import pathlib, time
def execute(params, project_path):
    folder = pathlib.Path(project_path)
    with open(folder / "calls", "a") as out:
        out.write(f"{params['n']}\\n")
    while (folder / "wait").exists() and params["n"] == 2:
        time.sleep(0.01)
    if (folder / "fail").exists():
        raise ValueError("not today")
    return {"n": params["n"] + 1}
"""


@pytest.fixture
def project(tmp_path: Path) -> Path:
    (tmp_path / ".ai" / "tools" / "t").mkdir(parents=True)
    (tmp_path / ".ai" / "tools" / "count.yaml").write_text(GRAPH, "utf-8")
    (tmp_path / ".ai" / "tools" / "t" / "add.py").write_text(TOOL, "utf-8")
    return tmp_path


def started(project: Path, *arguments: str) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "graphwright", "run", "count", *arguments]
    return subprocess.Popen(command, cwd=project, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def ended(process: subprocess.Popen[str]) -> tuple[int, dict[str, Any], str]:
    """Exit code, result, and what is on standard error."""
    out, said = process.communicate(timeout=60)
    return process.returncode, json.loads(out) if out else {}, said


def ran(project: Path, *arguments: str) -> tuple[int, dict[str, Any], str]:
    return ended(started(project, *arguments))


def calls(project: Path) -> list[str]:
    return (project / "calls").read_text("utf-8").split()


def waiting(project: Path) -> subprocess.Popen[str]:
    """A run `r` that waits in its third call."""
    (project / "wait").touch()
    process = started(project, "-i", "limit=4", "--run-id", "r")
    until = time.monotonic() + 30
    while not (project / "calls").exists() or len(calls(project)) < 3:
        assert time.monotonic() < until
        assert process.poll() is None, process.communicate()
        time.sleep(0.01)
    return process


def test_a_killed_run_is_resumed(project: Path) -> None:
    process = waiting(project)
    process.kill()
    process.communicate()
    (project / "wait").unlink()
    code, result, _ = ran(project, "--resume", "r")
    assert (code, result["output"], result["steps"]) == (0, {"n": 4}, 9)
    assert calls(project) == ["0", "1", "2", "2", "3"]


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_run_that_was_asked_to_end_is_resumed(project: Path, number: signal.Signals) -> None:
    process = waiting(project)
    process.send_signal(number)
    code, result, said = ended(process)
    assert (code, result["status"]) == (128 + number, "cancelled")
    assert "to resume the run: graphwright run count --resume r" in said
    [view] = project.glob(".ai/knowledge/graphs/**/r.md")
    assert 'status: "cancelled"' in view.read_text("utf-8")
    (project / "wait").unlink()
    assert ran(project, "--resume", "r")[1]["output"] == {"n": 4}


def test_a_live_run_is_not_resumed(project: Path) -> None:
    process = waiting(project)
    code, result, _ = ran(project, "--resume", "r")
    assert (code, result["error"]) == (1, f"the run 'r' is alive: process {process.pid} writes its log")
    (project / "wait").unlink()
    assert ended(process)[1]["output"] == {"n": 4}


def test_a_changed_graph_needs_permission(project: Path) -> None:
    (project / "fail").touch()
    assert ran(project, "-i", "limit=1", "--run-id", "r")[0] == 1
    (project / "fail").unlink()
    graph = project / ".ai" / "tools" / "count.yaml"
    graph.write_text(GRAPH.replace("next: check}", "timeout_s: 9, next: check}"), "utf-8")
    code, result, _ = ran(project, "--resume", "r")
    assert code == 1
    assert "(node `work` changed)" in result["error"]
    assert ran(project, "--resume", "r", "--allow-changed")[1]["output"] == {"n": 1}


def test_nothing_is_kept_outside_of_a_project(project: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    folder = tmp_path_factory.mktemp("elsewhere")
    (folder / "g.yaml").write_text(
        "version: '1'\ntool_type: graph\nconfig: {start: done, nodes: {done: {type: return, output: 1}}}\n", "utf-8"
    )
    command = [sys.executable, "-m", "graphwright", "run", "g.yaml"]
    assert subprocess.run(command, cwd=folder, capture_output=True, check=False).returncode == 0
    assert [file.name for file in folder.iterdir()] == ["g.yaml"]
    command += ["--durability", "process", "--run-id", "r"]
    assert subprocess.run(command, cwd=folder, capture_output=True, check=False).returncode == 0
    assert (folder / ".ai" / "state" / "threads" / "r" / "transcript.jsonl").exists()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--resume", "r", "--run-id", "s"), "leave out `--run-id`"),
        (("--allow-changed", "-i", "limit=1"), "`--allow-changed` goes with `--resume`"),
        (("--resume", "r", "--durability", "off"), "every step of a resumed run is kept"),
    ],
)
def test_options_that_contradict_each_other(project: Path, arguments: tuple[str, ...], message: str) -> None:
    code, result, said = ran(project, *arguments)
    assert (code, result) == (2, {})
    assert message in said
