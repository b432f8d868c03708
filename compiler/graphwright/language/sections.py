"""Keys of the language, and sections, which are the kinds of mapping that take them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import Final, TypeAlias

from graphwright.record import Record

#: A JSON Schema that describes the value of a key.
Fragment: TypeAlias = Mapping[str, object]

ANY: Final[Fragment] = {}
TEXT: Final[Fragment] = {"type": "string"}
FLAG: Final[Fragment] = {"type": "boolean"}
TRUE: Final[Fragment] = {"const": True}
TEXTS: Final[Fragment] = {"type": "array", "items": TEXT}
MAPPING: Final[Fragment] = {"type": "object"}


class Key(Record):
    """One key with its documentation, and the JSON Schema of its value.

    `default` is the value if the key is absent; None if there is no default. `nullable`: null means absent. `modern`:
    this is another spelling of that key; `deprecated`: an older spelling that a fix replaces.
    """

    name: str
    doc: str
    schema: Fragment
    default: object = None
    required: bool = False
    nullable: bool = False
    modern: str = ""
    deprecated: bool = False

    @property
    def least(self) -> int:
        """The minimum of a whole number."""
        bound = self.schema.get("minimum")
        return bound if isinstance(bound, int) else 0

    @property
    def most(self) -> int | None:
        """The maximum of a whole number; None if there is none."""
        bound = self.schema.get("maximum")
        return bound if isinstance(bound, int) else None

    @property
    def whole(self) -> bool:
        """Whether the value must be a whole number."""
        return self.schema.get("type") == "integer"

    @property
    def above(self) -> bool:
        """Whether the value must be more than 0, not just at least 0."""
        return "exclusiveMinimum" in self.schema

    @property
    def words(self) -> tuple[str, ...]:
        """The words that the value, or each of its items, can be."""
        items = self.schema.get("items")
        words = self.schema.get("enum", items.get("enum") if isinstance(items, Mapping) else None)
        return tuple(map(str, words)) if isinstance(words, list | tuple) else ()


class Section(Record):
    """One kind of mapping. `phrase` names it in messages ("in an action"), `doc` documents it.

    `keys` are the modern names of its keys. `aliases` maps other spellings to them, `synonyms` names from other tools.
    """

    name: str
    phrase: str
    doc: str
    table: Mapping[str, Key]
    keys: tuple[str, ...]
    aliases: Mapping[str, str]
    synonyms: Mapping[str, str]

    def __getitem__(self, name: str) -> Key:
        return self.table[name]


def section(
    name: str, phrase: str, doc: str, keys: Iterable[Key], synonyms: Mapping[str, str] = MappingProxyType({})
) -> Section:
    """The section with these keys, older spellings included."""
    table = {key.name: key for key in keys}
    modern = tuple(key.name for key in table.values() if not key.modern)
    aliases = {key.name: key.modern for key in table.values() if key.modern}
    return Section(name, phrase, doc, table, modern, aliases, synonyms)


def whole(least: int, most: int | None = None) -> Fragment:
    """A whole number."""
    return {"type": "integer", "minimum": least} | ({} if most is None else {"maximum": most})


def number(*, above: bool) -> Fragment:
    """A number of at least 0; with `above`, more than 0."""
    return {"type": "number", "exclusiveMinimum" if above else "minimum": 0}


def one_of(words: Iterable[str]) -> Fragment:
    """One of these words."""
    return {"enum": list(words)}


def in_section(name: str) -> Fragment:
    """A section of the language, or another named part of its JSON Schema."""
    return {"$ref": f"#/$defs/{name}"}


def listed(name: str) -> Fragment:
    """A list of sections."""
    return {"type": "array", "items": in_section(name)}
