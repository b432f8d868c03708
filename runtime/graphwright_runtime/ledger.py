"""What a run has started, and what that has cost."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Final

from graphwright_runtime.errors import NodeError
from graphwright_runtime.expressions import is_number
from graphwright_runtime.values import Json

if TYPE_CHECKING:
    from graphwright_runtime.durable.checkpoint import Checkpoint

#: Of a thread: what it was started with, and what it came to.
Started = Mapping[str, Json]
Outcome = Mapping[str, Json]

_DONE: Final = ("completed", "completed_with_errors")


class Ledger:
    """The graphs and threads that a run has started (`children`), and what each of them cost.

    `started` and `outcomes` are of threads.
    """

    def __init__(self) -> None:
        self.children: set[str] = set()
        self.started: dict[str, Started] = {}
        self.outcomes: dict[str, Outcome] = {}
        self._costs: dict[str, Mapping[str, Json]] = {}

    def begin(self, identity: str, limits: Mapping[str, Json]) -> None:
        """Count a child. Raises NodeError if `limits.spawns` does not allow it; one that is known is not counted."""
        most = limits.get("spawns")
        if identity not in self.children and is_number(most) and len(self.children) >= float(str(most)):
            raise NodeError(f"nothing more can be started: `limits.spawns` is {most}", category="denied")
        self.children.add(identity)

    def charge(self, identity: str, cost: Json) -> None:
        """Note what a child cost; only the numbers count."""
        if isinstance(cost, dict) and (numbers := {key: value for key, value in cost.items() if is_number(value)}):
            self._costs[identity] = numbers

    def completed(self, identity: str) -> Outcome | None:
        """The outcome of a thread that completed."""
        outcome = self.outcomes.get(identity)
        return outcome if outcome is not None and outcome.get("status") in _DONE else None

    def total(self) -> dict[str, Json]:
        """What everything cost together, by kind of cost; empty where nothing had a cost."""
        return summed(*self._costs.values())

    def left(self, limits: Mapping[str, Json]) -> dict[str, Json]:
        """Limits with what is left of `spend`. Raises NodeError where nothing is."""
        most, spent = limits.get("spend"), self.total().get("spend", 0)
        if not isinstance(most, (int, float)) or not isinstance(spent, (int, float)):
            return dict(limits)
        if spent and spent >= most:
            raise NodeError(f"`limits.spend` is used up: {spent:g} of {most:g}", category="denied")
        return {**limits, "spend": most - spent}


def ledger_of(checkpoint: Checkpoint) -> Ledger:
    """The ledger of a resumed run, with the threads that it had started."""
    ledger = Ledger()
    ledger.started |= checkpoint.threads
    ledger.outcomes |= checkpoint.outcomes
    ledger.children |= checkpoint.threads.keys()
    for identity, outcome in checkpoint.outcomes.items():
        ledger.charge(identity, outcome.get("cost"))
    return ledger


def summed(*costs: Mapping[str, Json]) -> dict[str, Json]:
    """The numbers of several costs, added up."""
    total: dict[str, Json] = {}
    for cost in costs:
        for key, value in cost.items():
            before = total.get(key, 0)
            if isinstance(value, (int, float)) and not isinstance(value, bool) and isinstance(before, (int, float)):
                total[key] = before + value
    return total
