"""Canonical JSON, the format of logs and objects: equal values have equal bytes and therefore equal hashes.

Keys are sorted, there is no whitespace, and the encoding is UTF-8. orjson writes it; the standard library writes what
orjson refuses (integers of more than 64 bits, lone surrogates, deep nesting), with non-ASCII characters escaped.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Final, cast

import orjson

from graphwright_runtime.values import Json

_dumps: Final = orjson.dumps
_SORTED: Final = orjson.OPT_SORT_KEYS

#: orjson parses long integers as floats. To find long runs of digits quickly, all digits are replaced with zeros.
_ZEROS: Final = bytes.maketrans(b"123456789", b"000000000")
_LONG: Final = b"0" * 19


def canonical(value: object) -> bytes:
    """A JSON value as canonical bytes. Raises ValueError if it cannot be written as JSON."""
    try:
        return _dumps(value, None, _SORTED)
    except TypeError:
        return _written(value, separators=(",", ":"), sort_keys=True)


def indented(value: object) -> bytes:
    """A JSON value, indented and with keys in their original order. Raises ValueError if it cannot be written."""
    try:
        return _dumps(value, None, orjson.OPT_INDENT_2)
    except TypeError:
        return _written(value, indent=2)


def parsed(data: bytes) -> Json:
    """Parse canonical JSON. Raises ValueError."""
    if _LONG not in data.translate(_ZEROS):
        try:
            return cast("Json", orjson.loads(data))
        except orjson.JSONDecodeError:
            pass
    with any_length():
        return cast("Json", json.loads(data))


def _written(value: object, **style: Any) -> bytes:
    """Write a value with the standard library."""
    try:
        with any_length():
            return json.dumps(value, allow_nan=False, **style).encode()
    except RecursionError as error:
        raise ValueError("it is nested too deeply to be written as JSON") from error


@contextmanager
def any_length() -> Iterator[None]:
    """Turn off Python's limit on the number of digits of integers, in this block."""
    most = sys.get_int_max_str_digits()
    sys.set_int_max_str_digits(0)
    try:
        yield
    finally:
        sys.set_int_max_str_digits(most)
