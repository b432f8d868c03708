"""Applies the fixes of diagnostics by editing their spans, without changing anything else in the file."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from graphwright.checking.report import Report
from graphwright.content import content_of
from graphwright.diagnostic import Edit, Fix
from graphwright.project.projects import absolute
from graphwright.record import Record

#: Maximum number of rounds, in case fixes never stop enabling others.
_ROUNDS = 20
_MARK = b"\xef\xbb\xbf"


class FixedText(NamedTuple):
    """A text with fixes applied, and their number."""

    text: str
    applied: int


def apply_fixes(text: str, fixes: Iterable[Fix]) -> FixedText:
    """Apply each fix completely; of fixes that touch the same location, only the first one is applied.

    Check a fixed text again, because skipped fixes may then be applied.
    """
    starts = line_starts(text)
    accepted: dict[tuple[int, int], str] = {}
    applied = 0
    for fix in sorted(fixes, key=lambda fix: [edit.span for edit in fix.edits]):
        edits = {offsets(edit, starts): edit.text for edit in fix.edits}
        if any(accepted.get(place) == new for place, new in edits.items()) or not edits:
            continue
        if not any(_touch(place, other) for place in edits for other in accepted):
            accepted.update(edits)
            applied += 1
    for (start, end), new in sorted(accepted.items(), reverse=True):
        text = text[:start] + new + text[end:]
    return FixedText(text, applied)


def decode(data: bytes) -> str:
    """The text to which the locations of diagnostics refer, without a byte order mark."""
    return data.decode("utf-8-sig")


def encode(text: str, original: bytes) -> bytes:
    """The bytes of a fixed file, with the byte order mark of `original`."""
    return (_MARK if original.startswith(_MARK) else b"") + text.encode()


def line_starts(text: str) -> list[int]:
    """The offset of the beginning of each line."""
    starts = [0]
    while (found := text.find("\n", starts[-1])) >= 0:
        starts.append(found + 1)
    return starts


def offsets(edit: Edit, starts: Sequence[int]) -> tuple[int, int]:
    """The start and end of an edit in a text whose lines begin at `starts`."""
    span = edit.span
    return starts[span.line - 1] + span.column - 1, starts[span.end_line - 1] + span.end_column - 1


def _touch(one: tuple[int, int], other: tuple[int, int]) -> bool:
    """Whether two edits overlap or begin at the same offset, so that their order would matter."""
    return one[0] == other[0] or (one[0] < other[1] and other[0] < one[1])


class Change(Record):
    """The changes of one file by fixes."""

    before: bytes
    after: bytes
    applied: int


def fix_files(
    look: Callable[[Mapping[Path, bytes]], Report], texts: Mapping[Path, bytes]
) -> tuple[Report, dict[Path, Change]]:
    """Apply all fixes and check again, until there are none left; writes no files.

    `look` checks with the given contents instead of those of the files; initially, these are `texts`. Returns the last
    report and the changes.
    """
    changes: dict[Path, Change] = {}
    report = look({})
    for _ in range(_ROUNDS):
        fixes: dict[Path, list[Fix]] = {}
        for diagnostic in report.diagnostics:
            if diagnostic.fix and {edit.span.path for edit in diagnostic.fix.edits} == {diagnostic.span.path}:
                fixes.setdefault(absolute(diagnostic.span.path), []).append(diagnostic.fix)
        progress = False
        for file, wanted in fixes.items():
            before = changes[file].before if file in changes else texts.get(file) or content_of(file)
            data = changes[file].after if file in changes else before
            fixed = apply_fixes(decode(data), wanted)
            after = encode(fixed.text, before)
            if after != data:
                progress = True
                changes[file] = Change(before, after, fixed.applied + (changes[file].applied if file in changes else 0))
        if not progress:
            break
        report = look({file: change.after for file, change in changes.items()})
    return report, changes
