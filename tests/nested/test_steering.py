"""Params that steer a call, limits of depth and cancellation, at run time: through graphs in the shape of modules."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import Any

import pytest

from graphwright.contract import graphs
from graphwright_runtime import steering
from graphwright_runtime.abi import Action, Graph
from graphwright_runtime.execute import execute
from graphwright_runtime.inprocess import InProcessHost
from runtime.small import WORK, AnyCursor, QuickHost, graph, ran

LEAF = Action("execute", "tool", "svc/leaf", "rye.execute.tool.svc.leaf")
RESCUE = Action("execute", "tool", "svc/rescue", "rye.execute.tool.svc.rescue")


def calling(params: Mapping[str, Any], **more: Any) -> Graph[Any, Any, Any]:
    """A graph that calls `svc/work` with these params, and keeps the result."""

    async def work(c: AnyCursor) -> str | None:
        c.commit({"got": await c.call(WORK, dict(params))})
        return "done"

    return graph(work, **more)


async def echo(c: AnyCursor) -> None:
    """Gives back its inputs, after a call of a tool."""
    await c.call(LEAF, {})
    c.finish(dict(c.inputs))


async def middle(c: AnyCursor) -> None:
    """Calls the graph below."""
    await c.call(RESCUE, {})
    c.finish(None)


def called(params: Mapping[str, Any], *, inner: Graph[Any, Any, Any] | None = None, **more: Any) -> Any:
    """The result of the outer graph."""
    inner = graph(echo) if inner is None else inner
    return ran(calling(params), tools={"svc/work": inner, "svc/leaf": lambda params: {}}, **more).result


@pytest.mark.parametrize("key", sorted(steering.OPTIONS))
def test_an_input_of_the_name_of_an_option(key: str) -> None:
    own = called({key: True, "n": 1}, inner=graph(echo, own_inputs=(key,)))
    assert own.state["got"]["output"] == {key: True, "n": 1}


@pytest.mark.parametrize("key", ["async", "async_exec", "resume", "validate"])
def test_a_flag_that_is_false_asks_for_nothing(key: str) -> None:
    assert called({key: False, "n": 1}).state["got"]["output"] == {"n": 1}


@pytest.mark.parametrize(
    ("options", "error"),
    [
        ({"async": "yes"}, "`async` must be true or false, not the string 'yes'"),
        ({"async": 1}, "`async` must be true or false, not the number 1"),
        ({"validate": "x"}, "`validate` must be true or false, not the string 'x'"),
        ({"node": False}, "`node` must be a string, not false"),
        ({"resume_run_id": 5}, "`resume_run_id` must be a string, not the number 5"),
        ({"node": "work", "inject_state": [1]}, "`inject_state` must be a mapping, not a list of 1"),
        ({"inject_state": {"a": 1}}, "`inject_state` goes with `node`, which executes a single node"),
        ({"resume": True}, "`resume: true` goes with `graph_run_id`, the run to resume"),
        ({"graph_run_id": "r"}, "`graph_run_id` goes with `resume: true`"),
        (
            {"resume": True, "graph_run_id": "r", "resume_run_id": "r"},
            "`resume_run_id` and `graph_run_id` both name the run to resume: pass one of them",
        ),
        ({"async": True, "validate": True}, "`validate` returns at once: leave out `async`"),
        ({"async_exec": True, "node": "work"}, "`node` returns at once: leave out `async`"),
        ({"node": "wrok"}, "the graph `tests/small` has no node `wrok`; it has work, rescue, done"),
    ],
)
def test_options_that_are_not_valid(options: dict[str, Any], error: str) -> None:
    result = called({**options, "n": 1})
    assert (result.status, result.error) == ("error", error)
    assert result.exception.category == "permanent"


def test_validating_runs_nothing() -> None:
    def check(inputs: dict[str, object], report: Any) -> None:
        if inputs.get("n") != 1:
            report("n", "must be 1")

    inner = graph(echo, validate=check)
    valid = {"success": True, "errors": [], "warnings": [], "node_count": 3}
    assert called({"validate": True}, inner=inner).state["got"] == valid
    assert called({"validate": True, "n": 1}, inner=inner).state["got"] == valid
    refused = called({"validate": True, "n": 2}, inner=inner)
    assert refused.status == "error"
    assert refused.exception.result["errors"] == [refused.error]


def test_a_single_node() -> None:
    async def counting(c: AnyCursor) -> str:
        c.commit({"n": c.state.get("n", 0) + c.inputs["by"]})
        return "rescue"

    inner = graph(counting, initial=lambda: {"n": 1})
    got = called({"node": "work", "inject_state": {"n": 5}, "by": 2}, inner=inner).state["got"]
    assert got == {
        "success": True,
        "state": {"n": 7},
        "executed_node": "work",
        "next_node": "rescue",
        "step_count": 1,
    }
    assert called({"node": "work", "by": 2}, inner=inner).state["got"]["state"] == {"n": 3}


def test_a_single_node_has_the_capabilities_of_the_call() -> None:
    assert called({"node": "work"}).state["got"]["success"]
    narrowed = called({"node": "work", "capabilities": []})
    assert narrowed.error.startswith("permission denied: `rye.execute.tool.svc.leaf`")


def test_capabilities_narrow() -> None:
    assert called({"capabilities": ["rye.execute.tool.svc.*"]}).state["got"]["output"] == {}
    for narrow in ([], ["rye.execute.tool.svc.other"]):
        result = called({"capabilities": narrow})
        assert result.error.startswith("permission denied: `rye.execute.tool.svc.leaf`"), "also with an empty list"
    wide = called({"capabilities": ["*"]}, inner=graph(echo, permissions=("rye.execute.tool.svc.none",)))
    assert "permission denied" in wide.error, "a call never widens"
    mine = called({"capabilities": ["*"]}, capabilities=["rye.execute.tool.svc.work"])
    assert "permission denied" in mine.error
    assert called({"capabilities": "*"}).error == "`capabilities` must be a list of patterns, not the string '*'"


@pytest.mark.parametrize(("depth", "fits"), [(0, False), (1, True), (7, True), (None, True)])
def test_depth_narrows(depth: int | None, fits: bool) -> None:
    tools = {"svc/work": graph(middle), "svc/rescue": graph(echo), "svc/leaf": lambda params: {}}
    result = ran(calling({"depth": depth}), tools=tools).result
    assert (result.status == "completed") is fits
    if not fits:
        assert result.error == "no graph can be started below this one: `limits.depth` is used up"


@pytest.mark.parametrize("depth", [-1, 1.5, "2", True])
def test_depth_is_a_number_of_levels(depth: object) -> None:
    assert called({"depth": depth}).error.startswith("`depth` must be an integer of at least 0, not ")


@pytest.mark.parametrize("depth", [None, 0, 3, 400])
def test_a_graph_that_calls_itself_comes_to_an_end(depth: int | None) -> None:
    levels: list[int] = []

    async def again(c: AnyCursor) -> None:
        levels.append(len(levels))
        await c.call(WORK, {})

    itself = graph(again, limits=None if depth is None else {"depth": depth})
    result = ran(itself, tools={"svc/work": itself}).result
    assert result.error == "no graph can be started below this one: `limits.depth` is used up"
    assert result.node == "work"
    assert len(levels) == (6 if depth is None else depth + 1)


def test_missing_inputs_and_variables_are_an_error_of_the_node() -> None:
    needy = graph(echo, required_env={"TOKEN": ("graph",)})
    assert "TOKEN" in called({}, inner=needy).error
    assert called({}, inner=needy, env={"TOKEN": "x"}).status == "completed"


@pytest.mark.parametrize("cut", [False, True])
def test_a_cancellation_by_the_host_is_no_error_of_the_node_that_calls(cut: bool) -> None:
    host = QuickHost()
    reached: list[str] = []
    running: asyncio.Task[Any]

    async def leaf(params: dict[str, Any]) -> dict[str, Any]:
        host.cancel()
        if cut:
            running.cancel()
            await asyncio.sleep(5)
        return {}

    async def slow(c: AnyCursor) -> str:
        await c.call(LEAF, {})
        return "rescue"

    async def rescued(c: AnyCursor) -> str | None:
        reached.append("rescue")
        return "done"

    async def main() -> Any:
        nonlocal running
        outer = calling({}, extra={"rescue": rescued})
        work = execute(outer, {}, tools={"svc/work": graph(slow), "svc/leaf": leaf}, host=host, env={})
        running = asyncio.create_task(work)
        return await running

    result = asyncio.run(main())
    assert (result.status, result.error, reached) == ("cancelled", "cancelled", [])


def test_a_cancellation_from_outside_passes_through() -> None:
    async def leaf(params: dict[str, Any]) -> dict[str, Any]:
        await asyncio.sleep(30)
        return {}

    async def main() -> None:
        async with asyncio.timeout(0.05):
            await execute(calling({}), {}, tools={"svc/work": graph(echo), "svc/leaf": leaf}, host=InProcessHost())

    with pytest.raises(TimeoutError):
        asyncio.run(main())


def test_the_compiler_and_the_runtime_know_the_same_options() -> None:
    """The compiler never imports the runtime, so both have a list: for GW704, and for the call."""
    assert graphs.CONTROLS.keys() == steering.OPTIONS
