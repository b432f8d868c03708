"""Writes sets of characters in the syntax of the engine."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

#: Matches any character.
ANYTHING: Final = r"[\s\S]"

#: Matches nothing.
NOTHING: Final = "(?!)"


class Members(NamedTuple):
    """Part of a set in the syntax within brackets: these characters or, if `negated`, all others."""

    text: str
    negated: bool = False


def literal(point: int) -> str:
    """A code point as a literal character, valid inside and outside of a set."""
    character = chr(point)
    if character.isascii() and character.isalnum():
        return character
    if 0x20 < point < 0x7F:
        return f"\\{character}"
    return f"\\x{point:02x}" if point < 0x100 else f"\\u{point:04x}" if point < 0x10000 else f"\\U{point:08x}"


def character_set(parts: Sequence[Members], *, negated: bool = False) -> str:
    """A pattern for one character in any of the parts or, if `negated`, in none of them."""
    inside = "".join(part.text for part in parts if not part.negated)
    outside = [f"[^{part.text}]" for part in parts if part.negated]
    if not outside:
        if not inside:
            return ANYTHING if negated else NOTHING
        return f"[{'^' * negated}{inside}]"
    either = "|".join([f"[{inside}]", *outside] if inside else outside)
    return f"(?:(?!{either}){ANYTHING})" if negated else f"(?:{either})"


def word_boundary(word: str, *, inside: bool = False) -> str:
    """`\\b` for a set of word characters; with `inside` its opposite, `\\B`."""
    if inside:
        return f"(?:(?<=[{word}])(?=[{word}])|(?<![{word}])(?![{word}]))"
    return f"(?:(?<=[{word}])(?![{word}])|(?<![{word}])(?=[{word}]))"
