"""Finds the evaluated keys of an object, for `unevaluatedProperties`.

Replaces the implementation of the library jsonschema, which uses Python's regular expressions without a time limit.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from graphwright_runtime.checks import schema_pattern
from graphwright_runtime.effort import spend


def evaluated(validator: Any, value: Mapping[str, object], schema: Any) -> set[str]:
    """The keys of `value` that the schema, or a schema in it that `value` satisfies, evaluates."""
    spend()
    if not isinstance(schema, Mapping):
        return set()
    if "additionalProperties" in schema or "unevaluatedProperties" in schema:
        return set(value)
    found = {key for key in schema.get("properties", {}) if key in value}
    for pattern in schema.get("patternProperties", {}):
        expression = schema_pattern(pattern)
        found.update(key for key in value if key not in found and expression.search(key))
    for inner, part in _applied(validator, value, schema):
        if inner.is_valid(value):
            found |= evaluated(inner, value, part)
    return found


def _applied(validator: Any, value: Mapping[str, object], schema: Mapping[str, Any]) -> Iterator[tuple[Any, Any]]:
    """The schemas that a schema applies to the same value, each with a validator for it."""
    for keyword in ("$ref", "$dynamicRef"):
        if keyword in schema:
            target = validator._resolver.lookup(schema[keyword])  # as the keywords of the library do
            yield validator.evolve(schema=target.contents, _resolver=target.resolver), target.contents
    parts = [part for keyword in ("allOf", "anyOf", "oneOf") for part in schema.get(keyword, ())]
    parts += [part for key, part in schema.get("dependentSchemas", {}).items() if key in value]
    if "if" in schema:
        holds = validator.evolve(schema=schema["if"]).is_valid(value)
        parts += [schema["if"], schema.get("then")] if holds else [schema.get("else")]
    for part in parts:
        if part is not None:
            yield validator.evolve(schema=part), part
