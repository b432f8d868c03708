"""The worklist that determines the order in which nodes are visited, and the fixpoint over the types of state keys."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Hashable, MutableMapping, Sequence
from heapq import heapify, heappop, heappush
from typing import Final, TypeVar

from graphwright.analysis.jsontype import ANY, Type, join, limited

_K = TypeVar("_K", bound=Hashable)


class Worklist:
    """Positions to visit, in alternating passes up and down.

    A position that is added ahead of the current one is still visited in this pass. With positions in reverse
    postorder, an upward pass propagates along all forward steps and a downward pass along back steps, so the number of
    passes depends on how loops are nested, not on the number of nodes.
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
        """Add a position, to be visited (again)."""
        if position * self._sign <= self._current:
            self._later.add(position)
        elif position not in self._queued:
            self._queued.add(position)
            heappush(self._now, position * self._sign)

    def take(self) -> int:
        """Remove and return the next position."""
        if not self._now:
            self._sign = -self._sign
            self._now = [position * self._sign for position in self._later]
            self._queued, self._later = self._later, set()
            heapify(self._now)
        self._current = heappop(self._now)
        position = self._current * self._sign
        self._queued.discard(position)
        return position


#: The number of changes to one key after which its values, its shape, and everything are widened.
_FORGET_VALUES: Final = 6
_FORGET_SHAPE: Final = 12
_FORGET_ALL: Final = 24


def solve(known: MutableMapping[_K, Type], keys: Sequence[_K], assigned: Callable[[int], tuple[Type, set[_K]]]) -> None:
    """Raise the types in `known` until they hold whatever the assignments assign.

    `keys`: the key, or the definition of one, that each assignment sets. `assigned`: the type that assignment number n
    gives under `known`, and the keys that it read. An assignment is looked at again when a key that it reads
    has changed; a key that keeps changing loses its details, so every key changes a bounded number of times.
    """
    readers: dict[_K, set[int]] = {}
    changes: dict[_K, int] = {}
    waiting = deque(range(len(keys)))
    queued = set(waiting)
    while waiting:
        number = waiting.popleft()
        queued.discard(number)
        key = keys[number]
        if known[key] is ANY:
            continue
        found, read = assigned(number)
        for name in read:
            readers.setdefault(name, set()).add(number)
        joined = join(known[key], limited(found))
        if joined == known[key]:
            continue
        changes[key] = changes.get(key, 0) + 1
        known[key] = _widened(joined, changes[key])
        again = sorted(readers.get(key, set()) - queued)
        waiting.extend(again)
        queued.update(again)


def _widened(found: Type, changes: int) -> Type:
    if changes >= _FORGET_ALL:
        return ANY
    if changes >= _FORGET_SHAPE:
        return Type(found.kinds)
    if changes >= _FORGET_VALUES:
        return limited(Type(found.kinds, found.items, found.fields, found.closed, found.rest), 1)
    return found
