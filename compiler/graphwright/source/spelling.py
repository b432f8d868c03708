"""Writes strings in YAML so that they are read as the same strings."""

from __future__ import annotations

import json

from graphwright.pattern import pattern
from graphwright.source.scalars import STR, ambiguity, tag_of
from graphwright.visible import visible as seen

#: Characters that look like a space or are invisible, but that YAML does not treat as spaces.
ODD_BLANKS = "\u00a0\u1680\u202f\u205f\u2060\u3000\ufeff" + "".join(map(chr, range(0x2000, 0x200C)))
#: Strings that need no quotes in any context.
_WORDS = pattern(r"[\w/][\w./* -]*(?<! )\Z")


def quoted(text: str) -> str:
    """A string in double quotes, with escapes for invisible characters and line breaks."""
    written = json.dumps(text, ensure_ascii=False)
    return written if _is_seen(written) else "".join(_shown(character) for character in written)


def quoted_like(text: str, style: str | None) -> str:
    """A string with quotes of this style (PyYAML's), or without quotes if `style` is None and none are needed."""
    if style == "'" and _is_seen(text):
        return "'" + text.replace("'", "''") + "'"
    if style in ("'", '"'):
        return quoted(text)
    plain = _WORDS.match(text) and tag_of(text) == STR and ambiguity(text, STR) is None
    return text if plain else quoted(text)


def visible(text: str) -> str:
    """A string with escapes for unusual spaces."""
    return "".join(f"\\u{ord(character):04X}" if character in ODD_BLANKS else character for character in text)


def _shown(character: str) -> str:
    if _is_seen(character):
        return character
    code = ord(character)
    return f"\\u{code:04X}" if code < 0x10000 else f"\\U{code:08X}"


def _is_seen(text: str) -> bool:
    return seen(text) == text
