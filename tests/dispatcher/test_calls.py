"""What a tool calls through its context, from the event loop and from a thread, and how long it can."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Mapping
from typing import Any

import pytest

from graphwright_runtime.abi import Action, Hook, NodeError
from graphwright_runtime.context import MAX_LEVEL, Context
from graphwright_runtime.execute import execute
from runtime.small import AnyCursor, Ran, graph, ran, reset

OUTER = Action("execute", "tool", "svc/outer", "rye.execute.tool.svc.outer")

Tools = Mapping[str, Callable[..., Any]]


async def calls_outer(c: AnyCursor) -> str | None:
    c.commit({"result": await c.call(OUTER, {})})
    return "done"


async def for_each(c: AnyCursor) -> str | None:
    c.commit({"result": await c.each(OUTER, ["a", "b"], lambda item: {"item": item}, parallel=2, collect="result")})
    return "done"


def ran_with(tools: Tools, node: Callable[[AnyCursor], Any] = calls_outer, **more: Any) -> Ran:
    settings = {name: more.pop(name) for name in ("hooks", "limits", "permissions", "builtin_hooks") if name in more}
    return ran(graph(node, **settings), tools=tools, run_id="r", **more)


async def inner(params: dict[str, Any], context: Context) -> object:
    return {"got": params, "key": context.idempotency_key, "by": context.level}


async def awaits(params: dict[str, Any], context: Context) -> object:
    return await context.call("svc/inner", {"n": 1})


def waits(params: dict[str, Any], context: Context) -> object:
    assert threading.current_thread() is not threading.main_thread()
    return context.call_sync("svc/inner", {"n": 1})


def runs_a_loop(params: dict[str, Any], context: Context) -> object:
    """In a thread, with an event loop of its own."""

    async def work() -> object:
        found, _ = await asyncio.gather(context.call("svc/inner", {"n": 1}), context.call("svc/inner", {"n": 2}))
        return found

    return asyncio.run(work())


@pytest.mark.parametrize("outer", [awaits, waits, runs_a_loop])
def test_a_tool_calls_another_one(outer: Callable[..., Any]) -> None:
    run = ran_with({"svc/outer": outer, "svc/inner": inner})
    assert run.result.state["result"] == {"got": {"n": 1}, "key": "r/1/call-1", "by": 1}


@pytest.mark.parametrize("is_sync", [False, True])
def test_tools_that_call_themselves_without_end_fail(is_sync: bool) -> None:
    async def outer(params: dict[str, Any], context: Context) -> object:
        return await context.call("svc/outer", {"n": params.get("n", 0) + 1})

    def outer_sync(params: dict[str, Any], context: Context) -> object:
        return context.call_sync("svc/outer", {"n": params.get("n", 0) + 1})

    run = ran_with({"svc/outer": outer_sync if is_sync else outer})
    assert (run.result.status, run.result.error) == ("error", f"tools call tools more than {MAX_LEVEL} levels deep")


def test_a_sync_tool_may_call_one_that_calls_another_one() -> None:
    def middle(params: dict[str, Any], context: Context) -> object:
        return {"keys": [context.call_sync("svc/inner")["key"] for _ in range(2)]}

    def outer(params: dict[str, Any], context: Context) -> object:
        return {"keys": [context.call_sync("svc/middle")["keys"] for _ in range(2)]}

    run = ran_with({"svc/outer": outer, "svc/middle": middle, "svc/inner": inner})
    assert run.result.state["result"]["keys"] == [
        ["r/1/call-1/call-1", "r/1/call-1/call-2"],
        ["r/1/call-2/call-1", "r/1/call-2/call-2"],
    ]


def test_keys_are_those_of_the_item_and_of_the_hook() -> None:
    run = ran_with({"svc/outer": awaits, "svc/inner": inner}, for_each)
    assert [each["key"] for each in run.result.state["result"]] == ["r/1/0/call-1", "r/1/1/call-1"]
    keys: list[str] = []

    async def noting(params: dict[str, Any], context: Context) -> object:
        keys.append(context.idempotency_key)
        return {}

    hook = Hook("after_step", action=OUTER)
    ran_with({"svc/outer": awaits, "svc/inner": noting}, hooks=[hook])
    assert keys == ["r/1/call-1", "r/1/hook-0/call-1"]


def test_keys_are_the_same_in_another_attempt() -> None:
    keys: list[tuple[str, int]] = []

    async def noting(params: dict[str, Any], context: Context) -> object:
        keys.append((context.idempotency_key, context.attempt))
        return {}

    async def outer(params: dict[str, Any], context: Context) -> object:
        await context.call("svc/inner")
        await context.call("svc/inner")
        if len(keys) < 4:
            raise reset()
        return {}

    assert ran_with({"svc/outer": outer, "svc/inner": noting}).result.success
    assert keys == [("r/1/call-1", 1), ("r/1/call-2", 1), ("r/1/call-1", 2), ("r/1/call-2", 2)]


@pytest.mark.parametrize("in_thread", [False, True])
def test_what_the_run_may_not_do_is_denied_and_can_be_caught(in_thread: bool) -> None:
    called: list[str] = []

    async def drop(params: dict[str, Any]) -> object:
        called.append("drop")
        return {}

    def told(error: NodeError) -> object:
        return {"category": error.category, "error": str(error)}

    async def catches(params: dict[str, Any], context: Context) -> object:
        try:
            return await context.call("admin/drop")
        except NodeError as error:
            return told(error)

    def catches_in_thread(params: dict[str, Any], context: Context) -> object:
        try:
            return context.call_sync("admin/drop")
        except NodeError as error:
            return told(error)

    outer = catches_in_thread if in_thread else catches
    run = ran_with({"svc/outer": outer, "admin/drop": drop})
    said = "permission denied: `rye.execute.tool.admin.drop` is not among the capabilities"
    assert run.result.state["result"] == {"category": "denied", "error": said}
    assert called == []


@pytest.mark.parametrize(
    ("capabilities", "status"), [(["rye.execute.tool.svc.*"], "completed"), (["rye.execute.tool.svc.outer"], "error")]
)
def test_the_caller_of_the_run_narrows_what_its_tools_call(capabilities: list[str], status: str) -> None:
    run = ran_with({"svc/outer": awaits, "svc/inner": inner}, capabilities=capabilities)
    assert run.result.status == status
    assert run.result.exception is None or run.result.exception.category == "denied"


def test_the_error_of_a_call_keeps_its_category() -> None:
    attempts: list[int] = []

    async def failing(params: dict[str, Any]) -> object:
        attempts.append(1)
        raise reset()

    run = ran_with({"svc/outer": awaits, "svc/inner": failing})
    assert (run.result.status, run.result.error, len(attempts)) == ("error", "connection reset", 4)


# --- how long


class Slow:
    """A tool that nobody waits for to its end; `ended` says how it ended."""

    def __init__(self) -> None:
        self.ended: list[str] = []

    async def __call__(self, params: dict[str, Any]) -> object:
        try:
            await asyncio.sleep(30)
        except asyncio.CancelledError:
            self.ended.append("cancelled")
            raise
        return {}


def with_timeout(seconds: float) -> Callable[[AnyCursor], Any]:
    async def node(c: AnyCursor) -> str | None:
        await c.call_with(OUTER, {}, timeout_s=seconds)
        return "done"

    return node


@pytest.mark.parametrize("in_thread", [False, True])
def test_the_timeout_of_the_node_ends_the_call(in_thread: bool) -> None:
    slow, unwound = Slow(), threading.Event()

    async def outer(params: dict[str, Any], context: Context) -> object:
        return await context.call("svc/slow")

    def outer_in_thread(params: dict[str, Any], context: Context) -> object:
        try:
            while True:
                try:
                    context.call_sync("svc/slow")
                except Exception:  # what a tool does that must not stop: the end of its call is no such error
                    continue
        finally:
            unwound.set()

    tool = outer_in_thread if in_thread else outer
    run = ran_with({"svc/outer": tool, "svc/slow": slow}, with_timeout(0.1), builtin_hooks=False)
    assert (run.result.error, slow.ended) == ("timed out after 0.1 s", ["cancelled"])
    assert not in_thread or unwound.wait(10)


@pytest.mark.parametrize("in_thread", [False, True])
def test_a_call_has_a_timeout_of_its_own(in_thread: bool) -> None:
    slow = Slow()

    async def outer(params: dict[str, Any], context: Context) -> object:
        with pytest.raises(NodeError) as caught:
            await context.call("svc/slow", timeout_s=0.02)
        return {"category": caught.value.category, "error": str(caught.value)}

    def outer_in_thread(params: dict[str, Any], context: Context) -> object:
        with pytest.raises(NodeError) as caught:
            context.call_sync("svc/slow", timeout_s=0.02)
        return {"category": caught.value.category, "error": str(caught.value)}

    run = ran_with({"svc/outer": outer_in_thread if in_thread else outer, "svc/slow": slow})
    assert run.result.state["result"] == {"category": "timeout", "error": "timed out after 0.02 s"}
    assert slow.ended == ["cancelled"]


@pytest.mark.parametrize(
    ("params", "timeout_s", "error"),
    [
        (5, None, "`params` must be a mapping, not the number 5"),
        ([("a", 1)], None, "`params` must be a mapping, not a list of 1"),
        ("", None, "`params` must be a mapping, not the string ''"),
        ({}, "20", "`timeout_s` must be a number of seconds, not the string '20'"),
        ({}, True, "`timeout_s` must be a number of seconds, not true"),
    ],
)
def test_arguments_of_the_wrong_type(params: Any, timeout_s: Any, error: str) -> None:
    async def outer(_: dict[str, Any], context: Context) -> object:
        return await context.call("svc/inner", params, timeout_s=timeout_s)

    run = ran_with({"svc/outer": outer, "svc/inner": inner})
    assert run.result.error == error
    assert run.result.exception is not None
    assert run.result.exception.category == "permanent"


@pytest.mark.parametrize("in_thread", [False, True])
def test_cancelling_the_run_ends_the_call(in_thread: bool) -> None:
    slow, begun = Slow(), threading.Event()

    async def outer(params: dict[str, Any], context: Context) -> object:
        begun.set()
        return await context.call("svc/slow")

    def outer_in_thread(params: dict[str, Any], context: Context) -> object:
        begun.set()
        return context.call_sync("svc/slow")

    async def cancelled() -> None:
        tools: Tools = {"svc/outer": outer_in_thread if in_thread else outer, "svc/slow": slow}
        task = asyncio.create_task(execute(graph(calls_outer), {}, tools=tools, env={}))
        await asyncio.to_thread(begun.wait, 10)
        await asyncio.sleep(0.05)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    asyncio.run(cancelled())
    assert slow.ended == ["cancelled"]


def test_calls_that_a_tool_does_not_wait_for_end_with_it() -> None:
    slow = Slow()

    async def outer(params: dict[str, Any], context: Context) -> object:
        context_free = asyncio.create_task(context.call("svc/slow"))
        await asyncio.sleep(0.01)
        return {"under way": not context_free.done()}

    run = ran_with({"svc/outer": outer, "svc/slow": slow})
    assert (run.result.state["result"], slow.ended) == ({"under way": True}, ["cancelled"])


@pytest.mark.parametrize("in_thread", [False, True])
def test_a_tool_that_has_returned_calls_nothing_more(in_thread: bool) -> None:
    kept: list[Context] = []
    called: list[str] = []

    async def outer(params: dict[str, Any], context: Context) -> object:
        kept.append(context)
        return {}

    async def later(c: AnyCursor) -> str | None:
        await c.call(OUTER, {})

        async def late() -> object:
            return kept[0].call_sync("svc/inner")

        with pytest.raises(NodeError, match="its own call is over"):
            await (asyncio.to_thread(asyncio.run, late()) if in_thread else kept[0].call("svc/inner"))
        return "done"

    async def noted(params: dict[str, Any]) -> object:
        called.append("inner")
        return {}

    run = ran_with({"svc/outer": outer, "svc/inner": noted}, later)
    assert (run.result.status, called) == ("completed", [])
    with pytest.raises(NodeError, match="its own call is over"):
        kept[0].call_sync("svc/inner")


def test_a_thread_does_not_wait_in_the_loop_of_the_run() -> None:
    async def outer(params: dict[str, Any], context: Context) -> object:
        return context.call_sync("svc/inner")

    run = ran_with({"svc/outer": outer, "svc/inner": inner})
    said = "call_sync() cannot be used in the event loop of the run: await call() instead"
    assert run.result.error == said


# --- what the listener is told


def test_the_listener_is_told_of_the_calls_of_each_step() -> None:
    async def outer(params: dict[str, Any], context: Context) -> object:
        await context.call("svc/inner", {"n": 1})
        with pytest.raises(NodeError):
            await context.call("admin/drop")
        return {}

    run = ran_with({"svc/outer": outer, "svc/inner": inner}, watched=True)
    [step, *_] = [event.payload for event in run.events if event.event_type == "step_completed"]
    first, second = step["calls"]
    assert (first["item_id"], first["idempotency_key"], first["status"]) == ("svc/inner", "r/1/call-1", "ok")
    assert first["result_hash"] is not None
    assert "error" not in first
    assert (second["status"], second["category"], second["result_hash"]) == ("error", "denied", None)
    assert "permission denied" in second["error"]


def test_the_listener_is_told_of_the_calls_of_each_item() -> None:
    run = ran_with({"svc/outer": awaits, "svc/inner": inner}, for_each, watched=True)
    items = {event.payload["index"]: event.payload for event in run.events if event.event_type == "foreach_item"}
    assert [items[index]["calls"][0]["idempotency_key"] for index in (0, 1)] == ["r/1/0/call-1", "r/1/1/call-1"]
    [step, *_] = [event.payload for event in run.events if event.event_type == "step_completed"]
    assert "calls" not in step
