"""Compares permissions and environment variables."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from graphwright.compare.difference import Area, Difference, Kind
from graphwright.compare.permissions import beyond


def permissions(old: Sequence[str] | None, new: Sequence[str] | None) -> Iterator[Difference]:
    """The changed permissions, broader ones first, because reviewers must look at these."""
    if old is None or new is None:
        yield from _undeclared(old, new)
        return
    broader, narrower = beyond(new, old), beyond(old, new)
    for pattern in broader:
        yield Difference(
            Area.PERMISSIONS, pattern, Kind.BROADER, f"`{pattern}` is newly permitted", review=True, new=pattern
        )
    for pattern in narrower:
        yield Difference(Area.PERMISSIONS, pattern, Kind.NARROWER, f"`{pattern}` is no longer permitted", old=pattern)
    told = {*broader, *narrower}
    for pattern in dict.fromkeys(new):
        if pattern not in old and pattern not in told:
            text = f"`{pattern}` added; earlier permissions covered it"
            yield Difference(Area.PERMISSIONS, pattern, Kind.ADDED, text, new=pattern)
    for pattern in dict.fromkeys(old):
        if pattern not in new and pattern not in told:
            text = f"`{pattern}` removed; other permissions cover it"
            yield Difference(Area.PERMISSIONS, pattern, Kind.REMOVED, text, old=pattern)


def _undeclared(old: Sequence[str] | None, new: Sequence[str] | None) -> Iterator[Difference]:
    if old is None and new is not None:
        text = f"the graph declares permissions now: {', '.join(new) or 'none'}; before, those of its caller applied"
        yield Difference(Area.PERMISSIONS, "", Kind.NARROWER, text, new=list(new))
    elif old is not None and new is None:
        text = "the graph declares no permissions any more: those of its caller apply without a limit"
        yield Difference(Area.PERMISSIONS, "", Kind.BROADER, text, review=True, old=list(old))


def environment(old: Sequence[str], new: Sequence[str]) -> Iterator[Difference]:
    """The changes of required variables; a new one is breaking, because a run does not start without it."""
    for name in new:
        if name not in old:
            text = f"`{name}` is required now"
            yield Difference(Area.ENVIRONMENT, name, Kind.ADDED, text, breaking=True, new=name)
    for name in old:
        if name not in new:
            yield Difference(Area.ENVIRONMENT, name, Kind.REMOVED, f"`{name}` is no longer required", old=name)
