"""Capability patterns: their modern spelling, and suggestions for malformed ones."""

from __future__ import annotations

import re

from graphwright.language.words import KINDS, PRIMARIES, PRIMARY_ALIASES, PRIMARY_SYNONYMS
from graphwright.pattern import pattern
from graphwright.record import Record
from graphwright.suggest import nearest

_ITEM = pattern(r"(?:(tool|directive|knowledge):)?([\w.-]+(?:/[\w.*-]+)+|(?<=:)[\w.*-]+)\Z")
#: A capability with the slashes of an id.
_SLASHED = pattern(r"(?:rye|ryeos)/(?:execute|search|load|sign|fetch)/")
#: Separates the items of a list that YAML joined because a line is indented too far or has no dash.
_JOINED = pattern(r"\s+(?:-\s+)?(?=rye)")
_WILD = pattern(r"[*?\[]")
_ACCEPTED_PRIMARIES = (*PRIMARIES, *PRIMARY_ALIASES)


class Malformed(Record):
    """Why a string is not a capability pattern, the likely correct one, and the valid words for an invalid part."""

    reason: str
    suggestion: str | None
    legal: tuple[str, ...] = ()


def malformed(pattern: str) -> Malformed | None:
    """What is wrong with a string as a capability pattern; None if it is valid."""
    if not pattern.strip():
        return Malformed("it is empty", None)
    if joined(pattern):
        return Malformed("the next line of the list ran into it", None)
    if pattern != pattern.strip() or re.search(r"\s", pattern):
        trimmed = re.sub(r"\s+", "", pattern)
        return Malformed("it contains a space", trimmed if malformed(trimmed) is None else None)
    bare = pattern.strip("“”„‘’‚").replace('"', "").replace("'", "")
    if bare != pattern:
        why = (
            "one of its quotes is missing" if '"' in pattern or "'" in pattern else "its curly quotes are a part of it"
        )
        return Malformed(why, bare if malformed(bare) is None else None)
    if _SLASHED.match(pattern):
        dotted = pattern.replace("/", ".")
        return Malformed("the parts of a capability are joined by dots", dotted if malformed(dotted) is None else None)
    item = _ITEM.match(pattern)
    if item is not None and not pattern.startswith(("rye.", "ryeos.")):
        return Malformed("it is an item id", f"rye.execute.{item[1] or 'tool'}.{item[2].replace('/', '.')}")
    if "/" in pattern or ":" in pattern:
        fixed = pattern.replace("/", ".").replace(":", ".")
        return Malformed("the parts of a capability are joined by dots", fixed if malformed(fixed) is None else None)
    parts = pattern.split(".")
    if _WILD.search(parts[0]):
        return None
    if parts[0] not in ("rye", "ryeos"):
        near = nearest(parts[0], ("rye", "ryeos")) if len(parts) > 2 else None
        fixed = ".".join((near or "rye", *parts[1:])) if near else f"rye.{pattern}"
        return Malformed("it must begin with `rye.`", fixed if malformed(fixed) is None else None)
    return _segments(parts)


def joined(pattern: str) -> list[str]:
    """The patterns in a string that contains several of them; otherwise empty."""
    words = _JOINED.split(pattern)
    return words if len(words) > 1 and all(malformed(word) is None for word in words) else []


def _segments(parts: list[str]) -> Malformed | None:
    """What is wrong with the parts after `rye`; None if they are valid."""
    if "" in parts:
        closed_up = "rye." + (".".join(part for part in parts[1:] if part) or "*")
        return Malformed("it has an empty part", closed_up if malformed(closed_up) is None else None)
    if len(parts) < 2:
        return Malformed("it names nothing", "rye.*")
    for place, legal, what in ((1, _ACCEPTED_PRIMARIES, "primary"), (2, KINDS, "kind of item")):
        if len(parts) <= place or _WILD.search(parts[place]):
            if len(parts) > place and "*" in parts[place]:
                return None
            continue
        if parts[place] not in legal:
            word = (PRIMARY_SYNONYMS.get(parts[1]) if place == 1 else None) or nearest(parts[place], legal)
            fixed = ".".join((*parts[:place], word, *parts[place + 1 :])) if word else None
            return Malformed(f"`{parts[place]}` is not a {what}", fixed, KINDS if legal is KINDS else PRIMARIES)
    return None


def modern(pattern: str) -> str:
    """The same pattern without `ryeos` and `fetch`, the older names of `rye` and `load`."""
    pattern = re.sub(r"^ryeos\.", "rye.", pattern)
    return re.sub(r"^rye\.fetch(?=\.|$)", "rye.load", pattern)
