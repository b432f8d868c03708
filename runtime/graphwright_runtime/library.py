"""The library jsonschema, with keywords replaced so that they match compiled validators.

Importing this module raises ImportError if the library is not installed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, Final

from jsonschema import Draft202012Validator, SchemaError, ValidationError, validators
from jsonschema.protocols import Validator

from graphwright_runtime.checks import schema_pattern
from graphwright_runtime.effort import spend
from graphwright_runtime.evaluated import evaluated
from graphwright_runtime.formats import DESCRIBED, has_format
from graphwright_runtime.keywords import multiple_of, unique


def _counted(keyword: str) -> Callable[[Any, Any, Any, Any], Iterator[ValidationError]]:
    """A keyword of the library that applies another schema, with a limit on the total work."""
    apply: Any = Draft202012Validator.VALIDATORS[keyword]

    def counted(validator: Any, target: Any, value: Any, schema: Any) -> Iterator[ValidationError]:
        spend()
        yield from apply(validator, target, value, schema) or ()

    return counted


def _pattern(_validator: Validator, pattern: str, value: Any, _schema: Any) -> Iterator[ValidationError]:
    if isinstance(value, str) and not schema_pattern(pattern).search(value):
        yield ValidationError(f"must match {pattern!r}")


def _format(_validator: Validator, name: object, value: Any, _schema: Any) -> Iterator[ValidationError]:
    if isinstance(value, str) and isinstance(name, str) and not has_format(value, name):
        yield ValidationError(f"must be {DESCRIBED[name]}")


def _multiple(_validator: Validator, factor: float, value: Any, _schema: Any) -> Iterator[ValidationError]:
    if isinstance(value, int | float) and not isinstance(value, bool) and not multiple_of(value, factor):
        yield ValidationError(f"must be a multiple of {factor}")


def _unique(_validator: Validator, wanted: bool, value: Any, _schema: Any) -> Iterator[ValidationError]:
    if wanted and isinstance(value, list) and not unique(value):
        yield ValidationError("must not contain duplicate items")


def _pattern_properties(validator: Any, patterns: Any, value: Any, _schema: Any) -> Iterator[ValidationError]:
    if not isinstance(value, dict):
        return
    for pattern, part in patterns.items():
        compiled = schema_pattern(pattern)
        for key, entry in value.items():
            if compiled.search(key):
                yield from validator.descend(entry, part, path=key, schema_path=pattern)


def _additional(validator: Any, part: Any, value: Any, schema: Any) -> Iterator[ValidationError]:
    if not isinstance(value, dict):
        return
    known = schema.get("properties", {})
    patterns = [schema_pattern(pattern) for pattern in schema.get("patternProperties", {})]
    for key, entry in value.items():
        if key in known or any(pattern.search(key) for pattern in patterns):
            continue
        if part is False:
            yield ValidationError("is not a known property", path=(key,))
        else:
            yield from validator.descend(entry, part, path=key)


def _unevaluated(validator: Any, part: Any, value: Any, schema: Any) -> Iterator[ValidationError]:
    if not isinstance(value, dict):
        return
    known = evaluated(validator, value, {key: said for key, said in schema.items() if key != "unevaluatedProperties"})
    for key, entry in value.items():
        if key in known:
            continue
        if part is False:
            yield ValidationError("is not a known property", path=(key,))
        else:
            yield from validator.descend(entry, part, path=key)


__all__ = ["SchemaError", "SchemaValidator"]

_extended: Any = validators.extend

SchemaValidator: Final[Any] = _extended(
    Draft202012Validator,
    {
        "$dynamicRef": _counted("$dynamicRef"),
        "$ref": _counted("$ref"),
        "additionalProperties": _additional,
        "format": _format,
        "multipleOf": _multiple,
        "pattern": _pattern,
        "patternProperties": _pattern_properties,
        "unevaluatedProperties": _unevaluated,
        "uniqueItems": _unique,
    },
)
