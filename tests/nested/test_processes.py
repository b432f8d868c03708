"""Trees of runs in processes of their own, by the commands: killed, resumed, shown."""

from __future__ import annotations

import os
import signal
import sys
from pathlib import Path

from durability.background import Counting, counting
from durability.processes import started, until

#: Calls a graph, and starts another one, which calls that graph as well.
TOP = """\
version: "1.0.0"
tool_type: graph
permissions: ["rye.execute.tool.*"]
config:
  start: call
  nodes:
    call: {action: {item_id: tool:count, params: {limit: 1}}, next: begin}
    begin: {action: {item_id: tool:middle, params: {async: true}}, assign: {id: "${result.graph_run_id}"}, next: done}
    done: {type: return, output: "${state.id}"}
"""
MIDDLE = """\
version: "1.0.0"
tool_type: graph
permissions: ["rye.execute.tool.count", "rye.execute.tool.t.*"]
config:
  start: call
  nodes:
    call: {action: {item_id: tool:count, params: {limit: 5}}, assign: {n: "${result.output.n}"}, next: done}
    done: {type: return, output: "${state.n}"}
"""


def tree(folder: Path) -> Counting:
    project = counting(folder)
    tools = folder / ".ai" / "tools"
    (tools / "top.yaml").write_text(TOP, "utf-8")
    (tools / "middle.yaml").write_text(MIDDLE, "utf-8")
    return project


def test_a_tree_is_killed_resumed_and_shown(tmp_path: Path) -> None:
    project = tree(tmp_path)
    (tmp_path / "wait").touch()
    process = started(tmp_path, "--run-id", "r", graph="top")
    until(lambda: project.calls() == ["0", "0", "1", "2"])
    process.kill()
    process.communicate()
    assert project.status("r")["status"] == "orphaned"
    assert project.status("r.2.1")["status"] == "orphaned", "nothing of the tree goes on"
    project.let_go()
    done = project.graphwright("run", "top", "--resume", "r")
    assert (done.code, done.found["output"]) == (0, "r.2")
    assert project.calls() == ["0", "0", "1", "2", "2", "3", "4"], "the call that was cut, and nothing else"
    shown = project.graphwright("runs", "show", "r").out
    lines = [line.split()[:3] for line in shown[shown.index("CALLED") :].splitlines()[:4]]
    assert lines == [
        ["CALLED", "GRAPH", "STATUS"],
        ["r.1", "count", "completed"],
        ["r.2", "middle", "completed"],
        ["r.2.1", "count", "completed"],
    ]
    assert "\n  r.2.1" in shown
    record = project.graphwright("runs", "show", "r", "--format", "json").found
    assert record["called"] == ["r.1", "r.2"]
    assert [(each["depth"], each["run_id"], each["parent_id"]) for each in record["tree"]] == [
        (1, "r.1", "r"),
        (1, "r.2", "r"),
        (2, "r.2.1", "r.2"),
    ]
    assert project.graphwright("runs", "trace", "r.2").code == 0


def test_a_tree_ends_by_a_signal(tmp_path: Path) -> None:
    if sys.platform == "win32":
        return
    project = tree(tmp_path)
    (tmp_path / "wait").touch()
    process = started(tmp_path, "--run-id", "r", graph="top")
    until(lambda: project.calls() == ["0", "0", "1", "2"])
    os.kill(process.pid, signal.SIGTERM)
    process.communicate(timeout=30)
    assert process.returncode == 143
    assert [project.status(each)["status"] for each in ("r", "r.2", "r.2.1")] == ["cancelled"] * 3
    project.let_go()
    assert project.graphwright("run", "top", "--resume", "r").code == 0
    assert [project.status(each)["status"] for each in ("r", "r.2", "r.2.1")] == ["completed"] * 3
    assert project.calls() == ["0", "0", "1", "2", "2", "3", "4"]


def test_as_a_run_in_the_background(tmp_path: Path) -> None:
    project = tree(tmp_path)
    done = project.graphwright("run", "top", "--async", "--run-id", "r")
    assert done.code == 0
    assert project.ended("r") == "completed"
    assert project.status("r.2.1")["status"] == "completed"
