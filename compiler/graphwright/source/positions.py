"""From an offset in a scalar's decoded text back to the place in the file.

A scalar's text is what is left when quotes, escapes, folded lines and indentation are taken away. The tables here
put them back: for each character of the decoded text, the index in the file where it was written. They are made
only when a message points inside a scalar.
"""

from __future__ import annotations

import re

from graphwright.pattern import pattern

_PROPERTIES = pattern(r"(?:[&!][^\s]*\s+)+")
_FOLD = pattern(r"[ \t]*(?:\r\n|\r|\n|\x85|\u2028|\u2029)[ \t\r\n\x85\u2028\u2029]*")
_BREAK = pattern(r"\r\n|\r|\n|\x85|\u2028|\u2029")
_ESCAPE = pattern(r"\\(?:x.{2}|u.{4}|U.{8}|[^xuU\r\n])", re.DOTALL)
_ESCAPED_BREAK = pattern(r"\\(?:\r\n|\r|\n)[ \t\r\n]*")


def content_start(text: str, start: int) -> int:
    """Where a value begins behind its anchor and tag, which PyYAML counts as part of it."""
    if text[start : start + 1] in ("&", "!"):
        match = _PROPERTIES.match(text, start)
        if match:
            return match.end()
    return start


def offsets(text: str, start: int, end: int, style: str | None, decoded: str) -> list[int]:
    """For each character of `decoded`, and for its end, the index in `text` where it stands.

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
    if len(table) < len(decoded) + 1:
        table.extend([table[-1] if table else start] * (len(decoded) + 1 - len(table)))
    return table


def _folded_break(text: str, match: re.Match[str]) -> list[int]:
    """The characters that a line break inside a flow scalar turns into: one blank, or a newline per empty line."""
    breaks = list(_BREAK.finditer(text, match.start(), match.end()))
    if len(breaks) == 1:
        return [breaks[0].start()]
    return [found.start() for found in breaks[1:]]


def _plain(text: str, start: int, end: int) -> list[int]:
    table: list[int] = []
    position = start
    while position < end:
        match = _FOLD.match(text, position, end)
        if match:
            table.extend(_folded_break(text, match))
            position = match.end()
        else:
            table.append(position)
            position += 1
    table.append(end)
    return table


def _quoted(text: str, start: int, end: int, double: bool) -> list[int]:
    table: list[int] = []
    position = start
    while position < end:
        character = text[position]
        if double and character == "\\":
            broken = _ESCAPED_BREAK.match(text, position, end)
            escape = broken or _ESCAPE.match(text, position, end)
            if broken is None:
                table.append(position)
            else:
                breaks = _BREAK.finditer(text, position, broken.end())
                table.extend(found.start() for found in list(breaks)[1:])
            position = escape.end() if escape else position + 1
            continue
        match = _FOLD.match(text, position, end) if character in " \t\r\n\x85\u2028\u2029" else None
        if match:
            table.extend(_folded_break(text, match))
            position = match.end()
            continue
        table.append(position)
        position += 2 if character == "'" and not double else 1
    table.append(end)
    return table


def _block(text: str, start: int, end: int, folded: bool, decoded: str) -> list[int]:
    """A literal or folded block: the header line, then lines whose indentation is not part of the text."""
    header = _BREAK.search(text, start, end)
    if header is None:
        return [end]
    lines: list[tuple[int, str]] = []
    position = header.end()
    while position < end:
        match = _BREAK.search(text, position, end)
        stop = match.start() if match else end
        lines.append((position, text[position:stop]))
        position = match.end() if match else end
    indent = _indentation(text[start : header.start()], lines, decoded)
    written: list[tuple[int, str]] = []
    for place, line in lines:
        written.extend((place + column, line[column]) for column in range(min(indent, len(line)), len(line)))
        written.append((place + len(line), "\n"))
    return _aligned(written, decoded, end) if folded else [place for place, _ in written[: len(decoded)]] + [end]


def _indentation(header: str, lines: list[tuple[int, str]], decoded: str) -> int:
    """How many blanks in front of each line are not content."""
    first = next((line for _, line in lines if line.strip(" ")), "")
    leading = len(first) - len(first.lstrip(" "))
    if not re.match(r"[|>][+-]?[1-9]|[|>][1-9]", header):
        return leading
    content = next((line for line in decoded.split("\n") if line.strip(" ")), "")
    return leading - (len(content) - len(content.lstrip(" ")))


def _aligned(written: list[tuple[int, str]], decoded: str, end: int) -> list[int]:
    """Match folded text with what was written: only line breaks differ, turned into blanks or dropped."""
    table: list[int] = []
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
    table.append(written[position][0] if position < len(written) else end)
    return table
