"""The history of a run: totals for each node, and its latest steps. Updating it takes constant time per step."""

from __future__ import annotations

from collections import deque
from typing import Final, TypeAlias

#: Maximum number of steps in a history.
_RECENT: Final = 200


#: A step in the history: when it finished, its number, its node, `ok` or `error`, its duration in milliseconds.
Happened: TypeAlias = tuple[float, int, str, str, float]


class Tally:
    """The total of a node."""

    __slots__ = ("elapsed_ms", "status", "visits")

    def __init__(self) -> None:
        self.visits = 0
        self.status = "ok"
        self.elapsed_ms = 0.0


class History:
    """Totals by node, and the latest steps. `steps` is the number of finished steps, `next_node` the next node."""

    __slots__ = ("next_node", "nodes", "recent", "steps")

    def __init__(self) -> None:
        self.nodes: dict[str, Tally] = {}
        self.recent: deque[Happened] = deque(maxlen=_RECENT)
        self.steps = 0
        self.next_node: str | None = None

    def step(
        self, timestamp: float, step: int, node: str, status: str, elapsed_ms: float, next_node: str | None
    ) -> None:
        """Record a finished step."""
        self.steps = step
        self.next_node = next_node
        try:
            tally = self.nodes[node]
        except KeyError:
            tally = self.nodes[node] = Tally()
        tally.visits += 1
        tally.status = status
        tally.elapsed_ms += elapsed_ms
        self.recent.append((timestamp, step, node, status, elapsed_ms))

    def forget_visit(self, node: str) -> None:
        """Subtract a visit, because a step of this node is executed again."""
        self.nodes[node].visits -= 1
