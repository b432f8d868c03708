"""Lists what a step changed in the state, value by value."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from typing import Final, NamedTuple

from graphwright.pattern import pattern

#: Maximum number of changes of one step in text, and maximum length of a value.
_LISTED: Final = 20
_LONGEST: Final = 100
_PLAIN: Final = pattern(r"[^\W\d][\w-]*")


class Absent:
    """The type of `ABSENT`."""


#: Stands for a value that does not exist before or after a change.
ABSENT: Final = Absent()


class Change(NamedTuple):
    """A value of the state before and after a step; `path` is written as in an expression: `rows[2].name`."""

    path: str
    before: object
    after: object

    def text(self) -> str:
        """The change on one line."""
        if self.before is ABSENT:
            return f"+ {self.path}: {short(self.after)}"
        if self.after is ABSENT:
            return f"- {self.path}: {short(self.before)}"
        return f"  {self.path}: {short(self.before)} -> {short(self.after)}"

    def record(self) -> dict[str, object]:
        """The change as JSON, without a value that does not exist."""
        values = {"before": self.before, "after": self.after}
        return {"path": self.path, **{name: value for name, value in values.items() if value is not ABSENT}}


def changes(before: object, after: object, path: str = "") -> Iterator[Change]:
    """The changes between two values; descends into mappings, and into lists of the same shape."""
    if isinstance(before, Mapping) and isinstance(after, Mapping):
        for key in [*before, *(key for key in after if key not in before)]:
            below = _below(path, str(key))
            yield from changes(before.get(key, ABSENT), after.get(key, ABSENT), below)
    elif isinstance(before, list) and isinstance(after, list):
        yield from _of_lists(before, after, path)
    elif type(before) is not type(after) or before != after:
        yield Change(path, before, after)


def listed(found: Iterator[Change]) -> list[str]:
    """The first changes as lines of text."""
    lines = [change.text() for change in islice(found, _LISTED)]
    return [*lines, "  …"] if next(found, None) is not None else lines


def short(value: object) -> str:
    """A value on one line, truncated if it is long."""
    from graphwright_runtime.durable.canonical import any_length

    with any_length():
        text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}… ({len(text)} characters)"


def _of_lists(before: Sequence[object], after: Sequence[object], path: str) -> Iterator[Change]:
    """The changes of a list: appended or removed items at its end, or changed items if the length is the same."""
    both = min(len(before), len(after))
    if len(before) != len(after) and before[:both] != after[:both]:
        yield Change(path, before, after)
        return
    for index in range(max(len(before), len(after))):
        old = before[index] if index < len(before) else ABSENT
        new = after[index] if index < len(after) else ABSENT
        yield from changes(old, new, f"{path}[{index}]")


def _below(path: str, key: str) -> str:
    if _PLAIN.fullmatch(key) is None:
        return f"{path}[{json.dumps(key, ensure_ascii=False)}]"
    return f"{path}.{key}" if path else key
