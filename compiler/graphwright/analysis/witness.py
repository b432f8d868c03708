"""Counterexamples: paths through a graph on which a state key is not assigned."""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Final

from graphwright.analysis.steps import Step

#: The longest path that is shown in full; the middle of a longer one is left out.
_LENGTH: Final = 8
_LEFT_OUT: Final = "…"

#: The total number of steps that all searches together may visit. A graph whose keys are all in doubt uses them up;
#: later messages then name only the two ends of the path.
_BUDGET: Final = 500_000


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

    def find(self, name: str, mask: int) -> tuple[str, ...]:
        """The nodes of a path from the start to `name` on which nothing of `mask` is assigned or proved.

        Searches backwards, up to a node where nothing of it can be assigned yet. Empty if there is no such path.
        """
        if self._start is None or name not in self._tree:
            return ()
        came: dict[str, str | None] = {name: None}
        waiting = deque([name])
        while waiting and self._budget > 0:
            current = waiting.popleft()
            if not self._possible[current] & mask or current == self._start:
                return self._path_through(current, came)
            for before, surely in self._before.get(current, ()):
                self._budget -= 1
                if before not in came and not (surely | self._definite[before]) & mask:
                    came[before] = current
                    waiting.append(before)
        one_key = not mask & (mask - 1)  # such a path exists, otherwise the key would be definite
        return (self._start, _LEFT_OUT, name) if waiting and one_key else ()

    def _path_through(self, clean: str, came: Mapping[str, str | None]) -> tuple[str, ...]:
        """A shortest path to `clean`, where nothing is assigned yet, followed by the path that was found."""
        tail = [clean]
        while (following := came[tail[-1]]) is not None:
            tail.append(following)
        depth, before = self._tree[clean]
        whole = depth + len(tail) <= _LENGTH
        room = depth if whole else _LENGTH - 2 - len(tail)
        head: list[str] = []
        while before is not None and len(head) < room:
            head.append(before)
            before = self._tree[before][1]
        path = (*reversed(head), *tail)
        return path if whole else (str(self._start), _LEFT_OUT, *path[2 - _LENGTH :])

    @cached_property
    def _tree(self) -> dict[str, tuple[int, str | None]]:
        """Each reachable node, with its depth and the node before it on a shortest path."""
        if self._start is None:
            return {}
        tree: dict[str, tuple[int, str | None]] = {self._start: (0, None)}
        waiting = deque([self._start])
        while waiting:
            name = waiting.popleft()
            for step in self._steps[name]:
                if step.target is not None and step.target not in tree:
                    tree[step.target] = (tree[name][0] + 1, name)
                    waiting.append(step.target)
        return tree

    @cached_property
    def _before(self) -> dict[str, list[tuple[str, int]]]:
        """For each node, the steps that lead to it: their sources, and what they surely assign."""
        before: dict[str, list[tuple[str, int]]] = {}
        for name in self._tree:
            for step in self._steps[name]:
                if step.target is not None:
                    before.setdefault(step.target, []).append((name, step.surely))
        return before
