"""Whether permissions allow more than others."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from graphwright.analysis.globs import GAP, Known, proves

_TOKENS: Final = re.compile(r"\[!?\]?[^\]]*\]|.", re.DOTALL)


def beyond(patterns: Sequence[str], others: Sequence[str]) -> tuple[str, ...]:
    """The patterns that allow something which none of the others allows, as far as that can be told.

    A pattern that several others cover only together counts as one.
    """
    return tuple(
        each
        for each in dict.fromkeys(patterns)
        if each not in others and not any(proves(other, _known(each)) for other in others)
    )


def _known(pattern: str) -> Known:
    """What is known of the capabilities that a pattern matches: its letters, with gaps where it matches several."""
    return [GAP if len(token) > 1 or token in "*?" else token for token in _TOKENS.findall(pattern)]
