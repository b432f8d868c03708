"""Is a text a regular expression that can be matched in reasonable time?"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from graphwright.record import Record

if TYPE_CHECKING:
    from graphwright_runtime.patterns.engine import Dialect

#: Verdicts that are kept: one per pattern and dialect.
_KEPT = 256


class Flaw(Record):
    """Why a pattern is refused, as a clause; `slow` where it is one, but can take exponential time."""

    detail: str
    slow: bool = False


@lru_cache(_KEPT)
def flaw(source: str, dialect: Dialect) -> Flaw | None:
    """What is wrong with a text as a pattern; None where nothing is.

    `dialect` is "ecma" for the keywords of JSON Schema, "python" for the operator `regex`.
    """
    from graphwright.schema.ambiguity import exponential
    from graphwright_runtime.patterns.engine import compiled, parsed
    from graphwright_runtime.patterns.reader import PatternError

    try:
        compiled(source, dialect)
        repeated = exponential(parsed(source, dialect))
    except PatternError as error:
        return Flaw(str(error))
    return None if repeated is None else Flaw(f"`{repeated}` can read the same text in very many ways", slow=True)


def is_found(source: str, text: str) -> bool:
    """Whether a pattern of a schema is found in a text; not in one that it takes too long for."""
    from graphwright_runtime.errors import NodeError
    from graphwright_runtime.patterns.engine import Pattern

    try:
        return Pattern(source, "ecma").search(text)
    except NodeError:
        return False
