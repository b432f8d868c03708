"""Traverses the IR: values and conditions, what a node reads and sets, all actions of a graph.

All code that needs the contents of a graph uses these functions, so a new type of node or value is added in one place.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from enum import Enum
from typing import TypeAlias, assert_never

import yaml

from graphwright import ir
from graphwright.record import Record, replace


class Role(Enum):
    """What a value is for."""

    ITEM_ID = "item id"
    PARAMS = "params"
    OVER = "over"
    ASSIGN = "assign"
    CONDITION = "condition"
    OUTPUT = "output"


#: A value, its role, and its YAML node, if there is one.
Operand: TypeAlias = tuple[Role, ir.Value, yaml.Node | None]

#: A path, and the scalar that its offsets refer to.
PlacedRead: TypeAlias = tuple[ir.Read, yaml.ScalarNode]


# --- nodes -------------------------------------------------------------------------------------------------


def regions(node: ir.Node) -> tuple[ir.Region, ...]:
    """The regions of nodes inside a node, in file order."""
    match node:
        case ir.ActionNode() | ir.GateNode() | ir.ForeachNode() | ir.ReturnNode():
            return ()
        case _:
            assert_never(node)


def regions_in(region: ir.Region) -> Iterator[ir.Region]:
    """A region and those inside its nodes, at any depth."""
    yield region
    for node in region.nodes.values():
        for inner in regions(node):
            yield from regions_in(inner)


def nodes(region: ir.Region) -> Iterator[ir.Node]:
    """Every node of a region, each followed by those of the regions inside it."""
    for node in region.nodes.values():
        yield node
        for inner in regions(node):
            yield from nodes(inner)


def calling_nodes(graph: ir.Graph) -> Iterator[ir.CallingNode]:
    """The nodes of a graph that call something."""
    return (node for node in nodes(graph.body) if isinstance(node, ir.CallingNode))


def operands(node: ir.Node) -> Iterator[Operand]:
    """The values that a node evaluates first, before it assigns anything: `over`, the action's, the output."""
    match node:
        case ir.ActionNode():
            if node.action is not None:
                yield from action_operands(node.action)
        case ir.ForeachNode():
            yield Role.OVER, node.over, node.over_at
            if node.action is not None:
                yield from action_operands(node.action)
        case ir.ReturnNode():
            if node.output is not None:
                yield Role.OUTPUT, node.output, node.output_at
            if node.error is not None:
                yield Role.OUTPUT, node.error, node.error_at
        case ir.GateNode():
            pass
        case _:
            assert_never(node)


def action_operands(action: ir.Action) -> Iterator[Operand]:
    """The values that an action is called with."""
    yield Role.ITEM_ID, action.item_id, action.item_id_at
    yield Role.PARAMS, action.params, action.params_at


def given(action: ir.Action) -> Mapping[str, ir.Value] | None:
    """The params of an action by name; None where they are not a mapping that could be looked into."""
    return entries(action.params)


def entries(value: ir.Value) -> Mapping[str, ir.Value] | None:
    """The values of a mapping by key; None for what is not a mapping that could be looked into."""
    if isinstance(value, ir.MapOf):
        return dict(value.entries)
    if isinstance(value, ir.Const) and isinstance(value.value, dict):
        return {name: ir.Const(entry) for name, entry in value.value.items()}
    return None


def output(node: ir.Node) -> ir.Value | None:
    """What a run that completes at a node returns; None for the state."""
    match node:
        case ir.ReturnNode():
            return node.output
        case ir.ActionNode() | ir.GateNode() | ir.ForeachNode():
            return None
        case _:
            assert_never(node)


def conditions(node: ir.Node) -> Iterator[ir.Condition]:
    """The conditions of a node's edges, in order."""
    return (edge.when for edge in node.edges if edge.when is not None)


def node_comparisons(node: ir.Node) -> Iterator[ir.Compare]:
    """Every comparison in the conditions of a node's edges."""
    for condition in conditions(node):
        yield from comparisons(condition)


def keys_set(node: ir.Node) -> Iterator[tuple[str, yaml.Node]]:
    """The state keys that a node sets, each with its YAML node, in order; a key may occur twice."""
    for entry in node.assigns:
        yield entry.key, entry.key_at
    if isinstance(node, ir.ForeachNode) and node.collect is not None:
        yield node.collect, node.collect_at or node.name_at


class Caller(Record):
    """An action and its owner: a node or a hook.

    `is_shared`: the hook is one of the project, and its YAML nodes are in another file than the graph. `is_task`: the
    action is one of those that the owner spawns, so the result of the owner is not that of the action.
    """

    action: ir.Action
    node: ir.CallingNode | None
    hook: ir.Hook | None = None
    is_shared: bool = False
    is_task: bool = False

    @property
    def owner(self) -> str:
        """For messages: "node `fetch`", "hook `notify`", "hook 2 of `infra_hooks` of the project"."""
        if self.hook is not None:
            return f"{self.hook.owner} of the project" if self.is_shared else self.hook.owner
        return "" if self.node is None else f"node `{self.node.name}`"


def callers(graph: ir.Graph) -> Iterator[Caller]:
    """Every action of a graph, each followed by those that it spawns; those of its hooks and of its project's last."""
    for node in calling_nodes(graph):
        if node.action is not None:
            yield from _with_tasks(Caller(node.action, node))
    for hooks, is_shared in ((graph.hooks, False), (graph.shared_hooks, True)):
        for hook in hooks:
            if isinstance(hook.action, ir.Action):
                yield from _with_tasks(Caller(hook.action, None, hook, is_shared))


def _with_tasks(caller: Caller) -> Iterator[Caller]:
    yield caller
    yield from (replace(caller, action=task, is_task=True) for task in caller.action.tasks)


# --- conditions and values ---------------------------------------------------------------------------------


def comparisons(condition: ir.Condition) -> Iterator[ir.Compare]:
    """Every comparison inside a condition, in document order."""
    match condition:
        case ir.Compare():
            yield condition
        case ir.Not(inner):
            yield from comparisons(inner)
        case ir.AnyOf(parts) | ir.AllOf(parts):
            for part in parts:
                yield from comparisons(part)


def children(value: ir.Value) -> tuple[ir.Value, ...]:
    """The values directly inside a value."""
    match value:
        case ir.Const() | ir.Read():
            return ()
        case ir.Template(value=inner):
            return (inner,)
        case ir.Text(parts):
            return tuple(part for part in parts if not isinstance(part, str))
        case ir.FirstOf(operands):
            return operands
        case ir.Arithmetic(first, operations):
            return (first, *(operation.operand for operation in operations))
        case ir.Negative(operand=operand):
            return (operand,)
        case ir.Pipe(operand=operand, arguments=arguments):
            return (operand, *arguments)
        case ir.ListOf(items):
            return items
        case ir.MapOf(entries):
            return tuple(entry for _, entry in entries)
        case _:
            assert_never(value)


def parts(value: ir.Value) -> Iterator[ir.Value]:
    """A value and everything inside it, in source order."""
    yield value
    for child in children(value):
        yield from parts(child)


def reads(value: ir.Value) -> Iterator[ir.Read]:
    """Every path in a value, in source order."""
    if isinstance(value, ir.Read):
        yield value
    else:
        for child in children(value):
            yield from reads(child)


def placed_reads(value: ir.Value) -> Iterator[PlacedRead]:
    """Every path in the templates of a value, each with the scalar that contains it."""
    if isinstance(value, ir.Template):
        for read in reads(value.value):
            yield read, value.at
    else:
        for child in children(value):
            yield from placed_reads(child)


def condition_reads(condition: ir.Condition) -> Iterator[PlacedRead]:
    """Every path in a condition, on either side of its comparisons."""
    for compare in comparisons(condition):
        yield compare.left, compare.left_at
        yield from placed_reads(compare.right)
