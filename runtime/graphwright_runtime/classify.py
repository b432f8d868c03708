"""Classifies errors, to decide which ones are retried (runtime.md §7)."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Final, TypeAlias

from graphwright_runtime.errors import Category, NodeError
from graphwright_runtime.values import Json

#: The categories that the built-in retry handles.
RETRYABLE: Final[frozenset[Category]] = frozenset(("timeout", "transient", "rate_limited"))

_BY_TYPE: Final[dict[str, Category]] = {"TimeoutError": "timeout", "ConnectionError": "transient"}

_BY_STATUS: Final[dict[int, Category]] = {
    0: "transient",
    408: "timeout",
    429: "rate_limited",
    502: "transient",
    503: "transient",
    504: "timeout",
}

#: The status code for exceeded rates as well as exhausted quotas.
_TOO_MANY: Final = 429

_EXHAUSTED: Final = r"quota|billing|insufficient (funds|credits?)|payment required"

#: Categories by message; more specific expressions come first.
_BY_MESSAGE: Final[tuple[tuple[Category, str], ...]] = (
    ("permanent", _EXHAUSTED),
    ("rate_limited", r"too many requests|rate[ _-]?limit|\b429\b"),
    ("timeout", r"timed? ?out|deadline exceeded"),
    (
        "transient",
        (
            r"connection (was )?(reset|refused|aborted|closed)|temporar(y|ily) (failure|unavailable)"
            r"|service unavailable|bad gateway|broken pipe|network is unreachable"
        ),
    ),
)

Condition: TypeAlias = Callable[[Mapping[str, Json]], bool]


#: A rule of the project's error table: errors that satisfy the condition have the category.
Rule: TypeAlias = tuple[Category, Condition]


def classify(error: NodeError, rules: Sequence[Rule] = ()) -> Category:
    """The category of an error: set by the runtime, otherwise by the project's rules, type, status or message."""
    if error.category is not None:
        return error.category
    context = error_context(error)
    for category, holds in rules:
        if holds(context):
            return category
    if error.members:
        return _of_all({classify(member, rules) for member in error.members})
    for guess in _guesses(error):
        return guess
    return "permanent"


def _of_all(categories: set[Category]) -> Category:
    """The category of a group of errors; it is retried only if all of them would be."""
    if len(categories) == 1:
        return categories.pop()
    return "transient" if categories <= RETRYABLE else "permanent"


def error_context(error: NodeError) -> Mapping[str, Json]:
    """The values that conditions on an error can read: `error.message`, `error.type`, `error.code` and `node`."""
    return {"error": {"message": str(error), "type": error.error_type, "code": error.code}, "node": error.node}


def _guesses(error: NodeError) -> Iterator[Category]:
    for ancestor in type(error.__cause__).__mro__:
        if ancestor.__name__ in _BY_TYPE:
            yield _BY_TYPE[ancestor.__name__]
    status = _status(error.code)
    if status is not None:
        if status == _TOO_MANY and re.search(_EXHAUSTED, str(error), re.IGNORECASE):
            yield "permanent"  # waiting does not restore an exhausted quota
        if status in _BY_STATUS:
            yield _BY_STATUS[status]
        elif 400 <= status < 500:
            yield "permanent"
    message = str(error) if status is not None or error.code is None else f"{error.code} {error}"
    for category, expression in _BY_MESSAGE:
        if re.search(expression, message, re.IGNORECASE):
            yield category


def _status(code: int | str | None) -> int | None:
    if isinstance(code, str):
        return int(code) if code.isascii() and code.isdigit() and len(code) < 6 else None
    return code
