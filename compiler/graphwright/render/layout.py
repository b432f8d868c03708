"""How text stands in the cells of a terminal: tabs, wide and combining characters, and what must not reach it."""

from __future__ import annotations

import unicodedata

TAB = 4
#: Joiners and variation selectors: they have no width, and what they join would fall apart without them.
_JOINERS = "\u200c\u200d\ufe0e\ufe0f"


def cells(text: str) -> tuple[str, list[int]]:
    """`text` as it may be printed, and the cell at which each code point begins (one entry more than code points)."""
    if text.isascii() and text.isprintable():
        return text, list(range(len(text) + 1))
    shown: list[str] = []
    starts = [0]
    position = 0
    for character in text:
        if character == "\t":
            width = TAB - position % TAB
            shown.append(" " * width)
        else:
            visible = _visible(character)
            width = _width(visible)
            shown.append(visible)
        position += width
        starts.append(position)
    return "".join(shown), starts


def printable(text: str) -> str:
    """`text` in one line, with everything escaped that would move the cursor or reorder the line."""
    if text.isprintable():
        return text
    return "".join(character if _harmless(character) else _escaped(character) for character in text)


def width(text: str) -> int:
    """How many cells `text` takes."""
    return cells(text)[1][-1]


def _width(character: str) -> int:
    if character in _JOINERS or unicodedata.category(character) in ("Mn", "Me"):
        return 0
    return 2 if unicodedata.east_asian_width(character) in ("W", "F") else 1


def _harmless(character: str) -> bool:
    return character.isprintable() or character in _JOINERS or unicodedata.category(character) == "Zs"


def _visible(character: str) -> str:
    if _harmless(character):
        return character
    code = ord(character)
    return chr(0x2400 + code) if code < 0x20 else "\ufffd"


def _escaped(character: str) -> str:
    return character.encode("unicode_escape").decode("ascii")
