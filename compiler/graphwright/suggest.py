"""Did you mean …: the nearest of the names that would be legal.

The distance is Damerau–Levenshtein's (a swapped pair is one edit). Only a near miss is worth suggesting: at most a
third of the name may differ.
"""

from __future__ import annotations

from collections.abc import Iterable

_LONGEST = 60


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
        distance = edits(folded, candidate.casefold())
        if distance > limit or (distance and distance >= max(len(name), len(candidate))):
            continue
        other = not (name.startswith(candidate) or candidate.startswith(name))
        rank = (distance, edits(name, candidate), other, abs(len(candidate) - len(name)), candidate)
        if best is None or rank < best:
            best = rank
    return best[4] if best else None


def edits(left: str, right: str) -> int:
    """How many insertions, deletions, replacements and swaps of neighbours lead from one text to the other."""
    before: list[int] = []
    previous = list(range(len(right) + 1))
    for i, a in enumerate(left, 1):
        current = [i]
        for j, b in enumerate(right, 1):
            cost = min(previous[j] + 1, current[j - 1] + 1, previous[j - 1] + (a != b))
            if i > 1 and j > 1 and a == right[j - 2] and left[i - 2] == b:
                cost = min(cost, before[j - 2] + 1)
            current.append(cost)
        before, previous = previous, current
    return previous[-1]
