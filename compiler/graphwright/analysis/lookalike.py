"""Names that people cannot tell apart: letters of other scripts, invisible characters, other encodings of a letter.

Two names look alike if their skeletons are equal: each character is replaced by the one that it is confused with
(Unicode UTS #39, from the library confusable-homoglyphs).
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Iterator
from functools import lru_cache
from importlib import import_module
from typing import Any, Final

#: ASCII characters that look like others. Most fonts distinguish them, so they are not reported on their own.
_PLAIN: Final = {"I": "l", "1": "l", "|": "l", "0": "O"}


def lookalikes(names: Iterable[str]) -> Iterator[tuple[str, str]]:
    """Each name that looks like an earlier one, with that one; names that are pure ASCII do not."""
    names = list(dict.fromkeys(names))
    if all(map(str.isascii, names)):
        return
    first: dict[str, str] = {}
    for name in names:
        other = first.setdefault("".join(map(_letter, unicodedata.normalize("NFKC", name))), name)
        if other != name and not (name.isascii() and other.isascii()):
            yield name, other


def odd_letter(name: str, other: str) -> str:
    """The character that distinguishes a name from one that looks like it, by its code and its Unicode name."""
    for text, beside in ((name, other), (other, name)):
        for letter in text:
            if not letter.isascii() and letter not in beside:
                return f"U+{ord(letter):04X} {unicodedata.name(letter, 'a character without a name')}"
    return "the order of its characters"


@lru_cache(1024)
def _letter(character: str) -> str:
    """The character that this one looks like; empty if it is invisible."""
    if character.isascii():
        return _PLAIN.get(character, character)
    if not character.isprintable():
        return ""
    confusables: Any = import_module("confusable_homoglyphs.confusables")  # it has no types, and reads a large table
    found = confusables.is_confusable(character, greedy=True) or []
    similar: list[str] = [each["c"] for entry in found for each in entry["homoglyphs"] if len(each["c"]) == 1]
    plain = next((each for each in similar if each.isascii()), None)
    return min([character, *similar]) if plain is None else _PLAIN.get(plain, plain)
