"""Values of other types that a tool converts to the type that it declares, as pydantic converts `"3"` to 3."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from graphwright.diagnostic import Json

#: The keyword of a schema with a `type` to which the tool converts values.
CONVERTED: Final = "x-converted"

#: What is converted to a type. Strings with digits are numbers, also with spaces around them.
CONVERSIONS: Final[Mapping[str, Mapping[str, Json]]] = {
    "integer": {"type": ["integer", "boolean", "string"], "pattern": "[0-9]"},
    "number": {"type": ["number", "boolean", "string"], "pattern": "[0-9]|[Ii][Nn][Ff]|[Nn][Aa][Nn]"},
    "boolean": {"type": ["boolean", "integer", "string"]},
}


def accepted(schema: Json) -> Json:
    """The schema of the values that are accepted, because they conform to a schema or are converted."""
    if isinstance(schema, list):
        return [accepted(each) for each in schema]
    if not isinstance(schema, dict):
        return schema
    kind = schema.get("type")
    more = CONVERSIONS.get(kind, {}) if isinstance(kind, str) and schema.get(CONVERTED) is True else {}
    return {**{key: accepted(part) for key, part in schema.items()}, **more}
