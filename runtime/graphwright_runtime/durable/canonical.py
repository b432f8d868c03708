"""Canonical JSON: the one way in which a value is written to logs and objects, so that equal values have equal hashes.

Keys are sorted, there are no blanks, text is UTF-8. orjson writes it; what orjson refuses (integers past 64 bits, text
that is not UTF-8, deep nesting) is written by the standard library, with other characters than ASCII escaped.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final, cast

import orjson

from graphwright_runtime.values import Json

_dumps: Final = orjson.dumps
_SORTED: Final = orjson.OPT_SORT_KEYS

#: orjson reads longer integers as floats.
_LONG: Final = re.compile(rb"\d{19}")


def canonical(value: object) -> bytes:
    """A JSON value in bytes. Raises ValueError for what has no such bytes."""
    try:
        return _dumps(value, None, _SORTED)
    except TypeError:
        try:
            with any_length():
                return json.dumps(value, sort_keys=True, separators=(",", ":"), allow_nan=False).encode()
        except RecursionError as error:
            raise ValueError("it is nested too deeply to be written as JSON") from error


def parsed(data: bytes) -> Json:
    """The value of canonical bytes. Raises ValueError."""
    if _LONG.search(data) is None:
        try:
            return cast("Json", orjson.loads(data))
        except orjson.JSONDecodeError:
            pass
    with any_length():
        return cast("Json", json.loads(data))


@contextmanager
def any_length() -> Iterator[None]:
    """Let integers have thousands of digits, which Python neither writes nor reads unless it is told to."""
    most = sys.get_int_max_str_digits()
    sys.set_int_max_str_digits(0)
    try:
        yield
    finally:
        sys.set_int_max_str_digits(most)
