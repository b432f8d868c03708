"""Whether a string is a regular expression that can be matched in reasonable time."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from graphwright.record import Record

if TYPE_CHECKING:
    from graphwright_runtime.patterns.allowance import Allowance
    from graphwright_runtime.patterns.engine import Dialect

#: The number of cached verdicts, one per pattern and dialect.
_KEPT = 256


class Flaw(Record):
    """Why a pattern is refused, as a clause; `slow` if it is valid but may take exponential time."""

    detail: str
    slow: bool = False


@lru_cache(_KEPT)
def flaw(source: str, dialect: Dialect) -> Flaw | None:
    """What is wrong with a string as a pattern, or None.

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
    return None if repeated is None else Flaw(f"`{repeated}` can match the same string in very many ways", slow=True)


class Searches:
    """The searches of one check, which share a time limit. The runtime is imported for the first of them."""

    def __init__(self) -> None:
        self._allowance: Allowance | None = None

    def begin(self) -> None:
        """Start to check another file."""
        self._allowance = None

    def is_found(self, source: str, text: str) -> bool:
        """Whether a pattern of a schema matches a string; false if the time is used up."""
        from graphwright_runtime.errors import NodeError
        from graphwright_runtime.patterns.allowance import Allowance, shared
        from graphwright_runtime.patterns.engine import Pattern

        if self._allowance is None:
            self._allowance = Allowance()
        try:
            with shared(self._allowance):
                return Pattern(source, "ecma").search(text)
        except NodeError:
            return False


searches = Searches()
is_found = searches.is_found
