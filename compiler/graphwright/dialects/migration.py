"""Translates files of other dialects; parts that cannot be translated are marked by a comment above them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from yaml.nodes import MappingNode

from graphwright.checking.fix import decode, encode, line_starts, offsets
from graphwright.diagnostic import Edit
from graphwright.dialects import newer, prototype
from graphwright.dialects.detect import PROTOTYPE, dialect_of
from graphwright.record import Record
from graphwright.source.reader import read_bytes

#: The prefix of comments that mark parts that a person has to decide.
MARK: Final = "# migrate: "


class Migration(Record):
    """The result: the new bytes, the original dialect, the number of translated parts, and the marked parts."""

    after: bytes
    dialect: str
    translated: int
    marked: tuple[str, ...]


class UntranslatableError(Exception):
    """The translation of a file is not valid YAML."""


def migrate(data: bytes, shown: str) -> Migration | None:
    """The translation of a file; None if it is not in another dialect or cannot be read.

    Raises `UntranslatableError`.
    """
    source = read_bytes(data, shown)
    dialect = dialect_of(source) if isinstance(source.root, MappingNode) else None
    if dialect is None or not isinstance(source.root, MappingNode):
        return None
    if dialect == PROTOTYPE:
        count = len(list(prototype.differences(source, source.root)))
        text, left = prototype.translated(source, source.root)
        if "#" in source.text:
            left.append("the comments of the old file are not kept")
        text = "".join(f"{MARK}{each}\n" for each in left) + text
        rest = migrate(text.encode(), shown)  # the file may also contain parts of the newer dialect
        if rest is None:
            return Migration(encode(text, data), dialect, count, tuple(left))
        return Migration(encode(decode(rest.after), data), dialect, count + rest.translated, (*left, *rest.marked))
    found = list(newer.differences(source, source.root))
    starts = line_starts(source.text)
    edits = [edit for each in found for edit in each.edits]
    marked: list[str] = []
    for each in found:
        if not each.edits:
            marked.append(f"line {each.span.line}: {each.advice}")
            start = starts[each.span.line - 1]
            line = source.text[start : source.text.find("\n", start)]
            margin = line[: len(line) - len(line.lstrip())]
            place = source.place(start, start)
            edits.append(Edit(place, f"{margin}{MARK}{' '.join(each.advice.split())}\n"))
    text = _applied(decode(data), dict.fromkeys(edits), starts)  # aliases cause duplicate edits
    after = encode(_line_ends(text, data), data)
    if read_bytes(after, shown).root is None:
        raise UntranslatableError(f"{shown}: the translation would not be valid YAML; nothing is written")
    return Migration(after, dialect, len(found) - len(marked), tuple(dict.fromkeys(marked)))


def _applied(text: str, edits: Iterable[Edit], starts: Sequence[int]) -> str:
    """Apply all edits. Insertions precede replacements at the same offset; removals may overlap."""
    done = len(text)
    pieces: list[str] = []  # from the end of the file to its beginning
    for (start, end), new in sorted(((offsets(edit, starts), edit.text) for edit in edits), reverse=True):
        pieces += (text[min(end, done) : done], new)
        done = start
    return "".join(reversed([*pieces, text[:done]]))


def _line_ends(text: str, before: bytes) -> str:
    return text.replace("\r\n", "\n").replace("\n", "\r\n") if b"\r\n" in before else text
