"""The text that the templates give -> the text of the module: lines of the right length, blank lines, the line map.

Our own code breaks the lines, so where each one begins is known when it is written.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from graphwright.emit.layout.statements import placed
from graphwright.emit.linemap import LineMap
from graphwright.emit.model import MARK

_QUOTES: Final = '"""'
_NODE: Final = "async def "
_RECORD: Final = "GRAPH: "
_CLOSING: Final = (")", "]", "}")
_DEFINITIONS: Final = ("async def ", "class ", "def ")


def laid_out(raw: str) -> str:
    """The module that a rendered text becomes, of which each line is a logical line and may carry a mark.

    Raises `TemplateError` where it has no place for the line map.
    """
    written = raw.split("\n")
    behind = written.index(_QUOTES) + 1 if _QUOTES in written else 0
    lines = written[:behind]
    places = LineMap()
    for marked in _spaced(written[behind:]):
        code, _, source = marked.partition(MARK)
        number = len(lines) + 1
        if source:
            places.note(number, int(source))
        elif code.startswith(_NODE):
            places.begin(number)
        elif code.startswith(_RECORD):
            places.note(number, 0)
            code = places.put_into(code)
        lines += placed(code)
    return "\n".join([*lines, ""])


def _spaced(lines: list[str]) -> Iterator[str]:
    """The lines with blank ones around classes and functions, two at the top level and one inside of something."""
    definitions: list[int] = []
    before = ""
    blank = 0
    for line in lines:
        code = line.lstrip(" ")
        if not code:
            blank += 1
            continue
        indent = len(line) - len(code)
        usual = 1 if indent else 2
        while definitions and indent < definitions[-1]:
            definitions.pop()
        if definitions and indent == definitions[-1] and code[0] not in _CLOSING:
            definitions.pop()
            blank = usual
        if code.startswith(_DEFINITIONS):
            definitions.append(indent)
            above = before.lstrip(" ")
            if _opens_block(above) and above.startswith(_DEFINITIONS):
                blank = 0
            elif blank or not above.startswith("#"):
                blank = usual
        elif blank and _opens_block(before):
            blank = 0
        if blank:
            yield from [""] * min(blank, usual)
            blank = 0
        yield line
        before = line


def _opens_block(line: str) -> bool:
    return line.partition(MARK)[0].endswith(":")
