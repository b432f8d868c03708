"""Lists and mappings that are texts to YAML: their signs touch what they should stand apart from, `-a` for `- a` and
`a:b` for `a: b`, or are missing.
"""

from __future__ import annotations

import re

from yaml.nodes import Node, ScalarNode

from graphwright.pattern import pattern
from graphwright.source import scalars
from graphwright.source.spelling import ODD_BLANKS, spelt

_SIGN = pattern(r"(?:(-)[^ \n-]|[\w-]+(:)(?!//)[^ \n])")
_RAN_INTO = pattern(rf"([\w-]+)(?::[ {ODD_BLANKS}]*|[ {ODD_BLANKS}]+)(?=\S)(.+)", re.DOTALL)


def touching(node: Node) -> str | None:
    """What to type where a text is a list or a mapping but for a blank; None where it is not."""
    if not isinstance(node, ScalarNode) or node.style or node.tag != scalars.STR:
        return None
    sign = _SIGN.match(node.value)
    return f"put a plain blank behind each `{sign[1] or sign[2]}`" if sign else None


def as_list(node: ScalarNode) -> str:
    """What to type where a text should be a list of texts."""
    if len(node.value.split()) > 1:
        return touching(node) or "write a list, each item behind `- ` on a line of its own"
    return touching(node) or f"write `[{spelt(node.value, node.style)}]`"


def ran_together(text: str) -> list[str]:
    """The items of a list that ran together into one text, without their dashes."""
    return [item for word in text.split() if (item := word.lstrip(f"-{ODD_BLANKS}"))]


def key_and_value(text: str) -> tuple[str, str] | None:
    """What a key that ran into its value was meant to be: `to done`, `to:done`."""
    apart = _RAN_INTO.fullmatch(text)
    return (apart[1], apart[2]) if apart else None
