"""Where a reference inside a JSON Schema leads (`#`, `#/$defs/row`, `#/allOf/0`)."""

from __future__ import annotations

from urllib.parse import unquote

from graphwright.diagnostic import Json


def pointed(document: Json, reference: str) -> Json:
    """What a JSON pointer in the form of a URI fragment leads to (RFC 6901, section 6); None where to nothing."""
    fragment = unquote(reference[1:])
    if not reference.startswith("#") or (fragment and not fragment.startswith("/")):
        return None
    found = document
    for step in fragment.split("/")[1:]:
        name = step.replace("~1", "/").replace("~0", "~")
        if isinstance(found, dict) and name in found:
            found = found[name]
        elif isinstance(found, list) and _is_index(name) and int(name) < len(found):
            found = found[int(name)]
        else:
            return None
    return found


def _is_index(name: str) -> bool:
    """Whether a step is the position of an item: ASCII digits, of a length that could be one."""
    return name.isascii() and name.isdecimal() and len(name) < 10
