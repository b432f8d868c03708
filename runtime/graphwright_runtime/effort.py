"""How much work the library jsonschema may do for one value.

It goes every way that a schema offers anew, and references, or `unevaluatedProperties` inside one another, can double
the ways at every level. Compiled checks remember what they did (`checks.Problems`), and need no limit.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Final

from graphwright_runtime.errors import NodeError

#: Applications of schemas in any case, and for every part of the value: those of an honest schema are far fewer.
_BASE: Final = 10_000
_PER_PART: Final = 100

_left: ContextVar[float] = ContextVar("left", default=float("inf"))


@contextmanager
def bounded(value: object) -> Iterator[None]:
    """Bound the work for `value`, a JSON value, until the end of the block."""
    before = _left.set(_BASE + _PER_PART * _parts(value))
    try:
        yield
    finally:
        _left.reset(before)


def spend() -> None:
    """Note that one more schema is applied; NodeError where there were too many."""
    left = _left.get()
    if left <= 0:
        raise NodeError("the schema asks for too many checks of one value", category="permanent")
    _left.set(left - 1)


def _parts(value: object) -> int:
    count, pending = 0, [value]
    while pending:
        each = pending.pop()
        count += 1
        if isinstance(each, dict):
            pending += each.values()
        elif isinstance(each, list):
            pending += each
    return count
