"""Who started a run: nested runs know, and so do those of a process that a run started."""

from __future__ import annotations

import json
import logging
import sys
from pathlib import Path

import pytest

from durability.background import counting
from durability.kept import Crash, compiled, events, run
from graphwright_runtime.durable.registry import rows

STARTING = """\
version: "1.0.0"
tool_type: graph
permissions: ["rye.execute.tool.rye.bash"]
config:
  start: go
  nodes:
    go:
      action: {item_id: tool:rye/bash, params: {command: "PYTHON -m graphwright run leaf --async --run-id child"}}
      next: done
    done: {type: return}
"""
LEAF = """\
version: "1.0.0"
tool_type: graph
config: {start: done, nodes: {done: {type: return, output: 1}}}
"""


def test_a_run_that_a_run_started(tmp_path: Path) -> None:
    project = counting(tmp_path)
    tools = tmp_path / ".ai" / "tools"
    (tools / "starting.yaml").write_text(STARTING.replace("PYTHON", sys.executable), "utf-8")
    (tools / "leaf.yaml").write_text(LEAF, "utf-8")
    done = project.graphwright("run", "starting", "--run-id", "above")
    assert done.code == 0, done
    assert project.ended("child") == "completed"
    [row] = json.loads(project.graphwright("runs", "list", "--children", "above", "--format", "json").out)
    assert (row["run_id"], row["parent_id"]) == ("child", "above")
    assert [line.split()[::5] for line in project.graphwright("runs", "list").out.splitlines()] == [
        ["RUN", "PARENT"],
        ["above"],
        ["child", "above"],
    ]
    none = project.graphwright("runs", "list", "--children", "child")
    assert (none.out, none.said) == ("", f"no runs like that are kept in {tmp_path}\n")
    context = json.loads((tmp_path / ".ai/state/threads/child/thread.json").read_text("utf-8"))
    assert context["parent_thread_id"] == "above"
    [view] = tmp_path.glob(".ai/knowledge/graphs/leaf/child.md")
    assert 'parent_thread_id: "above"' in view.read_text("utf-8")


def test_it_is_noted_once_and_grants_nothing(tmp_path: Path) -> None:
    with compiled() as module:
        env = {"RYE_PARENT_THREAD_ID": "above"}
        denied = run(module, tmp_path, Crash(), run_id="r", env=env, capabilities=["*"])
        assert "the context of the parent run `above` cannot be verified" in str(denied.error)
        assert run(module, tmp_path, resume="r", env={"RYE_PARENT_THREAD_ID": "else"}).status == "error"
        assert run(module, tmp_path, resume="r", env={}).success
    assert [row["parent_id"] for row in rows(tmp_path)] == ["above"]
    assert [event["parent_run_id"] for event in events(tmp_path, "r", "graph_started")] == ["above"] * 3
    assert not any("root_run_id" in event for event in events(tmp_path, "r", "graph_started"))


@pytest.mark.parametrize("parent", ["", "a/b", "a\nb"])
def test_what_is_not_the_id_of_a_run_is_left_out(tmp_path: Path, parent: str, caplog: pytest.LogCaptureFixture) -> None:
    with compiled() as module, caplog.at_level(logging.WARNING):
        assert run(module, tmp_path, run_id="r", env={"RYE_PARENT_THREAD_ID": parent}).status == "error"
    assert [row["parent_id"] for row in rows(tmp_path)] == [None]
    assert "RYE_PARENT_THREAD_ID: a run id names a folder" in caplog.text
