"""From an offset in a scalar's decoded text back to its position in the file.

Decoding removes quotes, escapes, folded lines and indentation. These tables map each character of the decoded text to
the range of the file that it was written as (an escape has several characters). They are built only when a message
points inside a scalar.
"""

from __future__ import annotations

import re
from typing import TypeAlias

from graphwright.pattern import pattern

#: Start and end in the text of the file.
Stretch: TypeAlias = tuple[int, int]

#: The characters that YAML treats as a space or a line break.
BLANK = " \t\r\n\x85\u2028\u2029"
_PROPERTIES = pattern(r"(?:[&!]\S*(?:\s|(?<=\s)#[^\n]*)+)+")
_ANCHOR = pattern(r"(?:^|\s)&(\S+)")
_ALIAS_LAST = pattern(r"\*[^\s,\[\]{}]+(?=\s*(?:\s#.*)?$)")
_FOLD = pattern(r"[ \t]*(?:\r\n|\r|\n|\x85|\u2028|\u2029)[ \t\r\n\x85\u2028\u2029]*")
_BREAK = pattern(r"\r\n|\r|\n|\x85|\u2028|\u2029")
_ESCAPE = pattern(r"\\(?:x.{2}|u.{4}|U.{8}|[^xuU\r\n])", re.DOTALL)
_ESCAPED_BREAK = pattern(r"\\(?:\r\n|\r|\n)[ \t\r\n]*")


def content_start(text: str, start: int) -> int:
    """The start of a value after its anchor and tag, which PyYAML includes in it."""
    if text[start : start + 1] in ("&", "!"):
        match = _PROPERTIES.match(text, start)
        if match:
            return match.end()
    return start


def anchor(properties: str) -> str | None:
    """The name of the anchor before a value."""
    match = _ANCHOR.search(properties)
    return match[1] if match else None


def alias_end(text: str, start: int, end: int) -> int:
    """The end of a mapping or list whose last line, ignoring comments, is an alias."""
    lines = text[start:end].splitlines(keepends=True)
    while len(lines) > 1 and (not lines[-1].strip() or lines[-1].lstrip().startswith("#")):
        lines.pop()
    last = _ALIAS_LAST.search(lines[-1])
    return start + sum(map(len, lines[:-1])) + (last.end() if last else len(lines[-1].rstrip()))


def position_table(text: str, start: int, end: int, style: str | None, decoded: str) -> list[Stretch]:
    """For each character of `decoded`, and for its end, the range of `text` that it is written as.

    `start` and `end` enclose the scalar without anchor and tag, but with its quotes; `style` is PyYAML's.
    """
    if style == '"':
        table = _quoted(text, start + 1, end - 1, True)
    elif style == "'":
        table = _quoted(text, start + 1, end - 1, False)
    elif style in ("|", ">"):
        table = _block(text, start, end, style == ">", decoded)
    else:
        table = _plain(text, start, end)
    missing = len(decoded) + 1 - len(table)
    if missing > 0:
        last = table[-1][1] if table else start
        table.extend([(last, last)] * missing)
    return table


def _folded_break(text: str, match: re.Match[str]) -> list[Stretch]:
    """The characters that a line break inside a flow scalar becomes: one space, or a newline per empty line."""
    breaks = [found.span() for found in _BREAK.finditer(text, match.start(), match.end())]
    return breaks if len(breaks) == 1 else breaks[1:]


def _plain(text: str, start: int, end: int) -> list[Stretch]:
    table: list[Stretch] = []
    position = start
    while position < end:
        match = _FOLD.match(text, position, end)
        if match:
            table.extend(_folded_break(text, match))
            position = match.end()
        else:
            table.append((position, position + 1))
            position += 1
    table.append((end, end))
    return table


def _quoted(text: str, start: int, end: int, double: bool) -> list[Stretch]:
    table: list[Stretch] = []
    position = start
    while position < end:
        character = text[position]
        if double and character == "\\":
            broken = _ESCAPED_BREAK.match(text, position, end)
            escape = broken or _ESCAPE.match(text, position, end)
            stop = escape.end() if escape else position + 1
            if broken is None:
                table.append((position, stop))
            else:
                breaks = _BREAK.finditer(text, position, stop)
                table.extend(found.span() for found in list(breaks)[1:])
            position = stop
            continue
        match = _FOLD.match(text, position, end) if character in BLANK else None
        if match:
            table.extend(_folded_break(text, match))
            position = match.end()
            continue
        stop = position + (2 if character == "'" and not double else 1)
        table.append((position, stop))
        position = stop
    table.append((end, end))
    return table


def _block(text: str, start: int, end: int, folded: bool, decoded: str) -> list[Stretch]:
    """A literal or folded block: the header line, then lines whose indentation is not part of the text."""
    header = _BREAK.search(text, start, end)
    if header is None:
        return [(end, end)]
    lines: list[tuple[Stretch, Stretch]] = []
    position = header.end()
    while position < end:
        match = _BREAK.search(text, position, end)
        stop, following = match.span() if match else (end, end)
        lines.append(((position, stop), (stop, following)))
        position = following
    indent = _indentation(text[start : header.start()], [text[slice(*line)] for line, _ in lines], decoded)
    written: list[tuple[Stretch, str]] = []
    for (place, stop), broken in lines:
        begin = min(place + indent, stop)
        written.extend(((at, at + 1), text[at]) for at in range(begin, stop))
        written.append((broken, "\n"))
    table = _aligned(written, decoded) if folded else [place for place, _ in written[: len(decoded)]]
    return [*table, (end, end)]


def _indentation(header: str, lines: list[str], decoded: str) -> int:
    """How many spaces at the beginning of each line are not content."""
    first = next((line for line in lines if line.strip(" ")), "")
    leading = len(first) - len(first.lstrip(" "))
    if not re.match(r"[|>][+-]?[1-9]", header):
        return leading
    content = next((line for line in decoded.split("\n") if line.strip(" ")), "")
    return leading - (len(content) - len(content.lstrip(" ")))


def _aligned(written: list[tuple[Stretch, str]], decoded: str) -> list[Stretch]:
    """Align folded text with its source: only line breaks differ, turned into spaces or dropped."""
    table: list[Stretch] = []
    position = 0
    for character in decoded:
        while position < len(written):
            found = written[position][1]
            if found == character or (found == "\n" and character == " "):
                break
            position += 1
        if position >= len(written):
            break
        table.append(written[position][0])
        position += 1
    return table
