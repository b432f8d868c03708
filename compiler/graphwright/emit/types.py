"""Emits types as annotations and TypedDicts."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final

from graphwright.analysis.jsontype import KINDS, Field, Type, join
from graphwright.emit.literals import quoted
from graphwright.emit.model import Structure
from graphwright.emit.uses import Uses
from graphwright.names import class_name, is_plain_identifier

#: Maximum number of values in a literal type; larger sets are represented by their kind.
MAX_VALUES: Final = 16
#: Objects at deeper levels are plain mappings.
MAX_DEPTH: Final = 5

_SCALARS: Final = {"boolean": "bool", "integer": "int", "number": "float", "string": "str"}

#: Words in annotations; a key with such a name cannot be in a class body.
_WORDS: Final = frozenset({"Json", "Literal", "NotRequired", "bool", "dict", "float", "int", "list", "object", "str"})


class Annotations:
    """Emits annotations for one module, and collects the TypedDicts that they need, inner ones first."""

    def __init__(self, uses: Uses) -> None:
        self._uses = uses
        self._structures: list[Structure] = []

    @property
    def structures(self) -> tuple[Structure, ...]:
        """The TypedDicts so far, in an order in which they can be defined."""
        return tuple(self._structures)

    def plain(self, kind: Type | None) -> str:
        """An annotation with only builtin types, for the state keys that a node reads."""
        return self._uses.runtime("Json") if kind is None else self._annotation(kind, None, 0)

    def named(self, kind: Type, name: str) -> str:
        """A detailed annotation: sets of strings are literals, objects are TypedDicts whose names begin with `name`."""
        return self._annotation(kind, name, 0)

    def structure(self, name: str, fields: Mapping[str, Field], depth: int = 0) -> None:
        """Add a TypedDict with a name from the module's namespace. Keys of the runtime have plain types."""
        annotated: list[tuple[str, str]] = []
        for key, field in fields.items():
            inner = None if key.startswith("_") else f"{name}{class_name(key)}"
            annotation = self._annotation(field.type, inner, depth + 1)
            annotated.append((key, annotation if field.required else self.optional(annotation)))
        self._structures.append(self.laid_out(name, annotated))

    def optional(self, annotation: str) -> str:
        """The annotation of a key that may be absent."""
        return f"{self._uses.typing('NotRequired')}[{annotation}]"

    def laid_out(self, name: str, fields: Iterable[tuple[str, str]]) -> Structure:
        """A TypedDict in the syntax that its keys require."""
        self._uses.runtime("TypedDict")
        given = tuple(fields)
        names = {structure.name for structure in self._structures}
        functional = any(not is_plain_identifier(key) or key in _WORDS or key in names for key, _ in given)
        return Structure(name, given, functional)

    def _annotation(self, kind: Type, name: str | None, depth: int) -> str:
        if not kind.kinds or not kind.known:
            return self._uses.runtime("Json")
        members = self._choices(kind, name) if kind.values is not None else self._scalars(kind)
        if "array" in kind.kinds:
            members.append(f"list[{self._annotation(kind.item, name, depth + 1)}]")
        if "object" in kind.kinds:
            members.append(self._object(kind, name, depth))
        if kind.nullable:
            members.append("None")
        return " | ".join(members)

    @staticmethod
    def _scalars(kind: Type) -> list[str]:
        names = [_SCALARS[each] for each in KINDS if each in _SCALARS and each in kind.kinds]
        return [name for name in names if name != "int" or "float" not in names]

    def _choices(self, kind: Type, name: str | None) -> list[str]:
        """A small set of strings as a Literal, if the annotation is detailed; other values as their kinds."""
        texts = choices(kind)
        if name is None or not texts:
            return self._scalars(kind)
        choice = f"{self._uses.typing('Literal')}[{', '.join(map(quoted, texts))}]"
        return [choice, *(scalar for scalar in self._scalars(kind) if scalar != "str")]

    def _object(self, kind: Type, name: str | None, depth: int) -> str:
        """An object as a TypedDict, if its keys are known."""
        listed = listed_fields(kind)
        if listed and name is not None and depth < MAX_DEPTH:
            granted = self._uses.names.claim(name)
            self.structure(granted, listed, depth)
            return granted
        held = join(kind.others, *(field.type for _, field in kind.fields))
        return f"dict[str, {self._annotation(held, None, depth + 1)}]"


def choices(kind: Type) -> list[str]:
    """The strings that a type is limited to, if a literal type is useful; otherwise empty."""
    texts = [value for value in kind.values or () if isinstance(value, str)]
    return texts if len(texts) <= MAX_VALUES and all(map(_presentable, texts)) else []


def listed_fields(kind: Type) -> dict[str, Field]:
    """The keys for the TypedDict of an object: those that a value can have.

    Empty if one of them is the empty string, which pyright rejects in a TypedDict.
    """
    possible = {key: field for key, field in kind.fields if field.type.kinds}
    return {} if "" in possible else possible


def _presentable(text: str) -> bool:
    """Whether a string looks like one of several options, and not like prose or a command."""
    return len(text) <= 30 and text.isprintable() and " " not in text
