"""Finds the nearest valid name for a misspelled one.

The distance is the number of edits of optimal string alignment (a swapped pair is one edit). At most a third of the
characters of a name may differ.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import Final

from graphwright.pattern import pattern

_LONGEST: Final = 60
#: Separators between the words of a name.
_WORDS: Final = pattern(r"[\W_]+")
#: Among more candidates, a beginning means nothing.
_FEW: Final = 50
#: Shorter names can be the beginning of anything.
_SHORTEST: Final = 4
#: The maximum number of names that are compared for one file.
_MAX_COMPARED: Final = 200_000


class Guesses:
    """Finds the nearest names for one file in bounded time; after too many comparisons, returns None."""

    def __init__(self) -> None:
        self._compared = 0

    def nearest(self, name: str, *groups: Collection[str]) -> str | None:
        """The nearest name in the first group that has a similar name; None if there is none."""
        for group in groups:
            if self._compared >= _MAX_COMPARED:
                return None
            self._compared += len(group)
            found = nearest(name, group)
            if found is not None:
                return found
        return None


def nearest(name: str, candidates: Iterable[str], most: int | None = None) -> str | None:
    """The candidate with the fewest edits from `name`; None if there is no similar one.

    `most` is the number of edits that a similar name may need, by default a third of its length. The comparison ignores
    case. Ties are broken by case, then in favor of a name with a common prefix (`gt` for `gtt`),
    then of a similar length (letters are swapped more often than lost), and finally in alphabetical order, so that the
    result does not depend on the order of candidates.
    """
    limit = max(1, len(name) // 3) if most is None else most
    folded = name.casefold()
    letters = frozenset(folded)
    best: tuple[int, int, bool, int, str] | None = None
    for candidate in candidates:
        if candidate == name or abs(len(candidate) - len(name)) > limit or len(candidate) > _LONGEST:
            continue
        other_folded = candidate.casefold()
        if len(letters.difference(other_folded)) > limit:  # each edit accounts for one letter
            continue
        distance = edits(folded, other_folded, limit)
        if distance > limit or (distance and distance >= max(len(name), len(candidate))):
            continue
        limit = distance  # candidates with a greater distance can be skipped
        other = not (name.startswith(candidate) or candidate.startswith(name))
        rank = (distance, edits(name, candidate), other, abs(len(candidate) - len(name)), candidate)
        if best is None or rank < best:
            best = rank
    return best[4] if best else None


def cut_short(name: str, candidates: Collection[str]) -> str | None:
    """The only candidate that begins with a name, or has all of its words: `source_code` for `source`.

    Much less sure than `nearest`; ask it only about names that are missing a partner. None if there are many of them.
    """
    if len(candidates) > _FEW:
        return None
    words = [word for word in _WORDS.split(name.casefold()) if word]
    found = [each for each in candidates if each != name and _continues(each.casefold(), name.casefold(), words)]
    return found[0] if len(found) == 1 else None


def _continues(candidate: str, name: str, words: list[str]) -> bool:
    if len(name) >= _SHORTEST and candidate.startswith(name):
        return True
    rest = iter(_WORDS.split(candidate))
    return len(name) >= _SHORTEST and bool(words) and all(word in rest for word in words)


def edits(left: str, right: str, most: int = _LONGEST) -> int:
    """The number of insertions, deletions, replacements and swaps of adjacent characters between two strings.

    If that is more than `most`, returns any number greater than `most`.
    """
    from rapidfuzz.distance import OSA  # imported late, because it takes about ten milliseconds

    return OSA.distance(left, right, score_cutoff=most)
