"""Ids of graphs and items: their validity, and the module names of graphs.

An id is a path with `/`, relative to a folder of graphs or items, without the suffix. Lookups and the limits of signing
keys must agree on what an id names, so both use these functions.
"""

from __future__ import annotations

import keyword
from typing import Final

#: Maximum number of bytes of a graph's name in the ids of its runs.
_LONGEST: Final = 100


def is_id(text: str) -> bool:
    """Whether a string is a valid id: it cannot leave its folder, has no empty parts, and is in canonical form."""
    return "\0" not in text and "\\" not in text and {"", ".", ".."}.isdisjoint(text.split("/"))


def run_name(graph_id: str) -> str:
    """The start of the ids of a graph's runs: the last part of its id, reduced to characters valid in folder names."""
    last = graph_id.rpartition("/")[2].encode(errors="ignore")[:_LONGEST].decode(errors="ignore")
    name = "".join(each if each.isprintable() and each not in '\\:"' else "_" for each in last)
    return name.lstrip(".-") or "run"


def module_name(graph_id: str) -> str:
    """The dotted name of a graph's module, relative to its package, as the compiler derives it.

    Several ids can have the same name, such as `team-a/x` and `team_a/x`.
    """
    return ".".join([_part(part) for part in graph_id.split("/") if part] or ["graph"])


def _part(part: str) -> str:
    """One part of an id as a part of a module's name (language.md §1)."""
    name = part
    if not part.isascii():
        import unicodedata

        name = unicodedata.normalize("NFKC", part)
    if not f"_{name}".isidentifier():
        name = "".join(map(_character, name))
    if name.startswith(tuple("0123456789")) or not name.isidentifier():
        name = f"_{name}"
    if keyword.iskeyword(name) or keyword.issoftkeyword(name) or name in {"type", "__init__", "__main__"}:
        name = f"{name}_"
    return name


def _character(character: str) -> str:
    if f"_{character}".isidentifier():
        return character
    return "_" if character.isascii() else f"u{ord(character):x}"
