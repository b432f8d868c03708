"""Does a value satisfy a JSON Schema? The first thing that is wrong with it, in words.

For defaults (GW112): few and small, so nothing is compiled. Keywords that it does not know, it takes as satisfied.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, TypeAlias

from graphwright.schema.equality import holds, same, unique
from graphwright.schema.formats import described_format, is_formatted
from graphwright.schema.patterns import is_found
from graphwright.schema.pointer import pointed
from graphwright.source.reader import Json

if TYPE_CHECKING:
    from fractions import Fraction

_MAX_DEPTH = 60


#: What is known of parts of a value and parts of a schema, by identity. One that is being looked into counts as fine: a
#: schema that leads back to itself for the same value asks for nothing more.
_Known: TypeAlias = dict[tuple[int, int], "str | None"]


def violation(value: Json, schema: Json, document: Json) -> str | None:
    """Why `value` does not satisfy `schema` (a part of `document`, where references lead); None where it does."""
    return _violation(value, schema, document, 0, {})


def _violation(value: Json, schema: Json, document: Json, depth: int, known: _Known) -> str | None:
    if schema is False:
        return "no value is allowed"
    if not isinstance(schema, dict) or depth > _MAX_DEPTH:
        return None
    both = (id(value), id(schema))
    if both not in known:
        known[both] = None
        known[both] = next(_violations(value, schema, document, depth, known), None)
    return known[both]


def _violations(value: Json, schema: dict[str, Json], document: Json, depth: int, known: _Known) -> Iterator[str]:
    def inner(part: Json, sub: Json) -> str | None:
        return _violation(part, sub, document, depth + 1, known)

    yield from _type_and_values(value, schema)
    if isinstance(value, int | float) and not isinstance(value, bool):
        yield from _number(value, schema)
    elif isinstance(value, str):
        yield from _text(value, schema)
    elif isinstance(value, list):
        yield from _list(value, schema, inner)
    elif isinstance(value, dict):
        yield from _object(value, schema, inner)
    yield from _combined(value, schema, document, inner)


def _type_and_values(value: Json, schema: dict[str, Json]) -> Iterator[str]:
    declared = schema.get("type")
    if declared is not None:
        names = declared if isinstance(declared, list) else [declared]
        if not any(isinstance(name, str) and _is(value, name) for name in names):
            yield f"{_shown(value)} is not of type {' or '.join(str(name) for name in names)}"
    options = schema.get("enum")
    if isinstance(options, list) and not holds(options, value):
        yield f"{_shown(value)} is none of {_shown(options)}"
    if "const" in schema and not same(value, schema["const"]):
        yield f"{_shown(value)} is not {_shown(schema['const'])}"


def _is(value: Json, name: str) -> bool:
    if name == "number":
        return isinstance(value, int | float) and not isinstance(value, bool)
    if name == "integer":
        return (isinstance(value, int) and not isinstance(value, bool)) or (
            isinstance(value, float) and value.is_integer()
        )
    kinds: dict[str, type | tuple[type, ...]] = {
        "null": type(None), "boolean": bool, "string": str, "array": list, "object": dict,
    }  # fmt: skip
    return isinstance(value, kinds.get(name, object))


def _number(value: float, schema: dict[str, Json]) -> Iterator[str]:
    bounds: tuple[tuple[str, Callable[[float, float], bool], str], ...] = (
        ("minimum", lambda a, b: a < b, "is less than the minimum"),
        ("maximum", lambda a, b: a > b, "is more than the maximum"),
        ("exclusiveMinimum", lambda a, b: a <= b, "is not more than"),
        ("exclusiveMaximum", lambda a, b: a >= b, "is not less than"),
    )
    for key, wrong, text in bounds:
        bound = schema.get(key)
        if isinstance(bound, int | float) and wrong(value, bound):
            yield f"{_shown(value)} {text} {_shown(bound)}"
    divisor = schema.get("multipleOf")
    if isinstance(divisor, int | float) and divisor > 0 and not _divides(divisor, value):
        yield f"{_shown(value)} is no multiple of {_shown(divisor)}"


def _divides(divisor: float, value: float) -> bool:
    """Whether a number is a multiple of another: of decimals as they are written, so 0.3 is one of 0.1."""
    if isinstance(divisor, int) and isinstance(value, int):
        return value % divisor == 0
    if not (math.isfinite(divisor) and math.isfinite(value)):
        return True
    return (_exact(value) / _exact(divisor)).denominator == 1


def _exact(number: float) -> Fraction:
    from fractions import Fraction

    return Fraction(repr(number)) if isinstance(number, float) else Fraction(number)


def _text(value: str, schema: dict[str, Json]) -> Iterator[str]:
    yield from _size(len(value), schema, "Length", "characters")
    pattern = schema.get("pattern")
    if isinstance(pattern, str) and not is_found(pattern, value):
        yield f"{_shown(value)} does not match the pattern {pattern}"
    name = schema.get("format")
    if isinstance(name, str) and not is_formatted(value, name):
        yield f"{_shown(value)} is not {described_format(name)}"


def _size(size: int, schema: dict[str, Json], suffix: str, what: str) -> Iterator[str]:
    least, most = schema.get(f"min{suffix}"), schema.get(f"max{suffix}")
    if isinstance(least, int | float) and size < least:
        yield f"it has {size} {what}, fewer than {int(least)}"
    if isinstance(most, int | float) and size > most:
        yield f"it has {size} {what}, more than {int(most)}"


def _list(value: list[Json], schema: dict[str, Json], inner: Callable[[Json, Json], str | None]) -> Iterator[str]:
    yield from _size(len(value), schema, "Items", "items")
    prefix = schema.get("prefixItems")
    first = prefix if isinstance(prefix, list) else []
    for number, item in enumerate(value):
        found = inner(item, first[number] if number < len(first) else schema.get("items"))
        if found is not None:
            yield f"item {number}: {found}"
    if schema.get("uniqueItems") is True and not unique(value):
        yield "its items are not unique"
    if "contains" in schema:
        least, most = schema.get("minContains", 1), schema.get("maxContains")
        count = sum(inner(item, schema["contains"]) is None for item in value)
        if isinstance(least, int) and count < least:
            yield f"{count} of its items fit `contains`, fewer than {least}"
        if isinstance(most, int) and count > most:
            yield f"{count} of its items fit `contains`, more than {most}"


def _object(
    value: dict[str, Json], schema: dict[str, Json], inner: Callable[[Json, Json], str | None]
) -> Iterator[str]:
    yield from _size(len(value), schema, "Properties", "properties")
    required = schema.get("required")
    for name in required if isinstance(required, list) else []:
        if name not in value:
            yield f"`{name}` is missing"
    properties, patterns = schema.get("properties"), schema.get("patternProperties")
    for name, item in value.items():
        schemas: list[Json] = []
        if isinstance(properties, dict) and name in properties:
            schemas.append(properties[name])
        if isinstance(patterns, dict):
            schemas.extend(sub for pattern, sub in patterns.items() if is_found(pattern, name))
        if not schemas and schema.get("additionalProperties") is False:
            yield f"`{name}` is not allowed"
        for sub in schemas or [schema.get("additionalProperties")]:
            found = inner(item, sub)
            if found is not None:
                yield f"`{name}`: {found}"
        if "propertyNames" in schema and inner(name, schema["propertyNames"]) is not None:
            yield f"the name `{name}` is not allowed"
    yield from _dependent(value, schema, inner)


def _dependent(
    value: dict[str, Json], schema: dict[str, Json], inner: Callable[[Json, Json], str | None]
) -> Iterator[str]:
    """What the presence of one key asks for."""
    names, schemas = schema.get("dependentRequired"), schema.get("dependentSchemas")
    for key, needed in names.items() if isinstance(names, dict) else ():
        for name in needed if key in value and isinstance(needed, list) else []:
            if name not in value:
                yield f"`{name}` is missing, which `{key}` asks for"
    for key, sub in schemas.items() if isinstance(schemas, dict) else ():
        found = inner(value, sub) if key in value else None
        if found is not None:
            yield found


def _combined(
    value: Json, schema: dict[str, Json], document: Json, inner: Callable[[Json, Json], str | None]
) -> Iterator[str]:
    reference = schema.get("$ref")
    if isinstance(reference, str) and reference.startswith("#"):
        found = inner(value, pointed(document, reference))
        if found is not None:
            yield found
    every, some, one, none = (schema.get(key) for key in ("allOf", "anyOf", "oneOf", "not"))
    for sub in every if isinstance(every, list) else []:
        found = inner(value, sub)
        if found is not None:
            yield found
    if isinstance(some, list) and all(inner(value, sub) is not None for sub in some):
        yield f"{_shown(value)} fits none of `anyOf`"
    if isinstance(one, list) and sum(inner(value, sub) is None for sub in one) != 1:
        yield f"{_shown(value)} does not fit exactly one of `oneOf`"
    if "not" in schema and inner(value, none) is None:
        yield f"{_shown(value)} fits what `not` excludes"
    if "if" in schema:
        found = inner(value, schema.get("then" if inner(value, schema["if"]) is None else "else"))
        if found is not None:
            yield found


def _shown(value: Json) -> str:
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= 60 else text[:59] + "…"
