"""The key to rename, and the result of searching for it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from graphwright.diagnostic import Edit, Span
from graphwright.language.events import RUNTIME_KEYS
from graphwright.pattern import pattern
from graphwright.record import Record

#: A name that is valid everywhere: after a dot in a path, as a key in YAML, as a string in Python.
_NAME: Final = pattern(r"[^\W\d][\w-]*\Z")
#: Names in `state` that are not keys of the graph.
_RESERVED: Final = RUNTIME_KEYS | {"inputs"}
NAMESPACES: Final = ("state", "inputs")


class Key(Record):
    """A state key or an input. `namespace` is `state` or `inputs`."""

    namespace: str
    name: str

    def __str__(self) -> str:
        return f"{self.namespace}.{self.name}"

    def reserved(self) -> str | None:
        """Why the key belongs to the runtime; None if it does not."""
        if self.namespace == "state" and (self.name in _RESERVED or self.name.startswith("_")):
            return f"`{self}` is reserved for the runtime"
        return None

    def invalid(self) -> str | None:
        """Why this is not a valid new name; None if it is."""
        if not _NAME.match(self.name):
            return f"`{self.name}` is not a valid name: use letters, digits, `_` and `-`, and begin with a letter"
        return None


class Uncertain(Record):
    """A location that may mean the key and must be checked manually, and why it was not changed."""

    span: Span
    why: str


class Occurrences(Record):
    """The edits that rename a key in one file, and the locations that were not changed."""

    edits: tuple[Edit, ...] = ()
    uncertain: tuple[Uncertain, ...] = ()

    @classmethod
    def of(cls, edits: Iterable[Edit], uncertain: Iterable[Uncertain]) -> Occurrences:
        """The occurrences without duplicates, which aliases can cause."""
        return cls(tuple(dict.fromkeys(edits)), tuple(dict.fromkeys(uncertain)))


class NotRenamedError(ValueError):
    """The key cannot be renamed; the message is for the user."""
