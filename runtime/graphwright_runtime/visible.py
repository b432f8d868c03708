"""What people see is what there is: text for messages, with everything escaped that cannot be seen or deceives."""

from __future__ import annotations

from typing import Final

#: Characters that Python calls printable and that most fonts show as nothing: fillers, joiners, variation selectors.
UNSEEN: Final = frozenset(
    map(chr, (0x034F, 0x115F, 0x1160, 0x17B4, 0x17B5, 0x2800, 0x3164, 0xFFA0))
) | frozenset(map(chr, (*range(0x180B, 0x1810), *range(0xFE00, 0xFE10), *range(0xE0100, 0xE01F0))))  # fmt: skip


def visible(text: str) -> str:
    """`text` in one line: controls, line breaks, marks of direction, odd blanks and invisible characters as escapes.

    A character that cannot be written as UTF-8 is escaped as well, so that every stream takes the text.
    """
    if text.isascii() and text.isprintable():
        return text
    return "".join(map(_escaped, text))


def is_visible(text: str) -> bool:
    """Whether people see a text as it is: nothing in it is invisible, moves the cursor or is a blank at an end."""
    return text == text.strip() and visible(text) == text


def _escaped(character: str) -> str:
    if character.isprintable() and character not in UNSEEN:
        return character
    return character.encode("unicode_escape").decode("ascii")
