"""Cancelling is not an error: no policy, hook or edge may take it for one."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Coroutine

import pytest

from cases.graphs import graph
from running import compile_text, loaded

GRAPH = """\
on_error: continue
start: slow
hooks:
  - {event: error, action: {retry: true, max_retries: 3}}
nodes:
  slow:
    action: {item_id: shop/slow}
    on_error: other
    next: done
  other:
    action: {item_id: shop/slow}
    next: done
  done: {type: return}
"""

LOOP = """\
on_error: continue
start: each
nodes:
  each:
    type: foreach
    over: [1, 2, 3]
    parallel: true
    action: {item_id: shop/slow}
    collect: out
    next: done
  done: {type: return}
"""


class Slow:
    """A tool that takes long, and counts."""

    def __init__(self) -> None:
        self.calls = 0
        self.cancelled = 0

    async def __call__(self, params: dict[str, object]) -> object:
        self.calls += 1
        try:
            await asyncio.sleep(30)
        except asyncio.CancelledError:
            self.cancelled += 1
            raise
        return {}


async def cancelled(start: Callable[[], Awaitable[object]]) -> None:
    task = asyncio.ensure_future(start())
    await asyncio.sleep(0.05)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task


async def timed_out(start: Callable[[], Awaitable[object]]) -> None:
    with pytest.raises(TimeoutError):
        async with asyncio.timeout(0.05):
            await start()


@pytest.mark.parametrize("way", [cancelled, timed_out])
@pytest.mark.parametrize(("config", "calls"), [(GRAPH, 1), (LOOP, 3)])
def test_it_passes_through_at_once(
    way: Callable[[Callable[[], Awaitable[object]]], Coroutine[None, None, None]], config: str, calls: int
) -> None:
    slow = Slow()
    began = time.monotonic()
    with loaded(compile_text(graph(config))) as module:
        asyncio.run(way(lambda: module.run({}, tools={"shop/slow": slow})))
    assert time.monotonic() - began < 5
    assert (slow.calls, slow.cancelled) == (calls, calls)
