"""Resuming is offered exactly where it takes a run further: for each way to end, at each level of durability."""

from __future__ import annotations

import json
import signal
from pathlib import Path

import pytest

from durability.processes import ended, ran, runs, waiting

#: Ends with an error in a way that `how` chooses.
GRAPH = """\
version: "1.0.0"
tool_type: graph
permissions: ["rye.execute.tool.*"]
config_schema: {type: object, properties: {how: {type: string}}, required: [how]}
config:
  start: which
  max_steps: 6
  state: {n: 0}
  nodes:
    which:
      type: gate
      next:
        - {to: tool, when: {path: inputs.how, op: eq, value: tool}}
        - {to: again, when: {path: inputs.how, op: eq, value: steps}}
        - {to: returned, when: {path: inputs.how, op: eq, value: returned}}
        - {to: done}
    tool: {action: {item_id: tool:t/add, params: {n: 1}}, assign: {n: "${result.n}"}, next: done}
    again: {type: gate, next: [{to: again, when: {path: state.n, op: lt, value: 1}}, {to: done}]}
    returned: {type: return, status: error, error: "no rows"}
    done: {type: return}
"""

OFFER = "to resume the run: graphwright run "


def offered(said: str) -> bool:
    """Whether a command says how to resume a run."""
    return OFFER in said


@pytest.mark.parametrize(
    ("how", "durability", "status", "resumable"),
    [
        ("tool", "process", "error", True),
        ("tool", "power", "error", True),
        ("tool", "exit", "error", False),
        ("tool", "off", "error", False),
        ("steps", "process", "error", False),
        ("steps", "exit", "error", False),
        ("returned", "process", "error", False),
        ("returned", "power", "error", False),
        ("returned", "exit", "error", False),
        ("none", "process", "completed", False),
        ("none", "exit", "completed", False),
    ],
)
def test_after_a_run_has_ended(project: Path, how: str, durability: str, status: str, resumable: bool) -> None:
    (project / ".ai" / "tools" / "ends.yaml").write_text(GRAPH, "utf-8")
    (project / "fail").touch()
    command = ("-i", f"how={how}", "--run-id", "r", "--durability", durability)
    code, result, said = ran(project, *command, graph="ends")
    assert (code, result["status"]) == (0 if status == "completed" else 1, status)
    assert offered(said) == resumable
    if durability != "off":
        assert offered(runs(project, "show", "r")[2]) == resumable
    (project / "fail").unlink()
    again = ran(project, "--resume", "r", graph="ends")[1]
    assert (again.get("status") == "completed") == resumable, "where it is not offered, it does not help"


def test_a_limit_that_was_raised_is_passed(project: Path) -> None:
    graph = project / ".ai" / "tools" / "ends.yaml"
    graph.write_text(GRAPH, "utf-8")
    assert ran(project, "-i", "how=steps", "--run-id", "r", graph="ends")[1]["error"] == "Max steps exceeded (6)"
    graph.write_text(GRAPH.replace("max_steps: 6", "max_steps: 9").replace("lt, value: 1", "lt, value: 0"), "utf-8")
    assert ran(project, "--resume", "r", "--allow-changed", graph="ends")[1]["status"] == "completed"


@pytest.mark.parametrize("way", ["cancel", "kill", "SIGKILL"])
@pytest.mark.parametrize(("durability", "resumable"), [("process", True), ("power", True), ("exit", False)])
def test_of_a_run_that_was_ended(project: Path, way: str, durability: str, resumable: bool) -> None:
    process = waiting(project, "--durability", durability)
    if way == "SIGKILL":
        process.kill()
    else:
        if way == "kill":
            process.send_signal(signal.SIGSTOP)
        said = runs(project, way, "r")[2]
        assert ("; it can be resumed" in said) == resumable
        assert ("; it cannot be resumed, because its steps are not kept" in said) != resumable
    out, said = process.communicate(timeout=60)
    if way == "cancel":
        assert offered(said) == resumable
        assert json.loads(out)["status"] == "cancelled"
    status = {"cancel": "cancelled", "kill": "killed", "SIGKILL": "orphaned"}[way]
    assert json.loads(runs(project, "status", "r")[1])["status"] == status
    assert runs(project, "list")[1].splitlines()[1].split()[2] == status
    assert offered(runs(project, "show", "r")[2]) == resumable
    (project / "wait").unlink()
    code, result, _ = ran(project, "--resume", "r")
    if resumable:
        assert (code, result["output"]) == (0, {"n": 4})
    else:
        assert code == 1
        assert "durability `exit`" in result["error"]
        if way != "cancel":  # nothing is kept, so the id is free
            assert ran(project, "-i", "limit=3", "--run-id", "r")[1]["output"] == {"n": 3}


def test_a_run_that_is_alive_is_not_offered(project: Path) -> None:
    process = waiting(project)
    assert not offered(runs(project, "show", "r")[2])
    (project / "wait").unlink()
    assert ended(process)[0] == 0


@pytest.mark.parametrize("durability", ["process", "exit"])
def test_a_log_that_was_emptied_is_damaged_for_every_command(project: Path, durability: str) -> None:
    assert ran(project, "-i", "limit=2", "--run-id", "r", "--durability", durability)[0] == 0
    log = project / ".ai" / "state" / "threads" / "r" / "transcript.jsonl"
    log.write_bytes(b"")
    assert runs(project, "list")[1].splitlines()[1].split()[2] == "damaged"
    assert runs(project, "list", "--status", "completed")[1] == ""
    assert len(runs(project, "list", "--status", "damaged")[1].splitlines()) == 2
    said = {runs(project, action, "r")[::2] for action in ("show", "status", "wait", "trace", "cancel", "kill")}
    assert len(said) == 1
    [(code, message)] = said
    assert code == 2
    assert message.startswith("graphwright: the log ends after 0 bytes, but ")
    assert message.endswith(": lines are missing at its end\n")
    assert "lines are missing at its end" in ran(project, "--resume", "r")[1]["error"]


def test_a_run_without_events_has_no_nodes_to_compare(project: Path) -> None:
    folder = project / ".ai" / "state" / "threads" / "early"
    folder.mkdir(parents=True)
    (folder / "transcript.jsonl").touch()
    assert runs(project, "list")[1].splitlines()[1].split()[1] == "orphaned"
    assert runs(project, "show", "early")[1].startswith("early: orphaned before a step was kept\n")
    code, _, said = runs(project, "same-input", "early", "--node", "work")
    assert (code, said) == (
        2,
        "graphwright: the log of the run early has no events: it ended before its first step was kept\n",
    )
