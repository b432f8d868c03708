"""How a text is written in YAML so that it is read as that text."""

from __future__ import annotations

import json

from graphwright.pattern import pattern
from graphwright.source.scalars import STR, ambiguity, tag_of
from graphwright.visible import visible as seen

#: Characters that look like a blank, or like nothing at all, and that YAML takes for letters.
ODD_BLANKS = "\u00a0\u1680\u202f\u205f\u2060\u3000\ufeff" + "".join(map(chr, range(0x2000, 0x200C)))
#: Texts that no context takes for anything but themselves when they stand without quotes.
_WORDS = pattern(r"[\w/][\w./* -]*(?<! )\Z")


def quoted(text: str) -> str:
    """A text between double quotes; what an editor would not show, or YAML take for a line break, as an escape."""
    written = json.dumps(text, ensure_ascii=False)
    return written if _is_seen(written) else "".join(_shown(character) for character in written)


def spelt(text: str, style: str | None) -> str:
    """A text in quotes like those of `style`, PyYAML's; without any where it had none and needs none."""
    if style == "'" and _is_seen(text):
        return "'" + text.replace("'", "''") + "'"
    if style in ("'", '"'):
        return quoted(text)
    plain = _WORDS.match(text) and tag_of(text) == STR and ambiguity(text, STR) is None
    return text if plain else quoted(text)


def visible(text: str) -> str:
    """A text with escapes for the blanks in it that are no plain ones."""
    return "".join(f"\\u{ord(character):04X}" if character in ODD_BLANKS else character for character in text)


def _shown(character: str) -> str:
    if _is_seen(character):
        return character
    code = ord(character)
    return f"\\u{code:04X}" if code < 0x10000 else f"\\U{code:08X}"


def _is_seen(text: str) -> bool:
    return seen(text) == text
