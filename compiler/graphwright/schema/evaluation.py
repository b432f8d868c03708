"""Whether a value satisfies a JSON Schema, and the first violation as a message.

The verdict is the same as that of emitted code: both use the functions of the runtime, and leave the same schemas to
the library jsonschema. It is only used for constants in graphs, which are few and small, so nothing is compiled.
"""

from __future__ import annotations

import json
import operator
from collections.abc import Callable, Iterable, Iterator
from typing import Final

from graphwright.diagnostic import Json
from graphwright.schema.patterns import is_found
from graphwright.schema.walk import DYNAMIC, listed, mapping, pointed, texts
from graphwright_runtime.comparisons import contains, matches
from graphwright_runtime.errors import NodeError
from graphwright_runtime.expressions import is_number
from graphwright_runtime.keywords import is_integer, json_equal, multiple_of, unique

#: The deepest nesting of visited schemas.
_MAX_DEPTH: Final = 60

_KINDS: Final[dict[str, Callable[[Json], bool]]] = {
    "null": lambda value: value is None,
    "boolean": lambda value: isinstance(value, bool),
    "integer": is_integer,
    "number": is_number,
    "string": lambda value: isinstance(value, str),
    "array": lambda value: isinstance(value, list),
    "object": lambda value: isinstance(value, dict),
}
_BOUNDS: Final[dict[str, tuple[Callable[[float, float], bool], str]]] = {
    "minimum": (operator.lt, "is less than the minimum"),
    "maximum": (operator.gt, "is more than the maximum"),
    "exclusiveMinimum": (operator.le, "is not more than"),
    "exclusiveMaximum": (operator.ge, "is not less than"),
}


class _TooDeepError(Exception):
    """The schemas are nested too deeply for a verdict."""


class _DynamicError(Exception):
    """The meaning of a schema depends on more than its position in the document."""


def violation(value: Json, schema: Json, document: Json) -> str | None:
    """Why `value` does not satisfy `schema` (a part of `document`, which references point into).

    None if it does, or if that would take too long to determine.
    """
    try:
        return _Evaluation(document).violation(value, schema, 0)
    except _TooDeepError:
        return None
    except _DynamicError:
        return _first_error(value, schema, document)


def is_satisfied(value: Json, schema: Json, document: Json) -> bool:
    """Whether `value` certainly satisfies `schema`, without using the library jsonschema."""
    try:
        return _Evaluation(document).violation(value, schema, 0) is None
    except (_TooDeepError, _DynamicError):
        return False


def is_matched(op: str, left: Json, wanted: Json) -> bool:
    """Whether the operator `contains` or `regex` finds `wanted` in the left side, as in a run.

    True if that cannot be determined: an invalid or slow pattern is reported separately (GW406).
    """
    try:
        return contains(left, wanted) if op == "contains" else matches(wanted, left)
    except NodeError:
        return True


def _first_error(value: Json, schema: Json, document: Json) -> str | None:
    """The first error of the library jsonschema; None if the document is not valid, which is reported."""
    from referencing.exceptions import Unresolvable

    from graphwright.schema.references import resolvers
    from graphwright_runtime.effort import bounded
    from graphwright_runtime.library import SchemaError, SchemaValidator

    try:
        SchemaValidator.check_schema(document)
        whole = SchemaValidator(document)
        resolver = next((found for part, found in resolvers(document) if part is schema), whole._resolver)
        with bounded(value):
            error = next(whole.evolve(schema=schema, _resolver=resolver).iter_errors(value), None)
    except (NodeError, RecursionError, SchemaError, Unresolvable):
        return None
    if error is None:
        return None
    place = "".join(f"item {step}: " if isinstance(step, int) else f"`{step}`: " for step in error.absolute_path)
    return f"{place}{error.message}"


class _Evaluation:
    """Evaluates one value.

    `_known` caches the results for parts of the value and of the schema, by identity. A pair that is being visited is
    treated as valid: a schema that refers to itself for the same value adds no requirement.
    """

    def __init__(self, document: Json) -> None:
        self._document = document
        self._known: dict[tuple[int, int], str | None] = {}

    def violation(self, value: Json, schema: Json, depth: int) -> str | None:
        if schema is False:
            return "no value is allowed"
        if not isinstance(schema, dict):
            return None
        if depth > _MAX_DEPTH:
            raise _TooDeepError
        if not DYNAMIC.isdisjoint(schema):
            raise _DynamicError
        both = (id(value), id(schema))
        if both not in self._known:
            self._known[both] = None
            self._known[both] = next(self._violations(value, schema, depth), None)
        return self._known[both]

    def _violations(self, value: Json, schema: dict[str, Json], depth: int) -> Iterator[str]:
        def inner(part: Json, sub: Json) -> str | None:
            return self.violation(part, sub, depth + 1)

        yield from _type_and_values(value, schema)
        if isinstance(value, str):
            yield from _string(value, schema)
        elif isinstance(value, list):
            yield from _list(value, schema, inner)
        elif isinstance(value, dict):
            yield from _object(value, schema, inner)
        elif is_number(value):
            yield from _number(value, schema)
        yield from self._combined(value, schema, inner)

    def _combined(self, value: Json, schema: dict[str, Json], inner: _Inner) -> Iterator[str]:
        """The violation by other schemas for the same value."""
        every = listed(schema.get("allOf"))
        if isinstance(reference := schema.get("$ref"), str):
            target = pointed(self._document, reference)
            if target is None:  # the reference is a name, not a pointer
                raise _DynamicError
            every = [target, *every]
        if isinstance(value, dict):
            every += [part for key, part in mapping(schema.get("dependentSchemas")).items() if key in value]
        if "if" in schema:
            every.append(schema.get("else" if inner(value, schema["if"]) else "then"))
        yield from filter(None, (inner(value, part) for part in every))
        if "anyOf" in schema and all(inner(value, part) for part in listed(schema["anyOf"])):
            yield f"{_shown(value)} does not match any of `anyOf`"
        if "oneOf" in schema and sum(not inner(value, part) for part in listed(schema["oneOf"])) != 1:
            yield f"{_shown(value)} does not match exactly one of `oneOf`"
        if "not" in schema and not inner(value, schema["not"]):
            yield f"{_shown(value)} matches what `not` excludes"


#: Why a part of the value does not satisfy a subschema.
_Inner = Callable[[Json, Json], "str | None"]


def _type_and_values(value: Json, schema: dict[str, Json]) -> Iterator[str]:
    if (declared := schema.get("type")) is not None:
        names = texts(declared) if isinstance(declared, list) else [str(declared)]
        if not any(_KINDS[name](value) for name in names if name in _KINDS):
            yield f"{_shown(value)} is not of type {' or '.join(names)}"
    if "enum" in schema and not holds(listed(schema["enum"]), value):
        yield f"{_shown(value)} is not one of {_shown(schema['enum'])}"
    if "const" in schema and not json_equal(value, schema["const"]):
        yield f"{_shown(value)} is not {_shown(schema['const'])}"


def _number(value: float, schema: dict[str, Json]) -> Iterator[str]:
    for key, (wrong, text) in _BOUNDS.items():
        bound = schema.get(key)
        if is_number(bound) and wrong(value, bound):
            yield f"{_shown(value)} {text} {_shown(bound)}"
    factor = schema.get("multipleOf")
    if is_number(factor) and factor > 0 and not multiple_of(value, factor):
        yield f"{_shown(value)} is not a multiple of {_shown(factor)}"


def _string(value: str, schema: dict[str, Json]) -> Iterator[str]:
    yield from _size(len(value), schema, "Length", "it has {} characters")
    pattern = schema.get("pattern")
    if isinstance(pattern, str) and not is_found(pattern, value):
        yield f"{_shown(value)} does not match the pattern {pattern}"
    if (described := described_format(schema.get("format"))) is not None:
        from graphwright_runtime.formats import has_format

        if not has_format(value, str(schema["format"])):
            yield f"{_shown(value)} is not {described}"


def _size(size: int, schema: dict[str, Json], suffix: str, what: str) -> Iterator[str]:
    least, most = schema.get(f"min{suffix}"), schema.get(f"max{suffix}")
    if is_number(least) and size < least:
        yield f"{what.format(size)}, fewer than {int(least)}"
    if is_number(most) and size > most:
        yield f"{what.format(size)}, more than {int(most)}"


def _list(value: list[Json], schema: dict[str, Json], inner: _Inner) -> Iterator[str]:
    yield from _size(len(value), schema, "Items", "it has {} items")
    first = listed(schema.get("prefixItems"))
    for number, item in enumerate(value):
        if found := inner(item, first[number] if number < len(first) else schema.get("items")):
            yield f"item {number}: {found}"
    if schema.get("uniqueItems") is True and not unique([*value]):
        yield "its items are not unique"
    if "contains" in schema:
        count = sum(not inner(item, schema["contains"]) for item in value)
        yield from _size(count, {"minContains": 1, **schema}, "Contains", "{} of its items fit `contains`")


def _object(value: dict[str, Json], schema: dict[str, Json], inner: _Inner) -> Iterator[str]:
    yield from _size(len(value), schema, "Properties", "it has {} properties")
    for name in texts(schema.get("required")):
        if name not in value:
            yield f"`{name}` is missing"
    for key, needed in mapping(schema.get("dependentRequired")).items():
        for name in texts(needed) if key in value else []:
            if name not in value:
                yield f"`{name}` is missing, which `{key}` requires"
    properties, patterns = mapping(schema.get("properties")), mapping(schema.get("patternProperties"))
    for name, item in value.items():
        schemas = [sub for pattern, sub in patterns.items() if is_found(pattern, name)]
        if name in properties:
            schemas.insert(0, properties[name])
        if not schemas and schema.get("additionalProperties") is False:
            yield f"`{name}` is not allowed"
        for sub in schemas or [schema.get("additionalProperties")]:
            if found := inner(item, sub):
                yield f"`{name}`: {found}"
        if "propertyNames" in schema and inner(name, schema["propertyNames"]):
            yield f"the name `{name}` is not allowed"


def holds(options: Iterable[Json], value: Json) -> bool:
    """Whether a value equals one of the options."""
    return any(json_equal(option, value) for option in options)


def described_format(name: Json) -> str | None:
    """The meaning of a named `format` for messages; None for a name without one."""
    if not isinstance(name, str):
        return None
    from graphwright_runtime.formats import DESCRIBED

    return DESCRIBED.get(name)


def _shown(value: Json) -> str:
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= 60 else text[:59] + "…"
