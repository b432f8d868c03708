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

#: The number of unread events at which the run waits for its reader.
WAITING: Final = 256

#: Starts the run, given its listener and a function that waits until the listener can take more events.
Start: TypeAlias = Callable[[Listener, Callable[[], Awaitable[None]]], Coroutine[object, object, ResultT]]


class EventStream(Generic[ResultT]):
    """The events of one run, in order. The run starts when the first event is requested.

        async with GRAPH.events(inputs) as events:
            async for event in events:
                ...
        print(events.result.status)

    The run waits when there are `WAITING` unread events, apart from those of the current step or the current items of a
    parallel loop. While it waits for its reader, its `timeout_s` continues.

    If reading stops before the run has ended, the run is cancelled: at the end of the `async with` block, by `aclose`,
    when the reading task is cancelled, or when the stream is dropped, as at a `break` out of `async for`. The first
    three wait for its end. Exceptions of the run are raised by the iteration.
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
        """Cancel the run if it has not ended, and wait for its end."""
        await self._events.aclose()

    @property
    def result(self) -> ResultT:
        """The result of the run. Raises RuntimeError unless all events have been read."""
        if not self._results:
            raise RuntimeError("the run has no result: its events have not been read to the end")
        return self._results[0]


async def _events(start: Start[ResultT], results: list[ResultT]) -> AsyncGenerator[Event, None]:
    """The events; adds the result to `results`. It has no reference to the stream, so that this can be dropped."""
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
            running.exception()  # mark the exception as retrieved


class _Mailbox:
    """A queue of events from a run to its reader. Tools in threads may add events."""

    def __init__(self) -> None:
        self.events: deque[Event] = deque()
        self._loop = asyncio.get_running_loop()
        self._thread = threading.get_ident()
        self._news = asyncio.Event()
        self._space = asyncio.Event()
        self._closed = False

    def put(self, event: Event) -> None:
        """Add an event, regardless of the limit."""
        if self._closed:
            return
        self.events.append(event)
        if threading.get_ident() == self._thread:
            self._news.set()
        elif not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self._news.set)

    def take(self) -> Event:
        """Remove and return the oldest event."""
        event = self.events.popleft()
        if len(self.events) < WAITING:
            self._space.set()
        return event

    async def news(self) -> None:
        """Wait until there is an event or the run has ended."""
        self._news.clear()
        if not self.events:
            await self._news.wait()

    async def room(self) -> None:
        """Wait until there are fewer than `WAITING` unread events."""
        while len(self.events) >= WAITING and not self._closed:
            self._space.clear()
            await self._space.wait()

    def wake(self) -> None:
        """Note that the run has ended."""
        self._news.set()

    def close(self) -> None:
        """Discard all events, because reading has ended."""
        self._closed = True
        self.events.clear()
        self._space.set()
