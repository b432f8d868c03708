"""Whether a `config_schema` (or `output_schema`, `state_schema`) is valid JSON Schema, draft 2020-12.

Checks that the values of the draft's keywords have the right shape; other keys are annotations and may be anything.
References are checked in `references.py`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from yaml.nodes import MappingNode, Node, ScalarNode, SequenceNode

from graphwright.diagnostic import Json
from graphwright.record import Record
from graphwright.schema.walk import HOLDING_LISTS, HOLDING_MAPPINGS, HOLDING_ONE, SchemaNode, schema_nodes
from graphwright.source import scalars
from graphwright.source.reader import Source
from graphwright.suggest import nearest

TYPES: Final = ("null", "boolean", "integer", "number", "string", "array", "object")

_COUNTS: Final = (
    "minLength", "maxLength", "minItems", "maxItems", "minProperties", "maxProperties", "minContains", "maxContains",
)  # fmt: skip
_NUMBERS: Final = ("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum")
_STRINGS: Final = ("title", "description", "format", "$id", "$schema", "$anchor", "$comment", "contentEncoding")
_FLAGS: Final = ("uniqueItems", "deprecated", "readOnly", "writeOnly")

#: All keywords that constrain a value.
_KEYWORDS: Final = frozenset(
    (*HOLDING_ONE, *HOLDING_LISTS, *HOLDING_MAPPINGS, *_COUNTS, *_NUMBERS, *_STRINGS, *_FLAGS, "type", "default",
     "enum", "const", "examples", "required", "pattern", "multipleOf", "dependentRequired", "$ref")
)  # fmt: skip

#: Keywords of the draft about references and vocabularies, and of earlier drafts.
_OTHER_KEYWORDS: Final = frozenset(
    ("$dynamicRef", "$dynamicAnchor", "$vocabulary", "$recursiveRef", "$recursiveAnchor", "contentMediaType",
     "dependencies")
)  # fmt: skip

#: Keywords for which misspellings are reported, because a schema without them has another meaning.
_ESSENTIAL: Final = ("type", "properties", "required", "default", "items", "enum", "additionalProperties")
#: Keywords that constrain, and whose names are long enough to be told from annotations.
_CONSTRAINING: Final = (
    *_COUNTS,
    *_NUMBERS,
    "uniqueItems",
    "pattern",
    "multipleOf",
    "patternProperties",
    "propertyNames",
)

#: Names of keywords in other schema languages, each with the kind of value that the keyword takes.
_FOREIGN_KEYWORDS: Final[Mapping[str, tuple[str, type[Node] | tuple[str, ...]]]] = {
    "property": ("properties", MappingNode), "props": ("properties", MappingNode),
    "fields": ("properties", MappingNode), "attributes": ("properties", MappingNode),
    "choices": ("enum", SequenceNode), "options": ("enum", SequenceNode), "values": ("enum", SequenceNode),
    "min": ("minimum", (scalars.INT, scalars.FLOAT)), "max": ("maximum", (scalars.INT, scalars.FLOAT)),
    "min_length": ("minLength", (scalars.INT,)), "max_length": ("maxLength", (scalars.INT,)),
    "min_items": ("minItems", (scalars.INT,)), "max_items": ("maxItems", (scalars.INT,)),
    "regex": ("pattern", (scalars.STR,)),
}  # fmt: skip

#: The names of the types in other languages.
_FOREIGN_TYPES: Final = {
    "int": "integer", "float": "number", "double": "number", "bool": "boolean", "str": "string", "text": "string",
    "list": "array", "dict": "object", "map": "object", "mapping": "object", "none": "null", "date": "string",
    "datetime": "string", "time": "string", "uuid": "string", "decimal": "number", "long": "integer",
}  # fmt: skip


#: The clause about a pattern that may take exponential time.
SLOW: Final = "take exponential time"


#: What is expected where a schema is required.
_A_SCHEMA: Final = "a schema (a mapping)"


class SchemaProblem(Record):
    """A problem in a schema, as a clause: "`minimum` must be a number, not the string `1`".

    `suggestion`: what was probably meant instead of the value. `sort`: `remote`, `no schema`, `slipped`, `keyword` (a
    misspelled one), or the keyword whose value is wrong.
    """

    at: Node
    text: str
    suggestion: str | None = None
    sort: str = ""


def problems(source: Source, root: MappingNode) -> Iterator[SchemaProblem]:
    """All problems in the schema at `root`, except those with references."""
    for schema in schema_nodes(source, root, ""):
        yield from _misspelled(source, schema)
        beside = list(_undeclared(source, schema))
        yield from beside
        for key, value in source.entries(schema.at):
            emptied = beside and key.value == "properties" and value.tag == scalars.NULL  # by what slipped out of it
            if key.value not in ("$ref", "$dynamicRef") and not emptied:
                yield from _keyword(source, key.value, value)


def _misspelled(source: Source, schema: SchemaNode) -> Iterator[SchemaProblem]:
    """Unknown keys that are probably misspelled keywords; the draft itself allows unknown keys."""
    entries = source.entries(schema.at)
    names = {key.value for key, _ in entries}
    open_words = [word for word in (*_ESSENTIAL, *_CONSTRAINING) if word not in names]
    for key, value in entries:
        if key.value not in _KEYWORDS and key.value[:2] != "x-":
            foreign = _foreign_keyword(key.value, value)
            meant = nearest(key.value, open_words) or (None if foreign in names else foreign)
            if meant is not None:
                yield SchemaProblem(key, _no_keyword(key.value), meant, "keyword")


def _foreign_keyword(key: str, value: Node) -> str | None:
    """The keyword that has another name elsewhere, if the value is one that it takes."""
    meant, takes = _FOREIGN_KEYWORDS.get(key, ("", ()))
    fits = value.tag in takes if isinstance(takes, tuple) else isinstance(value, takes)
    return meant if meant and fits else None


def _no_keyword(key: str) -> str:
    return f"`{key}` is not a keyword of JSON Schema, and has no effect"


def _undeclared(source: Source, schema: SchemaNode) -> Iterator[SchemaProblem]:
    """The first property that is declared next to the keywords, if `properties` is missing."""
    entries = [
        (key, value)
        for key, value in source.entries(schema.at)
        if key.value not in _KEYWORDS
        and key.value not in _OTHER_KEYWORDS
        and key.value[:2] != "x-"
        and nearest(key.value, _ESSENTIAL) is None
        and _foreign_keyword(key.value, value) is None
    ]
    alone = len(entries) == len(schema.at.value)
    for key, value in entries:
        if _is_typed(value) or (alone and isinstance(value, ScalarNode) and _is_type(value)):
            yield SchemaProblem(key, _no_keyword(key.value), None, "property")
            return


def _is_typed(node: Node) -> bool:
    """Whether a mapping declares a type."""
    return isinstance(node, MappingNode) and any(key.value == "type" and _is_type(value) for key, value in node.value)


def _is_type(node: Node) -> bool:
    return isinstance(node, ScalarNode) and (node.value in TYPES or node.value in _FOREIGN_TYPES)


def _keyword(source: Source, key: str, node: Node) -> Iterator[SchemaProblem]:
    expected = _expected(key, node, source.value(node))
    if expected is not None:
        suggestion = _meant(node) if key == "type" else None
        yield SchemaProblem(
            node, f"`{key}` must be {expected}", suggestion, "no schema" if expected == _A_SCHEMA else key
        )
        return
    if key in HOLDING_LISTS:
        yield from (
            SchemaProblem(item, f"`{key}` must be a list of schemas")
            for item in node.value
            if not _is_schema(item, source.value(item))
        )
    elif key in HOLDING_MAPPINGS and isinstance(node, MappingNode):
        slipped = False
        for inner, value in source.entries(node):
            if not _is_schema(value, source.value(value)):
                if not (slipped and inner.value in _KEYWORDS):  # follows from the wrong indentation before
                    sort = "slipped" if _has_slipped(inner.value, value) else "no schema"
                    yield SchemaProblem(value, f"`{inner.value}` must be {_A_SCHEMA}", sort=sort)
                slipped = True
                continue
            slipped = False
            if key == "patternProperties" and (wrong := _pattern(inner.value)):
                yield SchemaProblem(inner, f"`{inner.value}` must be {wrong}", sort="pattern")


def _has_slipped(name: str, value: Node) -> bool:
    """Whether a property is probably wrongly indented: it is null, named like a keyword, or glued to its value."""
    return name in _KEYWORDS or value.tag == scalars.NULL or any(letter in name for letter in ": {")


def _expected(key: str, node: Node, value: Json) -> str | None:
    """What the value of a keyword must be; None if it is valid."""
    number = isinstance(value, int | float) and not isinstance(value, bool)
    whole = number and (isinstance(value, int) or (isinstance(value, float) and value.is_integer()))
    if key == "type":
        return _type(value)
    if key in HOLDING_ONE:
        return None if _is_schema(node, value) else _A_SCHEMA
    if key in HOLDING_LISTS:
        return None if isinstance(value, list) and value else "a list with at least one schema"
    if key in HOLDING_MAPPINGS:
        return None if isinstance(value, dict) else "a mapping of names to schemas"
    if key in _COUNTS:
        return None if whole and isinstance(value, int | float) and value >= 0 else "an integer of at least 0"
    if key in _NUMBERS:
        return None if number else "a number"
    if key == "multipleOf":
        return None if isinstance(value, int | float) and number and value > 0 else "a number above 0"
    if key in _FLAGS:
        return None if isinstance(value, bool) else "`true` or `false`"
    if key in _STRINGS:
        return None if isinstance(value, str) else "a string"
    if key in ("enum", "examples"):
        return None if isinstance(value, list) else "a list"
    if key == "required":
        return None if _names(value) else "a list of names"
    if key == "pattern":
        return _pattern(value)
    if key == "dependentRequired":
        good = isinstance(value, dict) and all(_names(names) for names in value.values())
        return None if good else "a mapping of names to lists of names"
    return None


def _is_schema(node: Node, value: Json) -> bool:
    return isinstance(node, MappingNode) or isinstance(value, bool)


def _names(value: Json) -> bool:
    return isinstance(value, list) and all(isinstance(name, str) for name in value)


def _type(value: Json) -> str | None:
    names = value if isinstance(value, list) else [value]
    if names and all(isinstance(name, str) and name in TYPES for name in names):
        return None
    wrong = next((name for name in names if not isinstance(name, str) or name not in TYPES), None)
    actual = f", not `{wrong}`" if isinstance(wrong, str) else ""
    return f"one of {', '.join(TYPES)}, or a list of them{actual}"


def _meant(node: Node) -> str | None:
    """The valid type for a misspelled one, or for its name in another language."""
    if not isinstance(node, ScalarNode):
        return None
    return _FOREIGN_TYPES.get(node.value.lower()) or nearest(node.value, TYPES)


def _pattern(value: Json) -> str | None:
    if not isinstance(value, str):
        return "a regular expression"
    from graphwright.schema.patterns import flaw

    wrong = flaw(value, "ecma")
    if wrong is None:
        return None
    expected = f"a regular expression that cannot {SLOW}" if wrong.slow else "an ECMAScript regular expression"
    return f"{expected} ({wrong.detail})"
