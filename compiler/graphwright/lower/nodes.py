"""From nodes to IR: names of targets resolved, each value lowered in its scope."""

from __future__ import annotations

from typing import Final, assert_never

from yaml.nodes import MappingNode, Node, ScalarNode

from graphwright import ir
from graphwright.fault import Owner
from graphwright.faults.names import (
    EdgeAfterDefault,
    HidesKey,
    HidesNamespace,
    ParallelAssign,
    ReservedKey,
    UnknownErrorTarget,
    UnknownTarget,
)
from graphwright.language.events import NAMESPACES
from graphwright.language.words import CONTINUE_WORDS, END_WORDS, RETRY_WORD, STOP_WORDS
from graphwright.lower.actions import lower_action
from graphwright.lower.conditions import is_always_true, lower_condition
from graphwright.lower.context import Lowering, Scope
from graphwright.lower.requirements import lower_env
from graphwright.lower.values import lower_value
from graphwright.model import ActionSpec, Call, Edge, ForeachSpec, GateSpec, Name, NodeSpec, ReturnSpec, Routing
from graphwright.record import replace

#: Targets that do not mean a node.
_NO_NODES: Final = END_WORDS | STOP_WORDS | CONTINUE_WORDS | {RETRY_WORD}


def lower_node(lowering: Lowering, node: NodeSpec, max_concurrency: int) -> ir.Node:
    """One node with everything in it resolved."""
    owner = node.owner
    base = (node.name, node.name_at, node.at, node.description, node.max_visits)
    match node:
        case GateSpec():
            return ir.GateNode(*base, *_routed(lowering, node.routing, Scope(owner, "gate")))
        case ReturnSpec():
            output = None if node.output is None else lower_value(lowering, node.output, Scope(owner, "output"))
            error = None if node.error is None else lower_value(lowering, node.error, Scope(owner, "output"))
            return ir.ReturnNode(*base, output, node.output, node.fails, error, node.error)
        case ActionSpec():
            called = _calling(lowering, node.call, Scope(owner, "action"))
            routed = _routed(lowering, node.routing, Scope(owner, "assign", result=True))
            return ir.ActionNode(*(*base, *routed), *called, node.feedback)
        case ForeachSpec():
            called = _calling(lowering, node.call, Scope(owner, "action", variable=node.item))
            during = Scope(owner, "assign", result=True, variable=node.item)
            routed = _routed(lowering, node.routing, Scope(owner, "foreach next"), during)
            return ir.ForeachNode(
                *(*base, *routed),  # in one: mypy takes a star for at most as many values as the one before it
                *called,
                _over(lowering, node),
                node.item,
                node.collect.text if node.collect else None,
                node.parallel,
                node.max_concurrency or max_concurrency,
                node.over or node.at,
                node.collect.at if node.collect else None,
            )
        case _:
            assert_never(node)


def _calling(
    lowering: Lowering, call: Call, scope: Scope
) -> tuple[ir.Action | None, tuple[ir.EnvName, ...], ir.Retry | None, float | None, bool]:
    """The fields that all nodes that call something have in common."""
    action = None if call.action is None else lower_action(lowering, call.action, scope)
    return action, lower_env(lowering, call.env, scope.owner), call.retry, call.timeout_s, call.cache


def _routed(
    lowering: Lowering, routing: Routing, after: Scope, during: Scope | None = None
) -> tuple[tuple[ir.Assign, ...], tuple[ir.Edge, ...], ir.Edge | None, ScalarNode | None]:
    """The fields that all nodes with edges have in common: assigns, edges, the error edge, the key `next`.

    Edges are lowered in the scope `after`, assigns in the scope `during` if there is one.
    """
    assigns = tuple(_assign(lowering, key, value, during or after) for key, value in routing.assigns)
    edges = _edges(lowering, routing.edges, after)
    rescue = None
    if routing.error_at is not None:
        target = _target(lowering, routing.on_error, after.owner, UnknownErrorTarget)
        rescue = ir.Edge(target, None, routing.error_at, routing.error_at)
    return assigns, edges, rescue, routing.next_at


def _over(lowering: Lowering, node: ForeachSpec) -> ir.Value:
    """What a loop iterates over, and the faults in the rest of the loop."""
    if node.parallel and node.routing.assigns and node.routing.assign_at is not None:
        lowering.report(ParallelAssign(lowering.span(node.routing.assign_at), node.owner))
    if node.variable is not None:
        _shadow(lowering, node.variable, node.owner)
    if node.collect is not None:
        reserved(lowering, node.collect.text, node.collect.at, node.owner)
    if node.over is None:
        return ir.Read(ir.Root.UNKNOWN, (), "?", 0, 0)
    return lower_value(lowering, node.over, Scope(node.owner, "over"))


def _shadow(lowering: Lowering, variable: Name, owner: Owner) -> None:
    """GW305: a variable with the name of a namespace or of a state key."""
    if variable.text in NAMESPACES:
        lowering.report(HidesNamespace(lowering.span(variable.at), owner, variable.text))
    elif variable.plain and variable.text in lowering.names.state_keys:
        first = lowering.span(lowering.names.state_keys[variable.text])
        lowering.report(HidesKey(lowering.span(variable.at), owner, variable.text, first))


def reserved(lowering: Lowering, key: str, at: Node, owner: Owner) -> None:
    """GW306: a key that is reserved for the runtime."""
    if key == "inputs" or key.startswith("_"):
        lowering.report(ReservedKey(lowering.span(at), owner, key))


def _assign(lowering: Lowering, key: ScalarNode, value: Node, scope: Scope) -> ir.Assign:
    reserved(lowering, key.value, key, scope.owner)
    return ir.Assign(key.value, lower_value(lowering, value, scope), key, value)


def _edges(lowering: Lowering, written: tuple[Edge, ...], scope: Scope) -> tuple[ir.Edge, ...]:
    """The edges in order; an unconditional one that is not the last (GW205) is moved to the end."""
    edges = tuple(_edge(lowering, edge, scope) for edge in written)
    always = [edge.when is None or is_always_true(edge.when) for edge in edges]
    first = always.index(True) if True in always else len(edges)
    late_edges = edges[first + 1 :]
    if late_edges and isinstance(late_edges[0].at, MappingNode):  # a bare name in the list is already reported
        default, late = written[first], written[first + 1]
        lowering.report(
            EdgeAfterDefault(
                lowering.source.first_token(late_edges[0].at),
                scope.owner,
                target=late.target.text if late.target else "?",
                default_target=default.target.text if default.target else "?",
                rest=len(late_edges),
                bare=late_edges[0].when is None,
                conditional=edges[first].when is not None,
                default=lowering.source.first_token(default.at),
            )
        )
        unconditional = [replace(edge, when=None) for edge, matches in zip(edges, always, strict=True) if matches]
        return (*(edge for edge, matches in zip(edges, always, strict=True) if not matches), *unconditional)
    return edges


def _edge(lowering: Lowering, edge: Edge, scope: Scope) -> ir.Edge:
    when = None if edge.when is None else lower_condition(lowering, edge.when, scope)
    target = _target(lowering, edge.target, scope.owner, UnknownTarget)
    return ir.Edge(target, when, edge.at, edge.at if edge.target is None else edge.target.at)


def _target(
    lowering: Lowering, name: Name | None, owner: Owner, fault: type[UnknownTarget | UnknownErrorTarget]
) -> str | None:
    """The node that a name means; for a misspelled name the nearest, preferably one that no edge leads to, or None."""
    if name is None:
        return None
    if name.text in lowering.names.nodes:
        return name.text
    suggestion = lowering.names.nearest_node(name.text)
    lowering.recovery.guessed.append(name.at)
    if name.plain:
        lowering.report_unknown_node(fault(lowering.span(name.at), owner, name.text, suggestion))
        if suggestion is None and name.text.lower() not in _NO_NODES:
            lowering.recovery.lacks_node = True
    return suggestion or lowering.names.end(name.text)
