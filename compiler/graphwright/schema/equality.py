"""When two JSON values are the same to JSON Schema (`enum`, `const`, `uniqueItems`)."""

from __future__ import annotations

import json
from collections.abc import Iterable

from graphwright.source.reader import Json


def same(left: Json, right: Json) -> bool:
    """Whether two values are equal, at every depth: 1 is 1.0, true is not 1."""
    if isinstance(left, bool) or isinstance(right, bool):
        return left is right
    if isinstance(left, list) and isinstance(right, list):
        return len(left) == len(right) and all(map(same, left, right))
    if isinstance(left, dict) and isinstance(right, dict):
        return left.keys() == right.keys() and all(same(left[key], right[key]) for key in left)
    return left == right


def holds(options: Iterable[Json], value: Json) -> bool:
    """Whether a value is among some others."""
    return any(same(option, value) for option in options)


def unique(values: Iterable[Json]) -> bool:
    """Whether no value is there twice."""
    written = [json.dumps(_plain(value), sort_keys=True) for value in values]
    return len(set(written)) == len(written)


def _plain(value: Json) -> Json:
    """The value with whole floats as integers, so that equal values are written alike."""
    if isinstance(value, float) and value.is_integer():
        return int(value)
    if isinstance(value, list):
        return [_plain(each) for each in value]
    return {key: _plain(each) for key, each in value.items()} if isinstance(value, dict) else value
