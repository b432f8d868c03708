"""Params that steer a call, limits of depth and cancellation, at run time: through graphs in the shape of modules."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import Any

import pytest

from graphwright.contract import graphs
from graphwright_runtime import nested
from graphwright_runtime.abi import Action, Graph, Json
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


@pytest.mark.parametrize(
    "key", ["async", "async_exec", "resume", "validate", "resume_run_id", "graph_run_id", "node", "inject_state"]
)
def test_what_is_not_done_is_refused(key: str) -> None:
    for value in (True, "x", {"a": 1}, 1):
        result = called({key: value, "n": 1})
        assert result.status == "error"
        assert result.error.startswith(f"the graph `tests/small` cannot be called with `{key}` in this version: ")
        assert result.exception.category == "permanent"
    own = called({key: True, "n": 1}, inner=graph(echo, own_inputs=(key,)))
    assert own.state["got"]["output"] == {key: True, "n": 1}, "an input of that name"


@pytest.mark.parametrize("key", ["async", "async_exec", "resume", "validate"])
def test_a_flag_that_is_false_asks_for_nothing(key: str) -> None:
    assert called({key: False, "n": 1}).state["got"]["output"] == {"n": 1}


@pytest.mark.parametrize("key", ["node", "graph_run_id", "resume_run_id", "inject_state"])
def test_false_is_no_flag_elsewhere(key: str) -> None:
    assert "cannot be called" in called({key: False}).error


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


def test_the_compiler_and_the_runtime_know_the_same_params() -> None:
    """The compiler never imports the runtime, so both have a list: for GW113, and for the error of the node."""
    assert nested.REFUSED.keys() == graphs.REFUSED.keys()
    assert nested.FLAGS == graphs.FLAGS
    everything: dict[str, Json] = {"capabilities": ["a.*"], "depth": 0, "n": 1}
    assert nested.nested_call(graph(), everything).inputs == {"n": 1}
    assert everything.keys() - {"n"} == graphs.NARROWING.keys()
