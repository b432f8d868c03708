"""Compares JSON values exactly or with the two matchers of the case format, and describes the first difference."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from typing import cast

_LONGEST = 160


def difference(expected: object, actual: object, place: str) -> str | None:
    """Describe the first difference of `actual` from `expected`; None if there is none.

    `{"$match": regex}` matches a string or a number with `re.search`; `{"$has": {…}}` matches a mapping that contains
    at least these keys and values. True and false differ from 1 and 0; 1 equals 1.0.
    """
    if isinstance(expected, dict):
        wanted = cast("dict[str, object]", expected)
        if set(wanted) == {"$match"}:
            return _match(str(wanted["$match"]), actual, place)
        if set(wanted) == {"$has"} and isinstance(wanted["$has"], dict):
            return _mapping(cast("dict[str, object]", wanted["$has"]), actual, place, exact=False)
        return _mapping(wanted, actual, place, exact=True)
    if isinstance(expected, list):
        return _list(cast("list[object]", expected), actual, place)
    if isinstance(expected, bool) != isinstance(actual, bool) or expected != actual:
        return unequal(expected, actual, place)
    return None


def multiset_difference(expected: Sequence[object], actual: Sequence[object], place: str) -> str | None:
    """`difference` of lists whose order does not matter."""
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
    """The message for two different values."""
    return f"{place}: expected {show(expected)}, got {show(actual)}"


def show(value: object) -> str:
    """A value as JSON, truncated if it is long."""
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
    given = cast("Mapping[str, object]", actual)
    for key, wanted in expected.items():
        if key not in given:
            return f"{place}.{key}: expected {show(wanted)}, but there is no such key"
        found = difference(wanted, given[key], f"{place}.{key}")
        if found is not None:
            return found
    if exact:
        for key in given:
            if key not in expected:
                return f"{place}.{key}: not expected, got {show(given[key])}"
    return None


def _list(expected: Sequence[object], actual: object, place: str) -> str | None:
    if not isinstance(actual, list | tuple):
        return unequal(expected, actual, place)
    given = cast("Sequence[object]", actual)
    for index, (wanted, got) in enumerate(zip(expected, given, strict=False)):
        found = difference(wanted, got, f"{place}[{index}]")
        if found is not None:
            return found
    if len(given) < len(expected):
        return f"{place}[{len(given)}]: expected {show(expected[len(given)])}, but the list ends before"
    if len(given) > len(expected):
        return f"{place}[{len(expected)}]: not expected, got {show(given[len(expected)])}"
    return None
