"""Turns of phrase that rules share: lists of names, paths, suggestions."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from graphwright.source.spelling import quoted_like

#: What to do about a regular expression that can take exponential time.
UNAMBIGUOUS = "make the repeated part unambiguous: `a+` for `(a+)+`, `\\w+(?:\\s\\w+)*` for `(\\w+\\s?)+`"

#: Names that a message lists before it counts the rest.
_LISTED = 6


def listed(names: Iterable[str], conjunction: str = "and") -> str:
    """The names in backticks: "`a`, `b` and `c`"; of many the first ones, and how many more there are."""
    known = list(names)
    some = known if len(known) <= _LISTED + 1 else known[:_LISTED]
    quoted = [f"`{name}`" for name in some]
    if len(some) < len(known):
        quoted.append(f"{len(known) - len(some)} more")
    return f" {conjunction} ".join(filter(None, (", ".join(quoted[:-1]), quoted[-1]))) if quoted else ""


def scalar(text: str) -> str:
    """A text as a YAML value that reads as it: plain where that is possible, else in quotes."""
    return quoted_like(text, None)


def chain(path: Sequence[str]) -> str:
    """A path through the graph, "a → b → c"; of a long one the middle is left out."""
    shown = path if len(path) <= 10 else (*path[:2], "…", *path[-6:])
    return " → ".join(shown)


def meant(suggestion: str | None) -> str | None:
    """The help line for a likely name; None where there is none."""
    return f"did you mean `{suggestion}`?" if suggestion else None


def number(count: int, noun: str) -> str:
    """ "1 step", "3 steps"."""
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"


def everything(names: Iterable[str]) -> str:
    """All names of a fact; unlike `listed`, none is left out: this is the reference."""
    return ", ".join(f"`{name}`" for name in names)


def everything_of(entries: Sequence[str], word: str = "and") -> str:
    """ "a, b and c", all of them as they are: what is to be typed is never left out."""
    return f" {word} ".join(filter(None, (", ".join(entries[:-1]), entries[-1])))
