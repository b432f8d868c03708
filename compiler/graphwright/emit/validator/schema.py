"""What of a JSON Schema (draft 2020-12) can be compiled, and where its references lead."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from graphwright.ir import Json
from graphwright.schema.pointer import pointed

#: Keywords whose meaning depends on more than the place where they stand: the library jsonschema checks those.
_FOREIGN: Final = frozenset(
    {"$anchor", "$dynamicAnchor", "$dynamicRef", "$id", "$recursiveRef", "unevaluatedItems", "unevaluatedProperties"}
)

#: Keyword -> how schemas stand below it: one, in a list, in a mapping.
_ONE: Final = (
    "additionalProperties",
    "contains",
    "else",
    "if",
    "items",
    "not",
    "propertyNames",
    "then",
)
_LISTS: Final = ("allOf", "anyOf", "oneOf", "prefixItems")
_MAPPINGS: Final = ("$defs", "definitions", "dependentSchemas", "patternProperties", "properties")


def is_compilable(document: Json) -> bool:
    """Whether every keyword of the document can be turned into code."""
    return all(_compilable(schema, document) for schema in _schemas(document))


def texts(value: Json) -> list[str]:
    """The texts of a list: names of required keys and the like."""
    return [item for item in value if isinstance(item, str)] if isinstance(value, list) else []


def mapping(value: Json) -> dict[str, Json]:
    """A mapping, an empty one for anything else."""
    return value if isinstance(value, dict) else {}


def items(value: Json) -> list[Json]:
    """A list, an empty one for anything else."""
    return value if isinstance(value, list) else []


def _schemas(document: Json) -> Iterator[dict[str, Json]]:
    """Every schema of the document that is a mapping, itself included, and what references lead to outside of them."""
    pending = [document]
    seen: set[int] = set()
    while pending:
        schema = pending.pop()
        if not isinstance(schema, dict) or id(schema) in seen:
            continue
        seen.add(id(schema))
        yield schema
        reference = schema.get("$ref")
        pending.append(pointed(document, reference) if isinstance(reference, str) else None)
        pending += [schema[keyword] for keyword in _ONE if keyword in schema]
        for keyword in _LISTS:
            pending += items(schema.get(keyword))
        for keyword in _MAPPINGS:
            pending += mapping(schema.get(keyword)).values()


def _compilable(schema: dict[str, Json], document: Json) -> bool:
    if not _FOREIGN.isdisjoint(schema):
        return False
    reference = schema.get("$ref")
    return reference is None or (isinstance(reference, str) and isinstance(pointed(document, reference), (dict, bool)))
