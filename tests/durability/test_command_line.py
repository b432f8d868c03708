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


def runs(project: Path, *arguments: str) -> tuple[int, str, str]:
    command = [sys.executable, "-m", "graphwright", "runs", *arguments]
    done = subprocess.run(command, cwd=project, capture_output=True, text=True, timeout=60, check=False)
    return done.returncode, done.stdout, done.stderr


def test_runs_are_listed_and_shown(project: Path) -> None:
    assert runs(project, "list")[1] == ""
    assert ran(project, "-i", "limit=2", "--run-id", "first")[0] == 0
    (project / "fail").touch()
    assert ran(project, "-i", "limit=2", "--run-id", "second")[0] == 1
    code, listed, _ = runs(project, "list")
    assert code == 0
    assert [line.split()[:3] for line in listed.splitlines()] == [
        ["RUN", "GRAPH", "STATUS"],
        ["first", "count", "completed"],
        ["second", "count", "error"],
    ]
    assert [row["run_id"] for row in json.loads(runs(project, "list", "--format", "json")[1])] == ["first", "second"]
    assert json.loads(runs(project, "status", "first")[1]) == {
        "run_id": "first",
        "graph_id": "count",
        "alive": False,
        "pid": None,
        "status": "completed",
        "current_node": None,
        "step": 5,
    }
    shown = runs(project, "show", "first")[1]
    assert shown.startswith("first of count: completed, 5 steps\n")
    assert '"n": 2' in shown
    assert json.loads(runs(project, "show", "first", "--format", "json")[1])["nodes"]["work"]["visits"] == 2


def test_a_run_is_cancelled_from_another_process(project: Path) -> None:
    process = waiting(project)
    assert json.loads(runs(project, "status", "r")[1]) == {
        "run_id": "r",
        "graph_id": "count",
        "alive": True,
        "pid": process.pid,
        "status": "running",
        "current_node": "work",
        "step": 4,
    }
    code, _, said = runs(project, "cancel", "r")
    assert (code, said) == (0, f"asked the run r (process {process.pid}) to end; it can be resumed\n")
    code, result, _ = ended(process)
    assert (code, result["status"]) == (143, "cancelled")
    last = json.loads((project / ".ai/state/threads/r/transcript.jsonl").read_bytes().splitlines()[-2])
    assert (last["event_type"], last["payload"]["signal"]) == ("graph_cancelled", "cancel")
    assert "there is nothing to cancel" in runs(project, "cancel", "r")[2]
    (project / "wait").unlink()
    assert ran(project, "--resume", "r")[1]["output"] == {"n": 4}


def test_a_run_is_waited_for(project: Path) -> None:
    process = waiting(project)
    assert runs(project, "wait", "r", "--timeout", "0.2")[0] == 1
    (project / "wait").unlink()
    code, told, _ = runs(project, "wait", "r")
    assert (code, json.loads(told)["status"]) == (0, "completed")
    assert ended(process)[0] == 0


def test_a_run_that_does_not_end_is_killed(project: Path) -> None:
    process = waiting(project)
    process.send_signal(signal.SIGSTOP)  # it does not get to what it is asked for
    code, _, said = runs(project, "kill", "r")
    assert (code, said) == (0, "the run r is killed; it can be resumed\n")
    assert ended(process)[0] == -signal.SIGKILL
    assert json.loads(runs(project, "status", "r")[1])["status"] == "killed"
    assert runs(project, "list")[1].splitlines()[1].split()[2] == "killed"


def test_a_run_whose_process_is_gone_is_orphaned(project: Path) -> None:
    process = waiting(project)
    process.kill()
    process.communicate()
    assert json.loads(runs(project, "status", "r")[1])["status"] == "orphaned"
    assert runs(project, "list")[1].splitlines()[1].split()[2] == "orphaned"


def test_kept_results_are_counted_and_forgotten(project: Path) -> None:
    (project / ".ai" / "tools" / "count.yaml").write_text(
        GRAPH.replace("assign: {n: ", "cache_result: true, assign: {n: "), "utf-8"
    )
    for _ in range(2):
        assert ran(project, "-i", "limit=3")[1]["output"] == {"n": 3}
    assert calls(project) == ["0", "1", "2"]
    assert json.loads(runs(project, "cache", "stats")[1])["entries"] == 3
    assert runs(project, "cache", "clear") == (0, "", "forgot 3 results\n")
    assert json.loads(runs(project, "cache", "stats")[1]) == {"entries": 0, "bytes": 0}


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("cache", "fill"), "takes `stats` or `clear`, not `fill`"),
        (("cache",), "`graphwright runs cache` needs `stats` or `clear`"),
        (("status",), "`graphwright runs status` needs the id of a run"),
        (("list", "r"), "`graphwright runs list` takes no run"),
        (("show", "r"), "there is no run 'r' in "),
        (("cancel", "a/b"), "a run id names a folder"),
    ],
)
def test_wrong_calls_of_runs(project: Path, arguments: tuple[str, ...], message: str) -> None:
    code, out, said = runs(project, *arguments)
    assert (code, out) == (2, "")
    assert message in said
