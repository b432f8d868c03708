"""Times in another unit than that of their key: `timeout_ms: 30000` and `timeout: 30s` for `timeout_s: 30`."""

from __future__ import annotations

from decimal import Decimal
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

#: A number that every version of YAML and every reader takes for the same, and few enough digits for a float.
_TIME: Final = pattern(r"((?:0|[1-9][0-9_]{0,11})(?:\.[0-9]{1,6})?) ?([A-Za-z]*)\Z")
_SEPARATORS: Final = pattern(r"[-_ ]+|(?<=[a-z])(?=[A-Z])")


def in_unit_of(key: str, value: Node, written: str = "") -> str | None:
    """The number that `key` takes for a time in another unit, which the value or the key as `written` names.

    None if neither names one, if it is that of `key`, or if the number is 0, which few keys take.
    """
    unit = _unit(key)
    found = _TIME.match(value.value.strip()) if unit is not None and isinstance(value, ScalarNode) else None
    if found is None or unit is None:
        return None
    given = _UNITS.get(found[2].lower() or _named(key, written))
    number = Decimal(found[1])
    if given is None or not number or (given == unit and not found[2]):
        return None
    return f"{(number * given / unit).normalize():f}"


def may_be_other_unit(key: str, written: str) -> bool:
    """Whether a number below a key as `written` can be in another unit than that of `key`.

    A key that names no unit is in seconds.
    """
    unit = _unit(key)
    return unit is not None and _UNITS.get(_named(key, written) or "s") != unit


def _unit(key: str) -> int | None:
    return _UNITS.get(key.rpartition("_")[2]) if "_" in key else None


def _named(key: str, written: str) -> str:
    """The unit, known or not, that a key as `written` names instead of that of `key`; empty if it names none."""
    words = [word.lower() for word in _SEPARATORS.split(written)]
    whole = "".join(words)
    rest = whole.removeprefix(key.rpartition("_")[0].replace("_", ""))
    return rest if rest != whole else words[-1] if words[-1] in _UNITS else ""
