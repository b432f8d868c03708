"""What the manifest of a package calls the tools, directives and knowledge that its graphs were built with.

`billing/pay` is a tool, `directive:billing/ask` a directive. Ids can hold colons, too, so a tool whose id has one is
written `tool:odd:id`: each name stands for one item, and whoever judges it sees the whole id.
"""

from __future__ import annotations

from graphwright_runtime.trust.signing import Purpose

_KINDS = ("tool", "directive", "knowledge", "source")


def pin_name(purpose: Purpose, item_id: str) -> str:
    """The name of the pin of an item."""
    return item_id if purpose == "tool" and ":" not in item_id else f"{purpose}:{item_id}"


def pinned_id(name: str) -> str:
    """The id of the item that a pin speaks of; the whole name where it is not the name of a pin."""
    kind, _, item_id = name.partition(":")
    return item_id if kind in _KINDS and item_id else name
