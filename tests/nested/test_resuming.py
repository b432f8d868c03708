"""A graph that resumes a run of another graph: `resume_run_id`, and `resume: true` with `graph_run_id`."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from durability.kept import Crash, compiled, run
from graphwright_runtime.durable.registry import rows

RESUMING = """\
version: "1.0.0"
tool_type: graph
permissions: ["rye.execute.tool.*"]
config:
  start: go
  nodes:
    go: {action: {item_id: tool:demo/count, params: {OPTIONS}}, assign: {got: "${result}"}, next: done}
    done: {type: return, output: "${state.got}"}
"""


@pytest.fixture(scope="module")
def counter() -> Iterator[ModuleType]:
    with compiled() as module:
        yield module


def resuming(counter: ModuleType, project: Path, options: str, tool: Crash, **more: Any) -> Any:
    """The result of a graph that calls the counting graph with these options."""
    with compiled(RESUMING.replace("OPTIONS", options), "demo/resuming") as module:
        return run(module, project, tool, more={"demo/count": counter.GRAPH}, **more)


@pytest.mark.parametrize("options", ["resume_run_id: r", "resume: true, graph_run_id: r", "resume_run_id: r, limit: 4"])
def test_it_goes_on_where_it_was(counter: ModuleType, tmp_path: Path, options: str) -> None:
    assert run(counter, tmp_path, Crash(3), run_id="r", inputs={"limit": 4}).status == "error"
    tool = Crash()
    result = resuming(counter, tmp_path, options, tool, run_id="above")
    assert (result.output["graph_run_id"], result.output["output"]) == ("r", {"n": 4})
    assert tool.keys == ["r/5", "r/7"]
    assert {row["thread_id"]: row["parent_id"] for row in rows(tmp_path)} == {"r": None, "above": None}


def test_one_that_completed_gives_its_result_again(counter: ModuleType, tmp_path: Path) -> None:
    """So a caller that was killed between its end and its own step can be resumed."""
    assert run(counter, tmp_path, run_id="r").success
    tool = Crash()
    assert resuming(counter, tmp_path, "resume_run_id: r", tool).output["output"] == {"n": 3}
    assert tool.keys == []


@pytest.mark.parametrize(
    ("options", "error"),
    [
        ("resume_run_id: r, limit: 5", "the input `limit` is not the one that the run was started with: leave it out"),
        ("resume_run_id: above", "the run 'above' belongs to the graph `demo/resuming`, not `demo/count`"),
        ("resume_run_id: none", "there is no run 'none' in "),
        ("resume_run_id: a/b", "a run id names a folder"),
    ],
)
def test_what_cannot_be_resumed(counter: ModuleType, tmp_path: Path, options: str, error: str) -> None:
    assert run(counter, tmp_path, Crash(3), run_id="r", inputs={"limit": 4}).status == "error"
    above = resuming(counter, tmp_path, "limit: 1", Crash(1), run_id="above")
    assert above.status == "error"
    result = resuming(counter, tmp_path, options, Crash())
    assert result.status == "error"
    assert error in result.error
    tool = Crash()
    assert run(counter, tmp_path, tool, resume="r").success, "it is still there, and nobody holds it"
    assert tool.keys == ["r/5", "r/7"]


def test_its_capabilities_are_narrowed_by_both(counter: ModuleType, tmp_path: Path) -> None:
    assert run(counter, tmp_path, Crash(3), run_id="r", capabilities=["rye.execute.tool.t.*"]).status == "error"
    denied = resuming(counter, tmp_path, "resume_run_id: r", Crash(), capabilities=["rye.execute.tool.demo.*"])
    assert "permission denied: `rye.execute.tool.t.add`" in denied.error
    assert resuming(counter, tmp_path, "resume_run_id: r", Crash()).success


def test_in_the_background(counter: ModuleType, tmp_path: Path) -> None:
    assert run(counter, tmp_path, Crash(3), run_id="r", inputs={"limit": 4}).status == "error"
    tool = Crash()
    result = resuming(counter, tmp_path, "resume_run_id: r, async: true", tool)
    assert (result.output["graph_run_id"], result.output["status"]) == ("r", "running")
    assert tool.keys == ["r/5", "r/7"]


def test_a_single_node_of_a_run(counter: ModuleType, tmp_path: Path) -> None:
    assert run(counter, tmp_path, Crash(3), run_id="r", inputs={"limit": 4}).status == "error"
    tool = Crash()
    result = resuming(counter, tmp_path, "resume_run_id: r, node: work, inject_state: {n: 7}", tool)
    assert result.output["state"] == {"n": 8}
    assert (result.output["next_node"], result.output["step_count"]) == ("check", 5)
    assert tool.keys == ["r-step/1"]
    assert run(counter, tmp_path, Crash(), resume="r").output == {"n": 4}, "its own state is as it was"
