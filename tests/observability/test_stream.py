"""The events of a run as an async iterator."""

from __future__ import annotations

import asyncio
import gc
import inspect
import threading
from collections.abc import Mapping
from typing import Any, cast

import pytest

from graphwright_runtime.abi import Graph, Hook
from graphwright_runtime.context import Context
from graphwright_runtime.events import Event, StepCompleted
from graphwright_runtime.stream import WAITING
from runtime.small import NOTIFY, WORK, AnyCursor, QuickHost, graph, reset, scripted, work_rescued


def test_every_event_and_then_the_result() -> None:
    async def main() -> None:
        script = {"svc/work": [reset(), ValueError("boom")]}
        events = graph(work_rescued).events({}, dispatch=scripted(script, []), host=QuickHost(), env={}, run_id="r")
        with pytest.raises(RuntimeError, match="not been read to the end"):
            assert events.result
        seen = [event async for event in events]
        told: list[Event] = []
        again = await graph(work_rescued).run(
            {}, dispatch=scripted(script, []), host=QuickHost(), env={}, run_id="r", on_event=told.append
        )
        assert [each.event_type for each in seen] == [each.event_type for each in told]
        assert events.result.to_dict() == again.to_dict()
        with pytest.raises(StopAsyncIteration):
            await anext(events)

    asyncio.run(main())


def test_the_arguments_are_those_of_run() -> None:
    run, events = inspect.signature(Graph.run).parameters, inspect.signature(Graph.events).parameters
    assert list(events.items()) == [each for each in run.items() if each[0] != "on_event"]


def test_a_run_that_is_refused_has_its_event_and_its_result() -> None:
    async def main() -> None:
        events = graph(required_env={"TOKEN": ("graph",)}).events({}, env={})
        assert [each.event_type async for each in events] == ["graph_error"]
        assert events.result.status == "error"

    asyncio.run(main())


def test_wrong_arguments_are_raised_where_they_are_read() -> None:
    async def main() -> None:
        with pytest.raises(TypeError, match="neither a callable"):
            await anext(graph().events({}, tools=cast("Any", {"svc/work": 3})))

    asyncio.run(main())


class Slow:
    """A tool that notes how it ends."""

    def __init__(self) -> None:
        self.begun = 0
        self.cancelled = 0

    async def __call__(self, params: Mapping[str, object]) -> dict[str, int]:
        self.begun += 1
        try:
            await asyncio.sleep(30)
        except asyncio.CancelledError:
            self.cancelled += 1
            raise
        return {"n": 1}


async def until_the_step(events: Any) -> None:
    async for event in events:
        if event.event_type == "step_started":
            break
    await asyncio.sleep(0)


def test_leaving_the_block_cancels_the_run_and_waits_for_its_end() -> None:
    async def main() -> None:
        tool, told = Slow(), []

        async def notify(params: object) -> dict[str, int]:
            await asyncio.sleep(0.05)
            told.append(params)
            return {}

        hooks = (Hook("graph_completed", action=NOTIFY),)
        async with graph(hooks=hooks).events({}, tools={"svc/work": tool, "svc/notify": notify}, env={}) as events:
            await until_the_step(events)
            assert (tool.begun, tool.cancelled) == (1, 0)
        assert (tool.cancelled, len(told)) == (1, 1), "the hooks at the end have run"
        with pytest.raises(RuntimeError):
            assert events.result

    asyncio.run(main())


def test_a_stream_that_is_dropped_cancels_the_run() -> None:
    async def main() -> None:
        tool = Slow()
        async for event in graph().events({}, tools={"svc/work": tool}, env={}):
            if event.event_type == "step_started":
                break
        gc.collect()
        for _ in range(10):
            await asyncio.sleep(0.01)
        assert tool.begun == tool.cancelled

    asyncio.run(main())


def test_cancelling_the_reader_cancels_the_run_before_it_goes_on() -> None:
    async def main() -> None:
        tool = Slow()

        async def read() -> None:
            async for _ in graph().events({}, tools={"svc/work": tool}, env={}):
                pass

        reader = asyncio.create_task(read())
        while not tool.begun:
            await asyncio.sleep(0.01)
        reader.cancel()
        with pytest.raises(asyncio.CancelledError):
            await reader
        assert tool.cancelled == 1

    asyncio.run(main())


def test_an_error_in_the_loop_is_the_readers_own() -> None:
    async def main() -> None:
        tool = Slow()

        async def read() -> None:
            async with graph().events({}, tools={"svc/work": tool}, env={}) as events:
                async for _ in events:
                    raise ZeroDivisionError

        with pytest.raises(ZeroDivisionError):
            await read()
        assert tool.begun == tool.cancelled

    asyncio.run(main())


def test_a_stream_that_nobody_reads_does_not_run() -> None:
    async def main() -> None:
        tool = Slow()
        async with graph().events({}, tools={"svc/work": tool}, env={}):
            await asyncio.sleep(0.05)
        assert tool.begun == 0

    asyncio.run(main())


def many(items: int, parallel: int | None) -> Graph[Any, Any, Any]:
    async def each(c: AnyCursor) -> str | None:
        await c.each(WORK, list(range(items)), lambda x: {"x": x}, collect="out", parallel=parallel)
        return "done"

    return graph(each, kinds={"work": "foreach", "done": "return"})


@pytest.mark.parametrize("parallel", [None, 8])
def test_a_slow_reader_holds_the_run_back(parallel: int | None) -> None:
    async def main() -> None:
        called = 0

        async def tool(params: object) -> dict[str, int]:
            nonlocal called
            called += 1
            return {"n": 1}

        async with many(2_000, parallel).events({}, tools={"svc/work": tool}, env={}) as events:
            await anext(events)
            for _ in range(20):
                await asyncio.sleep(0.01)
            assert called <= WAITING + 8
            read = 1 + len([None async for _ in events])
        assert called == 2_000
        assert read == 2_000 + 7
        assert events.result.success

    asyncio.run(main())


def test_a_slow_reader_holds_back_steps_too() -> None:
    async def round_and_round(c: AnyCursor) -> str | None:
        await c.call(WORK, {})
        return "work" if c.step < 1_000 else "done"

    async def main() -> None:
        called = 0

        async def tool(params: object) -> dict[str, int]:
            nonlocal called
            called += 1
            return {}

        events = graph(round_and_round, max_steps=2_000).events({}, tools={"svc/work": tool}, env={})
        await anext(events)
        await asyncio.sleep(0.2)
        assert called <= WAITING // 2 + 1
        assert sum(isinstance(event, StepCompleted) for event in [event async for event in events]) == 1_001

    asyncio.run(main())


def test_tools_in_threads_tell_their_part() -> None:
    """Each item waits until its event was read: the reader is woken from the other thread."""
    read = threading.Event()

    def tool(params: Mapping[str, object], context: Context) -> dict[str, int]:
        context.tell("half", {"x": 1})
        assert read.wait(5), "nobody was told"
        return {"n": 1}

    async def main() -> None:
        async for event in graph().events({}, tools={"svc/work": tool}, env={}):
            if event.event_type == "emitted":
                assert event.payload == {"event": "half", "payload": {"x": 1}}
                read.set()

    asyncio.run(main())
    assert read.is_set()
