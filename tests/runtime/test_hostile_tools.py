"""Tools that misbehave: each is an error of its node and does not affect anything outside the run."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

import pytest

from graphwright_runtime.abi import Action, Graph, Hook, NodeError, Result, Retry, RunResult, execute
from graphwright_runtime.context import Context
from graphwright_runtime.graph import GraphRecord, HookEvent
from graphwright_runtime.toolerror import printable
from runtime.hostile import ACCEPTED, TOOLS, replaces, returning, swallows
from runtime.small import (
    NOTIFY,
    WORK,
    AnyCursor,
    QuickHost,
    done,
    graph,
    rescue,
    retry_hook,
    work,
    work_continued,
    work_rescued,
)

NEST = Action("execute", "tool", "svc/nest", "rye.execute.tool.svc.nest")


async def each_in_order(c: AnyCursor) -> str | None:
    await c.each(WORK, [1, 2], lambda x: {"x": x})
    return "done"


async def each_with_assign(c: AnyCursor) -> str | None:
    try:
        await c.each(WORK, [1, 2], lambda x: {"x": x}, assign=lambda item, result: {"n": item}, keep_going=True)
    except NodeError as error:
        await c.suppressed(error)
    return "done"


async def each_at_once(c: AnyCursor) -> str | None:
    try:
        await c.each(WORK, [1, 2, 3, 4], lambda x: {"x": x}, parallel=2, collect="out", keep_going=True)
    except NodeError as error:
        await c.failed(error)
        return "rescue"
    return "done"


async def with_timeout(c: AnyCursor) -> str | None:
    await c.call_with(WORK, {}, timeout_s=5)
    return "done"


async def through_another(c: AnyCursor) -> str | None:
    await c.call(NEST, {})
    return "done"


async def hooked(c: AnyCursor) -> str | None:
    return "done"


def foreach(node: Any) -> Graph[Any, Any, Any]:
    return graph(node, kinds={"work": "foreach", "rescue": "gate", "done": "return"})


EVENTS: tuple[HookEvent, ...] = ("graph_started", "after_step", "graph_completed")

#: Graphs whose node `work` calls the tool, and how a run of each ends.
MODES: dict[str, tuple[Graph[Any, Any, Any], str]] = {
    "node": (graph(work), "error"),
    "error edge": (graph(work_rescued), "completed"),
    "continue": (graph(work_continued), "completed_with_errors"),
    "timeout": (graph(with_timeout), "error"),
    "retry policy": (graph(work, retries={"work": Retry(2, categories=("permanent", "cancelled"))}), "error"),
    "retry hook": (graph(work_rescued, hooks=(retry_hook(2),)), "completed"),
    "loop": (foreach(each_in_order), "error"),
    "loop with assign": (foreach(each_with_assign), "completed_with_errors"),
    "parallel loop": (foreach(each_at_once), "completed"),
    "hook": (graph(hooked, hooks=tuple(Hook(event, action=WORK) for event in EVENTS)), "completed"),
    "nested": (graph(through_another), "error"),
}  # fmt: skip

#: Where tools that are not async are tried as well.
IN_THREADS = ("node", "parallel loop", "hook")


async def run(record: Graph[Any, Any, Any], tool: Callable[..., Any], **more: Any) -> RunResult[Any, Any]:
    """A run in which `svc/work` is the tool, and `svc/nest` calls a graph that calls it."""

    async def nest(params: dict[str, Any], context: Context) -> object:
        return await context.run_graph(graph(work), params)

    tools = {"svc/work": tool, "svc/nest": nest}
    return await execute(record, {}, tools=tools, env={}, host=more.pop("host", QuickHost()), **more)


@pytest.mark.parametrize(
    ("name", "mode"),
    [(name, mode) for name in TOOLS for mode in MODES if not name.startswith("sync") or mode in IN_THREADS],
)
def test_a_result_comes_of_it(name: str, mode: str, caplog: pytest.LogCaptureFixture) -> None:
    record, status = MODES[mode]
    events: list[object] = []
    for more in ({}, {"on_event": events.append}):
        result = asyncio.run(run(record, TOOLS[name], **more))
        assert result.status == status
        texts = [result.error, *(each.error for each in result.errors), *(each.message for each in caplog.records)]
        for text in texts:
            assert text is None or (text and len(text) < 40_000 and text.encode())
    if mode == "hook":
        assert len(caplog.records) >= 3, "each hook that failed"


@pytest.mark.parametrize("name", ACCEPTED)
@pytest.mark.parametrize("sync", [True, False])
def test_subclasses_become_what_they_stand_for(name: str, sync: bool) -> None:
    make, value = ACCEPTED[name]
    result = asyncio.run(run(graph(work), returning(make, sync=sync)))
    assert (result.status, result.state) == ("completed", {"n": value})


@pytest.mark.parametrize("tool", [swallows, replaces])
@pytest.mark.parametrize("mode", [each for each in MODES if each != "hook"])
def test_a_tool_cannot_keep_a_run_from_being_cancelled(tool: Callable[..., Any], mode: str) -> None:
    calls = 0

    async def counted(params: dict[str, Any]) -> object:
        nonlocal calls
        calls += 1
        return await tool(params)

    async def main() -> None:
        task = asyncio.create_task(run(MODES[mode][0], counted))
        await asyncio.sleep(0.02)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert asyncio.all_tasks() == {asyncio.current_task()}

    asyncio.run(main())
    assert calls == (2 if mode == "parallel loop" else 1), "no other call was begun"


@pytest.mark.parametrize("tool", [swallows, replaces])
@pytest.mark.parametrize("mode", [each for each in MODES if each != "hook"])
def test_a_tool_cannot_outlast_the_run(tool: Callable[..., Any], mode: str) -> None:
    record = MODES[mode][0]
    settings = {name: getattr(record, name) for name in GraphRecord.__slots__}
    limited = Graph[Any, Any, Any](**{**settings, "abi": 1, "timeout_s": 0.02})
    result = asyncio.run(run(limited, tool))
    assert (result.status, result.error) == ("error", "the run timed out after 0.02 s")


@pytest.mark.parametrize("tool", [swallows, replaces])
@pytest.mark.parametrize("parallel", [None, 1, 2])
def test_a_tool_cannot_outlast_its_node(tool: Callable[..., Any], parallel: int | None) -> None:
    async def one(c: AnyCursor) -> str | None:
        await c.call_with(WORK, {}, timeout_s=0.02)
        return "done"

    async def several(c: AnyCursor) -> str | None:
        await c.each(WORK, [1, 2], lambda x: {"x": x}, parallel=parallel, timeout_s=0.02, keep_going=True)
        return "done"

    record = graph(one) if parallel is None else foreach(several)
    result = asyncio.run(run(record, tool))
    assert result.status == "error"
    assert "timed out after 0.02 s" in str(result.error)
    assert result.state["_retries"] == {"work": 3 if parallel is None else 6}, "each attempt has a time of its own"


def test_a_tool_that_cancels_the_task_of_its_item_fails_that_item() -> None:
    async def tool(params: dict[str, Any]) -> object:
        task = asyncio.current_task()
        assert task is not None
        if params["x"] == 2:
            task.cancel()
            await asyncio.sleep(0)
        return {"x": params["x"]}

    result = asyncio.run(run(foreach(each_at_once), tool))
    assert result.path == ("work", "rescue", "done")
    failed = {"status": "error", "error": "CancelledError"}
    assert result.state["out"] == [{"x": 1}, failed, {"x": 3}, {"x": 4}]


def test_a_tool_that_leaves_the_task_of_its_item_cancelled_fails_the_node() -> None:
    async def tool(params: dict[str, Any]) -> object:
        task = asyncio.current_task()
        assert task is not None
        task.cancel()
        raise ConnectionError("reset")

    result = asyncio.run(run(foreach(each_at_once), tool))
    assert result.path == ("work", "rescue", "done"), "nothing is lost in silence"


def test_earlier_cancellations_of_the_task_are_none_of_the_run() -> None:
    async def tool(params: dict[str, Any]) -> object:
        raise asyncio.CancelledError

    async def main() -> RunResult[Any, Any]:
        task = asyncio.current_task()
        assert task is not None
        task.cancel()
        try:
            await asyncio.sleep(0)
        except asyncio.CancelledError:
            return await run(graph(work), tool)
        raise AssertionError("not reached")

    task_result = asyncio.run(main())
    assert (task_result.status, task_result.error) == ("error", "CancelledError")


def test_closing_a_run_is_no_error_of_a_node() -> None:
    calls = 0

    async def tool(params: dict[str, Any]) -> object:
        nonlocal calls
        calls += 1
        await asyncio.Event().wait()
        return {}

    loop = asyncio.new_event_loop()
    task = loop.create_task(run(graph(work_continued, hooks=(Hook("graph_completed", action=NOTIFY),)), tool))
    loop.call_later(0.02, loop.stop)
    loop.run_forever()
    coroutine: Any = task.get_coro()
    coroutine.close()
    assert calls == 1
    task.cancel()
    loop.run_until_complete(asyncio.gather(task, return_exceptions=True))
    loop.close()


def test_a_keyboard_interrupt_that_nobody_turned_into_a_cancellation_leaves() -> None:
    async def tool(params: dict[str, Any]) -> object:
        raise KeyboardInterrupt

    loop = asyncio.new_event_loop()
    with pytest.raises(KeyboardInterrupt):
        loop.run_until_complete(run(graph(work_continued), tool))
    loop.run_until_complete(asyncio.sleep(0))
    loop.close()


class Moody(QuickHost):
    """A host whose methods fail, one at a time."""

    def __init__(self, fails: str, error: BaseException) -> None:
        super().__init__()
        self.fails = fails
        self.error = error

    def __getattribute__(self, name: str) -> Any:
        found = super().__getattribute__(name)
        if name in ("fails", "error") or name != self.fails:
            return found

        def failing(*_: object, **__: object) -> object:
            raise self.error

        return failing


@pytest.mark.parametrize("error", [OSError("no space left"), asyncio.CancelledError(), SystemExit(2)])
@pytest.mark.parametrize("method", ["now", "sleep", "random", "commit", "cancel_requested", "dispatch"])
def test_what_a_host_raises_ends_the_run_with_an_error(method: str, error: BaseException) -> None:
    async def flaky(params: dict[str, Any]) -> object:
        raise ConnectionError("reset")

    async def both(c: AnyCursor) -> str | None:
        c.timestamp()
        await c.call(NOTIFY if method == "dispatch" else WORK, {})
        return "done"

    host = Moody(method, error)
    host.persists = method == "commit"
    result = asyncio.run(run(graph(both), flaky, host=host))
    assert result.status == "error"
    assert str(error) in str(result.error)
    assert type(error).__name__ in f"{result.error} {type(getattr(result.exception, '__cause__', None)).__name__}"


def test_a_host_without_ids() -> None:
    result = asyncio.run(run(graph(), TOOLS["recursion"], host=Moody("new_run_id", OSError("no ids"))))
    assert (result.status, result.error) == ("error", "the host failed to create a run id: no ids")
    assert result.graph_run_id.startswith("small-")


def test_long_texts_keep_both_ends() -> None:
    text = printable("begin" + "x" * 20_000 + "end")
    assert text.startswith("begin")
    assert text.endswith("end")
    assert "(10008 characters)" in text
    assert printable("\udc80") == "\\udc80"


def test_a_node_error_that_a_tool_raises_again_is_a_new_one() -> None:
    mine = NodeError("busy", category="transient", code=7)
    calls = 0

    async def tool(params: dict[str, Any]) -> object:
        nonlocal calls
        calls += 1
        raise mine

    async def again(c: AnyCursor) -> str | None:
        try:
            result: Result = await c.call(WORK, {})
        except NodeError as error:
            result = await c.suppressed(error)
        return "more" if result else None

    async def more(c: AnyCursor) -> str | None:
        await c.call(WORK, {})
        return "done"

    record = graph(again, extra={"more": more, "rescue": rescue, "done": done})
    result = asyncio.run(run(record, tool))
    assert (result.error, calls) == ("busy", 8), "four attempts at each node"
    assert result.exception is not None
    assert result.exception.code == 7


async def absorbs(params: dict[str, Any]) -> object:
    """A task group that fails cancels the task it is in; the tool goes on with what it has."""

    async def fails() -> None:
        await asyncio.sleep(0)
        raise ValueError("one of many")

    try:
        async with asyncio.TaskGroup() as group:
            group.create_task(fails())
    except* ValueError:
        pass
    return {"n": 1}


async def gives_up(params: dict[str, Any]) -> object:
    """Bounds its own work, and does without it."""
    try:
        async with asyncio.timeout(0.01):
            await asyncio.sleep(10)
    except TimeoutError:
        pass
    return {"n": 1}


@pytest.mark.parametrize("tool", [absorbs, gives_up])
@pytest.mark.parametrize("mode", MODES)
def test_cancelling_its_own_work_is_a_tools_own_affair(tool: Callable[..., Any], mode: str) -> None:
    record, _ = MODES[mode]
    result = asyncio.run(run(record, tool))
    assert (result.status, result.path[-1]) == ("completed", "done")


@pytest.mark.parametrize("first", [absorbs, gives_up])
def test_a_node_times_out_after_a_tool_cancelled_its_own_work(first: Callable[..., Any]) -> None:
    async def tool(params: dict[str, Any]) -> object:
        await first(params)
        await asyncio.sleep(10)
        return {}

    async def node(c: AnyCursor) -> str | None:
        await c.call_with(WORK, {}, timeout_s=0.05)
        return "done"

    result = asyncio.run(run(graph(node, builtin_hooks=False), tool))
    assert (result.status, result.error) == ("error", "timed out after 0.05 s")


def test_a_tool_bounds_the_calls_that_it_makes() -> None:
    slow_action = Action("execute", "tool", "svc/slow", "rye.execute.tool.svc.slow")

    async def slow(params: dict[str, Any]) -> object:
        await asyncio.sleep(10)
        return {}

    async def nest(params: dict[str, Any], context: Context) -> object:
        return await context.run_graph(graph(through_slow), params)

    async def through_slow(c: AnyCursor) -> str | None:
        await c.call(slow_action, {})
        return "done"

    async def bounds(params: dict[str, Any], context: Context) -> object:
        for item_id in ("svc/slow", "svc/graph"):
            with pytest.raises(TimeoutError):
                async with asyncio.timeout(0.02):
                    await context.call(item_id)
        return {"n": 1}

    tools: dict[str, Callable[..., Any]] = {"svc/work": bounds, "svc/slow": slow, "svc/graph": nest}
    result = asyncio.run(execute(graph(), {}, tools=tools, env={}))
    assert (result.status, result.state) == ("completed", {"n": 1})
