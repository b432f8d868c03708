"""Lists and mappings that YAML reads as strings because a space is missing: `-a` for `- a`, `a:b` for `a: b`."""

from __future__ import annotations

import re

from yaml.nodes import Node, ScalarNode

from graphwright.pattern import pattern
from graphwright.source import scalars
from graphwright.source.spelling import ODD_BLANKS, quoted_like

_SIGN = pattern(r"(?:(-)[^ \n-]|[\w-]+(:)(?!//)[^ \n])")
_RAN_INTO = pattern(rf"([\w-]+)(?::[ {ODD_BLANKS}]*|[ {ODD_BLANKS}]+)(?=\S)(.+)", re.DOTALL)


def missing_space(node: Node) -> str | None:
    """The hint for a string that would be a list or a mapping with a space; otherwise None."""
    if not isinstance(node, ScalarNode) or node.style or node.tag != scalars.STR:
        return None
    sign = _SIGN.match(node.value)
    return f"put a plain space after each `{sign[1] or sign[2]}`" if sign else None


def list_hint(node: ScalarNode) -> str:
    """The hint for a string that should be a list of strings."""
    if len(node.value.split()) > 1:
        return missing_space(node) or "write a list, each item after `- ` on a line of its own"
    return missing_space(node) or f"write `[{quoted_like(node.value, node.style)}]`"


def items_run_together(text: str) -> list[str]:
    """The items of a list that were joined into one string, because their dashes are missing."""
    return [item for word in text.split() if (item := word.lstrip(f"-{ODD_BLANKS}"))]


def split_key(text: str) -> tuple[str, str] | None:
    """The key and value of a key that is glued to its value, such as `to done` or `to:done`; otherwise None."""
    apart = _RAN_INTO.fullmatch(text)
    return (apart[1], apart[2]) if apart else None
