"""What can be proved about capability patterns and partly known ids.

Patterns match like `fnmatch.fnmatchcase`: `*`, `?`, `[…]`, `[!…]`. A partly known id is a list of texts and gaps; a gap
stands for any text, including the empty one.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import Final

from graphwright.pattern import pattern

#: A part of an id that is only known at run time.
GAP: Final = None

#: One letter of a partly known id, or a gap.
Known = Sequence[str | None]

_TOKENS: Final = pattern(r"\[!?\]?[^\]]*\]|.", re.DOTALL)


@lru_cache(maxsize=1024)
def _tokens(pattern: str) -> tuple[str, ...]:
    """A pattern as `*`, `?`, bracket expressions and single letters."""
    return tuple(_TOKENS.findall(re.sub(r"\*+", "*", pattern)))


def proves(pattern: str, known: Known) -> bool:
    """Whether every text that `known` can turn out to be matches the pattern.

    Only `*` matches a gap as a whole, so this may miss a proof that a smarter argument would find.
    """
    tokens = _tokens(pattern)
    reach = _stars(tokens, {0})
    for letter in known:
        reach = _stars(tokens, {after for at in reach for after in _step(tokens, at, letter)})
    return len(tokens) in reach


def _step(tokens: Sequence[str], at: int, letter: str | None) -> tuple[int, ...]:
    """The positions in a pattern after consuming a letter or a gap at position `at`."""
    if at == len(tokens):
        return ()
    if tokens[at] == "*":
        return (at,)
    return (at + 1,) if letter is not None and _takes(tokens[at], letter) else ()


def can_match(pattern: str, known: Known) -> bool:
    """Whether some text that `known` can turn out to be matches the pattern."""
    tokens = _tokens(pattern)
    reach = _stars(tokens, {0})
    for letter in known:
        if letter is None:  # a gap can be whatever the rest of the pattern needs
            reach = set(range(min(reach), len(tokens) + 1)) if reach else reach
        else:
            reach = _stars(tokens, {after for at in reach for after in _step(tokens, at, letter)})
    return len(tokens) in reach


def _takes(token: str, letter: str) -> bool:
    if token == "?" or token == letter:
        return True
    if len(token) < 3:
        return False
    from fnmatch import fnmatchcase

    return fnmatchcase(letter, token)


def _stars(tokens: Sequence[str], reach: set[int]) -> set[int]:
    """The positions that are also reachable by letting a `*` match nothing."""
    found = set(reach)
    for at in sorted(reach):
        while at < len(tokens) and tokens[at] == "*":
            at += 1
            found.add(at)
    return found
