"""Graphs that a run starts in the background: registered before the call returns, over before their caller is over."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from durability.kept import COUNT, Crash, compiled, events, log_of, run
from graphwright_runtime.durable.registry import rows
from graphwright_runtime.durable.survey import request_cancel
from graphwright_runtime.inprocess import InProcessHost

STARTER = """\
version: "1.0.0"
tool_type: graph
permissions: ["rye.execute.tool.*"]
config:
  start: begin
  nodes:
    begin:
      action: {item_id: tool:demo/count, params: {limit: 4, async: true}}
      assign: {started: "${result}"}
      next: work
    work: {action: {item_id: tool:t/own}, next: done}
    done: {type: return, output: "${state.started}"}
"""


@pytest.fixture(scope="module")
def modules() -> Iterator[tuple[ModuleType, ModuleType]]:
    with compiled(STARTER, "demo/starter") as starter, compiled(COUNT) as counter:
        yield starter, counter


class Gate(Crash):
    """A tool `t/add` that waits before its third call until it is opened, and `t/own`, which notes how far it is."""

    def __init__(self, *, opened: bool = False) -> None:
        super().__init__()
        self.opened = opened
        self.cut = 0
        self.seen: list[int] = []

    async def add(self, params: dict[str, Any], context: Any) -> dict[str, Any]:
        """As `t/add`."""
        result = self(params, context)
        try:
            while len(self.keys) == 3 and not self.opened:
                await asyncio.sleep(0.002)
        except asyncio.CancelledError:
            self.cut += 1
            raise
        return result

    async def own(self, params: dict[str, Any]) -> dict[str, Any]:
        """The caller works while the other run waits."""
        while len(self.keys) < 3:
            await asyncio.sleep(0.002)
        self.seen.append(len(self.keys))
        self.opened = True
        return {}


def started(modules: tuple[ModuleType, ModuleType], project: Path, gate: Gate, **options: Any) -> Any:
    starter, counter = modules
    more = {"demo/count": counter.GRAPH, "t/own": gate.own, **options.pop("more", {})}
    return run(starter, project, gate.add, more=more, host=InProcessHost(), **options)


def statuses(project: Path) -> dict[object, tuple[object, object]]:
    return {row["thread_id"]: (row["parent_id"], row["status"]) for row in rows(project)}


def test_it_goes_on_next_to_its_caller(modules: tuple[ModuleType, ModuleType], tmp_path: Path) -> None:
    gate = Gate()
    registered: list[Any] = []

    async def own(params: dict[str, Any]) -> dict[str, Any]:
        registered.append(statuses(tmp_path))
        return await gate.own(params)

    result = started(modules, tmp_path, gate, run_id="r", more={"t/own": own})
    assert result.output == {"success": True, "graph_run_id": "r.1", "status": "running", "pid": os.getpid()}
    assert registered == [{"r": (None, "running"), "r.1": ("r", "running")}]
    assert (gate.seen, len(gate.keys)) == ([3], 4), "the caller waited for it in the end, and not before"
    assert statuses(tmp_path) == {"r": (None, "completed"), "r.1": ("r", "completed")}
    [begun] = events(tmp_path, "r.1", "graph_started")
    assert (begun["background"], begun["root_run_id"]) == ({"depth": 4}, "r")


def test_without_a_project(modules: tuple[ModuleType, ModuleType]) -> None:
    starter, counter = modules
    gate = Gate()
    tools = {"t/add": gate.add, "t/own": gate.own, "demo/count": counter.GRAPH}
    result = asyncio.run(starter.run({}, tools=tools))
    assert result.output["status"] == "running"
    assert len(gate.keys) == 4


def test_its_caller_fails_after_it_is_over(modules: tuple[ModuleType, ModuleType], tmp_path: Path) -> None:
    gate = Gate(opened=True)

    def own(params: dict[str, Any]) -> dict[str, Any]:
        raise ValueError("not today")

    result = started(modules, tmp_path, gate, run_id="r", more={"t/own": own})
    assert (result.status, result.error, len(gate.keys)) == ("error", "not today", 4)
    assert statuses(tmp_path) == {"r": (None, "error"), "r.1": ("r", "completed")}


def test_its_own_error_is_not_its_callers(modules: tuple[ModuleType, ModuleType], tmp_path: Path) -> None:
    def add(params: dict[str, Any]) -> dict[str, Any]:
        raise ValueError("not today")

    gate = Gate(opened=True)
    more = {"t/add": add, "t/own": lambda params: {}}
    assert started(modules, tmp_path, gate, run_id="r", more=more).success
    assert statuses(tmp_path) == {"r": (None, "completed"), "r.1": ("r", "error")}


@pytest.mark.parametrize("cut", [False, True])
def test_both_are_cancelled_and_resumed(modules: tuple[ModuleType, ModuleType], tmp_path: Path, cut: bool) -> None:
    """By the host at the next step, or by the cancellation of the task that runs the caller."""
    starter, counter = modules
    gate, host = Gate(), InProcessHost()

    async def own(params: dict[str, Any]) -> dict[str, Any]:
        while len(gate.keys) < 3:
            await asyncio.sleep(0.002)
        host.cancel("SIGTERM")
        if cut:
            running[0].cancel()
            await asyncio.sleep(30)
        return {}

    async def main() -> Any:
        tools = {"t/add": gate.add, "t/own": own, "demo/count": counter.GRAPH}
        running.append(asyncio.create_task(starter.run({}, tools=tools, host=host, project=tmp_path, run_id="r")))
        return await running[0]

    running: list[asyncio.Task[Any]] = []
    result = asyncio.run(main())
    assert (result.status, gate.cut) == ("cancelled", 1)
    assert statuses(tmp_path) == {"r": (None, "cancelled"), "r.1": ("r", "cancelled")}
    again = Gate(opened=True)
    assert started(modules, tmp_path, again, resume="r", more={"t/own": lambda params: {}}).success
    assert again.keys == ["r.1/5", "r.1/7"], "what it had finished is not repeated"
    assert statuses(tmp_path) == {"r": (None, "completed"), "r.1": ("r", "completed")}


def test_one_that_was_cancelled_by_itself_stays_so(modules: tuple[ModuleType, ModuleType], tmp_path: Path) -> None:
    gate = Gate()

    async def own(params: dict[str, Any]) -> dict[str, Any]:
        while len(gate.keys) < 3:
            await asyncio.sleep(0.002)
        request_cancel(tmp_path, "r.1")
        while statuses(tmp_path)["r.1"][1] != "cancelled":
            await asyncio.sleep(0.01)
        raise ValueError("not today")

    assert started(modules, tmp_path, gate, run_id="r", more={"t/own": own}).error == "not today"
    again = Gate(opened=True)
    assert started(modules, tmp_path, again, resume="r", more={"t/own": lambda params: {}}).success
    assert (again.keys, statuses(tmp_path)["r.1"][1]) == ([], "cancelled")


def test_a_call_that_was_not_finished_starts_no_second_one(
    modules: tuple[ModuleType, ModuleType], tmp_path: Path
) -> None:
    """The caller was killed between the beginning of the other run and its own step; then its node is tried again."""
    gate = Gate(opened=True)
    assert started(modules, tmp_path, gate, run_id="r", more={"t/own": lambda params: {}}).success
    for run_id, kept in ("r", 2), ("r.1", 6):
        log = log_of(tmp_path, run_id)
        log.write_bytes(b"".join(log.read_bytes().splitlines(keepends=True)[:kept]))
    for view in [*(tmp_path / ".ai" / "knowledge").rglob("r*.md"), *(tmp_path / ".ai" / "state").rglob("r*.json")]:
        view.unlink()
    again = Gate(opened=True)
    result = started(modules, tmp_path, again, resume="r", more={"t/own": lambda params: {}})
    assert result.output == {"success": True, "graph_run_id": "r.1", "status": "running", "pid": os.getpid()}
    assert again.keys == ["r.1/3", "r.1/5", "r.1/7"]
    assert set(statuses(tmp_path)) == {"r", "r.1"}


def test_what_cannot_begin_is_an_error_of_the_node(tmp_path: Path) -> None:
    needy = COUNT.replace("default: 3}}}", "default: 3}}, required: [team]}")
    with compiled(STARTER, "demo/starter") as starter, compiled(needy) as counter:
        refused = started((starter, counter), tmp_path, Gate(), run_id="r")
    assert (refused.status, refused.node, refused.error) == ("error", "begin", "missing required input: 'team'")
    deep = STARTER.replace("config:", "limits: {depth: 0}\nconfig:")
    with compiled(deep, "demo/starter") as starter, compiled(COUNT) as counter:
        refused = started((starter, counter), tmp_path, Gate(), run_id="s")
    assert refused.error == "no graph can be started below this one: `limits.depth` is used up"
    assert set(statuses(tmp_path)) == {"r", "s"}


def test_a_hundred_at_once(tmp_path: Path) -> None:
    many = """\
version: "1.0.0"
tool_type: graph
permissions: ["rye.execute.tool.*"]
config:
  start: begin
  nodes:
    begin:
      type: foreach
      over: "${inputs.numbers}"
      parallel: true
      max_concurrency: 100
      action: {item_id: tool:demo/count, params: {limit: 2, async_exec: true}}
      collect: ids
      next: done
    done: {type: return, output: "${state.ids}"}
config_schema: {type: object, properties: {numbers: {type: array}}, required: [numbers]}
"""
    at_once: list[str] = []
    most: list[int] = []

    async def add(params: dict[str, Any], context: Any) -> dict[str, Any]:
        at_once.append(context.run_id)
        most.append(len(at_once))
        await asyncio.sleep(0.1)
        at_once.remove(context.run_id)
        return {"n": params["n"] + 1}

    with compiled(many, "demo/many") as starter, compiled(COUNT) as counter:
        more = {"demo/count": counter.GRAPH}
        result = run(starter, tmp_path, add, more=more, host=InProcessHost(), run_id="r", inputs={"numbers": [0] * 100})
    assert result.output == [f"r.1.{index}" for index in range(100)]
    assert max(most) > 50
    assert {status for _, status in statuses(tmp_path).values()} == {"completed"}
    assert len(rows(tmp_path)) == 101


def test_it_keeps_its_capabilities_when_it_is_resumed(tmp_path: Path) -> None:
    narrow = STARTER.replace("async: true", "async: true, capabilities: [rye.execute.tool.t.other]")
    gate, host = Gate(opened=True), InProcessHost()

    def own(params: dict[str, Any]) -> dict[str, Any]:
        host.cancel("test")
        return {}

    with compiled(narrow, "demo/starter") as starter, compiled(COUNT) as counter:
        tools = {"t/add": gate.add, "t/own": own, "demo/count": counter.GRAPH}
        asyncio.run(starter.run({}, tools=tools, host=host, project=tmp_path, run_id="r"))
        log = log_of(tmp_path, "r.1")  # as if it had been killed before it noticed what it may not do
        log.write_bytes(b"".join(log.read_bytes().splitlines(keepends=True)[:2]))
        for view in (tmp_path / ".ai").rglob("r.1.*"):
            view.unlink()
        assert started((starter, counter), tmp_path, gate, resume="r", more={"t/own": lambda params: {}}).success
    assert gate.keys == []
    assert "permission denied" in events(tmp_path, "r.1", "graph_error")[-1]["error"]
