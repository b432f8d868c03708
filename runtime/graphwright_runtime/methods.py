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
    methods = {item_id: _method(tools, name) for item_id, name in graph.tool_methods.items()}
    found = {item_id: method for item_id, method in methods.items() if method is not None}
    is_object = not isinstance(tools, type) and type(tools).__module__ != "builtins"
    expect("tools", tools, bool(graph.tool_methods) and is_object, wanted)
    lacking = [f"`{name}` (for `{item_id}`)" for item_id, name in graph.tool_methods.items() if item_id not in found]
    if lacking:
        raise TypeError(f"tools lacks methods of `Tools`: {type(tools).__name__} has no {', no '.join(lacking)}")
    return found


def _method(tools: object, name: str) -> Tool | None:
    """The method with this name; None if there is none, or only the one without a body that `Tools` declares."""
    method = getattr(tools, name, None)
    owner = next((each for each in type(tools).__mro__ if name in vars(each)), None)
    is_declared = getattr(method, "__self__", None) is tools and getattr(owner, "_is_protocol", False)
    return None if is_declared else cast("Tool | None", method)
