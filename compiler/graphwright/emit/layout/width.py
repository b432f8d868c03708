"""Computes the columns of text in a terminal, as formatters do."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from functools import lru_cache
from typing import Final

#: Characters without width, in addition to those of the categories Mn and Me: vowel signs, parts of syllables.
_ZERO: Final = re.compile(
    "[\u1160-\u11ff"
    "\u09be\u09d7\u0b3e\u0b57\u0bbe\u0bd7\u0cc0\u0cc2\u0cc7\u0cc8\u0cca\u0ccb\u0cd5\u0cd6\u0d3e\u0d4e"
    "\u0d57\u0dcf\u0ddf\u1715\u1734\u1b35\u1b3b\u1b3d\u1b43\u1b44\u1baa\u1bf2\u1bf3\u302e\u302f\u3164"
    "\ua8fa\ua953\ua9c0\ud7b0-\ud7c6\ud7cb-\ud7fb\uff9e-\uffa0\U000111c0\U000111c2\U000111c3\U00011235"
    "\U0001133e\U0001134d\U00011357\U000114b0\U000114bd\U000115af\U000116b6\U00011930\U0001193d\U0001193f"
    "\U00011941\U00011a84-\U00011a89\U00011d46\U00016ff0\U00016ff1\U0001d165\U0001d166"
    "\U0001d16d-\U0001d172]"
)
#: Symbols with a width of two columns that are not East Asian: tetragrams, counting rods.
_WIDE: Final = re.compile("[\u17a4\u2630-\u2637\u268a-\u268f\u4dc0-\u4dff\U0001d300-\U0001d356\U0001d360-\U0001d376]")
#: Single characters with an exceptional width: joiners of consonants, and a character for a whole word.
_SINGLE: Final = {"\u17d8": 3, "\u2d7f": 1, "\U0001171e": 1}


def columns(code: str) -> Sequence[int]:
    """The column of each character, and the one after the last."""
    if code.isascii():
        return range(len(code) + 1)
    found = [0]
    for character in code:
        found.append(found[-1] + (1 if character.isascii() else _width(character)))
    return found


@lru_cache(maxsize=10_000)
def _width(character: str) -> int:
    """The number of columns of a character that is not ASCII."""
    if character in _SINGLE:
        return _SINGLE[character]
    if unicodedata.category(character) in ("Mn", "Me") or _ZERO.match(character):
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" or _WIDE.match(character) else 1
