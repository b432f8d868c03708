"""Tools that are the methods of one object, as described by the protocol `Tools` of a module."""

from __future__ import annotations

from collections.abc import Mapping
from typing import cast

from graphwright_runtime.arguments import expect
from graphwright_runtime.graph import AnyGraph
from graphwright_runtime.tooling import Tool


def tools_by_id(graph: AnyGraph, tools: object) -> Mapping[str, Tool]:
    """The `tools` of a run by item id.

    Raises TypeError if they are neither a mapping nor an object with a method for each tool of the graph.
    """
    if isinstance(tools, Mapping):
        return cast("Mapping[str, Tool]", tools)
    wanted = "a mapping of item ids to callables or graphs"
    if graph.tool_methods:
        wanted += ", or an object with the methods of `Tools`"
    methods = {item_id: getattr(tools, name, None) for item_id, name in graph.tool_methods.items()}
    found = {item_id: method for item_id, method in methods.items() if method is not None}
    expect("tools", tools, bool(found) and not isinstance(tools, type), wanted)
    lacking = [f"`{name}` (for `{item_id}`)" for item_id, name in graph.tool_methods.items() if item_id not in found]
    if lacking:
        raise TypeError(f"tools lacks methods of `Tools`: {type(tools).__name__} has no {', no '.join(lacking)}")
    return found
