"""Determines the minimum and maximum of the numbers that a schema describes.

The bounds of a schema, of what it refers to, and of its `allOf` are intersected; those of alternatives are united.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice
from numbers import Rational
from typing import Final, TypeGuard, cast

from graphwright.diagnostic import Json
from graphwright.expr.nodes import Segment
from graphwright.record import Record, replace
from graphwright.schema.walk import CONJUNCTS, listed, mapping, reached

#: The most schemas of one value that a query looks at, and the deepest nesting of alternatives.
_MAX_SCHEMAS: Final = 50
_DEPTH: Final = 3


class Bounds(Record):
    """The smallest and the largest number, None if unbounded; `open_low` and `open_high` exclude the bound itself."""

    low: int | float | None = None
    high: int | float | None = None
    open_low: bool = False
    open_high: bool = False

    @property
    def numbers(self) -> tuple[int | float, ...]:
        """The bounds that exist."""
        return tuple(end for end in (self.low, self.high) if end is not None)

    def contains(self, value: object) -> bool:
        """Whether a value is within the bounds; a value that is not a number is."""
        if isinstance(value, bool) or not isinstance(value, int | float | Rational):
            return True
        number = cast("float", value)  # exact comparison for any type of number
        if self.low is not None and (number < self.low or (self.open_low and number == self.low)):
            return False
        return self.high is None or not (number > self.high or (self.open_high and number == self.high))


UNBOUNDED: Final = Bounds()


def bounds_at(document: Json, path: Sequence[Segment]) -> Bounds:
    """The bounds of the numbers at a path below what a schema describes."""
    return _bounds(schemas_at(document, path), document, _DEPTH)


def schemas_at(document: Json, path: Sequence[Segment]) -> list[Json]:
    """The schemas that apply to the value at a path in every case."""
    schemas = [document]
    for segment in path:
        schemas = [below for schema in _subschemas(schemas, document) for below in _below(schema, segment)]
    return schemas


def _bounds(schemas: Sequence[Json], document: Json, depth: int) -> Bounds:
    """The bounds of what satisfies all of these schemas."""
    found = UNBOUNDED
    for schema in _subschemas(schemas, document):
        found = _narrower(found, schema)
        for keyword in ("anyOf", "oneOf"):
            branches = listed(schema.get(keyword))
            if branches and depth:
                numeric = [branch for branch in branches if _may_be_a_number(branch)]
                found = _intersection(found, _union([_bounds([branch], document, depth - 1) for branch in numeric]))
    return found


def _may_be_a_number(schema: Json) -> bool:
    if not isinstance(schema, dict):
        return schema is not False
    kinds = schema.get("type", "number")
    named = kinds if isinstance(kinds, list) else [kinds]
    return ("number" in named or "integer" in named) and ("const" not in schema or _is_number(schema["const"]))


def _union(each: Sequence[Bounds]) -> Bounds:
    """The narrowest bounds that allow what any of these allows."""
    lows = [(bounds.low, bounds.open_low) for bounds in each if bounds.low is not None]
    highs = [(-bounds.high, bounds.open_high) for bounds in each if bounds.high is not None]
    low, high = min(lows, default=None), min(highs, default=None)
    found = UNBOUNDED
    if low is not None and len(lows) == len(each):
        found = replace(found, low=low[0], open_low=low[1])
    if high is not None and len(highs) == len(each):
        found = replace(found, high=-high[0], open_high=high[1])
    return found


def _intersection(bounds: Bounds, other: Bounds) -> Bounds:
    """The intersection of two bounds."""
    ends: dict[str, Json] = {}
    if other.low is not None:
        ends["exclusiveMinimum" if other.open_low else "minimum"] = other.low
    if other.high is not None:
        ends["exclusiveMaximum" if other.open_high else "maximum"] = other.high
    return _narrower(bounds, ends)


def _subschemas(schemas: Sequence[Json], document: Json) -> Iterator[dict[str, Json]]:
    """Schemas and the subschemas that apply to the same value."""
    return islice(reached({"allOf": [*schemas]}, document, CONJUNCTS), 1, _MAX_SCHEMAS)


def _below(schema: dict[str, Json], segment: Segment) -> Iterator[Json]:
    properties = mapping(schema.get("properties"))
    if segment in properties:
        yield properties[str(segment)]


def _narrower(bounds: Bounds, schema: dict[str, Json]) -> Bounds:
    """The bounds after applying the keywords of a schema."""
    if _is_number(constant := schema.get("const")):
        schema = {"minimum": constant, "maximum": constant}
    low, high, open_low, open_high = bounds.low, bounds.high, bounds.open_low, bounds.open_high
    for keyword, opens in (("minimum", False), ("exclusiveMinimum", True)):
        end = schema.get(keyword)
        if _is_number(end) and (low is None or end > low or (opens and end == low)):
            low, open_low = end, opens
    for keyword, opens in (("maximum", False), ("exclusiveMaximum", True)):
        end = schema.get(keyword)
        if _is_number(end) and (high is None or end < high or (opens and end == high)):
            high, open_high = end, opens
    return Bounds(low, high, open_low, open_high)


def _is_number(value: Json) -> TypeGuard[int | float]:
    return isinstance(value, int | float) and not isinstance(value, bool)
