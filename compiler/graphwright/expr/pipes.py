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

#: What other languages call the pipes.
PIPE_SYNONYMS: Final = {
    "len": "length", "count": "length", "size": "length", "tostring": "str", "string": "str", "strip": "trim",
    "uppercase": "upper", "toupper": "upper", "lowercase": "lower", "tolower": "lower", "number": "float",
    "integer": "int", "toint": "int", "parseint": "int", "tojson": "json", "to_json": "json", "fromjson": "from_json",
    "parse_json": "from_json", "shellquote": "quote", "escape": "quote", "splitlines": "lines",
}  # fmt: skip
