"""Common phrases in messages: lists of names, paths, suggestions."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from graphwright.source.spelling import quoted_like

#: The advice for a regular expression that can take exponential time.
UNAMBIGUOUS = "make the repeated part unambiguous: `a+` for `(a+)+`, `\\w+(?:\\s\\w+)*` for `(\\w+\\s?)+`"

#: Maximum number of names that a message lists.
_LISTED = 6


def listed(names: Iterable[str], conjunction: str = "and") -> str:
    """The names in backticks: "`a`, `b` and `c`"; of many only the first ones, and the number of others."""
    known = list(names)
    some = known if len(known) <= _LISTED + 1 else known[:_LISTED]
    quoted = [f"`{name}`" for name in some]
    if len(some) < len(known):
        quoted.append(f"{len(known) - len(some)} more")
    return f" {conjunction} ".join(filter(None, (", ".join(quoted[:-1]), quoted[-1]))) if quoted else ""


def scalar(text: str) -> str:
    """A string as a YAML scalar, in quotes if necessary."""
    return quoted_like(text, None)


def chain(path: Sequence[str]) -> str:
    """A path through the graph, "a → b → c", without the middle if it is long."""
    shown = path if len(path) <= 10 else (*path[:2], "…", *path[-6:])
    return " → ".join(shown)


def meant(suggestion: str | None) -> str | None:
    """The advice for a suggested name; None if there is none."""
    return f"did you mean `{suggestion}`?" if suggestion else None


def number(count: int, noun: str) -> str:
    """ "1 step", "3 steps"."""
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"


def everything(names: Iterable[str]) -> str:
    """All names in backticks, regardless of their number, for reference."""
    return ", ".join(f"`{name}`" for name in names)


def everything_of(entries: Sequence[str], word: str = "and") -> str:
    """All values, "a, b and c", without backticks, because the user is meant to type them."""
    return f" {word} ".join(filter(None, (", ".join(entries[:-1]), entries[-1])))
