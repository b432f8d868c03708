"""Sets of characters as the engine writes them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

#: Any one character.
ANYTHING: Final = r"[\s\S]"

#: What no character satisfies.
NOTHING: Final = "(?!)"


class Members(NamedTuple):
    """Part of a set, as it stands between brackets: these characters or, `negated`, all others."""

    text: str
    negated: bool = False


def literal(point: int) -> str:
    """A code point as one character, inside a set or outside of it."""
    character = chr(point)
    if character.isascii() and character.isalnum():
        return character
    if 0x20 < point < 0x7F:
        return f"\\{character}"
    return f"\\x{point:02x}" if point < 0x100 else f"\\u{point:04x}" if point < 0x10000 else f"\\U{point:08x}"


def character_set(parts: Sequence[Members], *, negated: bool = False) -> str:
    """One character that is in one of the parts, or in none of them."""
    inside = "".join(part.text for part in parts if not part.negated)
    outside = [f"[^{part.text}]" for part in parts if part.negated]
    if not outside:
        if not inside:
            return ANYTHING if negated else NOTHING
        return f"[{'^' * negated}{inside}]"
    either = "|".join([f"[{inside}]", *outside] if inside else outside)
    return f"(?:(?!{either}){ANYTHING})" if negated else f"(?:{either})"


def word_boundary(word: str, *, inside: bool = False) -> str:
    """`\\b` for a set of word characters; with `inside` its contrary, `\\B`."""
    if inside:
        return f"(?:(?<=[{word}])(?=[{word}])|(?<![{word}])(?![{word}]))"
    return f"(?:(?<=[{word}])(?![{word}])|(?<![{word}])(?=[{word}]))"
