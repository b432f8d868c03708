"""How much code a schema comes to. Type checkers give up on very long functions, so these are split."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final

from graphwright.ir import Json

#: The number of schemas whose checks stand in one function. pyright gives up at some 250 simple ones.
MAX_WEIGHT: Final = 80


def is_heavy(schema: Json) -> bool:
    """Whether the checks of a schema should be a function of their own, wherever they stand."""
    return _weight(schema) > MAX_WEIGHT


def portions(keys: Iterable[str], properties: Mapping[str, Json]) -> list[tuple[str, ...]]:
    """The keys of a mapping in groups whose checks fit in one function each."""
    found: list[tuple[str, ...]] = [()]
    held = 0
    for key in keys:
        weight = _weight(properties.get(key, True))
        weight = 1 if weight > MAX_WEIGHT else weight  # such a one is a call
        if held + weight > MAX_WEIGHT:
            found.append(())
            held = 0
        found[-1] += (key,)
        held += weight
    return found


def _weight(value: Json) -> int:
    """The number of mappings in a value, itself included; at least 1."""
    count, waiting = 0, [value]
    while waiting:
        each = waiting.pop()
        if isinstance(each, dict):
            count += 1
            waiting.extend(each.values())
        elif isinstance(each, list):
            waiting.extend(each)
    return max(count, 1)
