"""The lines of a file that a diagnostic refers to, with marks below them."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence

from graphwright.diagnostic import Span
from graphwright.record import Record
from graphwright.render.layout import cells, printable, width
from graphwright.render.style import Paint

#: The number of cells of a long line that are shown before a mark.
_LEAD = 24


class Mark(Record):
    """A span to mark: with `^` if it is the primary one, otherwise with `-`."""

    span: Span
    text: str
    primary: bool


class _Stroke(Record):
    """A mark on a shown line, in cells; the end is exclusive and greater than the start."""

    start: int
    end: int
    text: str
    primary: bool


def snippet(lines: Sequence[str], marks: Sequence[Mark], gutter: int, room: int, paint: Paint) -> Iterator[str]:
    """The rows below the `-->` line: the marked lines with their marks, and `...` for omitted lines between them.

    `gutter` is the width of the line numbers, `room` the width of the text, both in cells.
    """
    by_line: dict[int, list[Mark]] = {}
    for mark in marks:
        by_line.setdefault(mark.span.line, []).append(mark)
    previous = 0
    margin = paint.gutter(" " * gutter + " |")
    yield margin
    for number in sorted(by_line):
        if previous and number == previous + 2:
            yield _row(previous + 1, gutter, cells(_line(lines, previous + 1))[0][:room], paint)
        elif previous and number > previous + 1:
            yield paint.gutter("...")
        shown, strokes = _window(_line(lines, number), by_line[number], room)
        yield _row(number, gutter, shown, paint)
        for row in _strokes(strokes, room, paint):
            yield f"{margin} {row}"
        previous = number


def _line(lines: Sequence[str], number: int) -> str:
    return lines[number - 1].removesuffix("\r") if number <= len(lines) else ""


def _row(number: int, gutter: int, text: str, paint: Paint) -> str:
    return f"{paint.gutter(f'{number:>{gutter}} |')} {text}".rstrip()


def _window(line: str, marks: Sequence[Mark], room: int) -> tuple[str, list[_Stroke]]:
    """The part of a line around its primary mark that fits into `room` cells, and the marks on it."""
    spans = [(_ends(mark, line), mark) for mark in marks]
    focus = next((begin for (begin, _), mark in spans if mark.primary), spans[0][0][0])
    # Only the text near the primary mark is measured: a line can be as long as the file.
    first = max(0, focus - room)
    last = min(len(line), focus + room)
    starts = cells(line[first:last])[1]
    if first or last < len(line) or starts[-1] > room:
        beginning = first == 0 and starts[focus - first] + _LEAD < room
        lead = 0 if beginning else _at_or_before(starts, max(0, starts[focus - first] - _LEAD))
        length = _at_or_before(starts[lead:], starts[lead] + room - 2)
        first, last = first + lead, first + lead + length
    shown, starts = cells(line[first:last])
    left, right = "…" if first else "", "…" if last < len(line) else ""
    starts = [0, *(start + len(left) for start in starts)]  # index 0 is the cell of the text cut off on the left
    strokes = []
    for (begin, end), mark in spans:
        start, stop = (starts[min(max(place, first - 1), last) - first + 1] for place in (begin, end))
        strokes.append(_Stroke(start, max(stop, start + 1), printable(mark.text), mark.primary))
    return f"{left}{shown}{right}", strokes


def _ends(mark: Mark, line: str) -> tuple[int, int]:
    """The start and end offset of a mark in its first line; a mark of several lines extends to the end of the line."""
    begin = min(mark.span.column - 1, len(line))
    end = mark.span.end_column - 1 if mark.span.end_line == mark.span.line else len(line.rstrip())
    return begin, max(begin, min(end, len(line)))


def _at_or_before(starts: Sequence[int], cell: int) -> int:
    """The last index whose cell is at or before `cell`."""
    return max(0, bisect_right(starts, cell) - 1)


def _strokes(strokes: Sequence[_Stroke], room: int, paint: Paint) -> Iterator[str]:
    """The rows below a line: all underlines and the text of the last one, then the other texts, each on its own row."""
    ordered = sorted(strokes, key=lambda stroke: (stroke.start, stroke.primary))
    canvas: dict[int, _Stroke] = {}
    for stroke in sorted(strokes, key=lambda stroke: stroke.primary):
        canvas.update(dict.fromkeys(range(stroke.start, stroke.end), stroke))
    row, position = "", 0
    while position <= max(canvas):
        owner = canvas.get(position)
        run = position
        while run in canvas and canvas[run] is owner:
            run += 1
        run = max(run, position + 1)
        row += paint.stroke(("^" if owner.primary else "-") * (run - position), primary=owner.primary) if owner else " "
        position = run
    last = ordered[-1]
    fits = last.end > max((stroke.end for stroke in ordered[:-1]), default=0)
    if last.end + 1 + width(last.text) > room > width(last.text):
        fits = False
    waiting = [stroke for stroke in (ordered[:-1] if fits else ordered) if stroke.text]
    yield f"{row} {paint.stroke(last.text, primary=last.primary)}" if fits and last.text else row
    if waiting:
        yield _hooks(waiting, paint)
    while waiting:
        stroke = waiting.pop()
        lead = _hooks([each for each in waiting if each.start < stroke.start], paint)
        reached = max((each.start + 1 for each in waiting if each.start < stroke.start), default=0)
        start = max(reached, min(stroke.start, room - width(stroke.text)))
        yield f"{lead}{' ' * (start - reached)}{paint.stroke(stroke.text, primary=stroke.primary)}"


def _hooks(strokes: Sequence[_Stroke], paint: Paint) -> str:
    row, position = "", 0
    for stroke in strokes:
        if stroke.start >= position:
            row += " " * (stroke.start - position) + paint.stroke("|", primary=stroke.primary)
            position = stroke.start + 1
    return row
