"""Cancellation goes through everything; hooks at the end still run; the event loop is never held for long."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from graphwright_runtime import lifecycle
from graphwright_runtime.abi import Hook, Retry, execute, less
from runtime.small import NOTIFY, WORK, AnyCursor, QuickHost, graph, retry_hook, work_continued, work_rescued


async def start(record: Any, **more: Any) -> asyncio.Task[Any]:
    task = asyncio.create_task(execute(record, {}, env={}, **more))
    await asyncio.sleep(0.05)
    return task


@pytest.mark.parametrize("node", [work_rescued, work_continued], ids=["on_error", "continue"])
def test_it_is_no_error_of_a_node(node: Any) -> None:
    calls: list[str | None] = []
    running: list[asyncio.Task[Any]] = []

    async def dispatch(call: Any, context: Any) -> object:
        calls.append(call.item_id)
        if call.item_id == "svc/work":
            running[0].cancel()
            await asyncio.sleep(1)
        return {}

    hooks = (retry_hook(3), Hook("graph_completed", action=NOTIFY, params=lambda context: {"s": context["status"]}))
    record = graph(node, hooks=hooks, retries={"work": Retry(5)})

    async def main() -> None:
        running.append(asyncio.create_task(execute(record, {}, dispatch=dispatch, env={})))
        with pytest.raises(asyncio.CancelledError):
            await running[0]

    asyncio.run(main())
    assert calls == ["svc/work", "svc/notify"]


def test_case_37() -> None:
    calls = 0

    async def slow(call: Any, context: Any) -> object:
        nonlocal calls
        calls += 1
        await asyncio.sleep(5)
        return {}

    async def main() -> None:
        task = await start(graph(work_continued, hooks=(retry_hook(3),)), dispatch=slow)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    started = time.monotonic()
    asyncio.run(main())
    assert calls == 1
    assert time.monotonic() - started < 1


def test_completed_hooks_run_shielded_with_status_cancelled() -> None:
    told: list[object] = []
    events: list[Any] = []

    async def dispatch(call: Any, context: Any) -> object:
        if call.item_id == "svc/work":
            await asyncio.sleep(30)
        await asyncio.sleep(0.02)
        told.append(call.params)
        return {}

    async def main() -> None:
        hook = Hook("graph_completed", action=NOTIFY, params=lambda context: {"status": context["status"]})
        task = await start(graph(hooks=(hook,)), dispatch=dispatch, on_event=events.append)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert asyncio.all_tasks() == {asyncio.current_task()}

    asyncio.run(main())
    assert told == [{"status": "cancelled"}]
    assert events[-1].event_type == "graph_cancelled"
    assert events[-1].payload["node"] == "work"


def test_a_second_cancellation_cuts_the_last_hooks_too() -> None:
    async def dispatch(call: Any, context: Any) -> object:
        await asyncio.sleep(30)
        return {}

    async def main() -> None:
        task = await start(graph(hooks=(Hook("graph_completed", action=NOTIFY),)), dispatch=dispatch)
        task.cancel()
        await asyncio.sleep(0.02)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert asyncio.all_tasks() == {asyncio.current_task()}

    asyncio.run(main())


def test_the_last_hooks_are_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(f"{lifecycle.__name__}._GRACE", 0.05)

    async def dispatch(call: Any, context: Any) -> object:
        await asyncio.sleep(30)
        return {}

    async def main() -> None:
        task = await start(graph(hooks=(Hook("graph_completed", action=NOTIFY),)), dispatch=dispatch)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    started = time.monotonic()
    asyncio.run(main())
    assert time.monotonic() - started < 2


async def counting(c: AnyCursor) -> str | None:
    c.assign("n", c.state["n"] + 1)
    return "work" if less(c.state["n"], 10**9) else "done"


async def busy(c: AnyCursor) -> str | None:
    end = time.monotonic() + 0.02
    while time.monotonic() < end:
        pass
    return "work"


async def calling(c: AnyCursor) -> str | None:
    await c.call(WORK, {"n": 1})
    return "work"


async def increment(params: dict[str, Any]) -> dict[str, Any]:
    return {"n": params["n"] + 1}


@pytest.mark.parametrize("node", [counting, busy, calling])
def test_a_timeout_around_a_run_that_never_waits_comes_in_time(node: Callable[[AnyCursor], Awaitable[Any]]) -> None:
    async def main() -> float:
        record = graph(node, initial=lambda: {"n": 0}, max_steps=10**9)
        started = time.monotonic()
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(0.1):
                await execute(record, {}, tools={"svc/work": increment}, env={})
        return time.monotonic() - started

    assert asyncio.run(main()) < 1.5


def test_other_tasks_have_their_turn() -> None:
    async def main() -> str:
        host = QuickHost()

        async def other() -> None:
            for _ in range(5):
                await asyncio.sleep(0)
            host.cancel()

        task = asyncio.create_task(other())
        record = graph(counting, initial=lambda: {"n": 0}, max_steps=5_000_000)
        result = await execute(record, {}, host=host, env={})
        await task
        return result.status

    assert asyncio.run(main()) == "cancelled", "before its steps were used up"


@pytest.mark.parametrize("cut", [False, True])
def test_a_host_can_stop_a_run(cut: bool) -> None:
    async def main() -> Any:
        host = QuickHost()

        async def tool(params: dict[str, Any]) -> dict[str, Any]:
            host.cancel()
            if cut:
                task.cancel()
                await asyncio.sleep(30)
            return {"n": 1}

        record = graph(calling, max_steps=10**9)
        task = asyncio.create_task(execute(record, {}, tools={"svc/work": tool}, host=host, env={}))
        result = await task
        assert task.cancelling() == 0
        return result

    result = asyncio.run(main())
    assert (result.status, result.success, result.error) == ("cancelled", False, "cancelled")
    assert result.ended_at == "work"


def test_a_host_that_stops_a_run_in_its_last_hooks() -> None:
    async def main() -> Any:
        host = QuickHost()

        async def dispatch(call: Any, context: Any) -> object:
            if call.item_id == "svc/notify":
                host.cancel()
                task.cancel()
                await asyncio.sleep(30)
            return {"n": 1}

        record = graph(hooks=(Hook("graph_completed", action=NOTIFY),))
        task = asyncio.create_task(execute(record, {}, dispatch=dispatch, host=host, env={}))
        return await task

    assert asyncio.run(main()).status == "completed"
