"""One branch of a run: its position, the results of its current step, and its writes to the state."""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
from types import MethodType
from typing import TYPE_CHECKING

from graphwright_runtime.graph import Action
from graphwright_runtime.result import ABSENT
from graphwright_runtime.shortcut import Shortcut
from graphwright_runtime.values import Params, Result

if TYPE_CHECKING:
    from graphwright_runtime.durable.checkpoint import InFlight
    from graphwright_runtime.payloads import CallReceipt
    from graphwright_runtime.run import Run


class Branch:
    """One path through the graph, reused for all steps; `run` is what all branches share.

    `path` contains the executed nodes, the current one last. `commit(delta)` sets keys of the state, `assign(key,
    value)` a single key. `output` is the output of a return node. `shortcuts` are the actions that can be called
    directly, `next_look` is the index of the next item before which a loop of such calls checks for cancellation.

    These describe the current step: `status`, `result` (as hooks see it), `delta`, the call that it `sent` and what
    that `returned`, `cache_hit`, `cache_hits` (of items), the `calls` that tools made. They are only set if something
    observes every step.
    """

    __slots__ = (
        "_attempts",
        "_counted",
        "_resumed_at",
        "_tried_at",
        "assign",
        "cache_hit",
        "cache_hits",
        "calls",
        "cancelled",
        "commit",
        "delta",
        "next_look",
        "output",
        "path",
        "result",
        "returned",
        "run",
        "sent",
        "shortcuts",
        "status",
    )

    commit: Callable[[Params], object]
    assign: Callable[[str, object], object]

    def __init__(self, run: Run) -> None:
        self.run = run
        checkpoint = run.checkpoint
        self.path: list[str] = [] if checkpoint is None else checkpoint.path
        self.output: object = ABSENT if checkpoint is None else checkpoint.output
        self.cancelled = False
        self.next_look = 0
        self.begin()
        self.shortcuts: dict[Action, Shortcut] = {action: (tool, "", "") for action, tool in run.plain_tools.items()}
        self._attempts = 0 if checkpoint is None else checkpoint.in_flight.attempts
        self._tried_at = self._resumed_at = len(self.path) + 1
        self._counted = 0
        if run.watched:
            self.commit, self.assign = self._record, self._record_one
        else:  # bound operators take half the time of `state.update`, which matters because every step commits
            self.commit = MethodType(operator.ior, run.state)
            self.assign = MethodType(operator.setitem, run.state)

    @property
    def node(self) -> str:
        """The name of the current node."""
        return self.path[-1]

    @property
    def step(self) -> int:
        """The number of the current step, from 1; 0 before the first one."""
        return len(self.path)

    def cancel(self) -> None:
        """Note that the run is cancelled, so that no further tool is called without `look`."""
        self.cancelled = True
        self.shortcuts = {}
        self.next_look = 0

    def look(self) -> None:
        """Raise CancelledError if the run was cancelled, even if a tool suppressed that."""
        self.run.cancellation.check()

    def resumed(self) -> InFlight | None:
        """The progress of the current step before the run was interrupted; None if the step has not been resumed."""
        checkpoint = self.run.checkpoint
        return None if checkpoint is None or self.step != self._resumed_at else checkpoint.in_flight

    def begin(self) -> None:
        """Reset the results of the last step."""
        self.result: Result | None = None
        self.status = "ok"
        self.delta: dict[str, object] = {}
        self.sent: tuple[Action, Params] | None = None
        self.returned: Result | None = None
        self.cache_hit = False
        self.cache_hits = 0
        self.calls: Sequence[CallReceipt] = ()

    def visits(self, node: str) -> int:
        """How often the run has executed a node, including the current step of this branch."""
        visits = self.run.visits
        for each in self.path[self._counted :]:
            visits[each] = visits.get(each, 0) + 1
        self._counted = len(self.path)
        return visits.get(node, 0)

    @property
    def attempt(self) -> int:
        """The number of the current attempt at the current step, from 1."""
        return 1 + (self._attempts if self._tried_at == self.step else 0)

    def count_attempt(self) -> int:
        """Count a failed attempt, and return its number, from 1 in each step."""
        if self._tried_at != self.step:
            self._tried_at = self.step
            self._attempts = 0
        self._attempts += 1
        return self._attempts

    def _record(self, delta: Params) -> None:
        self.run.state.update(delta)
        self.delta.update(delta)

    def _record_one(self, key: str, value: object) -> None:
        self.run.state[key] = self.delta[key] = value
