"""`graphwright run --resume`: real processes that are killed, interrupted, and continued."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from durability.processes import GRAPH, calls, ended, ran, waiting


def test_a_killed_run_is_resumed(project: Path) -> None:
    process = waiting(project)
    process.kill()
    process.communicate()
    (project / "wait").unlink()
    code, result, _ = ran(project, "--resume", "r")
    assert (code, result["output"], result["steps"]) == (0, {"n": 4}, 9)
    assert calls(project) == ["0", "1", "2", "2", "3"]


def resumed(project: Path, *arguments: str) -> tuple[int, dict[str, Any], str]:
    """`graphwright resume`: exit code, result, and what is on standard error."""
    command = [sys.executable, "-m", "graphwright", "resume", *arguments]
    return ended(subprocess.Popen(command, cwd=project, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True))


def test_the_id_of_a_run_is_enough_to_resume_it(project: Path) -> None:
    assert ran(project, "-i", "limit=1", "--run-id", "early")[0] == 0
    process = waiting(project)
    process.kill()
    process.communicate()
    (project / "wait").unlink()
    graph = project / ".ai" / "tools" / "count.yaml"
    graph.write_text(GRAPH.replace("next: check}", "timeout_s: 9, next: check}"), "utf-8")
    code, result, _ = resumed(project, "r")
    assert (code, "`work` changed" in result["error"]) == (1, True)
    code, result, _ = resumed(project, "--allow-changed", "r")
    assert (code, result["graph_run_id"], result["output"], result["steps"]) == (0, "r", {"n": 4}, 9)
    assert calls(project) == ["0", "0", "1", "2", "2", "3"]
    code, _, said = resumed(project, "earlx")
    assert (code, "there is no run `earlx`" in said, "did you mean `early`?" in said) == (2, True, True)


def test_a_run_is_resumed_in_the_background_by_its_id(project: Path) -> None:
    (project / "fail").touch()
    assert ran(project, "-i", "limit=2", "--run-id", "r")[0] == 1
    (project / "fail").unlink()
    assert resumed(project, "r", "--async")[:1] == (0,)
    wait = [sys.executable, "-m", "graphwright", "runs", "wait", "r"]
    assert subprocess.run(wait, cwd=project, capture_output=True, timeout=60, check=False).returncode == 0
    assert calls(project) == ["0", "0", "1"]


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_run_that_was_asked_to_end_is_resumed(project: Path, number: signal.Signals) -> None:
    process = waiting(project)
    process.send_signal(number)
    code, result, said = ended(process)
    assert (code, result["status"]) == (128 + number, "cancelled")
    assert "to resume the run: graphwright run count --resume r" in said
    [view] = project.glob(".ai/knowledge/graphs/**/r.md")
    last = json.loads((project / ".ai/state/threads/r/transcript.jsonl").read_bytes().splitlines()[-2])
    assert (last["event_type"], last["payload"]["signal"]) == ("graph_cancelled", number.name)
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
