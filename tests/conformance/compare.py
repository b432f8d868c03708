"""Exact comparison of JSON values, with the two matchers of the case format, and the first difference in words."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence

_LONGEST = 160


def difference(expected: object, actual: object, place: str) -> str | None:
    """Where and how `actual` first differs from `expected`; None where it does not.

    `{"$match": regex}` is `re.search` on text, or on the text of a number; `{"$has": {…}}` is a mapping with at
    least these. True and false equal neither 1 nor 0; 1 equals 1.0.
    """
    if isinstance(expected, dict):
        if set(expected) == {"$match"}:
            return _match(str(expected["$match"]), actual, place)
        if set(expected) == {"$has"} and isinstance(expected["$has"], dict):
            return _mapping(expected["$has"], actual, place, exact=False)
        return _mapping(expected, actual, place, exact=True)
    if isinstance(expected, list):
        return _list(expected, actual, place)
    if isinstance(expected, bool) != isinstance(actual, bool) or expected != actual:
        return unequal(expected, actual, place)
    return None


def multiset_difference(expected: Sequence[object], actual: Sequence[object], place: str) -> str | None:
    """The same for a list whose order does not matter."""
    left = list(actual)
    for index, wanted in enumerate(expected):
        for position, candidate in enumerate(left):
            if difference(wanted, candidate, "") is None:
                del left[position]
                break
        else:
            return f"{place}[{index}]: {show(wanted)} is nowhere among {show(list(actual))}"
    return f"{place}: one too many, {show(left[0])}" if left else None


def unequal(expected: object, actual: object, place: str) -> str:
    """The sentence for two values that differ."""
    return f"{place}: expected {show(expected)}, got {show(actual)}"


def show(value: object) -> str:
    """A value as JSON, cut to one readable length."""
    text = json.dumps(value, ensure_ascii=False, default=repr)
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}…"


def _match(pattern: str, actual: object, place: str) -> str | None:
    if isinstance(actual, str):
        text = actual
    elif isinstance(actual, int | float) and not isinstance(actual, bool):
        text = str(actual)
    else:
        return f"{place}: expected text like /{pattern}/, got {show(actual)}"
    return None if re.search(pattern, text) else f"{place}: expected text like /{pattern}/, got {show(actual)}"


def _mapping(expected: Mapping[str, object], actual: object, place: str, *, exact: bool) -> str | None:
    if not isinstance(actual, Mapping):
        return unequal(dict(expected), actual, place)
    for key, wanted in expected.items():
        if key not in actual:
            return f"{place}.{key}: expected {show(wanted)}, but there is no such key"
        found = difference(wanted, actual[key], f"{place}.{key}")
        if found is not None:
            return found
    if exact:
        for key in actual:
            if key not in expected:
                return f"{place}.{key}: not expected, got {show(actual[key])}"
    return None


def _list(expected: Sequence[object], actual: object, place: str) -> str | None:
    if not isinstance(actual, list | tuple):
        return unequal(expected, actual, place)
    for index, (wanted, got) in enumerate(zip(expected, actual, strict=False)):
        found = difference(wanted, got, f"{place}[{index}]")
        if found is not None:
            return found
    if len(actual) < len(expected):
        return f"{place}[{len(actual)}]: expected {show(expected[len(actual)])}, but the list ends before"
    if len(actual) > len(expected):
        return f"{place}[{len(expected)}]: not expected, got {show(actual[len(expected)])}"
    return None
