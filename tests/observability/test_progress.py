"""The lines of progress: one for each step, in a form that programs can read."""

from __future__ import annotations

import asyncio
import io
import threading
import time
from typing import Any

import pytest

from graphwright_runtime import progress as progress_module
from graphwright_runtime.abi import Graph, NodeError
from graphwright_runtime.context import Context
from graphwright_runtime.progress import Progress
from runtime.small import WORK, AnyCursor, QuickHost, graph, ran, reset


class Plain(io.StringIO):
    encoding = "ascii"


class Unicode(io.StringIO):
    encoding = "utf-8"


class Clock(QuickHost):
    """Every look at the clock takes 0.2 s."""

    def __init__(self) -> None:
        super().__init__()
        self.time = 0.0

    def now(self) -> float:
        self.time += 0.2
        return self.time


async def each(c: AnyCursor) -> str | None:
    out = await c.each(WORK, [1, 2, 3], lambda x: {"x": x}, collect="out")
    c.commit({"out": out, "count": 3})
    return "rescue"


def lines(record: Any, script: Any, stream: io.StringIO, **more: Any) -> list[str]:
    ran(record, script, on_event=Progress(record, stream), host=Clock(), **more)
    return stream.getvalue().splitlines()


def test_one_line_a_step() -> None:
    record = graph(each, kinds={"work": "foreach", "rescue": "gate", "done": "return"}, initial=lambda: {"count": 0})
    assert lines(record, {"svc/work": [{}]}, Unicode()) == [
        "[graph:small] step 1/3 work ✓ 1.2s (foreach) +out",
        "[graph:small] step 2/3 rescue ✓ 0.4s (gate) +rescued",
        "[graph:small] step 3/3 done ⏹",
    ]


def test_failures_retries_and_ends() -> None:
    script = {"svc/work": [reset(), ValueError("boom\nand more")]}
    first, second = lines(graph(), script, Plain())
    assert first.startswith("[graph:small] step 1/3 work again in ")
    assert first.endswith("(connection reset)")
    assert second == "[graph:small] step 1/3 work FAILED 0.6s (boom and more)"
    assert lines(graph(max_steps=1), {"svc/work": [{}]}, Plain())[-1] == "[graph:small] FAILED Max steps exceeded (1)"
    refused = lines(graph(required_env={"TOKEN": ("graph",)}), {}, Plain())
    assert refused == ["[graph:small] FAILED missing environment variable: TOKEN (needed by graph)"]


def test_a_retry_of_an_item_names_the_item() -> None:
    [retry, *_] = lines(graph(each), {"svc/work": [{}, reset(), {}]}, Plain())
    assert retry.startswith("[graph:small] step 1/3 work[1] again in ")


async def round_and_round(c: AnyCursor) -> str | None:
    await c.call(WORK, {})
    return "rescue" if c.step < 5 else "done"


async def back(c: AnyCursor) -> str | None:
    return "work"


def test_a_run_in_circles_counts_visits_instead_of_nodes() -> None:
    record = graph(round_and_round, extra={"rescue": back})
    assert lines(record, {"svc/work": [{}]}, Unicode()) == [
        "[graph:small] step 1/3 work ✓ 0.4s",
        "[graph:small] step 2/3 rescue ✓ 0.4s (gate)",
        "[graph:small] step 3/3 work ✓ 0.4s (visit 2)",
        "[graph:small] step 4 rescue ✓ 0.4s (gate, visit 2)",
        "[graph:small] step 5 work ✓ 0.4s (visit 3)",
        "[graph:small] step 6 done ⏹",
    ]


def calling(child: Graph[Any, Any, Any]) -> dict[str, Any]:
    """Tools that run a graph."""

    async def nest(params: dict[str, Any], context: Context) -> object:
        return await context.run_graph(child, {})

    return {"svc/work": nest}


async def quick(params: object) -> dict[str, int]:
    return {"n": 1}


async def only_work(c: AnyCursor) -> str | None:
    await c.call_with(WORK, {})
    return "done"


async def leaf(c: AnyCursor) -> str | None:
    c.commit({"x": 1})
    return "done"


def test_a_graph_that_a_node_calls_is_shown_below_it() -> None:
    child = graph(leaf, id="tests/child")
    assert lines(graph(only_work), {}, Unicode(), tools=calling(child)) == [
        "  [graph:child] step 1/3 work ✓ 0.4s",
        "  [graph:child] step 2/3 done ⏹",
        "[graph:small] step 1/3 work ✓ 2.4s",
        "[graph:small] step 2/3 done ⏹",
    ]


def test_graphs_that_run_at_once_keep_their_names() -> None:
    async def nest(params: dict[str, Any], context: Context) -> object:
        one, other = (graph(leaf, id=f"tests/{name}") for name in ("one", "other"))
        await asyncio.gather(context.run_graph(one, {}), context.run_graph(other, {}))
        return {}

    shown = lines(graph(only_work), {}, Unicode(), tools={"svc/work": nest})
    assert (
        sorted(line.partition("]")[0] for line in shown)
        == ["  [graph:one"] * 2 + ["  [graph:other"] * 2 + ["[graph:small"] * 2
    )


def test_a_graph_below_that_is_refused_is_told_of_by_its_node() -> None:
    child = graph(leaf, id="tests/child", required_env={"TOKEN": ("graph",)})
    [line] = lines(graph(only_work), {}, Plain(), tools=calling(child))
    assert line.startswith("[graph:small] step 1/3 work FAILED")
    assert "TOKEN" in line


def test_graphs_that_items_call_are_not_shown() -> None:
    child = graph(leaf, id="tests/child")
    shown = lines(graph(each, kinds={"work": "foreach"}), {}, Unicode(), tools=calling(child))
    assert [line.split()[3] for line in shown] == ["work", "rescue", "done"]


def test_the_failure_of_a_called_graph_is_told_once() -> None:
    async def fails(c: AnyCursor) -> str | None:
        raise NodeError("boom")

    child = graph(fails, id="tests/child")
    shown = lines(graph(only_work), {}, Plain(), tools=calling(child))
    assert [line.rpartition("FAILED")[0] for line in shown] == [
        "  [graph:child] step 1/3 work ",
        "[graph:small] step 1/3 work ",
    ]


def test_a_node_that_takes_long_gets_a_line_now_and_then(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(progress_module, "PATIENCE", 0.3)
    monkeypatch.setattr(progress_module, "_TICK", 0.05)

    async def blocks(params: object) -> dict[str, int]:
        time.sleep(1.5)  # the event loop has no turn either
        return {"n": 1}

    stream = Plain()
    ran(graph(only_work), tools={"svc/work": blocks}, on_event=Progress(graph(), stream))
    waiting = [line for line in stream.getvalue().splitlines() if "..." in line]
    assert 1 <= len(waiting) <= 3, "after 0.3 s, 0.6 s and 1.2 s, or later on a busy machine"
    assert {line.rpartition(" ")[0] for line in waiting} == {"[graph:small] step 1/3 work ..."}


def test_nothing_runs_on_after_the_run() -> None:
    stream = Plain()
    ran(graph(), {"svc/work": [{}]}, on_event=Progress(graph(), stream))
    deadline = time.monotonic() + 5
    while any(thread.name == "graphwright-progress" for thread in threading.enumerate()):
        assert time.monotonic() < deadline
        time.sleep(0.02)


def test_a_stream_that_is_gone_does_not_end_the_run() -> None:
    record, closed = graph(), Plain()
    progress = Progress(record, closed)
    closed.close()
    assert ran(record, {"svc/work": [{}]}, on_event=progress).result.success


def test_a_cancelled_run_says_so() -> None:
    stream = Plain()

    async def main() -> None:
        async def waits(params: object) -> dict[str, int]:
            await asyncio.sleep(30)
            return {}

        record = graph(only_work)
        task = asyncio.create_task(record.run({}, tools={"svc/work": waits}, env={}, on_event=Progress(record, stream)))
        await asyncio.sleep(0.05)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    asyncio.run(main())
    assert stream.getvalue() == "[graph:small] cancelled after 1 steps\n"
