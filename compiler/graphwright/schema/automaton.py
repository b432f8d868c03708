"""The automaton of a pattern: which of its positions can follow each other, and in how many ways.

Built from the tree of the runtime's pattern reader. Positions are the parts of the pattern that read a character.
"""

from __future__ import annotations

from collections import Counter
from typing import Final

from graphwright.pattern import pattern
from graphwright_runtime.patterns.tree import Atom, Boundary, Choice, Group, Look, Node, Reference, Repeat, Sequence

#: A repetition with at least this bound counts as unbounded: the number of ways is large enough.
_ENDLESS: Final = 10

#: The most states of an automaton, and the most steps when looking for followers.
_LARGEST: Final = 4_000
_STEPS: Final = 200_000


#: Flags that change case sensitivity from here on, or in a group.
_CASE: Final = pattern(r"\(\?(?:[a-z]*(i)[a-z]*|[a-z]*-[a-z]*i[a-z]*)[:)-]")


class TooLargeError(Exception):
    """The pattern is too large to be analyzed in reasonable time."""


class Automaton:
    """States connected by transitions that read a character, and by epsilon transitions.

    `reads` has, for each position, the source of its character set (None: not comparable with others) and the state
    after it. `loops` has, for each position, the source of the outermost repetition around it. `apart` are parts that
    are matched independently (lookaround, atomic groups).
    """

    def __init__(self, tree: Node) -> None:
        self.reads: list[tuple[str | None, int]] = []
        self.loops: list[str | None] = []
        self.apart: list[Node] = []
        self._free: list[list[tuple[int, int]]] = []
        self._at: list[list[int]] = []
        self._asserted: set[tuple[int, int]] = set()
        self._backward = 0
        self._loop: str | None = None
        self._folded = False
        self._steps = 0
        self.start = self._state()
        self.end = self._build(tree, self.start)

    def followers(self, state: int) -> tuple[Counter[int], bool]:
        """Positions that can read next, each with the number of epsilon paths to it; and whether the end is reachable
        that way.

        A path takes the back step of each repetition at most once. Assertions are not passed on the way to the end.
        """
        found: Counter[int] = Counter()
        ends = False
        pending: list[tuple[int, frozenset[int], bool]] = [(state, frozenset(), True)]
        while pending:
            self._steps += 1
            if self._steps > _STEPS:
                raise TooLargeError
            here, taken, sure = pending.pop()
            found.update(self._at[here])
            ends = ends or (here == self.end and sure)
            for target, back in self._free[here]:
                if back not in taken:
                    still = sure and (here, target) not in self._asserted
                    pending.append((target, taken | {back} if back else taken, still))
        return found, ends

    def _state(self) -> int:
        if len(self._free) >= _LARGEST:
            raise TooLargeError
        self._free.append([])
        self._at.append([])
        return len(self._free) - 1

    def _join(self, source: int, target: int, *, back: int = 0) -> None:
        self._free[source].append((target, back))

    def _reading(self, text: str | None, before: int) -> int:
        after = self._state()
        self._at[before].append(len(self.reads))
        self.reads.append((text, after))
        self.loops.append(self._loop)
        return after

    def _build(self, node: Node, before: int) -> int:
        """Add what a part of the pattern reads from a state on; returns the state after it."""
        match node:
            case Atom(text):
                return self._reading(f"(?i:{text})" if self._folded else text, before)
            case Reference():
                return self._reading(None, before)
            case Boundary() | Look():
                if isinstance(node, Look):
                    self._set_apart(node.inner)
                elif (flags := _CASE.match(node.text)) is not None:
                    self._folded = bool(flags[1])
                after = self._state()
                self._join(before, after)
                self._asserted.add((before, after))
                return after
            case Group(opening, inner, atomic):
                if atomic:
                    self._set_apart(inner)
                    return self._reading(None, before)
                outer = self._folded
                if (flags := _CASE.match(opening)) is not None:
                    self._folded = bool(flags[1])
                last = self._build(inner, before)
                self._folded = outer
                return last
            case Sequence(parts):
                for part in parts:
                    before = self._build(part, before)
                return before
            case Choice(options):
                after = self._state()
                for option in options:
                    first = self._state()
                    self._join(before, first)
                    self._join(self._build(option, first), after)
                return after
            case Repeat():
                return self._repeat(node, before)

    def _set_apart(self, node: Node) -> None:
        self.apart.append(Group("(?i:", node) if self._folded else node)

    def _repeat(self, node: Repeat, before: int) -> int:
        if node.mode == "+":
            self._set_apart(node._replace(mode=""))
            return self._reading(None, before)
        if node.most is not None and node.most < _ENDLESS:
            return self._counted(node, before)
        outer, self._loop = self._loop, self._loop or node.source
        first = self._state()
        self._join(before, first)
        last = self._build(node.inner, first)
        self._backward += 1
        self._join(last, first, back=self._backward)
        self._loop = outer
        after = self._state()
        self._join(last, after)
        if node.least == 0:
            self._join(before, after)
        return after

    def _counted(self, node: Repeat, before: int) -> int:
        after = self._state()
        for count in range(node.most or 0):
            if count >= node.least:
                self._join(before, after)
            before = self._build(node.inner, before)
        self._join(before, after)
        return after
