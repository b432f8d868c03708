"""The names that pydantic's own alias generators give to fields."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from graphwright.pattern import pattern

_CAMEL: Final = pattern(r"[a-z]+[A-Za-z0-9]*")
_DIGIT_BEFORE_LETTER: Final = pattern(r"\d[a-z]")
_SEPARATOR: Final = pattern(r"([0-9A-Za-z])_(?=[0-9A-Z])")
_FIRST: Final = pattern(r"_*[A-Z]")


def _pascal(name: str) -> str:
    return _SEPARATOR.sub(r"\1", name.title())


def _camel(name: str) -> str:
    if _CAMEL.fullmatch(name) and not _DIGIT_BEFORE_LETTER.search(name):
        return name
    pascal = _pascal(name)
    first = _FIRST.match(pascal)
    return pascal if first is None else first[0].lower() + pascal[first.end() :]


#: Functions that convert names, by their full names.
GENERATORS: Final[Mapping[object, Callable[[str], str]]] = {
    "pydantic.alias_generators.to_camel": _camel,
    "pydantic.alias_generators.to_pascal": _pascal,
}
