"""Compares the permissions of two graphs."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from graphwright.analysis.globs import GAP, Known, proves

_TOKENS: Final = re.compile(r"\[!?\]?[^\]]*\]|.", re.DOTALL)


def beyond(patterns: Sequence[str], others: Sequence[str]) -> tuple[str, ...]:
    """The patterns that permit something that none of the others permits, as far as that can be determined.

    A pattern that is covered only by several others together is included.
    """
    return tuple(
        each
        for each in dict.fromkeys(patterns)
        if each not in others and not any(proves(other, _known(each)) for other in others)
    )


def _known(pattern: str) -> Known:
    """The capabilities that a pattern matches, as letters with gaps for wildcards."""
    return [GAP if len(token) > 1 or token in "*?" else token for token in _TOKENS.findall(pattern)]
