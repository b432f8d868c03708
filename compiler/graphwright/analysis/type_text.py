"""How messages describe types."""

from __future__ import annotations

from typing import Final

from graphwright.analysis.bounds import Bounds
from graphwright.analysis.jsontype import Type

_PHRASES: Final = ("object", "array", "string", "number", "integer", "boolean", "null")


def describe(kind: Type) -> str:
    """The type for a message: `integer`, `string or null`, `list of strings`."""
    if not kind.kinds:
        return "nothing"
    if not kind.known:
        return "anything"
    names = [name for name in _PHRASES if name in kind.kinds]
    if "number" in names and "integer" in names:
        names.remove("integer")
    words = [_phrase(name, kind) for name in names]
    return " or ".join(words) if len(words) < 3 else f"{', '.join(words[:-1])} or {words[-1]}"


def a_value_of(kind: Type) -> str:
    """The type with an article: `a string`, `an integer or null`."""
    spoken = describe(kind)
    if not kind.known or spoken.startswith(("nothing", "null")):
        return spoken
    return f"an {spoken}" if spoken[0] in "aeiou" else f"a {spoken}"


def limited(bounds: Bounds) -> str:
    """A suffix for a type with bounds: ` (from 0 to 2)`, ` (above 0)`."""
    if bounds.low is not None and bounds.high is not None and not (bounds.open_low or bounds.open_high):
        return f" (from {bounds.low} to {bounds.high})"
    words = []
    if bounds.low is not None:
        words.append(f"{'above' if bounds.open_low else 'at least'} {bounds.low}")
    if bounds.high is not None:
        words.append(f"{'below' if bounds.open_high else 'at most'} {bounds.high}")
    return f" ({' and '.join(words)})" if words else ""


def _phrase(name: str, kind: Type) -> str:
    if name != "array":
        return name
    item = kind.item
    if not item.known or not item.kinds:
        return "list"
    inner = describe(item)
    if " or " in inner:
        return f"list of ({inner})"
    noun, _, rest = inner.partition(" ")
    return f"list of {noun}{'' if noun == 'null' else 's'}{' ' if rest else ''}{rest}"
