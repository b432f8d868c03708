"""The plain values of one section, each read by what the language's tables say of its key."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from yaml.nodes import Node

from graphwright.fault import Owner
from graphwright.language.sections import Section
from graphwright.model import Name
from graphwright.parse.reader import Reader
from graphwright.recover.keys import Entries
from graphwright.source.scalars import is_null


class Fields:
    """Reads the entries of a section by name; None where a key is absent, or (after a fault) of no use."""

    def __init__(self, reader: Reader, section: Section, entries: Entries, owner: Owner) -> None:
        self._reader = reader
        self._section = section
        self._entries = entries
        self._owner = owner

    def node(self, name: str) -> Node | None:
        """The value as it is written."""
        return self._entries[name][1] if name in self._entries else None

    def text(self, name: str, template: str | None = None) -> Name | None:
        """A string; with `template`, one that is not interpolated (see `Reader.text`)."""
        node = self.node(name)
        return None if node is None else self._reader.text(name, node, self._owner, template)

    def prose(self, name: str) -> str:
        """A string for people; empty where the key is absent or null."""
        node = self.node(name)
        found = None if node is None or is_null(node) else self._reader.text(name, node, self._owner)
        return "" if found is None else found.text

    def names(self, name: str) -> tuple[Name, ...]:
        """A name or a list of names."""
        node = self.node(name)
        return () if node is None else self._reader.texts(name, node, self._owner, single=True)

    def integer(self, name: str) -> int | None:
        """A whole number."""
        node = self.node(name)
        return None if node is None else self._reader.integer(self._section[name], node, self._owner)

    def number(self, name: str) -> float | None:
        """A number."""
        node = self.node(name)
        return None if node is None else self._reader.number(self._section[name], node, self._owner)

    def flag(self, name: str) -> bool | None:
        """`true` or `false`."""
        node = self.node(name)
        return None if node is None else self._reader.boolean(name, node, self._owner)

    def choice(self, name: str, synonyms: Mapping[str, str] = MappingProxyType({})) -> str | None:
        """One of the words that the key takes."""
        node = self.node(name)
        return None if node is None else self._reader.choice(self._section[name], node, self._owner, synonyms)
