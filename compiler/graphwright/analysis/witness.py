"""Counterexamples: paths through a graph on which a state key is not assigned."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from heapq import heappop, heappush
from itertools import count
from typing import Final, NamedTuple

from graphwright.analysis.flow import TransitionKind
from graphwright.analysis.steps import Step

#: The number of nodes of a path that are shown; the middle of a longer one is left out.
_LENGTH: Final = 8
LEFT_OUT: Final = "…"

#: The total number of steps that all searches together may visit. A graph whose keys are all in doubt uses them up;
#: later messages then name only the two ends of the path.
_BUDGET: Final = 500_000

#: What a failure costs, in steps: any path without it is better.
_FAILURE: Final = 1 << 32
_FAILURES: Final = frozenset({TransitionKind.ERROR, TransitionKind.CONTINUE})


class Hop(NamedTuple):
    """A node of a path, and how control leaves it for the next one; None for the last, and where nodes are left out."""

    node: str
    kind: TransitionKind | None = None


class _Arrival(NamedTuple):
    """The best way to reach a node: its cost, and the hop before it."""

    cost: int
    before: Hop | None


class Witnesses:
    """Finds such paths, given what is surely and possibly assigned at the entry of each node."""

    def __init__(
        self,
        start: str | None,
        steps: Mapping[str, Sequence[Step]],
        definite: Mapping[str, int],
        possible: Mapping[str, int],
    ) -> None:
        self._start = start
        self._steps = steps
        self._definite = definite
        self._possible = possible
        self._budget = _BUDGET

    def find(self, name: str, mask: int, handled: frozenset[str]) -> tuple[Hop, ...]:
        """A path from the start to `name` on which nothing of `mask` is assigned or proved, the one with the fewest
        failures, and of those a shortest one. On it, no node in `handled` fails under `on_error: continue`.

        Searches backwards, up to nodes where nothing of it can be assigned yet. Empty if there is no such path.
        """
        if self._start is None or name not in self._tree:
            return ()
        following: dict[str, tuple[TransitionKind | None, str | None]] = {name: (None, None)}
        costs = {name: 0}
        best: tuple[int, str] | None = None
        order = count()
        waiting = [(0, next(order), name)]
        while waiting and self._budget > 0 and (best is None or waiting[0][0] < best[0]):
            cost, _, current = heappop(waiting)
            if cost > costs[current]:
                continue
            if current == self._start or not (handled or self._possible[current] & mask):
                total = cost + self._tree[current].cost
                best = (total, current) if best is None or total < best[0] else best
                continue
            for before, surely, kind in self._before.get(current, ()):
                self._budget -= 1
                longer = cost + _cost(kind)
                if kind is TransitionKind.CONTINUE and before in handled:
                    continue
                if longer < costs.get(before, longer + 1) and not (surely | self._definite[before]) & mask:
                    costs[before] = longer
                    following[before] = (kind, current)
                    heappush(waiting, (longer, next(order), before))
        if best is not None:
            return self._path_through(best[1], following)
        one_key = not mask & (mask - 1)  # such a path exists, otherwise the key would be definite
        return (Hop(self._start), Hop(LEFT_OUT), Hop(name)) if waiting and one_key and not handled else ()

    def leading_to(self, names: Iterable[str]) -> frozenset[str]:
        """These nodes, and those from which a run can reach one of them."""
        waiting = list(names)
        found = set(waiting)
        while waiting and self._budget > 0:
            for before, _, _ in self._before.get(waiting.pop(), ()):
                self._budget -= 1
                if before not in found:
                    found.add(before)
                    waiting.append(before)
        return frozenset(found)

    def _path_through(
        self, clean: str, following: Mapping[str, tuple[TransitionKind | None, str | None]]
    ) -> tuple[Hop, ...]:
        """The best path to `clean`, where nothing is assigned yet, followed by the path that was found."""
        head: list[Hop] = []
        hop = self._tree[clean].before
        while hop is not None:
            head.append(hop)
            hop = self._tree[hop.node].before
        tail: list[Hop] = []
        current: str | None = clean
        while current is not None:
            kind, after = following[current]
            tail.append(Hop(current, kind))
            current = after
        self._budget -= len(head) + len(tail)
        return (*reversed(head), *tail)

    @cached_property
    def _tree(self) -> dict[str, _Arrival]:
        """The best way from the start to each reachable node."""
        if self._start is None:
            return {}
        tree = {self._start: _Arrival(0, None)}
        order = count()
        waiting = [(0, next(order), self._start)]
        while waiting:
            cost, _, name = heappop(waiting)
            if cost > tree[name].cost:
                continue
            for step in self._steps[name]:
                longer = cost + _cost(step.kind)
                if step.target is not None and (step.target not in tree or longer < tree[step.target].cost):
                    tree[step.target] = _Arrival(longer, Hop(name, step.kind))
                    heappush(waiting, (longer, next(order), step.target))
        return tree

    @cached_property
    def _before(self) -> dict[str, list[tuple[str, int, TransitionKind]]]:
        """For each node, the steps that lead to it: their sources, what they surely assign, and their kinds."""
        before: dict[str, list[tuple[str, int, TransitionKind]]] = {}
        for name in self._tree:
            for step in self._steps[name]:
                if step.target is not None:
                    before.setdefault(step.target, []).append((name, step.surely, step.kind))
        return before


def _cost(kind: TransitionKind) -> int:
    return 1 + _FAILURE if kind in _FAILURES else 1


def shortened(path: Sequence[str], kept: Iterable[int]) -> tuple[str, ...]:
    """The nodes of a path that are shown: of a long one both ends, those at the positions `kept`, and the last ones."""
    if len(path) <= _LENGTH:
        return tuple(path)
    shown = {0, len(path) - 1, *kept}
    for position in reversed(range(len(path))):
        if len(shown) >= _LENGTH - 1:
            break
        shown.add(position)
    found: list[str] = []
    last = -1
    for position in sorted(shown):
        if position == last + 2:  # a sign takes as much room as the one node that it stands for
            found.append(path[position - 1])
        elif position > last + 1:
            found.append(LEFT_OUT)
        found.append(path[position])
        last = position
    return tuple(found)
