"""The events of a run as an async iterator: `async for event in GRAPH.events(inputs)`."""

from __future__ import annotations

import asyncio
import threading
from collections import deque
from collections.abc import AsyncGenerator, Awaitable, Callable, Coroutine
from types import TracebackType
from typing import Final, Generic, Self, TypeAlias

from graphwright_runtime.cancellation import ended
from graphwright_runtime.events import Event, Listener
from graphwright_runtime.typeforms import ResultT

#: So many events wait to be read; then the run waits.
WAITING: Final = 256

#: Starts the run, given its listener and what waits until that has room.
Start: TypeAlias = Callable[[Listener, Callable[[], Awaitable[None]]], Coroutine[object, object, ResultT]]


class EventStream(Generic[ResultT]):
    """The events of one run, in order; the run begins when the first one is asked for.

        async with GRAPH.events(inputs) as events:
            async for event in events:
                ...
        print(events.result.status)

    The run goes no further ahead of its reader than `WAITING` events, apart from what one step, or the items of a
    parallel loop that are under way, have to tell. While it waits for its reader, its `timeout_s` runs on.

    Whoever stops reading ends the run: at the end of the `async with` block, by `aclose`, when the reading task is
    cancelled, or when the stream is dropped, as at a `break` out of `async for`, the run is cancelled if it is not
    over. The first three wait until it is. What the run raises is raised by the iteration.
    """

    def __init__(self, start: Start[ResultT]) -> None:
        self._results: list[ResultT] = []
        self._events = _events(start, self._results)

    def __aiter__(self) -> Self:
        return self

    async def __anext__(self) -> Event:
        return await self._events.__anext__()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        await self.aclose()

    async def aclose(self) -> None:
        """Cancel the run, if it is not over, and wait until it is."""
        await self._events.aclose()

    @property
    def result(self) -> ResultT:
        """What the run gave. Raises RuntimeError until all events have been read, and if reading ended before that."""
        if not self._results:
            raise RuntimeError("the run has no result: its events have not been read to the end")
        return self._results[0]


async def _events(start: Start[ResultT], results: list[ResultT]) -> AsyncGenerator[Event, None]:
    """The events; the result is added to `results`. It holds nothing of the stream, so that this one can be dropped."""
    mailbox = _Mailbox()
    running = asyncio.create_task(start(mailbox.put, mailbox.room))
    running.add_done_callback(lambda _: mailbox.wake())
    try:
        while mailbox.events or not running.done():
            if mailbox.events:
                yield mailbox.take()
            else:
                await mailbox.news()
        results.append(running.result())
    finally:
        mailbox.close()
        await ended([running])
        if not running.cancelled():
            running.exception()  # it has been looked at


class _Mailbox:
    """Events on the way from a run to its reader; tools that run in threads may put some in."""

    def __init__(self) -> None:
        self.events: deque[Event] = deque()
        self._loop = asyncio.get_running_loop()
        self._thread = threading.get_ident()
        self._news = asyncio.Event()
        self._space = asyncio.Event()
        self._closed = False

    def put(self, event: Event) -> None:
        """Add an event, whether there is room or not."""
        if self._closed:
            return
        self.events.append(event)
        if threading.get_ident() == self._thread:
            self._news.set()
        elif not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self._news.set)

    def take(self) -> Event:
        """The oldest event."""
        event = self.events.popleft()
        if len(self.events) < WAITING:
            self._space.set()
        return event

    async def news(self) -> None:
        """Wait until there is an event, or the run is over."""
        self._news.clear()
        if not self.events:
            await self._news.wait()

    async def room(self) -> None:
        """Wait until less than `WAITING` events have not been read."""
        while len(self.events) >= WAITING and not self._closed:
            self._space.clear()
            await self._space.wait()

    def wake(self) -> None:
        """The run is over."""
        self._news.set()

    def close(self) -> None:
        """Nobody reads any more: nothing is kept, and nobody waits."""
        self._closed = True
        self.events.clear()
        self._space.set()
