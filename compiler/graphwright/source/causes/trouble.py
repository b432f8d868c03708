"""What PyYAML says about invalid YAML, and ways to look around the position where it gave up."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator

import yaml

from graphwright.diagnostic import Span
from graphwright.faults.yaml import InvalidYaml
from graphwright.pattern import pattern
from graphwright.record import Record

#: How much of a file is scanned again to find a quote or a bracket.
_SCANNED = 1_000_000
_BLANKS = pattern(r"[ \t]*")
#: The rest of a line, without a comment.
REST = pattern(r"[^\n]*?(?=\s*(?:\n|\s#|\Z))")
#: The longest value that a message repeats.
_REPEATED = 80
_NOTHING = pattern(r"[ \t]*(?:#[^\n]*)?\r?\n?")


class Cause(Record):
    """A mistake, and its range in the text."""

    start: int
    end: int
    fault: Callable[[Span], InvalidYaml]


class Trouble(Record):
    """PyYAML's error: the position `at` which it gave up, where the construct that it was reading `began`, and its
    message."""

    text: str
    at: int
    began: int
    context: str
    problem: str

    def cause(
        self,
        kind: str,
        start: int,
        end: int,
        found: str | None = None,
        *,
        quoted: str = "",
        bracket: str = "",
        inner: str = "",
        key: str = "",
        columns: tuple[tuple[int, str, int], ...] = (),
    ) -> Cause:
        """A cause at a range, with the text there."""
        shown = self.text[start:end] if found is None else found
        more = (quoted, bracket, inner, key, columns)
        return Cause(start, end, lambda span: InvalidYaml(span, kind, shown, self.problem, *more))

    @property
    def line(self) -> int:
        """The beginning of the line on which PyYAML gave up."""
        return line_start(self.text, self.at)

    @property
    def tokens(self) -> Iterator[yaml.Token]:
        """The tokens that PyYAML read before it gave up; empty if the file is too long to scan again."""
        if self.at > _SCANNED:
            return
        try:
            for token in yaml.scan(self.text, Loader=yaml.CSafeLoader):
                if token.start_mark.index >= self.at:
                    return
                yield token
        except yaml.YAMLError:
            return


def line_start(text: str, index: int) -> int:
    """The beginning of the line of a position."""
    return text.rfind("\n", 0, index) + 1


def line_end(text: str, index: int) -> int:
    found = text.find("\n", index)
    return found if found >= 0 else len(text)


def line_above(text: str, line: int) -> int:
    """The beginning of the line before `line`, skipping blank lines and comments."""
    while line > 0:
        line, below = line_start(text, line - 1), line
        if not _NOTHING.fullmatch(text, line, below):
            break
    return line


def indentation(text: str, index: int) -> str:
    """The whitespace at the beginning of the line of a position."""
    match = _BLANKS.match(text, line_start(text, index))
    return match[0] if match else ""


def in_quotes(value: str) -> str:
    """A value in the quotes that it needs; empty if it is too long to be repeated."""
    if not value or len(value) > _REPEATED:
        return ""
    return f"'{value}'" if '"' in value and "'" not in value else json.dumps(value, ensure_ascii=False)
