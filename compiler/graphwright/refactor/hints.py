"""Writes types as Python type hints, with a TypedDict for each mapping with known keys."""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping
from keyword import iskeyword
from typing import Final

from graphwright.analysis.jsontype import ARRAY, FLOAT, NUMBER, OBJECT, Field, Scalar, Type

_NAMES: Final = {"null": "None", "boolean": "bool", "integer": "int", "number": "float", "string": "str"}


class Hints:
    """The hints of one file. `taken` are names that its classes must not use."""

    def __init__(self, taken: Collection[str], typing: Mapping[str, str]) -> None:
        self._taken = set(taken)
        self._typing = typing
        #: The statements that define the classes, each before those that use it.
        self.classes: list[str] = []
        #: The names that the hints use from `typing`.
        self.imported: set[str] = set()

    def mapping(self, kind: Type, name: str) -> str:
        """The hint for params or a result: a TypedDict of this name if the keys are known."""
        return self._typed_dict(kind, name) if kind.fields else f"dict[str, {self._of_typing('Any')}]"

    def of(self, kind: Type, name: str) -> str:
        """The hint for a type; `name` is the preferred name for a class."""
        if not kind.known or not kind.kinds:
            return self._of_typing("Any")
        if kind.values is not None and not kind.kinds & (ARRAY.kinds | OBJECT.kinds | FLOAT.kinds):
            return f"{self._of_typing('Literal')}[{', '.join(map(_constant, kind.values))}]"
        words = [
            written
            for each, written in _NAMES.items()
            if each in kind.kinds and not (each == "integer" and kind.kinds >= NUMBER.kinds)
        ]
        if "array" in kind.kinds:
            words.append(f"list[{self.of(kind.item, name)}]")
        if "object" in kind.kinds:
            words.append(self.mapping(kind, name))
        return " | ".join(sorted(words, key=lambda word: word == "None"))

    def _typed_dict(self, kind: Type, wanted: str) -> str:
        name = self._free(wanted)
        self._taken.add(name)
        fields = {
            key: self._field(field, f"{name}{''.join(filter(str.isalnum, key.title()))}") for key, field in kind.fields
        }
        base = self._of_typing("TypedDict")
        if all(map(_is_attribute, fields)):
            lines = "".join(f"    {key}: {hint}\n" for key, hint in fields.items())
            self.classes.append(f"class {name}({base}):\n{lines}")
        else:
            entries = "".join(f"    {json.dumps(key, ensure_ascii=False)}: {hint},\n" for key, hint in fields.items())
            self.classes.append(f'{name} = {base}("{name}", {{\n{entries}}})\n')
        return name

    def _field(self, field: Field, name: str) -> str:
        hint = self.of(field.type, name)
        return hint if field.required else f"{self._of_typing('NotRequired')}[{hint}]"

    def _free(self, wanted: str) -> str:
        """The name, or the name with the first number that makes it unused."""
        number, name = 2, wanted
        while name in self._taken:
            number, name = number + 1, f"{wanted}{number}"
        return name

    def _of_typing(self, name: str) -> str:
        """A name of `typing`, as the file refers to it."""
        self.imported.add(name)
        return self._typing.get(name, name)


def _constant(value: Scalar) -> str:
    return json.dumps(value, ensure_ascii=False) if isinstance(value, str) else repr(value)


def _is_attribute(key: str) -> bool:
    """Whether a key can be written as an attribute without name mangling."""
    return key.isidentifier() and not iskeyword(key) and not key.startswith("__")
