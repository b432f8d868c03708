"""Finds the names of a property in a JSON Schema."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final
from urllib.parse import unquote

from yaml.nodes import MappingNode, Node, ScalarNode, SequenceNode

from graphwright.refactor.key import NotRenamedError
from graphwright.source.reader import Source

#: Keywords that contain names of properties: as keys of a mapping, and as items of a list.
_NAMING_KEYS: Final = ("properties", "dependentRequired", "dependentSchemas")
_NAMING_ITEMS: Final = ("required",)
#: Keywords whose schemas describe the same value.
_SCHEMAS: Final = ("not", "if", "then", "else")
_LISTS: Final = ("allOf", "anyOf", "oneOf")
#: Keywords that contain values instead of schemas.
_VALUES: Final = ("default", "const")
_VALUE_LISTS: Final = ("examples", "enum")


def property_scalars(source: Source, schema: MappingNode, name: str) -> tuple[ScalarNode, ...]:
    """All scalars that name the property. Raises `NotRenamedError` if one is in a shared definition."""
    return tuple(_Walk(source, schema, name).scalars(schema))


class _Walk:
    """Visits the schemas of one value in a document."""

    def __init__(self, source: Source, document: MappingNode, name: str) -> None:
        self._source = source
        self._document = document
        self._name = name
        self._seen: set[int] = set()

    def scalars(self, schema: Node) -> Iterator[ScalarNode]:
        if not isinstance(schema, MappingNode) or id(schema) in self._seen:
            return
        self._seen.add(id(schema))
        for key, value in self._source.entries(schema):
            yield from self._keyword(key.value, value)

    def _keyword(self, keyword: str, value: Node) -> Iterator[ScalarNode]:
        if keyword in _NAMING_KEYS:
            yield from self._keys(value)
        if keyword in _NAMING_ITEMS:
            yield from self._items(value)
        if keyword == "dependentRequired":
            for _, names in self._entries(value):
                yield from self._items(names)
        if keyword == "dependentSchemas":
            for _, inner in self._entries(value):
                yield from self.scalars(inner)
        if keyword in _SCHEMAS:
            yield from self.scalars(value)
        if keyword in _LISTS:
            for inner in _listed(value):
                yield from self.scalars(inner)
        if keyword in _VALUES:
            yield from self._keys(value)
        if keyword in _VALUE_LISTS:
            for inner in _listed(value):
                yield from self._keys(inner)
        if keyword == "$ref" and isinstance(value, ScalarNode):
            yield from self._referred(value.value)

    def _referred(self, reference: str) -> Iterator[ScalarNode]:
        target = self._pointed(reference)
        found = [] if target is None else list(self.scalars(target))
        if found and self._source.text.count(reference) > 1:
            raise NotRenamedError(f"`{self._name}` is declared in `{reference}`, which is used for other values, too")
        yield from found

    def _pointed(self, reference: str) -> Node | None:
        """The target of a JSON pointer."""
        if not reference.startswith("#"):
            return None
        found: Node | None = self._document
        for step in unquote(reference[1:]).split("/")[1:]:
            name = step.replace("~1", "/").replace("~0", "~")
            if isinstance(found, MappingNode):
                found = self._source.get(found, name)
            elif isinstance(found, SequenceNode) and name.isdecimal() and int(name) < len(found.value):
                found = found.value[int(name)]
            else:
                return None
        return found

    def _entries(self, value: Node) -> list[tuple[ScalarNode, Node]]:
        return self._source.entries(value) if isinstance(value, MappingNode) else []

    def _keys(self, value: Node) -> Iterator[ScalarNode]:
        return (key for key, _ in self._entries(value) if key.value == self._name)

    def _items(self, value: Node) -> Iterator[ScalarNode]:
        return (each for each in _listed(value) if isinstance(each, ScalarNode) and each.value == self._name)


def _listed(value: Node) -> list[Node]:
    return value.value if isinstance(value, SequenceNode) else []
