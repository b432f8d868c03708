"""`graphwright runs`: the runs of a project, seen and ended from other processes."""

from __future__ import annotations

import json
import re
import signal
from pathlib import Path

import pytest

from commands import graphwright
from durability.processes import GRAPH, calls, ended, ran, runs, waiting

OUTER = """\
version: "1.0.0"
tool_type: graph
permissions: ["rye.execute.tool.*"]
config:
  start: call
  nodes:
    call: {action: {item_id: tool:count, params: {limit: 1}}, assign: {n: "${result.output.n}"}, next: done}
    done: {type: return, output: {n: "${state.n}"}}
"""


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
        "cut_step": None,
    }
    shown = runs(project, "show", "first")[1]
    assert shown.startswith("first of count: completed, 5 steps finished\n")
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
        "cut_step": None,
    }
    code, _, said = runs(project, "cancel", "r")
    assert (code, said) == (0, f"asked the run r (process {process.pid}) to end; it can be resumed\n")
    code, result, _ = ended(process)
    assert (code, result["status"]) == (143, "cancelled")
    last = json.loads((project / ".ai/state/threads/r/transcript.jsonl").read_bytes().splitlines()[-2])
    assert (last["event_type"], last["payload"]["signal"]) == ("graph_cancelled", "cancel")
    status = json.loads(runs(project, "status", "r")[1])
    assert (result["steps"], status["step"], status["cut_step"]) == (5, 4, {"step": 5, "node": "work"})
    assert "r of count: cancelled, 4 steps finished; step 5, work, was cut\n" in runs(project, "show", "r")[1]
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
    assert runs(project, "cache", "clear") == (0, "", "deleted 3 results\n")
    assert json.loads(runs(project, "cache", "stats")[1]) == {"entries": 0, "bytes": 0}


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("cache", "fill"), "there is no command `runs cache fill`; see `graphwright runs cache --help`"),
        (("cache", "claer"), "there is no command `runs cache claer`; did you mean `runs cache clear`?"),
        (("shwo", "r"), "there is no command `runs shwo`; did you mean `runs show`?"),
        (("-q", "list"), "the action is missing before `-q`: graphwright runs ACTION [arguments]"),
        (("status",), "RUN is missing\nsee `graphwright runs status --help`"),
        (("list", "r"), "unexpected argument `r`"),
        (("list", "--fromat", "json"), "there is no option `--fromat`; did you mean `--format`?"),
        (("show", "r", "--timeout", "3"), "there is no option `--timeout`"),
        (("wait", "r", "--timeout", "soon"), "`soon` is not a number of seconds"),
        (("wait", "r", "--timeout", "-1"), "`-1` is not a number of seconds"),
        (("cancel", "a/b"), "a run id names a folder"),
        (("show", "../r"), "a run id names a folder"),
        (("list", "--", "r"), "`graphwright runs list` takes no arguments after `--`"),
    ],
)
def test_wrong_calls_of_runs(arguments: tuple[str, ...], message: str) -> None:
    done = graphwright("runs", *arguments)
    assert (done.code, done.stdout) == (2, "")
    assert message in done.stderr


def test_each_action_has_a_page_with_its_own_options() -> None:
    page = graphwright("runs", "--help")
    assert page.code == 0
    actions = re.findall(r"^  ([a-z-]+)  ", page.stdout.partition("actions:")[2].partition("options:")[0], re.MULTILINE)
    assert {"list", "show", "status", "wait", "cancel", "kill", "cache"} <= set(actions)
    for action in actions:
        own = graphwright("runs", action, "--help")
        assert own.code == 0
        assert own.stdout.startswith(f"usage: graphwright runs {action} ")
        assert ("--timeout" in own.stdout) == (action == "wait")
    assert graphwright("runs", "cache", "clear", "--help").stdout.startswith("usage: graphwright runs cache clear ")


def test_without_an_action_there_is_the_help_page() -> None:
    page = graphwright("runs")
    assert (page.code, page.stdout) == (2, "")
    assert page.stderr == graphwright("runs", "--help").stdout


@pytest.fixture
def several(project: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project with the runs `weekly-1`, `weekly-21` and `nightly`."""
    monkeypatch.chdir(project)
    for run_id in ("weekly-1", "weekly-21", "nightly"):
        assert graphwright("run", "count", "-i", "limit=1", "--run-id", run_id).code == 0
    return project


def test_a_run_is_named_by_the_beginning_of_its_id(several: Path) -> None:
    for written, meant in (("n", "nightly"), ("weekly-2", "weekly-21"), ("weekly-1", "weekly-1")):
        assert json.loads(graphwright("runs", "status", written).stdout)["run_id"] == meant
    ambiguous = graphwright("runs", "show", "week")
    assert ambiguous.code == 2
    assert "the ids of 2 runs begin with `week`: `weekly-1`, `weekly-21`; be more specific" in ambiguous.stderr
    for command in (("runs", "wait"), ("runs", "cancel"), ("runs", "kill"), ("run", "count", "--resume")):
        assert "the ids of 2 runs begin with `week`" in graphwright(*command, "week").stderr
    assert "already completed" in graphwright("run", "count", "--resume", "night").stdout
    stepped = graphwright("step", "count", "work", "--resume-from", "weekly-2")
    assert json.loads(stepped.stdout)["step_count"] == 4


def test_an_unknown_run_is_answered_with_the_nearest_one(several: Path) -> None:
    threads = several / ".ai" / "state" / "threads"
    for command in (("runs", "show"), ("run", "count", "--resume"), ("step", "count", "work", "--resume-from")):
        done = graphwright(*command, "nihgtly")
        assert (done.code, done.stdout) == (2, "")
        assert f"there is no run `nihgtly` in {threads}; did you mean `nightly`?" in done.stderr
    assert f"there is no run `x` in {threads}; see `graphwright runs list`" in graphwright("runs", "show", "x").stderr


def test_called_runs_do_not_make_the_id_of_their_caller_ambiguous(several: Path) -> None:
    (several / ".ai" / "tools" / "outer.yaml").write_text(OUTER, "utf-8")
    assert graphwright("run", "outer", "--run-id", "monday").code == 0
    assert (several / ".ai" / "state" / "threads" / "monday.1").is_dir()
    assert json.loads(graphwright("runs", "status", "mon").stdout)["run_id"] == "monday"
    assert json.loads(graphwright("runs", "status", "monday.").stdout)["run_id"] == "monday.1"
