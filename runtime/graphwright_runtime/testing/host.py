"""A host for tests with a frozen clock and seeded random numbers, which can stop a run at a given step."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime
from random import Random
from typing import Final

from graphwright_runtime.agent.runner import ThreadRunner
from graphwright_runtime.context import Context
from graphwright_runtime.errors import NodeError
from graphwright_runtime.graph import Action
from graphwright_runtime.host import Step
from graphwright_runtime.ids import run_name
from graphwright_runtime.inprocess import InProcessHost
from graphwright_runtime.testing.clock import Clock, VirtualLoop, crash
from graphwright_runtime.testing.compare import show
from graphwright_runtime.values import Json, apart

_START: Final = datetime(2026, 1, 1, tzinfo=UTC)


class FrozenHost(InProcessHost):
    """A deterministic host on which waiting takes no time.

    The clock starts at `clock` (a datetime with a time zone, or seconds since the epoch) and advances only when
    something waits. `seed` determines run ids and the jitter of waits. `cancel_after` and `crash_after` are the name
    of a node or the number of a step: after it, the run is cancelled, or the process "dies" (`run_scripted` raises
    SimulatedCrash). Each applies only once.

    `waits` are the waits between attempts in seconds, `steps` the finished steps. The host does not look for tools, so
    only those that the test passes to the run exist. `threads` (`ScriptedThreads`) runs threads.
    """

    persists = True  # so that it receives every step

    def __init__(
        self,
        clock: datetime | float = _START,
        *,
        seed: int = 0,
        cancel_after: str | int | None = None,
        crash_after: str | int | None = None,
        threads: ThreadRunner | None = None,
    ) -> None:
        if isinstance(clock, datetime) and clock.tzinfo is None:
            raise ValueError("the clock needs a time zone: datetime(..., tzinfo=UTC)")
        super().__init__(threads=threads)
        self.clock = Clock(clock.timestamp() if isinstance(clock, datetime) else clock)
        self.waits: list[float] = []
        self.steps: list[Step] = []
        self._chance = Random(seed)
        self._cancel_after = cancel_after
        self._crash_after = crash_after

    def now(self) -> float:
        """The time of the test's clock, in seconds since the epoch."""
        return self.clock.now

    def new_run_id(self, graph_id: str) -> str:
        """An id in the format of real runs, determined by the seed and the clock."""
        return f"{run_name(graph_id)}-{int(self.now())}-{self._chance.getrandbits(32):08x}"

    def random(self) -> float:
        """The next random number, determined by the seed."""
        return self._chance.random()

    async def dispatch(self, action: Action, params: dict[str, Json], context: Context) -> object:
        """Raises NodeError, because the host has no tools, except those for threads if it has `threads`."""
        if self.threads is not None and (action.item_id or "").startswith("rye/agent/threads/"):
            return await super().dispatch(action, params, context)
        raise NodeError(
            f"node `{context.node}` called `{action.item_id or ''}` with {show(params)}: the test gave no such tool",
            category="permanent",
        )

    async def sleep(self, seconds: float) -> None:
        """Advance the clock."""
        self.waits.append(seconds)
        if not isinstance(asyncio.get_running_loop(), VirtualLoop):
            self.clock.advance(seconds)
            seconds = 0
        await asyncio.sleep(seconds)

    async def commit(self, step: Step) -> None:
        """Record the step, then stop the run if that was requested."""
        self.steps.append(step._replace(delta=apart(step.delta)))
        if self._crash_after in (step.node, step.step):
            self._crash_after = None
            await crash(f"the process died after step {step.step} (`{step.node}`)")
        if self._cancel_after in (step.node, step.step):
            self._cancel_after = None
            self.cancel()
