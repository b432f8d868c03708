"""Escapes invisible and deceptive characters in text for messages."""

from __future__ import annotations

from typing import Final

#: Characters that are printable according to Python but invisible in most fonts: fillers, joiners, variation selectors.
UNSEEN: Final = frozenset(
    map(chr, (0x034F, 0x115F, 0x1160, 0x17B4, 0x17B5, 0x2800, 0x3164, 0xFFA0))
) | frozenset(map(chr, (*range(0x180B, 0x1810), *range(0xFE00, 0xFE10), *range(0xE0100, 0xE01F0))))  # fmt: skip


def visible(text: str) -> str:
    """`text` on one line: control characters, line breaks, direction marks, unusual spaces and invisible characters are
    escaped.

    Characters that cannot be encoded as UTF-8 are escaped as well, so that every stream accepts the text.
    """
    if text.isascii() and text.isprintable():
        return text
    return "".join(map(_escaped, text))


def is_visible(text: str) -> bool:
    """Whether a text is shown as it is: no invisible or control characters, no leading or trailing whitespace."""
    return text == text.strip() and visible(text) == text


def _escaped(character: str) -> str:
    if character.isprintable() and character not in UNSEEN:
        return character
    return character.encode("unicode_escape").decode("ascii")
