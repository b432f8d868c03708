"""The names of pinned items in a manifest: tools, directives and knowledge that graphs were built with.

`billing/pay` is a tool, `directive:billing/ask` a directive. A tool whose id contains a colon is written `tool:odd:id`,
so each name denotes exactly one item.
"""

from __future__ import annotations

from graphwright_runtime.trust.signing import Purpose

_KINDS = ("tool", "directive", "knowledge", "source")


def pin_name(purpose: Purpose, item_id: str) -> str:
    """The pin name of an item."""
    return item_id if purpose == "tool" and ":" not in item_id else f"{purpose}:{item_id}"


def pinned_id(name: str) -> str:
    """The id of the item with this pin name; the whole name if it has no known prefix."""
    kind, _, item_id = name.partition(":")
    return item_id if kind in _KINDS and item_id else name
