"""Text of a YAML file in comments and docstrings: readable, on its own lines, unable to be anything else."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterator
from typing import Final

#: Where a line of a docstring is broken.
WIDTH: Final = 84

#: What is put between the two halves of what could be read as the name of an encoding; the second kind changes nothing
#: for a shell.
BACKSLASH: Final = "\\"
NOTHING_IN_SHELL: Final = "''"

_COOKIE: Final = re.compile("coding(?=[:=])")


def plain(text: str) -> str:
    """The text on one line, with everything that is not printable written as its code point."""
    return "".join(character if character.isprintable() else _code_point(character) for character in text)


def without_cookie(text: str, *, between: str) -> str:
    """The text as it may stand in a comment in which Python could look for an encoding: `coding=x` is taken apart."""
    return _COOKIE.sub(lambda match: match[0] + between, text)


def in_docstring(line: str) -> str:
    """One line as it may stand between triple quotes."""
    return plain(line).replace("\\", "\\\\").replace('"""', '\\"\\"\\"').rstrip()


def paragraphs(text: str) -> Iterator[str]:
    """A description as lines of a docstring: its own line breaks, long lines wrapped, no two blank ones together."""
    blank = True
    for line in text.strip().splitlines():
        wrapped = textwrap.wrap(line.strip(), WIDTH, break_long_words=False, break_on_hyphens=False)
        if wrapped or not blank:
            yield from map(in_docstring, wrapped or [""])
        blank = not wrapped


def _code_point(character: str) -> str:
    if character in "\n\t":
        return " "
    number = ord(character)
    return f"\\u{number:04x}" if number < 0x10000 else f"\\U{number:08x}"
