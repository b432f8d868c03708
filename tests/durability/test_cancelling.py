"""A cancellation ends a run at any point, is logged and is never treated as an error; the run can be resumed."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from durability.kept import compiled, events, run
from graphwright_runtime.durable import writer
from graphwright_runtime.inprocess import InProcessHost
from running import QuickHost

GRAPH = """\
version: "1.0.0"
tool_type: graph
permissions: ["rye.execute.tool.*"]
config:
  start: first
  on_error: continue
  hooks:
    - {event: error, condition: {path: node, value: second}, action: {item_id: tool:t/asked, params: {}}}
    - {event: error, action: {retry: true, max_retries: 5}}
    - {event: after_step, condition: {path: node, value: first}, action: {item_id: tool:t/told, params: {}}}
  nodes:
    first: {action: {item_id: tool:t/first, params: {}}, next: second}
    second:
      action: {item_id: tool:t/second, params: {}}
      retry: {attempts: 2, backoff_ms: 40000, jitter: false}
      on_error: rescue
      next: fan
    rescue: {action: {item_id: tool:t/rescue, params: {}}, next: fan}
    fan:
      type: foreach
      over: "${[1, 2, 3]}"
      as: x
      parallel: true
      action: {item_id: tool:t/item, params: {n: "${x}"}}
      collect: all
      next: last
    last: {action: {item_id: tool:t/last, params: {all: "${state.all}"}}, assign: {n: "${result.n}"}, next: done}
    done: {type: return, output: {n: "${state.n}"}}
"""

PLACES = ["first", "told", "second", "backoff", "asked", "item", "between", "append", "last"]


@pytest.fixture(scope="module")
def module() -> Iterator[ModuleType]:
    with compiled(GRAPH) as found:
        yield found


class Canceller(InProcessHost):
    """A host, with its tools, that cancels the task of the run once, when it comes to `place`."""

    def __init__(self, place: str | None) -> None:
        super().__init__()
        self.calls: list[str] = []
        self.task: asyncio.Task[Any] | None = None
        self._place = place

    def reached(self, place: str) -> bool:
        """Whether the run is cancelled here."""
        if place != self._place or self.task is None:
            return False
        self._place = None
        self.task.cancel()
        return True

    async def sleep(self, seconds: float) -> None:
        """Waits where it is to be cancelled."""
        if self.reached("backoff"):
            await asyncio.sleep(60)

    def tools(self) -> dict[str, Callable[..., Any]]:
        """By id; each notes its call when it is done."""

        def tool(name: str) -> Callable[..., Any]:
            async def call(params: dict[str, Any]) -> dict[str, Any]:
                if self.reached(name):
                    await asyncio.sleep(60)
                self.calls.append(name)
                if name == "second":
                    raise ConnectionError("connection reset")
                return {"n": params.get("n", 7)}

            return call

        return {f"t/{name}": tool(name) for name in ("first", "told", "second", "asked", "rescue", "item", "last")}

    def listen(self, event: Any) -> None:
        """Cancels between two nodes."""
        if event.event_type == "step_completed" and event.payload["node"] == "first":
            self.reached("between")


async def started(host: Canceller, module: ModuleType, project: Path, way: str, **which: Any) -> None:
    """Start the run, and await it as a task that is cancelled, or in a time that is over soon."""

    async def execute() -> None:
        await module.run({}, tools=host.tools(), project=project, host=host, on_event=host.listen, **which)

    if way == "task":
        host.task = asyncio.create_task(execute())
        await host.task
    else:
        async with asyncio.timeout(1):
            host.task = asyncio.create_task(asyncio.sleep(0))  # nobody is cancelled: the tool is too slow
            await execute()


@pytest.mark.parametrize("place", PLACES)
def test_it_ends_the_run_wherever_it_comes(
    module: ModuleType, tmp_path: Path, place: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    host = Canceller(place)

    def sync(handle: int) -> None:
        del handle
        if len(host.calls) >= 4:
            host.reached("append")

    monkeypatch.setattr(writer, "_sync", sync)
    began = time.monotonic()
    with pytest.raises(asyncio.CancelledError):
        asyncio.run(started(host, module, tmp_path, "task", run_id="r", durability="power"))
    assert time.monotonic() - began < 20
    assert [event["status"] for event in events(tmp_path, "r", "graph_cancelled")] == ["cancelled"]
    assert not events(tmp_path, "r", "graph_completed", "graph_error")
    errors = [event["error"] for event in events(tmp_path, "r", "node_retry", "foreach_item") if "error" in event]
    assert set(errors) <= {"connection reset", "ConnectionError: connection reset"}
    later = Canceller(None)
    result = run(module, tmp_path, host=later, resume="r", more=later.tools())
    assert (result.status, result.output) == ("completed", {"n": 7})
    assert result.path == ("first", "second", "rescue", "fan", "last", "done")
    done = host.calls + later.calls
    assert [done.count(name) for name in ("first", "rescue", "last")] == [1, 1, 1]
    assert 3 <= done.count("item") <= 6  # what was in flight is discarded, though it may have come to its end
    assert done.count("second") - (place == "asked") == 2 + 5  # an attempt counts when its hooks have run


@pytest.mark.parametrize("place", ["first", "told", "second", "backoff", "asked", "item", "last"])
def test_a_timeout_around_a_run_comes_in_time(module: ModuleType, tmp_path: Path, place: str) -> None:
    host = Canceller(place)
    began = time.monotonic()
    with pytest.raises(TimeoutError):
        asyncio.run(started(host, module, tmp_path, "timeout", run_id="r"))
    assert time.monotonic() - began < 20
    assert [event["status"] for event in events(tmp_path, "r", "graph_cancelled")] == ["cancelled"]
    later = Canceller(None)
    assert run(module, tmp_path, host=later, resume="r", more=later.tools()).output == {"n": 7}


def test_an_end_in_a_tool_is_none_of_the_run(tmp_path: Path, module: ModuleType) -> None:
    """A tool that calls `sys.exit` fails its node: the process goes on, and so does the run."""

    async def leaves(params: dict[str, Any]) -> dict[str, Any]:
        raise SystemExit(3)

    host = Canceller(None)
    result = run(module, tmp_path, host=QuickHost(), more=host.tools() | {"t/last": leaves})
    assert result.status == "completed_with_errors"
    assert "SystemExit" in str(result.errors[0].error)
