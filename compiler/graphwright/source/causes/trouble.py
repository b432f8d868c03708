"""What PyYAML says about a text that is not valid YAML, and ways to look around the place where it gave up."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator

import yaml

from graphwright.diagnostic import Span
from graphwright.faults.yaml import InvalidYaml
from graphwright.pattern import pattern
from graphwright.record import Record

#: How far a file is scanned again to find a quote or a bracket.
_SCANNED = 1_000_000
_BLANKS = pattern(r"[ \t]*")
#: The rest of a line, without a comment.
REST = pattern(r"[^\n]*?(?=\s*(?:\n|\s#|\Z))")
#: The longest value that a message repeats.
_REPEATED = 80
_NOTHING = pattern(r"[ \t]*(?:#[^\n]*)?\r?\n?")


class Cause(Record):
    """A mistake, and its place in the text."""

    start: int
    end: int
    fault: Callable[[Span], InvalidYaml]


class Trouble(Record):
    """What PyYAML says: the place `at` which it gave up, where what it was reading `began`, and its words."""

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
        """A cause at a place; it shows what stands there."""
        shown = self.text[start:end] if found is None else found
        more = (quoted, bracket, inner, key, columns)
        return Cause(start, end, lambda span: InvalidYaml(span, kind, shown, self.problem, *more))

    @property
    def line(self) -> int:
        """Where the line begins on which PyYAML gave up."""
        return line_start(self.text, self.at)

    @property
    def tokens(self) -> Iterator[yaml.Token]:
        """What PyYAML could read before it gave up; nothing of a file that is too long to look again."""
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
    """Where the line of a place begins."""
    return text.rfind("\n", 0, index) + 1


def line_end(text: str, index: int) -> int:
    found = text.find("\n", index)
    return found if found >= 0 else len(text)


def line_above(text: str, line: int) -> int:
    """Where the line before `line` begins, blank ones and comments skipped."""
    while line > 0:
        line, below = line_start(text, line - 1), line
        if not _NOTHING.fullmatch(text, line, below):
            break
    return line


def indentation(text: str, index: int) -> str:
    """The blanks and tabs that the line of a place begins with."""
    match = _BLANKS.match(text, line_start(text, index))
    return match[0] if match else ""


def in_quotes(value: str) -> str:
    """A value in the quotes that it needs; nothing where it is too long to be repeated."""
    if not value or len(value) > _REPEATED:
        return ""
    return f"'{value}'" if '"' in value and "'" not in value else json.dumps(value, ensure_ascii=False)
