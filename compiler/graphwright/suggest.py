"""Did you mean …: the nearest of the names that would be legal.

The distance is Damerau–Levenshtein's (a swapped pair is one edit). Only a near miss is worth suggesting: at most a
third of the name may differ.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import Final

from graphwright.pattern import pattern

_LONGEST: Final = 60
#: What stands between the words of a name.
_WORDS: Final = pattern(r"[\W_]+")
#: Names that are compared, all in all, to find out what misspelt ones mean.
_MOST_COMPARED: Final = 200_000


class Guesses:
    """Answers many questions of one file in bounded time: once very many names have been compared, with None."""

    def __init__(self) -> None:
        self._compared = 0

    def nearest(self, name: str, *groups: Collection[str]) -> str | None:
        """The nearest name of the first group that has a near one."""
        for group in groups:
            if self._compared >= _MOST_COMPARED:
                return None
            self._compared += len(group)
            found = nearest(name, group)
            if found is not None:
                return found
        return None


def nearest(name: str, candidates: Iterable[str]) -> str | None:
    """The candidate with the fewest edits from `name`, or None where none is near.

    Letter case costs nothing in the choice of candidates, but breaks ties; then a name that begins as this one does is
    nearer (`gt` for `gtt`), then one of the same length (letters are swapped more often than lost), and at last the
    alphabet decides, so that the answer depends on nothing but the names.
    """
    limit = max(1, len(name) // 3)
    folded = name.casefold()
    best: tuple[int, int, bool, int, str] | None = None
    for candidate in candidates:
        if candidate == name or abs(len(candidate) - len(name)) > limit or len(candidate) > _LONGEST:
            continue
        distance = edits(folded, candidate.casefold(), limit)
        if distance > limit or (distance and distance >= max(len(name), len(candidate))):
            continue
        if distance > 2 and not _word_by_word(folded, candidate.casefold()):
            continue
        other = not (name.startswith(candidate) or candidate.startswith(name))
        rank = (distance, edits(name, candidate), other, abs(len(candidate) - len(name)), candidate)
        if best is None or rank < best:
            best = rank
    return best[4] if best else None


def edits(left: str, right: str, most: int = _LONGEST) -> int:
    """How many insertions, deletions, replacements and swaps of neighbours lead from one text to the other.

    Where it is more than `most`, some number that is more.
    """
    left, right = _differing(left, right)
    before: list[int] = []
    previous = list(range(len(right) + 1))
    for i, a in enumerate(left, 1):
        current = [i]
        for j, b in enumerate(right, 1):
            cost = min(previous[j] + 1, current[j - 1] + 1, previous[j - 1] + (a != b))
            if i > 1 and j > 1 and a == right[j - 2] and left[i - 2] == b:
                cost = min(cost, before[j - 2] + 1)
            current.append(cost)
        if min(current) > most and min(previous) > most:  # a swap looks back two rows
            return most + 1
        before, previous = previous, current
    return previous[-1]


def _word_by_word(left: str, right: str) -> bool:
    """Whether names of several words are alike in each: `answer_each_ticket` is no `classify_each_ticket`."""
    words, others = _WORDS.split(left), _WORDS.split(right)
    if len(words) == 1 or len(words) != len(others):
        return True
    return all(edits(a, b) <= max(1, max(len(a), len(b)) // 2) for a, b in zip(words, others, strict=True))


def _differing(left: str, right: str) -> tuple[str, str]:
    """Two texts without what they begin and end with alike, which no edit has to touch."""
    first = 0
    for a, b in zip(left, right, strict=False):
        if a != b:
            break
        first += 1
    last = 0
    for a, b in zip(reversed(left[first:]), reversed(right[first:]), strict=False):
        if a != b:
            break
        last += 1
    return left[first : len(left) - last], right[first : len(right) - last]
