"""The pipes of the language: their names and how many arguments each takes."""

from __future__ import annotations

from typing import Final

#: Name -> number of arguments, exactly.
PIPES: Final = {
    "json": 0,
    "from_json": 0,
    "length": 0,
    "keys": 0,
    "upper": 0,
    "lower": 0,
    "trim": 0,
    "lines": 0,
    "int": 0,
    "float": 0,
    "str": 0,
    "first": 0,
    "last": 0,
    "quote": 0,
    "default": 1,
}
