"""Names in `required` that no schema of the same value declares (GW117): most are misspelled property names."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from yaml.nodes import MappingNode, ScalarNode, SequenceNode

from graphwright.diagnostic import Json
from graphwright.record import Record
from graphwright.schema.walk import SAME_VALUE, SchemaNode, mapping, reached, schema_nodes, texts
from graphwright.source.reader import Source
from graphwright.suggest import nearest

#: Keywords that describe properties without a declaration of their own.
_OPENING: Final = ("additionalProperties", "patternProperties", "unevaluatedProperties", "propertyNames", "$dynamicRef")
#: `not` describes what a value must not be, so it may name what exists nowhere else.
_TOGETHER: Final = SAME_VALUE - {"not"}
#: The most schemas of the same values that are compared; a document with more is not checked.
_MOST: Final = 100_000


class UnlistedName(Record):
    """An entry of `required` that is not a property; `meant`: the key of the property that was probably meant."""

    at: ScalarNode
    meant: ScalarNode | None
    at_root: bool


class _Family:
    """The combined declarations of schemas of the same value; `is_open`: it may have other properties."""

    def __init__(self, members: Iterable[dict[str, Json]]) -> None:
        self.properties: dict[str, None] = {}
        self.required: set[str] = set()
        self.is_open = False
        for member in members:
            self.properties.update(dict.fromkeys(mapping(member.get("properties"))))
            self.required.update(texts(member.get("required")))
            self.is_open = self.is_open or any(member.get(keyword) for keyword in _OPENING)

    def add(self, other: _Family) -> None:
        """Add schemas that are applied to the same values elsewhere."""
        self.properties |= other.properties
        self.required |= other.required
        self.is_open = self.is_open or other.is_open


def unknown_names(source: Source, root: MappingNode) -> Iterator[UnlistedName]:
    """The entries of `required`, at or below a schema, that are not properties of the value."""
    suspects = [(part, entry) for part in _outside_not(source, root) for entry in _undeclared(source, part)]
    if not suspects:
        return
    families = _families(source.value(root))
    for part, entry in suspects:
        family = families.get(id(source.value(part.at)))
        if family is None or not family.properties or entry.value in family.properties:
            continue
        meant = nearest(entry.value, family.properties.keys() - family.required)
        if meant is not None or not family.is_open:
            alike = (
                each for each in schema_nodes(source, root, "") if families.get(id(source.value(each.at))) is family
            )
            key = next((key for each in alike for key in _properties(source, each) if key.value == meant), None)
            yield UnlistedName(entry, key, part.at is root)


def _outside_not(source: Source, root: MappingNode) -> Iterator[SchemaNode]:
    """Every schema except those in `not`."""
    denied: set[int] = set()
    for part in schema_nodes(source, root, ""):
        if id(part.at) not in denied:
            yield part
        inner = source.get(part.at, "not")
        if inner is not None:
            denied.update(id(below.at) for below in schema_nodes(source, inner, ""))


def _undeclared(source: Source, part: SchemaNode) -> Iterator[ScalarNode]:
    """The entries of `required` that the schema itself does not declare."""
    required = source.get(part.at, "required")
    if not isinstance(required, SequenceNode):
        return
    declared = {key.value for key in _properties(source, part)}
    for entry in required.value:
        if isinstance(entry, ScalarNode) and isinstance(source.value(entry), str) and entry.value not in declared:
            yield entry


def _properties(source: Source, part: SchemaNode) -> list[ScalarNode]:
    """The keys of the declared properties."""
    properties = source.get(part.at, "properties")
    return [key for key, _ in source.entries(properties)] if isinstance(properties, MappingNode) else []


def _families(document: Json) -> dict[int, _Family]:
    """For each schema, by identity, the combined declarations of all schemas for the same values."""
    found: dict[int, _Family] = {}
    compared = 0
    for head in reached(document, document):
        if id(head) in found:
            continue
        members = list(reached(head, document, _TOGETHER))
        compared += len(members)
        if compared > _MOST:
            return {}
        family = _Family(members)
        for member in members:
            found.setdefault(id(member), family).add(family)
    return found
