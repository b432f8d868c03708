"""Limits the work that the library jsonschema does for one value.

It caches nothing, and references or nested `unevaluatedProperties` can double the number of checks at every level.
Compiled checks cache their results (`checks.Problems`) and need no limit.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Final

from graphwright_runtime.errors import NodeError

#: The allowed applications of schemas: a constant, and a number for each part of the value.
_BASE: Final = 10_000
_PER_PART: Final = 100

_left: ContextVar[float] = ContextVar("left", default=float("inf"))


@contextmanager
def bounded(value: object) -> Iterator[None]:
    """Limit the work for `value`, a JSON value, while the block runs."""
    before = _left.set(_BASE + _PER_PART * _parts(value))
    try:
        yield
    finally:
        _left.reset(before)


def spend() -> None:
    """Count the application of a schema. Raises NodeError if there were too many."""
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
