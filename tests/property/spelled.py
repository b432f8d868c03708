"""The locations of the parts of a tree in a text that was generated for it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

#: A stretch of the written text.
Stretch: TypeAlias = tuple[int, int]
#: The way to a node: the number of an item, or of a pair and 0 for its key, 1 for its value.
Path: TypeAlias = tuple[int, ...]
#: In the place of the number of a pair: the key that merges others.
MERGE = -1
#: A node as a whole, or from one character of its text to another.
Anchor: TypeAlias = tuple[Path, Stretch | None]


@dataclass(frozen=True, slots=True)
class Place:
    """Where a node was written; of a scalar also where each character of its text stands."""

    whole: Stretch
    characters: tuple[Stretch, ...] = ()


@dataclass(frozen=True, slots=True)
class Spelled:
    """A written text and the places of its nodes."""

    text: str
    places: dict[Path, Place]

    def anchors(self, stretch: Stretch) -> list[Anchor]:
        """What stands exactly there: whole nodes, and parts of texts."""
        start, end = stretch
        found: list[Anchor] = []
        for path, place in self.places.items():
            if place.whole == stretch:
                found.append((path, None))
            begins = [number for number, (begin, _) in enumerate(place.characters) if begin == start]
            ends = [number for number, (_, stop) in enumerate(place.characters) if stop == end]
            if begins and start == end:
                found.append((path, (begins[0], begins[0])))
            elif begins and ends:
                found.append((path, (begins[0], ends[-1] + 1)))
        return found

    def stretch(self, anchor: Anchor) -> Stretch:
        """Where something stands."""
        path, part = anchor
        place = self.places[path]
        if part is None:
            return place.whole
        start, end = part
        begin, stop = place.characters[start][0], place.characters[max(start, end - 1)][1]
        return begin, stop if start < end else begin

    def first_token(self, path: Path) -> Stretch:
        """How a node begins: what has brackets or is a text as a whole, else with its first key or item."""
        place = self.places[path]
        while self.text[place.whole[0]] not in "[{":
            inner = [below for below in ((*path, MERGE), (*path, 0, 0), (*path, 0)) if below in self.places]
            if not inner:
                break
            path, place = inner[0], self.places[inner[0]]
        return place.whole

    def first_key(self, path: Path) -> list[Stretch]:
        """Of a first key before which others are merged: the key that merges them."""
        merge = (*path[:-2], MERGE)
        return [self.places[merge].whole] if path[-2:] == (0, 0) and merge in self.places else []
