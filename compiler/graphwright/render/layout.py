"""The layout of text in terminal cells: tabs, wide and combining characters, and escaping of unsafe characters."""

from __future__ import annotations

import unicodedata

from graphwright.pattern import pattern

TAB = 4
#: Line breaks, and the colors of `style`.
_OURS = pattern(r"(\n|\x1b\[(?:0|1|1;3[1346])m)")
#: Joiners and variation selectors: they have no width but affect the characters around them, so they are kept.
_JOINERS = "\u200c\u200d\ufe0e\ufe0f"


def cells(text: str) -> tuple[str, list[int]]:
    """`text` with tabs expanded and unsafe characters replaced, and the cell where each code point begins.

    The list has one more entry than there are code points: the total width.
    """
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
    """`text` on one line with invisible and deceptive characters escaped, as the runtime shows it."""
    if text.isascii() and text.isprintable():
        return text
    from graphwright_runtime.visible import visible

    return visible(text)


def printable_lines(text: str) -> str:
    """`printable` for each line of a text."""
    return "\n".join(map(printable, text.split("\n")))


def harmless(text: str) -> str:
    """Escape characters in formatted output that move the cursor or reorder text, except the colors of `style`."""
    if text.isascii() and text.replace("\n", "").isprintable():
        return text
    pieces = _OURS.split(text)
    pieces[::2] = ["".join(each if _harmless(each) else printable(each) for each in piece) for piece in pieces[::2]]
    return "".join(pieces)


def width(text: str) -> int:
    """The width of `text` in terminal cells."""
    return cells(text)[1][-1]


def _width(character: str) -> int:
    if character in _JOINERS or unicodedata.category(character) in ("Mn", "Me"):
        return 0
    return 2 if unicodedata.east_asian_width(character) in ("W", "F") else 1


def _harmless(character: str) -> bool:
    if character.isascii():
        return character.isprintable()
    from graphwright_runtime.visible import UNSEEN

    if character in UNSEEN:
        return character in _JOINERS
    return character.isprintable() or character in _JOINERS or unicodedata.category(character) == "Zs"


def _visible(character: str) -> str:
    if _harmless(character):
        return character
    code = ord(character)
    return chr(0x2400 + code) if code < 0x20 else "\ufffd"
