"""What the runs of a tree have started in the background: graphs and threads, as tasks of this process.

A run is over when everything that it started is over: it waits for it at its end, and cancels it if it is cancelled
itself. So nothing of a tree outlives its process without a run that can be resumed.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Mapping
from typing import Final

from graphwright_runtime.errors import NodeError
from graphwright_runtime.log import logger
from graphwright_runtime.toolerror import failed, with_type
from graphwright_runtime.values import Json

log: Final = logger(__name__)

#: What a child has come to: at least its `status`.
Outcome = Mapping[str, Json]


class Child:
    """A graph or thread in the background.

    `name` is the id of the graph or directive, `outcome` the result once it is over, `progress` what it reported last.
    `stop` asks it to end, and says who asks.
    """

    __slots__ = ("identity", "messages", "name", "outcome", "parent_id", "progress", "stop", "task")

    def __init__(self, identity: str, name: str, parent_id: str, stop: Callable[[str], None]) -> None:
        self.identity = identity
        self.name = name
        self.parent_id = parent_id
        self.stop = stop
        #: What others have sent to a thread; None for a graph.
        self.messages: list[str] | None = None
        self.outcome: Outcome | None = None
        self.progress: Json = None
        self.task: asyncio.Task[None] | None = None


class Family:
    """The children of all runs of a tree, by id; those that are over stay."""

    def __init__(self) -> None:
        self.children: dict[str, Child] = {}

    def start(
        self, child: Child, work: Coroutine[object, object, Outcome], done: Callable[[], None]
    ) -> asyncio.Task[None]:
        """Begin `work` for a child. `done` is called when it is over, even if it never began."""
        self.children[child.identity] = child
        task = child.task = asyncio.create_task(_worked(child, work), name=f"graphwright {child.identity}")
        task.add_done_callback(lambda _: _conclude(child, work, done))
        return task

    def is_running(self, identity: str) -> bool:
        """Whether there is such a child, and it is not over."""
        child = self.children.get(identity)
        return child is not None and child.outcome is None

    def running(self, parent_id: str) -> list[Child]:
        """The children of a run that are not over."""
        return [each for each in self.children.values() if each.parent_id == parent_id and each.outcome is None]

    async def until_over(self, parent_id: str) -> None:
        """Wait until the children of a run are over, and those that they or hooks start meanwhile."""
        while tasks := [each.task for each in self.running(parent_id) if each.task is not None]:
            await asyncio.wait(tasks)

    async def end(self, parent_id: str, by: str) -> None:
        """Cancel the children of a run, and wait until they are over; a cancellation meanwhile cuts them once more."""
        again: asyncio.CancelledError | None = None
        for child in self.running(parent_id):
            child.stop(by)
        while tasks := [each.task for each in self.running(parent_id) if each.task is not None]:
            try:
                await asyncio.wait(tasks)
            except asyncio.CancelledError as error:
                again = error
                for task in tasks:
                    task.cancel()
        if again is not None:
            raise again


async def _worked(child: Child, work: Coroutine[object, object, Outcome]) -> None:
    """What it gives, or raises, is the outcome; nobody else looks at it."""
    try:
        child.outcome = await work
    except asyncio.CancelledError:
        raise
    except BaseException as error:
        fault = failed(error)
        text = str(fault) if isinstance(error, NodeError) else with_type(fault)
        log.warning("%s: %s", child.identity, text)
        child.outcome = {"status": "error", "error": text}


def _conclude(child: Child, work: Coroutine[object, object, Outcome], done: Callable[[], None]) -> None:
    if child.outcome is None:
        child.outcome = {"status": "cancelled", "error": "cancelled"}
        work.close()  # it may not have begun
    done()
