"""What a run's history tells of its steps, kept as they happen: it costs the same at every step."""

from __future__ import annotations

from collections import deque
from typing import Final, TypeAlias

#: Steps that a history lists.
_RECENT: Final = 200


#: A step as the history lists it: when it was done, its number, its node, `ok` or `error`, milliseconds.
Happened: TypeAlias = tuple[float, int, str, str, float]


class Tally:
    """What became of a node so far."""

    __slots__ = ("elapsed_ms", "status", "visits")

    def __init__(self) -> None:
        self.visits = 0
        self.status = "ok"
        self.elapsed_ms = 0.0


class History:
    """Tallies by node, and the last steps. `steps` are done, and `next_node` comes after them."""

    __slots__ = ("next_node", "nodes", "recent", "steps")

    def __init__(self) -> None:
        self.nodes: dict[str, Tally] = {}
        self.recent: deque[Happened] = deque(maxlen=_RECENT)
        self.steps = 0
        self.next_node: str | None = None

    def step(
        self, timestamp: float, step: int, node: str, status: str, elapsed_ms: float, next_node: str | None
    ) -> None:
        """Note a step that is done."""
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
        """A step of this node is executed again: both times are one visit."""
        self.nodes[node].visits -= 1
