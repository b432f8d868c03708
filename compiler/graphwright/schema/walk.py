"""Traverses JSON Schemas (draft 2020-12): the keywords that contain schemas, and the schemas reachable through them.

Schemas are JSON values here. `schema_nodes` traverses the YAML nodes of a file in the same way, for findings.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import Final
from urllib.parse import unquote

from yaml.nodes import MappingNode, Node, SequenceNode

from graphwright.diagnostic import Json
from graphwright.record import Record
from graphwright.source.reader import Source

#: Keyword -> how it contains schemas: a single one, a list, or a mapping of names to schemas.
HOLDING_ONE: Final = (
    "additionalProperties", "items", "contains", "not", "if", "then", "else", "propertyNames",
    "unevaluatedItems", "unevaluatedProperties", "contentSchema",
)  # fmt: skip
HOLDING_LISTS: Final = ("allOf", "anyOf", "oneOf", "prefixItems")
HOLDING_MAPPINGS: Final = ("properties", "patternProperties", "$defs", "definitions", "dependentSchemas")

#: Keywords whose schemas: always apply to the same value; apply to the same value, even if only tried; fill in
#: defaults; are schemas at all.
CONJUNCTS: Final = frozenset({"$ref", "allOf"})
SAME_VALUE: Final = CONJUNCTS | {"anyOf", "dependentSchemas", "else", "if", "not", "oneOf", "then"}
FILLED: Final = CONJUNCTS | {"additionalProperties", "items", "patternProperties", "prefixItems", "properties"}
ALL: Final = frozenset({"$ref", *HOLDING_ONE, *HOLDING_LISTS, *HOLDING_MAPPINGS})

#: Kind of value -> the keywords that only apply to such values.
OF_KIND: Final = {
    "number": ("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"),
    "string": ("minLength", "maxLength", "pattern", "format"),
    "array": (
        *("minItems", "maxItems", "uniqueItems", "prefixItems", "items", "contains", "minContains", "maxContains"),
    ),
    "object": (
        *("minProperties", "maxProperties", "required", "properties", "patternProperties", "additionalProperties"),
        *("propertyNames", "dependentRequired", "dependentSchemas"),
    ),
}

#: Keywords whose meaning depends on more than their position: the library jsonschema checks those.
DYNAMIC: Final = frozenset(
    {"$anchor", "$dynamicAnchor", "$dynamicRef", "$id", "$recursiveRef", "unevaluatedItems", "unevaluatedProperties"}
)


class SchemaNode(Record):
    """A schema inside a schema: its mapping in a file, and the name of the value that it describes, for messages."""

    at: MappingNode
    name: str


def schema_nodes(source: Source, at: Node, name: str) -> Iterator[SchemaNode]:
    """Every schema at or below `at`, in document order; references are not followed."""
    if not isinstance(at, MappingNode):
        return
    yield SchemaNode(at, name)
    for key, value in source.entries(at):
        if key.value in HOLDING_ONE:
            yield from schema_nodes(source, value, name)
        elif key.value in HOLDING_LISTS and isinstance(value, SequenceNode):
            for item in value.value:
                yield from schema_nodes(source, item, name)
        elif key.value in HOLDING_MAPPINGS and isinstance(value, MappingNode):
            for inner, schema in source.entries(value):
                yield from schema_nodes(source, schema, inner.value)


def below(schema: Json, document: Json, through: Collection[str] = ALL) -> Iterator[Json]:
    """The schemas directly below a schema, a part of `document`, through some keywords; `$ref` yields its target."""
    for keyword, value in schema.items() if isinstance(schema, dict) else ():
        if keyword not in through:
            continue
        if keyword == "$ref":
            yield pointed(document, value) if isinstance(value, str) else None
        elif keyword in HOLDING_LISTS:
            yield from listed(value)
        elif keyword in HOLDING_MAPPINGS:
            yield from mapping(value).values()
        else:
            yield value


def reached(schema: Json, document: Json, through: Collection[str] = ALL) -> Iterator[dict[str, Json]]:
    """A schema and all that some keywords lead to from it, nearest first, each once; without booleans."""
    waiting = [schema]
    seen: set[int] = set()
    for each in waiting:
        if isinstance(each, dict) and id(each) not in seen:
            seen.add(id(each))
            yield each
            waiting += below(each, document, through)


def is_static(document: Json) -> bool:
    """Whether each schema of a document has the same meaning wherever it is used, and every reference has a target.

    Such documents are compiled, and evaluated here; the library jsonschema evaluates the others.
    """
    return all(
        DYNAMIC.isdisjoint(schema) and ("$ref" not in schema or isinstance(_target(schema, document), dict | bool))
        for schema in reached(document, document)
    )


def _target(schema: dict[str, Json], document: Json) -> Json:
    return next(below(schema, document, ("$ref",)), None)


def texts(value: Json) -> list[str]:
    """The strings in a list, such as the names of required keys."""
    return [item for item in value if isinstance(item, str)] if isinstance(value, list) else []


def mapping(value: Json) -> dict[str, Json]:
    """A mapping; empty for anything else."""
    return value if isinstance(value, dict) else {}


def listed(value: Json) -> list[Json]:
    """A list; empty for anything else."""
    return value if isinstance(value, list) else []


def pointed(document: Json, reference: str) -> Json:
    """Resolve a JSON pointer in the form of a URI fragment (RFC 6901, section 6); None if it has no target."""
    fragment = unquote(reference[1:])
    if not reference.startswith("#") or (fragment and not fragment.startswith("/")):
        return None
    found = document
    for step in fragment.split("/")[1:]:
        name = step.replace("~1", "/").replace("~0", "~")
        if isinstance(found, dict) and name in found:
            found = found[name]
        elif isinstance(found, list) and _is_index(name) and int(name) < len(found):
            found = found[int(name)]
        else:
            return None
    return found


def _is_index(name: str) -> bool:
    """Whether a step is the position of an item: ASCII digits, of a length that could be one."""
    return name.isascii() and name.isdecimal() and len(name) < 10
