"""What is renamed: a key of the state, or an input."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from graphwright.analysis.symbols import RUNTIME_KEYS
from graphwright.diagnostic import Edit, Span
from graphwright.pattern import pattern
from graphwright.record import Record

#: A name that can be written in every place: after a dot in a path, as a key in YAML, as a string in Python.
_NAME: Final = pattern(r"[^\W\d][\w-]*\Z")
#: Names in `state` that are not keys of the graph's own.
_RESERVED: Final = RUNTIME_KEYS | {"inputs"}
NAMESPACES: Final = ("state", "inputs")


class Key(Record):
    """`namespace`: `state` or `inputs`."""

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
        """Why a key cannot get this name; None if it can."""
        if not _NAME.match(self.name):
            return f"`{self.name}` is not a valid name: use letters, digits, `_` and `-`, and begin with a letter"
        return None


class Uncertain(Record):
    """A place that may mean the key, for a person to look at, and why it was left alone."""

    span: Span
    why: str


class Occurrences(Record):
    """The edits that rename a key in one file, and what was left alone."""

    edits: tuple[Edit, ...] = ()
    uncertain: tuple[Uncertain, ...] = ()

    @classmethod
    def of(cls, edits: Iterable[Edit], uncertain: Iterable[Uncertain]) -> Occurrences:
        """The same with each edit once: aliases lead to a place more than once."""
        return cls(tuple(dict.fromkeys(edits)), tuple(dict.fromkeys(uncertain)))


class NotRenamedError(ValueError):
    """Something that cannot be renamed; the text is for the user."""
