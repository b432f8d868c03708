"""The invariants of the IR, checked after lowering and before anything is emitted.

If a valid graph violates one, that is a bug in the compiler, not a mistake of its author. The error names the invariant
and the YAML that the construct came from.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import assert_never

import yaml

from graphwright import ir
from graphwright.ir import visit
from graphwright.ir.visit import Role
from graphwright.language.events import EVENTS, RUN_FIELDS
from graphwright.language.operators import OPERATORS
from graphwright.language.pipes import PIPES
from graphwright.language.words import KINDS, PRIMARIES
from graphwright.record import Record

_ARITHMETIC = frozenset("+-*/%")
_ALWAYS = frozenset({ir.Root.NOW, ir.Root.TIMESTAMP, ir.Root.RUN})
_IN_NODES = _ALWAYS | {ir.Root.STATE, ir.Root.INPUTS}


class BrokenGraphError(Exception):
    """A violated invariant; `at` is the YAML that the construct came from, None for the whole file."""

    def __init__(self, message: str, at: yaml.Node | None) -> None:
        super().__init__(message)
        self.message = message
        self.at = at


class _Broken(Record):
    message: str
    at: yaml.Node | None


def verify(graph: ir.Graph) -> None:
    """Raise `BrokenGraphError` for the first invariant that `graph` violates."""
    for problem in _graph(graph):
        raise BrokenGraphError(problem.message, problem.at)


def _graph(graph: ir.Graph) -> Iterator[_Broken]:
    if graph.settings.max_steps < 1 or graph.settings.max_concurrency < 1:
        yield _Broken("a limit is below 1", graph.settings.max_steps_at)
    for permission in graph.permissions or ():
        if permission.pattern.startswith(("ryeos.", "rye.fetch")):
            yield _Broken(f"permission {permission.pattern!r} has an old spelling", permission.at)
    yield from _region(graph.body)
    for hook in graph.all_hooks:
        yield from _hook(hook)


def _region(region: ir.Region) -> Iterator[_Broken]:
    """A region, and those inside its nodes: edges stay within one."""
    if region.start not in region.nodes:
        yield _Broken(f"start is {region.start!r}, which is not a node", region.start_at)
    for name, node in region.nodes.items():
        if name != node.name:
            yield _Broken(f"node {node.name!r} has the key {name!r}", node.at)
        yield from _node(node)
        yield from _edges(region, node)
        for inner in visit.regions(node):
            yield from _region(inner)


def _hook(hook: ir.Hook) -> Iterator[_Broken]:
    if hook.event not in EVENTS:
        yield _Broken(f"there is no event {hook.event!r}", hook.at)
        return
    roots = _ALWAYS | {ir.Root.EVENT}
    if hook.when is not None:
        yield from _condition(hook.when, roots, hook.event)
    if isinstance(hook.action, ir.Action):
        yield from _action(hook.action)
        for _, value, at in visit.action_operands(hook.action):
            yield from _value(value, roots, at, hook.event)


def _node(node: ir.Node) -> Iterator[_Broken]:
    yield from _shape(node)
    item, assigning, leaving = _visible(node)
    for role, value, at in visit.operands(node):
        yield from _value(value, _IN_NODES if role is Role.OVER else _IN_NODES | item, at)
    for assign in node.assigns:
        yield from _value(assign.value, _IN_NODES | assigning, assign.value_at)
    for condition in visit.conditions(node):
        yield from _condition(condition, _IN_NODES | leaving)


def _visible(node: ir.Node) -> tuple[frozenset[ir.Root], frozenset[ir.Root], frozenset[ir.Root]]:
    """The additional namespaces that a node's action, its assigns and its edges can read."""
    nothing, item, result = frozenset[ir.Root](), frozenset({ir.Root.ITEM}), frozenset({ir.Root.RESULT})
    match node:
        case ir.ActionNode():
            return nothing, result, result
        case ir.ForeachNode():
            return item, item | result, nothing
        case ir.GateNode() | ir.ReturnNode():
            return nothing, nothing, nothing
        case _:
            assert_never(node)


def _shape(node: ir.Node) -> Iterator[_Broken]:
    """Invariants of nodes that their types do not express."""
    if isinstance(node, ir.CallingNode):
        if node.action is None:
            yield _Broken(f"{node.kind} node {node.name!r} lacks an action", node.at)
        else:
            yield from _action(node.action)
        if node.retry is not None and not 1 <= node.retry.attempts <= 10:
            yield _Broken(f"node {node.name!r} retries {node.retry.attempts} times", node.at)
    if isinstance(node, ir.ForeachNode) and node.parallel and node.assigns:
        yield _Broken(f"the parallel foreach {node.name!r} assigns", node.at)


def _edges(region: ir.Region, node: ir.Node) -> Iterator[_Broken]:
    for number, edge in enumerate(node.edges):
        if edge.target not in region.nodes:
            yield _Broken(f"node {node.name!r} leads to {edge.target!r}, which is not a node", edge.target_at)
        if edge.when is None and number + 1 < len(node.edges):
            yield _Broken(f"node {node.name!r} has edges after an unconditional one", edge.at)
    rescue = node.on_error
    if rescue is not None and rescue.target not in region.nodes:
        yield _Broken(f"on_error of {node.name!r} is {rescue.target!r}, which is not a node", rescue.target_at)


def _action(action: ir.Action) -> Iterator[_Broken]:
    if action.primary not in PRIMARIES or action.kind not in (*KINDS, None):
        yield _Broken(f"there is no action {action.primary} {action.kind}", action.at)
    static = isinstance(action.item_id, ir.Const)
    if static != (action.capability is not None):
        yield _Broken("a static id has a capability, a dynamic one has none", action.at)
    if not isinstance(action.params, ir.MapOf | ir.Const):
        yield _Broken("params is not a mapping", action.at)


def _condition(condition: ir.Condition, roots: frozenset[ir.Root], event: str | None = None) -> Iterator[_Broken]:
    for compare in visit.comparisons(condition):
        if compare.op not in OPERATORS:
            yield _Broken(f"there is no operator {compare.op!r}", compare.at)
        yield from _value(compare.left, roots, compare.left_at, event)
        yield from _value(compare.right, roots, compare.right_at, event)


def _value(
    value: ir.Value, roots: frozenset[ir.Root], at: yaml.Node | None, event: str | None = None
) -> Iterator[_Broken]:
    """Every path exists in its scope, and every operation is known."""
    match value:
        case ir.Const():
            return
        case ir.Read(root, path):
            if root not in roots:
                yield _Broken(f"`{value.written}` reads {root.value}, which does not exist here", at)
            elif root is ir.Root.RUN and not (path and path[0] in RUN_FIELDS):
                yield _Broken(f"`{value.written}` is not a field of a run", at)
            elif root is ir.Root.EVENT and event is not None and not (path and path[0] in EVENTS[event].shows):
                yield _Broken(f"`{value.written}` is not a field of the event {event}", at)
        case ir.Pipe(name, _, arguments):
            if name not in PIPES or PIPES[name].arguments != len(arguments):
                yield _Broken(f"there is no pipe {name} with {len(arguments)} arguments", at)
        case ir.Arithmetic(operations=operations):
            for operation in operations:
                if operation.operator not in _ARITHMETIC:
                    yield _Broken(f"there is no operation {operation.operator!r}", at)
            if not operations:
                yield _Broken("a chain has no operations", at)
        case ir.Text(parts) if all(isinstance(part, str) for part in parts):
            yield _Broken("a mixed text without a template is a constant", at)
        case _:
            pass
    for part in visit.children(value):
        yield from _value(part, roots, value.at if isinstance(value, ir.Template) else at, event)
