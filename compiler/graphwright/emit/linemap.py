"""Which line of a module comes from which line of the YAML file, worked out after formatting.

Lines of code carry marks (`model.MARK`) until the formatter has had its turn. The formatter breaks logical lines,
it never joins or reorders them, so marked and formatted text can be walked side by side. In the module the map is
text: `0:16 2:18` says that what stands two lines below the first node's `def` comes from line 18. Counted from
there, it holds whether or not a signature stands in the first line.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from graphwright.emit.model import MARK

#: Stands in the place of the map until it is known.
PLACEHOLDER: Final = "line map"

_ARGUMENT: Final = f'    lines="{PLACEHOLDER}",\n'
#: Characters of a string on a line of its own, and how many fewer there are beside the name of the argument.
_WIDTH: Final = 78
_ALONE: Final = 3
_QUOTES: Final = '"""'
_FIRST: Final = "async def "
_LAST: Final = "GRAPH: "


class NotAligned(Exception):  # noqa: N818 - it says what happened
    """The formatter joined lines: a template lays code out in a way that the line map cannot follow."""


def without_marks(raw: str) -> str:
    """The text that can be formatted."""
    return "\n".join(line.partition(MARK)[0] for line in raw.split("\n"))


def with_line_map(raw: str, formatted: str) -> str:
    """The formatted text with its line map in place."""
    first, entries = 0, list[tuple[int, int]]()
    for number, line in _placed(raw, formatted):
        code, _, source = line.partition(MARK)
        if source:
            entries.append((number, int(source)))
        elif not first and code.startswith(_FIRST):
            first = number
        elif code.startswith(_LAST):
            entries.append((number, 0))
    head, found, tail = formatted.rpartition(_ARGUMENT)
    if not found:
        raise NotAligned("the template of the module has no place for the line map")
    return f"{head}{_argument(_encoded(entries, first))}{tail}"


def _encoded(entries: list[tuple[int, int]], first: int) -> list[str]:
    """Pairs of lines, only where the line of the YAML changes."""
    words: list[str] = []
    before = 0
    for number, source in entries:
        if source != before:
            words.append(f"{number - first}:{source}")
            before = source
    return words


def _argument(words: list[str]) -> str:
    """The argument of the record, in the form that the formatter gives it."""
    whole = " ".join(words)
    if len(whole) <= _WIDTH - _ALONE:
        return f'    lines="{whole}",\n'
    pieces, line = list[str](), ""
    for word in words if len(whole) > _WIDTH else ():
        if len(line) + len(word) + 1 > _WIDTH:
            pieces.append(line)
            line = ""
        line += f"{word} "
    pieces.append(line.rstrip() or whole)
    return "".join(["    lines=(\n", *(f'        "{piece}"\n' for piece in pieces), "    ),\n"])


def _placed(raw: str, formatted: str) -> Iterator[tuple[int, str]]:
    """Each line of code of `raw` with the number of the line where it begins in `formatted`."""
    lines = formatted.split("\n")
    position = _behind_docstring(lines)
    written = raw.split("\n")
    for line in written[_behind_docstring(written) :]:
        if not line.strip():
            continue
        while position < len(lines) and not lines[position]:
            position += 1
        if position == len(lines):
            raise NotAligned(f"the formatter left nothing for: {line.partition(MARK)[0].strip()}")
        yield position + 1, line
        position = _end(line.partition(MARK)[0], lines, position) + 1


def _end(line: str, lines: list[str], position: int) -> int:
    """The last line of the logical line that begins at `position`."""
    found = lines[position]
    if found == line or not found.endswith(("(", "[", "{")):
        return position
    indent = found[: len(found) - len(found.lstrip())]
    closing = tuple(f"{indent}{bracket}" for bracket in ")]}")
    for end in range(position + 1, len(lines)):
        if lines[end].startswith(closing) and not lines[end].endswith(("(", "[", "{")):
            return end
    raise NotAligned(f"the formatter did not close: {line.strip()}")


def _behind_docstring(lines: list[str]) -> int:
    """The index of the first line behind the module's docstring."""
    return lines.index(_QUOTES) + 1 if _QUOTES in lines else 0
