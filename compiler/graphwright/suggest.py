"""Did you mean …: the nearest of the names that would be legal.

The distance is that of optimal string alignment (a swapped pair is one edit). Only a near miss is worth suggesting:
at most a third of the name may differ.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import Final

from graphwright.pattern import pattern

_LONGEST: Final = 60
#: What stands between the words of a name.
_WORDS: Final = pattern(r"[\W_]+")
#: Names that are compared, all in all, to find out what misspelled ones mean.
_MAX_COMPARED: Final = 200_000


class Guesses:
    """Answers many questions of one file in bounded time: once very many names have been compared, with None."""

    def __init__(self) -> None:
        self._compared = 0

    def nearest(self, name: str, *groups: Collection[str]) -> str | None:
        """The nearest name of the first group that has a near one."""
        for group in groups:
            if self._compared >= _MAX_COMPARED:
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
    letters = frozenset(folded)
    best: tuple[int, int, bool, int, str] | None = None
    for candidate in candidates:
        if candidate == name or abs(len(candidate) - len(name)) > limit or len(candidate) > _LONGEST:
            continue
        other_folded = candidate.casefold()
        if len(letters.difference(other_folded)) > limit:  # each edit explains one letter
            continue
        distance = edits(folded, other_folded, limit)
        if distance > limit or (distance and distance >= max(len(name), len(candidate))):
            continue
        limit = distance  # one that is further off cannot win any more
        other = not (name.startswith(candidate) or candidate.startswith(name))
        rank = (distance, edits(name, candidate), other, abs(len(candidate) - len(name)), candidate)
        if best is None or rank < best:
            best = rank
    return best[4] if best else None


def edits(left: str, right: str, most: int = _LONGEST) -> int:
    """How many insertions, deletions, replacements and swaps of neighbours lead from one text to the other.

    Where it is more than `most`, some number that is more.
    """
    from rapidfuzz.distance import OSA  # only where something is misspelled: it loads in some ten milliseconds

    return OSA.distance(left, right, score_cutoff=most)
