"""Derives types from JSON Schema (draft 2020-12).

Keywords that only narrow further (`minimum`, `pattern`, `not`, `if`…) are skipped: the type then contains more values
than the schema, never fewer. References are followed within the document. Cycles, and parts beyond a size limit, become
`ANY`.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Final

from graphwright.analysis.jsontype import (
    ANY,
    KINDS,
    MAX_DEPTH,
    NEVER,
    NUMBER,
    Field,
    Type,
    either,
    from_value,
    join,
    meet,
    object_of,
)
from graphwright.ir import Json
from graphwright.record import Record, replace
from graphwright.schema.walk import CONJUNCTS, listed, mapping, pointed, reached, texts

#: The most subschemas that are read, including those read again through references.
_MAX_SCHEMAS: Final = 10_000
#: The longest chain of references that is followed; `references.py` reports longer ones.
_MAX_REFERENCES: Final = 150

_KINDS_OF: Final = {**{kind: frozenset({kind}) for kind in KINDS}, "number": NUMBER.kinds}

#: Keywords that add further properties.
_OPENING: Final = frozenset({"additionalProperties", "patternProperties", "unevaluatedProperties", "propertyNames"})
#: Keywords that accept every value.
_SAYING_NOTHING: Final = frozenset({"title", "description", "default", "examples", "$defs", "$schema"})
_COMBINING: Final = frozenset({"allOf", "anyOf", "oneOf", "$ref", "$dynamicRef", "if", "dependentSchemas"})


def from_schema(schema: Json, *, fills: bool = True, given: bool = False, listed_only: bool = False) -> Type:
    """The values that a schema accepts.

    `fills`: a property with a default is present, as in inputs, whose defaults are filled in before a run. `given`: it
    may be absent although it is required, as in inputs that a caller passes; then `fills` has no effect.
    `listed_only`: an object has only the properties that its schema lists, although the schema permits others. An
    invalid schema yields `ANY`.
    """
    return _Reader(schema).read(schema, _Context(MAX_DEPTH, (), fills and not given, given, listed_only))


class _Context(Record):
    """The remaining depth of a subschema, the references that led to it, and the options in force."""

    depth: int
    trail: tuple[str, ...]
    fills: bool
    given: bool
    listed_only: bool

    @property
    def below(self) -> _Context:
        """The context of an item or a property."""
        return replace(self, depth=self.depth - 1)


class _Reader:
    """Reads one document."""

    def __init__(self, document: Json) -> None:
        self._document = document
        self._left = _MAX_SCHEMAS

    def read(self, schema: Json, context: _Context) -> Type:
        if schema is False:
            return NEVER
        self._left -= 1
        if not isinstance(schema, dict) or not context.depth or self._left < 0:
            return ANY
        found = meet(_kinds(schema.get("type")), _values(schema))
        if found.kinds & {"array", "object"}:
            found = meet(found, self._items(schema, context))
            found = meet(found, self._fields(schema, context))
        found = meet(found, self._combined(schema, context))
        return _without_requiring(found, self._defaulted(schema)) if context.given else found

    def _defaulted(self, schema: dict[str, Json]) -> frozenset[str]:
        """The properties of a value whose defaults are filled in before it is checked."""
        parts = reached(schema, self._document, CONJUNCTS)
        return frozenset(
            name
            for part in parts
            for name, entry in mapping(part.get("properties")).items()
            if "default" in mapping(entry)
        )

    def _combined(self, schema: dict[str, Json], context: _Context) -> Type:
        """The type according to other schemas of the same value. Defaults are not filled in below an alternative."""
        found = ANY
        loose = replace(context, listed_only=False)
        reference = schema.get("$ref")
        is_followed = len(context.trail) < _MAX_REFERENCES and reference not in context.trail
        if isinstance(reference, str) and is_followed:
            is_all = context.listed_only and schema.keys() <= {"$ref", *_SAYING_NOTHING}
            named = _Context(context.depth, (*context.trail, reference), False, context.given, is_all)
            found = self.read(pointed(self._document, reference), named)
        for keyword in ("anyOf", "oneOf"):
            if branches := listed(schema.get(keyword)):
                is_all = context.listed_only and schema.keys() <= {keyword, *_SAYING_NOTHING}
                inside = replace(context, fills=False, given=False, listed_only=is_all)
                found = meet(found, either(*(self.read(branch, inside) for branch in branches)))
        for part in listed(schema.get("allOf")):
            found = meet(found, self.read(part, loose))
        return found

    def _items(self, schema: dict[str, Json], context: _Context) -> Type:
        """The restriction of arrays by `items` and `prefixItems`; other kinds are not restricted."""
        first = [self.read(entry, context.below) for entry in listed(schema.get("prefixItems"))]
        others = self.read(schema["items"], context.below) if "items" in schema else ANY
        found = join(*first, others)
        return Type(ANY.kinds, items=None if found == ANY else found)

    def _fields(self, schema: dict[str, Json], context: _Context) -> Type:
        """The restriction of objects by their keywords; other kinds are not restricted."""
        others = ANY
        if "additionalProperties" in schema and "patternProperties" not in schema:
            others = self.read(schema["additionalProperties"], context.below)
        needed = set(texts(schema.get("required")))
        fields: dict[str, Field] = {}
        for name, entry in mapping(schema.get("properties")).items():
            filled = context.fills and isinstance(entry, dict) and "default" in entry
            fields[name] = Field(self.read(entry, context.below), name in needed or filled)
        for name in needed - fields.keys():
            fields[name] = Field(ANY if others == NEVER else others, True)
        if context.listed_only and fields and _OPENING.isdisjoint(schema) and _COMBINING.isdisjoint(schema):
            others = NEVER
        shape = object_of(fields, others=others)
        return Type(ANY.kinds, fields=shape.fields, closed=shape.closed, rest=shape.rest)


def _without_requiring(kind: Type, names: Collection[str]) -> Type:
    """The type with some keys as optional ones."""
    if not names or "object" not in kind.kinds:
        return kind
    return replace(
        kind,
        fields=tuple((name, Field(each.type, each.required and name not in names)) for name, each in kind.fields),
        variants=tuple(_without_requiring(variant, names) for variant in kind.variants),
    )


def _kinds(declared: Json) -> Type:
    names = declared if isinstance(declared, list) else [declared]
    kinds = frozenset[str]()
    for name in names:
        if not isinstance(name, str) or name not in _KINDS_OF:
            return ANY
        kinds |= _KINDS_OF[name]
    return Type(kinds) if kinds else ANY


def _values(schema: dict[str, Json]) -> Type:
    """The values that `enum` and `const` allow."""
    found = ANY
    if options := listed(schema.get("enum")):
        found = from_value(options).item
    if "const" in schema:
        found = meet(found, from_value(schema["const"]))
    return found
