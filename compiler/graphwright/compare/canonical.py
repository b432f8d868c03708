"""Sorts the parts of nodes whose order has no meaning: entries of mappings, categories, independent assigns."""

from __future__ import annotations

from graphwright import ir
from graphwright.ir import Json, Root, visit
from graphwright.record import replace


def canonical_node(node: ir.Node) -> ir.Node:
    """An equivalent node with its parts sorted."""
    changes: dict[str, object] = {"assigns": _assigns(node)} if isinstance(node, ir.RoutedNode) else {}
    if isinstance(node, ir.CallingNode):
        if node.action is not None:
            changes["action"] = canonical_action(node.action)
        if node.retry is not None:
            changes["retry"] = replace(node.retry, categories=tuple(sorted(node.retry.categories)))
        changes["env"] = tuple(sorted(node.env, key=lambda variable: variable.name))
    if isinstance(node, ir.ReturnNode) and node.output is not None:
        changes["output"] = _value(node.output)
    return replace(node, **changes)


def canonical_action(action: ir.Action) -> ir.Action:
    """An equivalent action with its params sorted by name."""
    return replace(action, params=_value(action.params))


def _assigns(node: ir.RoutedNode) -> tuple[ir.Assign, ...]:
    """The assigns sorted by key, unless one of them reads a key that another one sets."""
    assigns = tuple(replace(each, value=_value(each.value)) for each in node.assigns)
    keys = {each.key for each in assigns}
    is_chain = len(keys) < len(assigns) or any(
        read.root is Root.STATE and (not read.path or read.path[0] in keys)
        for each in assigns
        for read in visit.reads(each.value)
    )
    return assigns if is_chain else tuple(sorted(assigns, key=lambda each: each.key))


def _value(value: ir.Value) -> ir.Value:
    match value:
        case ir.Const(constant):
            return ir.Const(_json(constant))
        case ir.MapOf(entries):
            return ir.MapOf(tuple((key, _value(each)) for key, each in sorted(entries, key=lambda entry: entry[0])))
        case ir.ListOf(items):
            return ir.ListOf(tuple(map(_value, items)))
        case _:
            return value


def _json(value: Json) -> Json:
    if isinstance(value, dict):
        return {key: _json(value[key]) for key in sorted(value)}
    return [_json(item) for item in value] if isinstance(value, list) else value
