"""Graphs that a kept run calls: they are kept, too, and go on together with their caller."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from durability.kept import COUNT, Crash, compiled, events, log_of, run
from graphwright_runtime.durable.registry import rows

CALLER = """\
version: "1.0.0"
tool_type: graph
permissions: ["rye.execute.tool.*"]
config:
  start: one
  nodes:
    one: {action: {item_id: tool:demo/count, params: {limit: 4}}, assign: {n: "${result.output.n}"}, next: each}
    each:
      type: foreach
      over: "${[1, 2]}"
      as: limit
      action: {item_id: tool:demo/count, params: {limit: "${limit}"}}
      collect: all
      next: done
    done: {type: return, output: {n: "${state.n}", all: "${state.all}"}}
"""


@pytest.fixture(scope="module")
def modules() -> Iterator[tuple[ModuleType, ModuleType]]:
    with compiled(CALLER, "demo/caller") as caller, compiled(COUNT) as counter:
        yield caller, counter


def called(modules: tuple[ModuleType, ModuleType], project: Path, tool: Crash, **options: Any) -> Any:
    caller, counter = modules
    return run(caller, project, tool, more={"demo/count": counter.GRAPH}, **options)


def test_called_graphs_are_runs_of_their_own(modules: tuple[ModuleType, ModuleType], tmp_path: Path) -> None:
    result = called(modules, tmp_path, Crash(), run_id="r")
    assert result.success
    assert [item["graph_run_id"] for item in result.output["all"]] == ["r.2.0", "r.2.1"]
    assert {row["thread_id"]: row["parent_id"] for row in rows(tmp_path)} == {
        "r": None,
        "r.1": "r",
        "r.2.0": "r",
        "r.2.1": "r",
    }
    [started] = events(tmp_path, "r.2.1", "graph_started")
    assert (started["parent_run_id"], started["root_run_id"]) == ("r", "r")


def test_a_called_graph_goes_on_where_it_failed(modules: tuple[ModuleType, ModuleType], tmp_path: Path) -> None:
    assert called(modules, tmp_path, Crash(3), run_id="r").status == "error"
    for at in (2, 3):
        assert called(modules, tmp_path, Crash(at), resume="r").status == "error"
    last = Crash()
    result = called(modules, tmp_path, last, resume="r")
    assert result.output["n"] == 4
    assert [item["output"] for item in result.output["all"]] == [{"n": 1}, {"n": 2}]
    assert last.keys == ["r.2.1/1", "r.2.1/3"]


def test_a_called_graph_that_completed_is_not_repeated(modules: tuple[ModuleType, ModuleType], tmp_path: Path) -> None:
    """The caller was killed between the end of the called graph and its own step."""
    first = Crash(5)
    assert called(modules, tmp_path, first, run_id="r").status == "error"
    log = log_of(tmp_path, "r")
    lines = log.read_bytes().splitlines(keepends=True)
    log.write_bytes(b"".join(lines[:2]))
    for file in [*(tmp_path / ".ai" / "knowledge").rglob("r.md"), *(tmp_path / ".ai" / "state").rglob("r.json")]:
        file.unlink()
    last = Crash()
    result = called(modules, tmp_path, last, resume="r")
    assert result.success
    assert first.keys[:4] == ["r.1/1", "r.1/3", "r.1/5", "r.1/7"]
    assert last.keys == ["r.2.0/1", "r.2.1/1", "r.2.1/3"]
