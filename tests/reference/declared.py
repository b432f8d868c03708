"""What `state_schema` and `output_schema` declare, held against values with the library jsonschema."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from jsonschema import Draft202012Validator

from reference.expressions import NodeFaultError

#: Keys that are not the author's.
OWN = ("_last_error", "_retries")


def check_key(schema: Any, key: str, value: object) -> None:
    """A value is about to enter the state. Raises `NodeFaultError` where its key is declared to hold another."""
    for part in _of_key(schema, schema, key):
        _check({**_definitions(schema), "allOf": [part]}, value, f"state.{key}")


def check_end(schema: Any, state: Mapping[str, object]) -> None:
    """A run is about to complete with this state."""
    _check(schema, {key: value for key, value in state.items() if key not in OWN}, "state")


def check_output(schema: Any, output: object) -> None:
    """A run is about to complete with this output."""
    _check(schema, output, "output")


def _check(schema: Any, value: object, what: str) -> None:
    if schema is not None and not Draft202012Validator(schema).is_valid(value):
        raise NodeFaultError(f"{what} is not as declared")


def _definitions(schema: Any) -> dict[str, Any]:
    return {name: schema[name] for name in ("$defs", "definitions") if name in schema}


def _of_key(schema: Any, document: Any, key: str) -> Iterator[Any]:
    """Everything that a schema says of one key, whatever the others are."""
    if not isinstance(schema, dict):
        return
    matched = [part for pattern, part in schema.get("patternProperties", {}).items() if re.search(pattern, key)]
    if key in schema.get("properties", {}):
        matched.append(schema["properties"][key])
    yield from matched or [schema.get("additionalProperties", True)]
    for part in schema.get("allOf", []):
        yield from _of_key(part, document, key)
    if "$ref" in schema:
        found = document
        for step in schema["$ref"].removeprefix("#/").split("/"):
            found = found[step]
        yield from _of_key(found, document, key)
