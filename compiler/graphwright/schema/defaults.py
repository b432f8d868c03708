"""Fills in the defaults of a schema as a run does: in all objects that exist, at every level.

Defaults are filled in below keywords that always apply (`properties`, `items`, `allOf`, `$ref`, …), but not below
alternatives (`anyOf`, `if`, `not`). The emitted code (`emit/validator/defaults.py`) does the same.
"""

from __future__ import annotations

from typing import Final

from graphwright.diagnostic import Json
from graphwright.schema.patterns import is_found
from graphwright.schema.walk import listed, mapping, pointed, reached

#: The deepest level of a value.
_MAX_DEPTH: Final = 200
#: The deepest nesting of defaults.
_MAX_NESTED: Final = 60
#: The most defaults that one default may include, and the most schemas that may be applied to parts of it.
_MAX_FILLED: Final = 10_000
_MAX_APPLIED: Final = 200_000


class FillingError(ValueError):
    """A default that cannot be filled in. `cycle` are the schemas (by identity) whose defaults contain one another;
    empty if the nesting is finite, but too deep."""

    def __init__(self, cycle: tuple[int, ...] = ()) -> None:
        super().__init__("an endless default" if cycle else "a default that grows beyond bounds")
        self.cycle = cycle


def filled_default(schema: dict[str, Json], document: Json) -> Json:
    """The default of `schema` (a part of `document`) with the defaults inside it; raises `FillingError` if that never
    ends.

    The document is not changed; parts of it may be shared with the result.
    """
    return _Filling(document).default(schema)


def filled(value: Json, schema: Json, document: Json) -> Json:
    """A value with the defaults of `schema`, under the same conditions."""
    return _Filling(document).value(value, schema, 0)


class _Filling:
    """Fills in one default or value. `open` are the schemas whose defaults contain the part that is being filled."""

    def __init__(self, document: Json) -> None:
        self._document = document
        self._open: list[int] = []
        self._count = 0
        self._applied = 0

    def default(self, schema: dict[str, Json]) -> Json:
        """The default of a schema. It does not depend on where it is used, so one inside itself is endless."""
        self._count += 1
        if id(schema) in self._open:
            raise FillingError(tuple(self._open[self._open.index(id(schema)) :]))
        if self._count > _MAX_FILLED or len(self._open) == _MAX_NESTED:
            raise FillingError
        self._open.append(id(schema))
        value = self.value(schema["default"], schema, 0)
        self._open.pop()
        return value

    def value(self, value: Json, schema: Json, depth: int) -> Json:
        """A value with the defaults of a schema."""
        self._applied += 1
        if self._applied > _MAX_APPLIED:
            raise FillingError
        if depth > _MAX_DEPTH:
            return value
        for part in reached(schema, None, ("allOf",)):
            reference = part.get("$ref")
            if isinstance(reference, str):
                value = self.value(value, pointed(self._document, reference), depth + 1)
            if isinstance(value, dict):
                value = self._object(value, part, depth)
            elif isinstance(value, list):
                value = self._list(value, part, depth)
        return value

    def _object(self, value: dict[str, Json], schema: dict[str, Json], depth: int) -> dict[str, Json]:
        properties = mapping(schema.get("properties"))
        result = dict(value)
        for name, inner in properties.items():
            if name in result:
                result[name] = self.value(result[name], inner, depth + 1)
            elif isinstance(inner, dict) and "default" in inner:
                result[name] = self.default(inner)
        patterns = mapping(schema.get("patternProperties"))
        rest = schema.get("additionalProperties")
        for name in result if patterns or isinstance(rest, dict) else ():
            found = [part for pattern, part in patterns.items() if is_found(pattern, name)]
            for part in found or ([] if name in properties else [rest]):
                result[name] = self.value(result[name], part, depth + 1)
        return result

    def _list(self, value: list[Json], schema: dict[str, Json], depth: int) -> list[Json]:
        parts = listed(schema.get("prefixItems"))
        rest = schema.get("items")
        return [
            self.value(item, parts[position] if position < len(parts) else rest, depth + 1)
            for position, item in enumerate(value)
        ]
