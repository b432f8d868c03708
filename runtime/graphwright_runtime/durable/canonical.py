"""Canonical JSON: the one way in which a value is written to logs and objects, so that equal values have equal hashes.

Keys are sorted, there are no blanks, text is UTF-8. orjson writes it; what orjson refuses (integers past 64 bits, text
that is not UTF-8, deep nesting) is written by the standard library, with other characters than ASCII escaped.
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

#: orjson reads integers of more digits as floats: where all digits are zeros, they are quickly found.
_ZEROS: Final = bytes.maketrans(b"123456789", b"000000000")
_LONG: Final = b"0" * 19


def canonical(value: object) -> bytes:
    """A JSON value in bytes. Raises ValueError for what has no such bytes."""
    try:
        return _dumps(value, None, _SORTED)
    except TypeError:
        return _written(value, separators=(",", ":"), sort_keys=True)


def indented(value: object) -> bytes:
    """A JSON value for people, its keys in their own order. Raises ValueError for what has no such bytes."""
    try:
        return _dumps(value, None, orjson.OPT_INDENT_2)
    except TypeError:
        return _written(value, indent=2)


def parsed(data: bytes) -> Json:
    """The value of canonical bytes. Raises ValueError."""
    if _LONG not in data.translate(_ZEROS):
        try:
            return cast("Json", orjson.loads(data))
        except orjson.JSONDecodeError:
            pass
    with any_length():
        return cast("Json", json.loads(data))


def _written(value: object, **style: Any) -> bytes:
    """What orjson refuses, by the standard library."""
    try:
        with any_length():
            return json.dumps(value, allow_nan=False, **style).encode()
    except RecursionError as error:
        raise ValueError("it is nested too deeply to be written as JSON") from error


@contextmanager
def any_length() -> Iterator[None]:
    """Let integers have thousands of digits, which Python neither writes nor reads unless it is told to."""
    most = sys.get_int_max_str_digits()
    sys.set_int_max_str_digits(0)
    try:
        yield
    finally:
        sys.set_int_max_str_digits(most)
