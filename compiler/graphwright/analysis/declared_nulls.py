"""What the declared type of a result says about null at the paths in it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from graphwright.analysis.jsontype import Type
from graphwright.analysis.tools import unwrapped


def has_null(returned: Type) -> bool:
    """Whether a type allows null, or has a part that does."""
    if not returned.known:
        return False
    parts = [field.type for _, field in returned.fields]
    return returned.nullable or any(map(has_null, parts if returned.items is None else [*parts, returned.items]))


def types_along(returned: Type, path: Sequence[str]) -> Iterator[Type]:
    """The types of the parts of a path in a result, from the whole result on, as far as they are declared."""
    found = returned
    yield found
    found = unwrapped(found)
    for segment in path:
        field = found.field(segment) if "object" in found.kinds else None
        if field is not None:
            found = field.type
        elif "array" in found.kinds and segment.lstrip("-").isdecimal():
            found = found.item
        else:
            return
        if not found.known:
            return
        yield found


def is_telling(returned: Type, path: Sequence[str]) -> bool:
    """Whether a path in a result leads to a scalar that is never null, such as a flag, a status or a count, and so may
    tell what else is null."""
    *_, found = types = list(types_along(returned, path))
    return len(types) == len(path) + 1 and found.kinds.isdisjoint({"array", "object", "null"})
