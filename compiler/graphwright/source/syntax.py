"""Turns PyYAML's errors into the location of the mistake and its usual cause."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import yaml

from graphwright.diagnostic import Span
from graphwright.fault import Fault
from graphwright.faults.yaml import BeyondLimit, InvalidYaml

#: The deepest nesting of mappings and lists, with aliases expanded.
MAX_DEPTH = 200


class UnreadableError(Exception):
    """The file cannot be parsed: a range of the text (in code points), and the fault there."""

    def __init__(self, start: int, end: int, fault: Callable[[Span], Fault]) -> None:
        super().__init__(start, end)
        self.start = start
        self.end = end
        self.fault = fault


def bad_character(text: str) -> UnreadableError:
    """The first character that YAML does not allow."""
    for index, character in enumerate(text):
        printable = "\x20" <= character <= "\x7e" or character in "\t\r\n\x85" or "\xa0" <= character <= "\ufffd"
        if not printable and character < "\U00010000":
            found = f"U+{ord(character):04X}"
            return UnreadableError(index, index + 1, partial(InvalidYaml, cause="control", found=found))
    return UnreadableError(0, 0, partial(InvalidYaml, cause="control", found="of this file's first"))


def explain(text: str, error: yaml.MarkedYAMLError) -> UnreadableError:
    """Turn PyYAML's error into the location of the mistake, and the usual cause."""
    from graphwright.source.causes import likeliest, second_document  # imported late: only for invalid files
    from graphwright.source.causes.trouble import Trouble

    at = _index(text, error.problem_mark or error.context_mark)
    began = _index(text, error.context_mark or error.problem_mark)
    trouble = Trouble(text, at, began, error.context or "", error.problem or "")
    document = second_document(trouble)
    if document is not None:
        return UnreadableError(*document, partial(BeyondLimit, limit="documents"))
    if "nesting depth" in trouble.problem:
        return too_deep(at, at + 1)
    cause = likeliest(trouble)
    return UnreadableError(cause.start, cause.end, cause.fault)


def too_deep(start: int, end: int) -> UnreadableError:
    """The nesting exceeds the limit."""
    return UnreadableError(start, end, partial(BeyondLimit, limit="depth", maximum=MAX_DEPTH))


def _index(text: str, mark: yaml.Mark | None) -> int:
    return 0 if mark is None else min(int(mark.index), len(text))
