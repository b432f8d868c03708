"""Times in another unit than that of their key: `timeout_ms: 30000` and `timeout: 30s` for `timeout_s: 30`."""

from __future__ import annotations

from typing import Final

from yaml.nodes import Node, ScalarNode

from graphwright.pattern import pattern

#: Milliseconds of each unit, by how people write it.
_UNITS: Final = {
    name: milliseconds
    for milliseconds, names in (
        (1, ("ms", "millis", "milliseconds")),
        (1000, ("s", "sec", "secs", "second", "seconds")),
        (60_000, ("m", "min", "mins", "minute", "minutes")),
        (3_600_000, ("h", "hr", "hour", "hours")),
    )
    for name in names
}

_TIME: Final = pattern(r"([0-9]{1,9}(?:\.[0-9]{1,3})?) ?([A-Za-z]*)\Z")


def in_unit_of(key: str, value: Node, written: str = "") -> str | None:
    """The number that `key` takes for a time in another unit, which the value or the key as `written` names.

    None if neither names one, or if it is that of `key`.
    """
    unit = _UNITS.get(key.rpartition("_")[2]) if "_" in key else None
    found = _TIME.match(value.value.strip()) if unit is not None and isinstance(value, ScalarNode) else None
    if found is None or unit is None:
        return None
    named = found[2].lower() or written.lower().rpartition("_")[2]
    given = _UNITS.get(named)
    if given is None or (given == unit and not found[2]):
        return None
    return f"{float(found[1]) * given / unit:.6f}".rstrip("0").rstrip(".")
