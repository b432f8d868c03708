"""The order in which a fixpoint visits nodes: in rounds, there and back again."""

from __future__ import annotations

from heapq import heapify, heappop, heappush


class Worklist:
    """Positions that are to be visited: a round upwards, the next one downwards, and so on.

    One that is added ahead of the current position is visited in this round still. With positions in reverse
    postorder a round upwards carries news along all steps forward, a round downwards along steps back, so that the
    number of rounds depends on how loops are knotted, not on how many nodes there are.
    """

    def __init__(self, positions: range) -> None:
        self._sign = 1
        self._now = list(positions)
        self._queued = set(positions)
        self._later: set[int] = set()
        self._current = -1

    def __bool__(self) -> bool:
        return bool(self._now or self._later)

    def add(self, position: int) -> None:
        """Have a position visited (again)."""
        if position * self._sign <= self._current:
            self._later.add(position)
        elif position not in self._queued:
            self._queued.add(position)
            heappush(self._now, position * self._sign)

    def take(self) -> int:
        """The next position."""
        if not self._now:
            self._sign = -self._sign
            self._now = [position * self._sign for position in self._later]
            self._queued, self._later = self._later, set()
            heapify(self._now)
        self._current = heappop(self._now)
        position = self._current * self._sign
        self._queued.discard(position)
        return position
