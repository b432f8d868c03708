"""Limits of a run, and checks for cancellation between steps (language.md §9)."""

from __future__ import annotations

import asyncio
from typing import Final

from graphwright_runtime.branch import Branch
from graphwright_runtime.errors import CancelRequested, LimitReached
from graphwright_runtime.hooks import fire
from graphwright_runtime.host import persists

#: The default amount that a limit hook grants.
_GRANT: Final = 50

#: Maximum number of steps between two checks, and maximum seconds for them: if steps are slow, every step is checked.
_STRIDE: Final = 64
_QUICK: Final = 0.001

#: Seconds after which the loop yields to other tasks.
_TURN: Final = 0.005


class Pace:
    """Decides how many steps can be executed before the next check."""

    __slots__ = ("_branch", "_longest", "_looked", "_now", "_stride", "_turned")

    def __init__(self, branch: Branch) -> None:
        self._branch = branch
        self._now = asyncio.get_running_loop().time
        self._looked = self._turned = self._now()
        self._stride = 1
        run = branch.run
        told = run.listener is not None or "after_step" in run.hooks or persists(run.host)
        self._longest = 1 if told else _STRIDE  # an observer of a step may cancel the run before the next one

    def quick(self) -> int:
        """The number of steps before the next check; 0 if `look` must decide."""
        run, now = self._branch.run, self._now()
        if run.max_visits or now - self._turned >= _TURN or run.host.cancel_requested() or self._branch.cancelled:
            return 0
        self._stride = min(2 * self._stride, self._longest) if now - self._looked < _QUICK else 1
        self._looked = now
        return max(0, min(self._stride, run.max_steps - self._branch.step))

    async def look(self, node: str) -> int:
        """Yield to other tasks if it is time, check limits and cancellation, and return the number of allowed steps.

        `node` is the next node. Raises LimitReached and CancelRequested.
        """
        run = self._branch.run
        if self._now() - self._turned >= _TURN:
            await asyncio.sleep(0)
            self._turned = self._now()
        if run.host.cancel_requested():
            raise CancelRequested
        self._branch.look()
        while (step := self._branch.step) >= run.max_steps:
            run.max_steps += await self._granted("max_steps_exceeded", "Max steps", step, run.max_steps, node)
            if run.recorder is not None:
                run.recorder.granted({"max_steps": run.max_steps})
        while node in run.max_visits and (visits := self._branch.visits(node)) >= (most := run.max_visits[node]):
            run.max_visits[node] += await self._granted("max_visits_exceeded", "Max visits", visits, most, node)
            if run.recorder is not None:
                run.recorder.granted({"max_visits": {**run.max_visits}})
        return 1

    async def _granted(self, code: str, name: str, value: int, most: int, node: str) -> int:
        control = await fire(self._branch, "limit", {"limit_code": code, "current_value": value, "current_max": most})
        if control is None or control.kind != "continue" or control.amount == 0:
            failed = control is not None and control.kind == "fail"
            raise LimitReached(f"{name} exceeded ({most})", node, failed=failed)
        return _GRANT if control.amount is None else control.amount
