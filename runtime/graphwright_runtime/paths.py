"""Reads paths of values: `at(value, "rows", 0, "id")`."""

from __future__ import annotations

from typing import cast

from graphwright_runtime.values import Json


def at(value: object, *steps: str | int) -> Json:
    """The value at the end of a path; null if it does not exist (language.md §4). Never raises.

    A step is a key of a mapping. An integer, or a string of digits with an optional `-`, is also an index of a list
    (negative: from the end). A step into a scalar gives null.
    """
    for step in steps:
        if isinstance(value, dict):
            value = value.get(step if isinstance(step, str) else str(step))
        elif isinstance(value, list):
            index = step if isinstance(step, int) else _index(step)
            if index is None or not -len(value) <= index < len(value):
                return None
            value = value[index]
        else:
            return None
    return cast("Json", value)


def _index(step: str) -> int | None:
    digits = step.removeprefix("-")
    return int(step) if digits.isascii() and digits.isdigit() and len(digits) < 20 else None
