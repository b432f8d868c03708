"""Compares types from the points of view of callers and readers."""

from __future__ import annotations

from typing import Final

from graphwright.analysis.jsontype import ANY, NULL, OBJECT, Field, Type, either, holds
from graphwright.emit.types import choices
from graphwright.record import replace

_SCALARS: Final = frozenset({"null", "boolean", "integer", "number", "string"})


def declared(kind: Type) -> Type:
    """The type as a module declares it.

    Small sets are literals, other constants have their general type, and an object has only the keys that are listed,
    if there are any.
    """
    if kind.variants:
        return either(declared(kind.only(kind.kinds - OBJECT.kinds)), *map(declared, kind.variants))
    spelled = len(choices(kind)) == sum(value is not None for value in kind.values or ())
    return replace(
        kind,
        values=kind.values if spelled else None,
        items=None if kind.items is None else declared(kind.items),
        fields=tuple((name, Field(declared(field.type), field.required)) for name, field in kind.fields),
        closed=kind.closed or bool(kind.fields),
        rest=None if kind.rest is None or kind.fields else declared(kind.rest),
    )


def includes(outer: Type, inner: Type, *, extra_keys: bool = False) -> bool:
    """Whether every value of `inner` belongs to `outer`. `extra_keys`: objects of `outer` may have additional keys."""
    if ANY in (outer, inner):  # ANY includes itself
        return outer == ANY
    if not inner.kinds <= outer.kinds or not _includes_scalars(outer, inner):
        return False
    if "array" in inner.kinds and not includes(outer.item, inner.item, extra_keys=extra_keys):
        return False
    return all(
        any(_includes_shape(ours, theirs, extra_keys=extra_keys) for ours in outer.shapes) for theirs in inner.shapes
    )


def _includes_scalars(outer: Type, inner: Type) -> bool:
    if outer.values is None or not inner.kinds & _SCALARS:
        return True
    if inner.values is None:
        return inner.kinds & _SCALARS == NULL.kinds and holds(outer, None)
    return all(holds(outer, value) for value in inner.values)


def _includes_shape(outer: Type, inner: Type, *, extra_keys: bool) -> bool:
    ours, theirs = outer.field_map, inner.field_map
    others = ANY if extra_keys else outer.others
    for name in ours.keys() | theirs.keys():
        own = ours.get(name, Field(others, False))
        field = theirs.get(name, Field(inner.others, False))
        if (own.required and not field.required) or not includes(own.type, field.type, extra_keys=extra_keys):
            return False
    return includes(others, inner.others, extra_keys=extra_keys)
