"""Lays out the rendered text of a module: breaks lines, inserts blank lines, and creates the line map.

Lines are broken here, not by a formatter, so the line on which each logical line starts is known.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from graphwright.emit.layout.statements import STUB, placed
from graphwright.emit.linemap import LineMap
from graphwright.emit.model import MARK

_QUOTES: Final = '"""'
_NODE: Final = "async def "
_RECORD: Final = "GRAPH = "
_CLOSING: Final = (")", "]", "}")
_DEFINITIONS: Final = ("async def ", "class ", "def ")


def laid_out(raw: str) -> str:
    """The module for a rendered text, in which each line is a logical line that may have a mark.

    Raises `TemplateError` if it has no location for the line map.
    """
    lines: list[str] = []
    places = LineMap()
    for marked, is_text in _spaced(raw.split("\n")):
        if is_text:
            lines.append(marked)
            continue
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


def _spaced(lines: list[str]) -> Iterator[tuple[str, bool]]:
    """Insert blank lines around classes and functions: two at the top level, one inside.

    Yields each line, and whether it is text: part of a docstring of several lines, or blank.
    """
    definitions: list[int] = []
    before = ""
    blank = 0
    in_text = False
    for line in lines:
        if in_text:
            yield line, True
            in_text = _QUOTES not in line
            before = line
            continue
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
            if (_opens_block(above) and above.startswith(_DEFINITIONS)) or above.endswith(STUB):
                blank = 0
            elif blank or not above.startswith("#"):
                blank = usual
        elif blank and _opens_block(before):
            blank = 0
        if blank:
            yield from [("", True)] * min(blank, usual)
            blank = 0
        in_text = code.startswith(_QUOTES) and code.count(_QUOTES) == 1
        yield line, in_text
        before = line


def _opens_block(line: str) -> bool:
    return line.partition(MARK)[0].endswith(":")
