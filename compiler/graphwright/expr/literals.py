"""The values of number and string tokens."""

from __future__ import annotations

import math
import re
from typing import Final

from graphwright.pattern import pattern

#: By default, Python does not parse longer decimal integers.
_MAX_DIGITS: Final = 1000

_ESCAPE = pattern(r"\\(u[0-9A-Fa-f]{4}|.)", re.DOTALL)
_SIMPLE: Final = {"\\": "\\", "'": "'", '"': '"', "n": "\n", "t": "\t"}


class BadLiteralError(Exception):
    """A token that looks like a literal but is invalid; contains what a `SyntaxFault` needs."""

    def __init__(self, message: str, start: int, end: int, help_text: str) -> None:
        super().__init__(message)
        self.message = message
        self.start = start
        self.end = end
        self.help = help_text


def number_value(text: str, start: int, end: int) -> int | float:
    """The value of a number token at `start`; raises `BadLiteralError` beyond what JSON can represent."""
    if len(text) > _MAX_DIGITS:
        raise BadLiteralError(f"a number of {len(text)} characters is too long", start, end, f"at most {_MAX_DIGITS}")
    if text.isdecimal():
        return int(text)
    value = float(text)
    if math.isinf(value):
        raise BadLiteralError(f"the number `{text}` is too large", start, end, "the largest is about 1.8e308")
    return value


def text_value(token: str, start: int) -> str:
    """The value of a quoted token at `start`; raises `BadLiteralError` at an invalid escape."""
    inner = token[1:-1]
    if "\\" not in inner:
        return inner
    parts: list[str] = []
    position = 0
    for match in _ESCAPE.finditer(inner):
        parts.append(inner[position : match.start()])
        parts.append(_escaped(match[1], start + 1 + match.start()))
        position = match.end()
    parts.append(inner[position:])
    return _joined_surrogates("".join(parts), start, start + len(token))


def _escaped(code: str, start: int) -> str:
    """The character that a backslash and `code` denote."""
    if len(code) == 5:
        return chr(int(code[1:], 16))
    if code not in _SIMPLE:
        raise BadLiteralError(
            f"`\\{code}` is not a valid escape",
            start,
            start + 2,
            r"allowed here: `\\`, `\'`, `\"`, `\n`, `\t`, `\uXXXX`; a backslash itself is written `\\`",
        )
    return _SIMPLE[code]


def _joined_surrogates(text: str, start: int, end: int) -> str:
    r"""Joins escaped surrogate pairs such as \ud83d\ude00 into one character; half of a pair is not valid."""
    try:
        return text.encode("utf-16", "surrogatepass").decode("utf-16")
    except UnicodeDecodeError as problem:
        raise BadLiteralError(
            "half of a surrogate pair is not a character", start, end, r"write both halves, as in `\ud83d\ude00`"
        ) from problem
