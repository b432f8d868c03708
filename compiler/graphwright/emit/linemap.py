"""Maps lines of a module to lines of the YAML file.

In the module the map is a string: `0:16 2:18` means that the code two lines below the first node's `def` comes from
line 18. Relative line numbers are valid with or without a signature on the first line.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from graphwright.emit.errors import TemplateError

#: Replaced by the map when it is known.
PLACEHOLDER: Final = "line map"

_ARGUMENT: Final = f'lines="{PLACEHOLDER}"'
#: Maximum length of a string on a separate line, and of one together with the name of its argument.
_WIDTH: Final = 78
_ALONE: Final = 80


class LineMap:
    """Collects the locations from which the lines of a module come."""

    def __init__(self) -> None:
        self._first = 0
        self._before = 0
        self._entries: list[tuple[int, int]] = []

    def begin(self, number: int) -> None:
        """Set the line of the first node; later calls have no effect."""
        self._first = self._first or number

    def note(self, number: int, source: int) -> None:
        """Record that the code from a line of the module on comes from a line of the YAML file, 0 for none."""
        if source != self._before:
            self._entries.append((number, source))
            self._before = source

    def put_into(self, code: str) -> str:
        """The line with the record of the graph, with the map inserted."""
        head, found, tail = code.rpartition(_ARGUMENT)
        if not found:
            raise TemplateError("template module.j2: the record of the graph has no place for the line map")
        words = [f"{number - self._first}:{source}" for number, source in self._entries]
        return f"{head}lines={words_code('lines', words)}{tail}"


def words_code(argument: str, words: Sequence[str]) -> str:
    """Words separated by spaces as the value of an argument; a long one is split into several string literals."""
    whole = " ".join(words)
    if len(whole) <= _ALONE - len(argument):
        return f'"{whole}"'
    pieces, line = list[str](), ""
    for word in words if len(whole) > _WIDTH else ():
        if len(line) + len(word) + 1 > _WIDTH:
            pieces.append(line)
            line = ""
        line += f"{word} "
    pieces.append(line.rstrip() or whole)
    strings = " ".join([f'"{piece}"' for piece in pieces])
    return f"({strings})"
