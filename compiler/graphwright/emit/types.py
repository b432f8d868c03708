"""Emits types as annotations and TypedDicts."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final

from graphwright.analysis.jsontype import KINDS, NEVER, Field, Scalar, Type, join, kind_of
from graphwright.emit.literals import quoted
from graphwright.emit.model import Alias, Structure
from graphwright.emit.uses import Uses
from graphwright.language.events import RUNTIME_KEYS
from graphwright.names import class_name, is_plain_identifier
from graphwright.record import replace

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
        self._structures: list[Structure | Alias] = []

    @property
    def structures(self) -> tuple[Structure | Alias, ...]:
        """The TypedDicts and their unions so far, in an order in which they can be defined."""
        return tuple(self._structures)

    def plain(self, kind: Type | None) -> str:
        """An annotation with only builtin types, for the state keys that a node reads."""
        return self._uses.runtime("Json") if kind is None else self._annotation(kind, None, 0)

    def named(self, kind: Type, name: str) -> str:
        """A detailed annotation: small sets of values are literals, objects are TypedDicts whose names begin with
        `name`."""
        return self._annotation(kind, name, 0)

    def define(self, name: str, kind: Type, depth: int = 0) -> None:
        """Define a name from the module's namespace as the type of structured objects: a TypedDict, or a union."""
        if kind.variants:
            self._union(name, kind, depth)
        else:
            self.structure(name, listed_fields(kind), depth)

    def structure(
        self, name: str, fields: Mapping[str, Field], depth: int = 0, common: Mapping[str, str] | None = None
    ) -> None:
        """Add a TypedDict. Keys of the runtime have plain types; `common` are annotations that exist already."""
        annotated: list[tuple[str, str]] = []
        for key, field in fields.items():
            annotation = (common or {}).get(key) or self._inner(name, key, field.type, depth)
            annotated.append((key, annotation if field.required else self.optional(annotation)))
        self._structures.append(self.laid_out(name, annotated))

    def _inner(self, name: str, key: str, kind: Type, depth: int) -> str:
        """The annotation of a key of the structure `name`."""
        return self._annotation(kind, None if key in RUNTIME_KEYS else f"{name}{class_name(key)}", depth + 1)

    def _union(self, name: str, kind: Type, depth: int) -> None:
        """A TypedDict for each variant, and an alias for all of them. What several have in common is defined once."""
        structured = _distinct_structures(kind)
        others = [variant for variant in kind.variants if not listed_fields(variant)]
        if len(structured) == 1 and not others:
            self.structure(name, structured[0], depth)
            return
        members = [self._uses.names.claim(f"{name}{tag}") for tag in _tags(structured)]
        held: dict[str, list[Type]] = {}
        for fields in structured:
            for key, field in fields.items():
                held.setdefault(key, []).append(field.type)
        common = {
            key: self._inner(name, key, types[0], depth)
            for key, types in held.items()
            if len(types) > 1 and all(each == types[0] for each in types)
        }
        for member, fields in zip(members, structured, strict=True):
            self.structure(member, fields, depth, common)
        if others:
            members.append(self._mapping(join(*others), depth))
        self._structures.append(Alias(name, " | ".join(members)))

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
        members = self._choices(kind, name)
        if "array" in kind.kinds:
            members.append(f"list[{self._annotation(kind.item, name, depth + 1)}]")
        if "object" in kind.kinds:
            members.append(self._object(kind, name, depth))
        if kind.nullable:
            members.append("None")
        return " | ".join(members)

    def _choices(self, kind: Type, name: str | None) -> list[str]:
        """The scalars: small sets of values as a Literal, if the annotation is detailed; others as their kinds."""
        values = choices(kind) if name is not None else []
        others = kind.kinds - set(map(kind_of, values))
        scalars = [_SCALARS[each] for each in KINDS if each in _SCALARS and each in others]
        if "float" in scalars and "int" in scalars:
            scalars.remove("int")
        if not values:
            return scalars
        spelled = ", ".join(quoted(value) if isinstance(value, str) else repr(value) for value in values)
        return [f"{self._uses.typing('Literal')}[{spelled}]", *scalars]

    def _object(self, kind: Type, name: str | None, depth: int) -> str:
        """An object as a TypedDict or a union of TypedDicts, if its keys are known."""
        if name is None or depth >= MAX_DEPTH or not is_structured(kind):
            return self._mapping(kind, depth)
        granted = self._uses.names.claim(name)
        self.define(granted, kind, depth)
        return granted

    def _mapping(self, kind: Type, depth: int) -> str:
        """An object as a dict of what its keys can hold."""
        held = join(kind.others, *(field.type for _, field in kind.fields))
        return f"dict[str, {self._annotation(held, None, depth + 1)}]"


def choices(kind: Type) -> list[Scalar]:
    """The values, except null, that a literal type lists. All values of a kind are listed, or none."""
    found: list[Scalar] = []
    values = kind.values if kind.values is not None and len(kind.values) <= MAX_VALUES else ()
    texts = [value for value in values if isinstance(value, str)]
    if all(map(_presentable, texts)):
        found += texts
    flags = [value for value in values if isinstance(value, bool)]
    if len(flags) == 1:
        found += flags
    # an integer is a float, and true equals 1
    if kind.kinds.isdisjoint({"number", "boolean"}):
        numbers = [value for value in values if isinstance(value, int)]
        found += numbers if all(value.bit_length() < 64 for value in numbers) else []
    return found


def is_structured(kind: Type) -> bool:
    """Whether objects have known keys, so that their type is a TypedDict or a union of TypedDicts."""
    return any(map(listed_fields, kind.shapes))


def listed_fields(kind: Type) -> dict[str, Field]:
    """The keys for the TypedDict of an object: those that a value can have.

    Empty if one of them is the empty string, which pyright rejects in a TypedDict.
    """
    possible = {key: field for key, field in kind.fields if field.type.kinds}
    return {} if "" in possible else possible


def _distinct_structures(kind: Type) -> list[dict[str, Field]]:
    """The keys of each variant with known keys. Variants that annotations cannot tell apart are one."""
    # true equals 1 in Python: a checker would exclude a variant that such a comparison does not exclude
    vague = {key for key, field in kind.fields if {"boolean", "integer"} <= field.type.kinds}
    found: list[dict[str, Field]] = []
    for variant in filter(listed_fields, kind.variants):
        fields = {
            key: Field(replace(field.type, values=None), field.required) if key in vague else field
            for key, field in listed_fields(variant).items()
        }
        if fields not in found:
            found.append(fields)
    return found


def _presentable(text: str) -> bool:
    """Whether a string looks like one of several options, and not like prose or a command."""
    return len(text) <= 30 and text.isprintable() and " " not in text


def _tags(structures: list[dict[str, Field]]) -> list[str]:
    """What the names of the members of a union end with: a value of the key that tells them apart, or a number."""
    for key in structures[0]:
        fields = [fields.get(key, Field(NEVER, False)) for fields in structures]
        values = [field.type.values for field in fields if field.required and field.type.values]
        every = [str(value) for each in values for value in each if isinstance(value, str | bool)]
        are_distinct = len(values) == len(fields) and len(set(every)) == sum(map(len, values))
        if are_distinct and "" not in every and all(map(_presentable, every)):
            return [class_name(str(first)) for first, *_ in values]
    return [str(number) for number, _ in enumerate(structures, 1)]
