"""Compares the tools that a graph calls, and the methods of `Tools`, whose types come from contracts."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from graphwright.analysis.jsontype import OBJECT, Type
from graphwright.compare.difference import Area, Difference, Kind
from graphwright.compare.interface import type_words
from graphwright.compare.lines import changed_lines
from graphwright.compare.outline import MethodOutline, Outline
from graphwright.compare.types import includes

_ADDED: Final = "; an object that implements `Tools` needs a method for it"
_REMOVED: Final = "; there is no `Tools` any more"


def tools(old: Outline, new: Outline) -> Iterator[Difference]:
    """The changes of called tools, regardless of permissions.

    Breaking is what an object that was written for the old `Tools` does not fit: a method that it lacks, params that it
    does not expect, a result that is no longer accepted.
    """
    for name in _beyond(new, old):
        breaking = name in new.methods and name not in old.methods and bool(old.methods)
        text = f"`{name}` is newly called{_ADDED if breaking else ''}"
        yield Difference(Area.TOOLS, name, Kind.ADDED, text, breaking=breaking, new=name)
    for name in _beyond(old, new):
        breaking = name in old.methods and not new.methods
        text = f"`{name}` is no longer called{_REMOVED if breaking else ''}"
        yield Difference(Area.TOOLS, name, Kind.REMOVED, text, breaking=breaking, old=name)
    for name, method in old.methods.items():
        if name in new.methods:
            yield from _method(name, method, new.methods[name])


def _beyond(outline: Outline, other: Outline) -> list[str]:
    """The items that one side calls, itself or through the graphs that it calls, and the other does not."""
    names = dict.fromkeys((*outline.tools, *outline.methods))
    return [name for name in names if name not in (other.tools if name in outline.tools else other.methods)]


def _method(name: str, old: MethodOutline, new: MethodOutline) -> Iterator[Difference]:
    for what, before, after, given, taken in (
        ("params", old.params, new.params, new.params, old.params),
        ("result", old.result, new.result, old.result, new.result),
    ):
        lines = changed_lines(_lines(before), _lines(after))
        fits = includes(taken, given, extra_keys=True)
        if lines or not fits or not includes(given, taken, extra_keys=True):
            text = f"the {what} of `{name}` changed"
            yield Difference(Area.TOOLS, name, Kind.CHANGED, text, breaking=not fits, lines=lines)


def _lines(kind: Type) -> list[str]:
    """A line for each key of an object; for anything else, its type."""
    if kind.kinds != OBJECT.kinds or not kind.fields:
        return [type_words(kind)]
    return [f"{key}: {type_words(each.type)}{'' if each.required else ', optional'}" for key, each in kind.fields]
