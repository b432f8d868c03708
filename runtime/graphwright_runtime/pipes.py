"""The pipes of `${value | pipe}` (language.md §4).

All pipes except `default` return null for null. They raise NodeError for unsupported values.
"""

from __future__ import annotations

import re
from typing import Final, cast

from graphwright_runtime.errors import NodeError
from graphwright_runtime.expressions import as_text, described
from graphwright_runtime.values import Json, NotJsonError, parsed_json

_INTEGER: Final = r"[+-]?[0-9]+"
_FLOAT: Final = r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?"


def to_json(value: object) -> str | None:
    """`json`: the value as JSON, in the default format of `json.dumps`."""
    if value is None:
        return None
    import json

    try:
        return json.dumps(value)
    except (ValueError, RecursionError) as error:
        raise NodeError(f"`json` cannot convert {described(value)}: {error}") from error


def from_json(value: object) -> Json:
    """`from_json`: the value of a JSON string; other values are returned unchanged."""
    if not isinstance(value, str):
        return cast("Json", value)
    try:
        return parsed_json(value)
    except NotJsonError as error:
        raise NodeError(f"`from_json`: {described(value)} is not valid JSON: {error}") from error


def length(value: object) -> int | None:
    """`length` of a string, list or mapping."""
    if value is None:
        return None
    if isinstance(value, (str, list, dict)):
        return len(value)
    raise _refused("length", "a string, a list or a mapping", value)


def keys(value: object) -> list[Json] | None:
    """`keys` of a mapping in its order; an empty list for anything else."""
    if value is None:
        return None
    return list(value) if isinstance(value, dict) else []


def upper(value: object) -> str | None:
    """`upper`: in uppercase."""
    return None if value is None else _words("upper", value).upper()


def lower(value: object) -> str | None:
    """`lower`: in lowercase."""
    return None if value is None else _words("lower", value).lower()


def trim(value: object) -> str | None:
    """`trim`: without leading and trailing whitespace."""
    return None if value is None else _words("trim", value).strip()


def lines(value: object) -> list[Json] | None:
    """`lines`: the lines, as with Python's `splitlines`."""
    return None if value is None else [*_words("lines", value).splitlines()]


def to_int(value: object) -> int | None:
    """`int` of a decimal string (surrounding whitespace is ignored) or a float without a fraction."""
    if value is None:
        return None
    if isinstance(value, bool):
        raise _refused("int", "a number or a decimal string", value)
    if isinstance(value, int):
        return value
    if isinstance(value, float) and value.is_integer():
        return int(value)
    if isinstance(value, str) and re.fullmatch(_INTEGER, value.strip()):
        try:
            return int(value)
        except ValueError as error:  # thousands of digits
            raise NodeError(f"`int`: {error}") from error
    raise _refused("int", "a number without a fraction or a decimal string", value)


def to_float(value: object) -> float | None:
    """`float` of a number or a decimal string."""
    if value is None:
        return None
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        return _as_float(value)
    if isinstance(value, str) and re.fullmatch(_FLOAT, value.strip()):
        return _as_float(value)
    raise _refused("float", "a number or a decimal string", value)


def to_str(value: object) -> str | None:
    """`str`: the value as in a longer string."""
    return None if value is None else as_text(value)


def first(value: object) -> Json:
    """`first` item of a list or character of a string; null if it is empty."""
    return _end("first", value, 0)


def last(value: object) -> Json:
    """`last` item of a list or character of a string; null if it is empty."""
    return _end("last", value, -1)


def quote(value: object) -> str | None:
    """`quote`: the value as one word of a POSIX shell command."""
    if value is None:
        return None
    from shlex import quote as shell_quote

    return shell_quote(as_text(value))


def default(value: object, other: object) -> Json:
    """`default(other)`: the value, or `other` if it is null."""
    return cast("Json", other if value is None else value)


def _words(pipe: str, value: object) -> str:
    if isinstance(value, (str, int, float)) and not isinstance(value, bool):
        return as_text(value)
    raise _refused(pipe, "a string", value)


def _as_float(value: str | float) -> float:
    try:
        number = float(value)
    except OverflowError:
        number = float("inf")
    if number in (float("inf"), float("-inf")):
        raise NodeError(f"`float`: {described(value)} is too large")
    return number


def _end(pipe: str, value: object, index: int) -> Json:
    if value is None:
        return None
    if isinstance(value, (str, list)):
        return value[index] if value else None
    raise _refused(pipe, "a list or a string", value)


def _refused(pipe: str, wanted: str, value: object) -> NodeError:
    return NodeError(f"`{pipe}` takes {wanted}, not {described(value)}")
