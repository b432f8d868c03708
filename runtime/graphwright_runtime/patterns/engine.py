"""Searches with a limit on processor time; exceeding it is an error."""

from __future__ import annotations

import time
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, Final, Literal, TypeAlias

from graphwright_runtime.errors import NodeError
from graphwright_runtime.patterns.allowance import current
from graphwright_runtime.patterns.reader import PatternError

if TYPE_CHECKING:
    import regex

    from graphwright_runtime.patterns.tree import Node

Dialect: TypeAlias = Literal["ecma", "python"]

#: Maximum number of characters of a pattern, before and after expanding repetitions, which the engine does in memory.
_LONGEST: Final = 50_000
_LARGEST: Final = 100_000

#: For patterns of this length and more, a prefix prevents the engine from searching for all possible first characters:
#: it compares each character of the text with each of these and does not check the time meanwhile.
_BROAD: Final = 200
_BEGINS_ANYHOW: Final = r"(?:%s|(?=[^\x00])(?!))"

#: Number of compiled patterns to cache.
_KEPT: Final = 256


class Pattern:
    """A regular expression, compiled by the first search so that importing a module stays fast."""

    def __init__(self, source: str, dialect: Dialect) -> None:
        self.source = source
        self._dialect: Dialect = dialect

    def search(self, text: str) -> bool:
        """Whether the pattern matches anywhere in a string.

        Raises NodeError if the pattern is not valid, or the searches of one check, or of one turn of a task, take too
        long: together they have 0.25 s of processor time, plus 20 µs for each search and 1 µs for each character.
        """
        try:
            return _found(self._compiled, text)
        except TimeoutError as late:
            problem = f"takes too long to match against a string of {len(text):,} characters{late}"
        except PatternError as error:
            problem = f"is not a valid regular expression: {error}"
        except MemoryError:
            problem = f"takes too much memory to match against a string of {len(text):,} characters"
        shown = self.source if len(self.source) <= 40 else f"{self.source[:40]}…"
        raise NodeError(f"the pattern {shown!r} {problem}", category="permanent")

    @cached_property
    def _compiled(self) -> regex.Pattern[str]:
        return compiled(self.source, self._dialect)


def _found(expression: regex.Pattern[str], text: str) -> bool:
    """Search within the allowance. Raises TimeoutError, with the number of other searches that used the allowance."""
    allowance = current()
    began = time.thread_time()
    try:
        seconds = allowance.grant(len(text))
        if seconds > 0:
            return expression.search(text, timeout=seconds) is not None
    except TimeoutError:
        pass
    finally:
        allowance.left -= time.thread_time() - began
    others = allowance.searches - 1
    raise TimeoutError(f", after {others:,} other searches" if others else "")


def parsed(source: str, dialect: Dialect) -> Node:
    """Parse a pattern. Raises PatternError."""
    if len(source) > _LONGEST:
        raise PatternError(f"it has more than {_LONGEST:,} characters")
    if dialect == "ecma":
        from graphwright_runtime.patterns.ecma import EcmaReader

        return EcmaReader(source).read()
    from graphwright_runtime.patterns.python import PythonReader

    return PythonReader(source).read()


@lru_cache(_KEPT)
def compiled(source: str, dialect: Dialect) -> regex.Pattern[str]:
    """Compile a pattern with the engine. Raises PatternError."""
    from graphwright_runtime.patterns.tree import size, written

    tree = parsed(source, dialect)
    if size(tree) > _LARGEST:
        raise PatternError(f"it expands to more than {_LARGEST:,} characters")
    import regex

    try:
        text = written(tree)
        return regex.compile(text if len(text) < _BROAD else _BEGINS_ANYHOW % text, regex.VERSION0, cache_pattern=False)
    except (regex.error, RecursionError, OverflowError) as error:
        raise PatternError(str(error) or "it is too large") from error
