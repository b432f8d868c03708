"""Whether a backtracking matcher may take exponential time for a pattern.

It may if something repeated reads the same text in two ways (`(a+)+`, `(a|a)*`, `(\\w+\\s?)*`): n repetitions have 2^n
ways, and if none of them leads to a match, all are tried. In terms of the automaton: two different paths over the same
characters lead from some position back to it.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from itertools import combinations, product
from typing import Final

import regex

from graphwright.analysis.components import strong_components
from graphwright.pattern import pattern
from graphwright.schema.automaton import Automaton, TooLargeError
from graphwright_runtime.patterns.tree import Node

#: The most pairs of positions to look at; for a pattern with more, the time limit of every search must suffice.
_PAIRS: Final = 20_000

_KEPT: Final = 32
_ESCAPED: Final = pattern(r"\\(?:x(..)|u(.{4})|U(.{8}))")

#: One character of each kind that patterns distinguish.
_SAMPLES: Final = "aAzZ059_- \t\n\r!#$%&'()*+,./:;<=>?@[\\]^`{|}~\"\x00\x1f\x85\xa0éßÀαЖ٣²中ー😀\u2028\u0301"


def exponential(tree: Node) -> str | None:
    """The repetition that may take exponential time, as the author wrote it, or None."""
    pending = [tree]
    try:
        while pending:
            automaton = Automaton(pending.pop())
            found = _ambiguous(automaton)
            if found is not None:
                return found
            pending += automaton.apart
    except (TooLargeError, RecursionError):
        return None
    return None


def _ambiguous(automaton: Automaton) -> str | None:
    follow: list[dict[int, int]] = []
    harmless: set[int] = set()
    for position, (_, state) in enumerate(automaton.reads):
        if automaton.loops[position] is None:
            follow.append({})
            continue
        ways, ends = automaton.followers(state)
        follow.append({target: count for target, count in ways.items() if automaton.loops[target] is not None})
        if ends:
            harmless.add(position)
    for component in strong_components([list(targets) for targets in follow]):
        if not harmless.issuperset(component):  # otherwise each repetition can end in a match
            cycle = _Cycle(sorted(component), follow, automaton)
            if cycle.is_ambiguous():
                return automaton.loops[component[0]]
    return None


class _Cycle:
    """A strongly connected set of positions, and the pairs of them that can stand for the same character."""

    def __init__(self, positions: list[int], follow: list[dict[int, int]], automaton: Automaton) -> None:
        members = _members(tuple(automaton.reads[position][0] for position in positions))
        self._members = dict(zip(positions, members, strict=True))
        self._follow = {
            position: {target: ways for target, ways in follow[position].items() if target in self._members}
            for position in positions
        }
        self._seen: set[tuple[int, int]] = set()
        self._pending: list[tuple[int, int]] = []

    def is_ambiguous(self) -> bool:
        """Whether two paths over the same characters lead from a position of the cycle back into the cycle."""
        for follow in self._follow.values():
            if any(ways > 1 for ways in follow.values()):
                return True
            for one, other in combinations(follow, 2):
                self._note(one, other)
        while self._pending:
            left, right = self._pending.pop()
            if not self._follow[left].keys().isdisjoint(self._follow[right]):
                return True
            for one, other in product(self._follow[left], self._follow[right]):
                self._note(one, other)
        return False

    def _note(self, one: int, other: int) -> None:
        pair = (min(one, other), max(one, other))
        if pair in self._seen or self._members[one].isdisjoint(self._members[other]):
            return
        if len(self._seen) >= _PAIRS:
            raise TooLargeError
        self._seen.add(pair)
        self._pending.append(pair)


@lru_cache(_KEPT)
def _members(texts: tuple[str | None, ...]) -> tuple[frozenset[str], ...]:
    """For each set of characters, its members among the samples and all characters that the sets name."""
    named = "".join(text for text in texts if text is not None)
    written = {*_SAMPLES, *named, *_escaped(named)}
    letters = sorted(written.union(*(each.swapcase() for each in written)))
    found = []
    for index, text in enumerate(texts):
        if text is None:
            found.append(frozenset({f"#{index}"}))
        else:
            one = regex.compile(text, regex.VERSION0)
            found.append(frozenset(letter for letter in letters if one.match(letter)))
    return tuple(found)


def _escaped(text: str) -> Iterator[str]:
    """The characters that the engine's escapes stand for, and their neighbors: where a range begins and ends."""
    for match in _ESCAPED.finditer(text):
        point = int(match[1] or match[2] or match[3], 16)
        yield from (chr(near) for near in (point - 1, point, point + 1) if 0 <= near <= 0x10FFFF)
