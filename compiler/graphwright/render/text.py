"""Diagnostics for people: a message, the marked source lines, and help."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache

from graphwright.diagnostic import Diagnostic, Span
from graphwright.pattern import pattern
from graphwright.render.layout import printable, printable_lines
from graphwright.render.layout import width as width_of
from graphwright.render.snippet import Mark, snippet
from graphwright.render.style import Paint

#: Returns the lines of the file at a path; none if it cannot be read.
Lines = Callable[[str], Sequence[str]]
#: Code in backticks is not broken if it fits on a line: while lines are broken, this character replaces its spaces.
_CODE = pattern(r"`[^`\n]*`")
_KEPT = "\0"
#: The width if there is no terminal.
WIDTH = 120


def render(diagnostics: Iterable[Diagnostic], lines: Lines, *, colour: bool = False, width: int = WIDTH) -> str:
    """All diagnostics, each followed by a blank line. `width` is the width of the terminal in cells."""
    lines = cache(lines)  # a file with many diagnostics is split once
    return "".join(
        "\n".join((*_one(diagnostic, lines, max(width, 40), Paint(colour, diagnostic.severity)), "", ""))
        for diagnostic in diagnostics
    )


def _one(diagnostic: Diagnostic, lines: Lines, width: int, paint: Paint) -> Iterator[str]:
    lead = f"{diagnostic.severity.value}[{diagnostic.code}]"
    message = _wrapped(printable(diagnostic.message), width, len(lead) + 2, "  ")
    yield f"{paint.severe(lead)}{paint.strong(f': {message}')}"
    marks = [Mark(diagnostic.span, diagnostic.note, True)]
    marks += [Mark(label.span, label.message, False) for label in diagnostic.related]
    gutter = len(str(max(mark.span.line for mark in marks)))
    blank = " " * gutter
    bullet = paint.gutter(f"{blank} =")
    for path, own in _by_path(marks).items():
        arrow = "-->" if path == diagnostic.span.path else ":::"
        yield f"{paint.gutter(blank + arrow)} {_location(own[0].span)}"
        if shown := [mark for mark in own if not _whole_file(mark.span)]:
            yield from snippet(lines(path), shown, gutter, width - gutter - 3, paint)
        elif own[0].text and not own[0].primary:
            yield f"{bullet} {printable(own[0].text)}"
    if diagnostic.diff:
        yield paint.gutter(f"{blank} |")
        yield from (f"{paint.gutter(f'{blank} |')} {paint.changed(printable(line))}" for line in diagnostic.diff)
        yield paint.gutter(f"{blank} |")
    if diagnostic.help:
        if any(not _whole_file(mark.span) for mark in marks):
            yield paint.gutter(blank + " |")
        text = printable_lines(diagnostic.help)
        indent = " " * (gutter + 9)
        text = _wrapped(text, width, len(indent), indent)
        yield f"{bullet} {paint.strong('help')}: {text}"


def _by_path(marks: Iterable[Mark]) -> dict[str, list[Mark]]:
    grouped: dict[str, list[Mark]] = {}
    for mark in marks:
        grouped.setdefault(mark.span.path, []).append(mark)
    return grouped


def _location(span: Span) -> str:
    return f"{printable(span.path)}:{span.line}:{span.column}"


def _whole_file(span: Span) -> bool:
    """Whether a span is empty and at the start of the file: it denotes the whole file, and no line is shown."""
    return (span.line, span.column, span.end_line, span.end_column) == (1, 1, 1, 1)


def _wrapped(text: str, width: int, taken: int, indent: str) -> str:
    """`text` wrapped to `width` cells; the first line starts after `taken` cells, the others after `indent`."""
    text = _CODE.sub(lambda code: code[0].replace(" ", _KEPT) if width_of(code[0]) <= width // 2 else code[0], text)
    rows: list[str] = []
    for line in text.split("\n"):
        row, reached = "", len(indent) if rows else taken
        for word in line.split(" "):
            cells = width_of(word)
            if row and reached + 1 + cells > width:
                rows.append(row)
                row, reached = word, len(indent) + cells
            else:
                row, reached = (f"{row} {word}", reached + 1 + cells) if row else (word, reached + cells)
        rows.append(row)
    return f"\n{indent}".join(rows).replace(_KEPT, " ")
