"""Which errors are worth another attempt (runtime.md §7)."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Final, TypeAlias

from graphwright_runtime.errors import Category, NodeError
from graphwright_runtime.values import Json

#: Categories that the built-in retry acts on.
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

#: The status that quotas are told by as well as rates.
_TOO_MANY: Final = 429

_EXHAUSTED: Final = r"quota|billing|insufficient (funds|credits?)|payment required"

#: What a message tells, the more telling texts first.
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


#: A line of the project's own table: errors for which the condition holds are of the category.
Rule: TypeAlias = tuple[Category, Condition]


def classify(error: NodeError, rules: Sequence[Rule] = ()) -> Category:
    """The category: what the runtime itself knows, then the project's rules, the type, the status, the message."""
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
    """The category of errors that came together: worth another attempt where each of them is."""
    if len(categories) == 1:
        return categories.pop()
    return "transient" if categories <= RETRYABLE else "permanent"


def error_context(error: NodeError) -> Mapping[str, Json]:
    """What conditions on an error may read: `error.message`, `error.type`, `error.code`, and `node`."""
    return {"error": {"message": str(error), "type": error.error_type, "code": error.code}, "node": error.node}


def _guesses(error: NodeError) -> Iterator[Category]:
    for ancestor in type(error.__cause__).__mro__:
        if ancestor.__name__ in _BY_TYPE:
            yield _BY_TYPE[ancestor.__name__]
    status = _status(error.code)
    if status is not None:
        if status == _TOO_MANY and re.search(_EXHAUSTED, str(error), re.IGNORECASE):
            yield "permanent"  # no wait fills an empty account
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
