"""Text of a YAML file in comments and docstrings: readable, on its own lines, unable to be anything else."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator
from typing import Final

#: Where a line of a docstring is broken.
WIDTH: Final = 84


def plain(text: str) -> str:
    """The text on one line, with everything that is not printable written as its code point."""
    return "".join(character if character.isprintable() else _code_point(character) for character in text)


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
