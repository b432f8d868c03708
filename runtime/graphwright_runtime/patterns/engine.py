"""Searching in bounded time: what takes longer than its text may take is an error, not a wait."""

from __future__ import annotations

from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, Final, Literal, TypeAlias

from graphwright_runtime.errors import NodeError
from graphwright_runtime.patterns.reader import PatternError

if TYPE_CHECKING:
    import regex

    from graphwright_runtime.patterns.tree import Node

Dialect: TypeAlias = Literal["ecma", "python"]

#: Seconds of processor time that any search may take, and those for each character of the text.
_BASE: Final = 0.25
_PER_CHARACTER: Final = 1e-6

#: Characters of a pattern, and of one in which what must be repeated is written out: the engine does so, in memory.
_LONGEST: Final = 50_000
_LARGEST: Final = 100_000

#: Patterns that are kept once they are compiled.
_KEPT: Final = 256


class Pattern:
    """A regular expression. It is compiled by the first search, so that importing a module costs nothing for it."""

    def __init__(self, source: str, dialect: Dialect) -> None:
        self.source = source
        self._dialect: Dialect = dialect

    def search(self, text: str) -> bool:
        """Whether the pattern is found anywhere in a text.

        Raises NodeError where it is no pattern, or the search takes too long (a quarter of a second of processor
        time, and a second more for each million characters).
        """
        try:
            return self._compiled.search(text, timeout=_BASE + _PER_CHARACTER * len(text)) is not None
        except TimeoutError:
            problem = f"takes too long to look for in a text of {len(text):,} characters"
        except PatternError as error:
            problem = f"is not a valid regular expression: {error}"
        except MemoryError:
            problem = f"takes too much memory to look for in a text of {len(text):,} characters"
        shown = self.source if len(self.source) <= 40 else f"{self.source[:40]}…"
        raise NodeError(f"the pattern {shown!r} {problem}", category="permanent")

    @cached_property
    def _compiled(self) -> regex.Pattern[str]:
        return compiled(self.source, self._dialect)


def parsed(source: str, dialect: Dialect) -> Node:
    """The tree of a pattern; raises PatternError."""
    if len(source) > _LONGEST:
        raise PatternError(f"it has more than {_LONGEST:,} characters")
    if dialect == "ecma":
        from graphwright_runtime.patterns.ecma import EcmaReader

        return EcmaReader(source).read()
    from graphwright_runtime.patterns.python import PythonReader

    return PythonReader(source).read()


@lru_cache(_KEPT)
def compiled(source: str, dialect: Dialect) -> regex.Pattern[str]:
    """A pattern as the engine has it; raises PatternError."""
    from graphwright_runtime.patterns.tree import size, written

    tree = parsed(source, dialect)
    if size(tree) > _LARGEST:
        raise PatternError(f"it asks for more than {_LARGEST:,} characters once its repetitions are written out")
    import regex

    try:
        return regex.compile(written(tree), regex.VERSION0, cache_pattern=False)
    except (regex.error, RecursionError, OverflowError) as error:
        raise PatternError(str(error) or "it is too large") from error
