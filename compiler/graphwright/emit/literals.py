"""Emits JSON constants as Python code, the only way in which strings of a YAML file enter a module.

Everything that could break out of a line, change its direction or be invisible is escaped. The spelling is one that
`ruff format` does not change.
"""

from __future__ import annotations

import json
import re
from collections.abc import Collection
from functools import lru_cache
from typing import Final

from graphwright.emit.code import ATOM, UNARY, Code
from graphwright.ir import Json

#: Maximum nesting and size of a literal; other constants are written as JSON and parsed at run time.
MAX_DEPTH: Final = 12
MAX_LEAVES: Final = 2_000

#: Integers of more bits are written in hexadecimal, because Python limits the length of decimal ones.
_DECIMAL_BITS: Final = 10_000

#: Strings that fit on such a line are not split, because a formatter would join them.
_LINE: Final = 88

_SURROGATE: Final = re.compile("[\ud800-\udfff]")


@lru_cache(maxsize=10_000)
def quoted(text: str) -> str:
    """A string literal on one line; printable characters are not escaped."""
    body = repr(text)[1:-1]
    if "'" in text and '"' not in text:  # repr uses double quotes
        return f'"{body}"'
    if '"' not in text:
        return f'"{body}"'
    # repr uses single quotes and has escaped single quotes in the string
    double, single = text.count('"'), text.count("'")
    if double > single:
        return f"'{body}'"
    return '"' + re.sub(r"\\(.)|(\")", _swap_quotes, body, flags=re.DOTALL) + '"'


def _swap_quotes(match: re.Match[str]) -> str:
    if match[2]:
        return '\\"'
    return "'" if match[1] == "'" else match[0]


def strings(texts: Collection[str]) -> str:
    """A tuple of strings."""
    return f"({', '.join(map(quoted, texts))}{',' if len(texts) == 1 else ''})"


def number(value: float) -> str:
    """A number as an expression, in a spelling that formatters do not change."""
    if isinstance(value, int) and value.bit_length() > _DECIMAL_BITS:
        return f"{'-' * (value < 0)}0x{abs(value):X}"
    return repr(value).replace("e+", "e")


def literal(value: Json) -> Code | None:
    """A constant as an expression; None if it is too deep or too large (see `encoded`)."""
    if isinstance(value, str) and value.isascii():
        return Code(lined(value))
    if value is None or value is True or value is False:
        return Code(repr(value))
    if type(value) is int and 0 <= value < 1_000_000:
        return Code(repr(value))
    depth, leaves = _size(value)
    if depth > MAX_DEPTH or leaves > MAX_LEAVES or _holds_surrogate(value):
        return None
    level = UNARY if isinstance(value, (int, float)) and not isinstance(value, bool) and _negative(value) else ATOM
    return Code(_written(value), level, depth)


def encoded(value: Json) -> str:
    """A constant as a JSON string for `from_json`, in ASCII, of any depth and size."""
    return quoted(json.dumps(value, separators=(",", ":")))


def lined(text: str) -> str:
    """A string literal; a long string of several lines as one literal per line, in parentheses."""
    whole = quoted(text)
    if len(whole) <= _LINE or "\n" not in text[:-1]:
        return whole
    return f"({' '.join(map(quoted, text.splitlines(keepends=True)))})"


def _written(value: Json) -> str:
    match value:
        case str():
            return lined(value)
        case list():
            return f"[{', '.join(map(_written, value))}]"
        case dict():
            return f"{{{', '.join(f'{quoted(key)}: {_written(item)}' for key, item in value.items())}}}"
        case bool() | None:
            return repr(value)
        case _:
            return number(value)


def _negative(value: float) -> bool:
    return value < 0 or (isinstance(value, float) and repr(value).startswith("-"))


def _size(value: Json) -> tuple[int, int]:
    """The nesting (0 for a scalar) and the number of leaves, without recursion."""
    depth, leaves = 0, 0
    level: list[Json] = [value]
    while level:
        below: list[Json] = []
        for item in level:
            if isinstance(item, dict):
                below.extend(item.values())
            elif isinstance(item, list):
                below.extend(item)
            else:
                leaves += 1
        containers = any(isinstance(item, (dict, list)) for item in level)
        depth += containers
        level = below
    return depth, leaves


def _holds_surrogate(value: Json) -> bool:
    """Whether a value contains a lone surrogate: valid in Python and JSON, but type checkers cannot store it."""
    pending: list[Json] = [value]
    while pending:
        item = pending.pop()
        if isinstance(item, str):
            if not item.isascii() and _SURROGATE.search(item):
                return True
        elif isinstance(item, dict):
            pending.extend(item)
            pending.extend(item.values())
        elif isinstance(item, list):
            pending.extend(item)
    return False
