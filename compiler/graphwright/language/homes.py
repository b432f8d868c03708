"""Finds the section that a misplaced key belongs in."""

from __future__ import annotations

from typing import Final

from graphwright.language.keys import ACTION, CONDITION, CONFIG, EDGE, HOOK, LIMITS, RETRY, TOP
from graphwright.language.nodes import NODES, node_keys
from graphwright.language.sections import Section

#: Sections, as messages name them, and their keys.
_HOMES: Final[tuple[tuple[str, tuple[str, ...]], ...]] = (
    ("at the top level", TOP.keys),
    ("under `config`", CONFIG.keys),
    ("on a node", node_keys()),
    ("under `action`", ACTION.keys),
    ("in an edge (a list item of `next`)", EDGE.keys),
    ("in a condition", ("path", "op", "operator", "value")),
    ("under `retry`", RETRY.keys),
    ("under `config_schema`", ("properties", "required")),
)

#: The keys of all sections.
ALL_KEYS: Final = frozenset(
    name for each in (TOP, CONFIG, *NODES.values(), ACTION, EDGE, CONDITION, HOOK, RETRY, LIMITS) for name in each.table
)


def belongs(key: str, section: Section) -> str | None:
    """The other sections that take a key, for messages: "at the top level or on a node"; None if there are none."""
    own = {TOP.name: "at the top level", CONFIG.name: "under `config`"}.get(section.name, "")
    if section.name in NODES:
        own = "on a node"
    homes = [phrase for phrase, keys in _HOMES if key in keys and phrase != own]
    return " or ".join(homes[:2]) if homes else None
