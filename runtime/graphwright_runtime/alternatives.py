"""Why a value matches none of several schemas: the problems of the one that was probably meant."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from typing import Final, NamedTuple

from graphwright_runtime.expressions import described

UNMATCHED: Final = "does not match any of the allowed schemas"
AMBIGUOUS: Final = "matches more than one of the allowed schemas"

#: Maximum number of problems that a message lists.
_LISTED: Final = 3


class Part(NamedTuple):
    """A problem with a part of a value: its path, the rule, and the invalid value if the message should include it."""

    path: str
    text: str
    value: str = ""

    @classmethod
    def about(cls, path: str, text: str, value: object) -> Part:
        """The problem with a given value."""
        return cls(path, text, f" (found {described(value)})")


def closest(base: str, alternatives: Iterable[Sequence[Part]], tags: Collection[str]) -> list[Part]:
    """The problems of the alternative that was meant for the value at the path `base`; empty if that is unclear.

    `alternatives` has the problems of each. The one was meant in which the `tags` are valid (keys for which several
    alternatives declare constants), otherwise the only one whose first problem is further in than those of the others.
    If no alternative has the value of a tag, that is the problem.
    """
    left = [parts for parts in alternatives if parts]
    for tag in tags:
        place = f"{base}.{tag}" if base else tag
        fitting = [parts for parts in left if all(part.path != place for part in parts)]
        wrong = [part for parts in left for part in parts if part.path == place]
        if not fitting and left:
            return [wrong[0]._replace(text=_either(dict.fromkeys(part.text for part in wrong)))]
        left = fitting
    depths = [min(_depth(part.path, base) for part in parts) for parts in left]
    deepest = [parts for parts, depth in zip(left, depths, strict=True) if depth == max(depths)]
    if len(deepest) != 1 or any(part.path == base and part.text == UNMATCHED for part in deepest[0]):
        return []
    return list(deepest[0])


def unmatched(base: str, parts: Sequence[Part]) -> str:
    """The message about a value that matches no alternative, with the problems of the closest one."""
    shown = ", ".join(
        f"{f'{part.path!r} ' if part.path != base else ''}{part.text}{part.value}" for part in parts[:_LISTED]
    )
    return f"{UNMATCHED}: {shown}" if parts else UNMATCHED


def _either(texts: Iterable[str]) -> str:
    """What several alternatives require of the same value: `must be "a" or "b"`."""
    first, *others = texts
    return " or ".join([first, *(text.removeprefix("must be ") for text in others)])


def _depth(path: str, base: str) -> int:
    """How far a path leads into the value at `base`."""
    inner = path[len(base) :]
    return inner.count(".") + inner.count("[") + (not base and bool(path))
