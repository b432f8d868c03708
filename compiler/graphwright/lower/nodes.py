"""Nodes to IR: names of targets resolved, each value lowered in the scope that it stands in."""

from __future__ import annotations

from yaml.nodes import MappingNode, Node, ScalarNode

from graphwright import ir
from graphwright.fault import Owner
from graphwright.faults.keys import LowCeiling
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
from graphwright.lower.actions import lower_action
from graphwright.lower.conditions import lower_condition
from graphwright.lower.context import Lowering, Scope
from graphwright.lower.requirements import lower_env
from graphwright.lower.values import lower_value
from graphwright.model import Edge, Loop, Name, NodeSpec, Retry

_DEFAULT_RETRY = ir.Retry()
_WAITS = ("max_backoff_ms", "backoff_ms")


def lower_node(lowering: Lowering, node: NodeSpec, max_concurrency: int) -> ir.Node:
    """One node with everything in it resolved."""
    owner = node.owner
    base = (node.name, node.name_at, node.at, node.description, node.max_visits)
    match node.kind:
        case "gate":
            return ir.GateNode(*base, *_routed(lowering, node, Scope(owner, "gate")))
        case "return":
            at = None if node.output is None else node.output[1]
            output = None if at is None else lower_value(lowering, at, Scope(owner, "output"))
            return ir.ReturnNode(*base, output, at)
    loop = node.loop
    variable = None if loop is None else loop.variable.text if loop.variable else "item"
    action = None
    if node.action is not None:
        action = lower_action(lowering, node.action, Scope(owner, "action", variable=variable))
    env, retry = lower_env(lowering, node.env, owner), _retry(lowering, node.retry, owner)
    if loop is None or variable is None:
        if node.kind != "action":
            raise ValueError(f"node {node.name!r}: nothing is known of the kind {node.kind!r}")
        routed = _routed(lowering, node, Scope(owner, "assign", result=True))
        return ir.ActionNode(*base, *routed, action, env, retry, node.timeout_s, node.cache, node.feedback)
    after = Scope(owner, "foreach next")
    routed = _routed(lowering, node, after, Scope(owner, "assign", result=True, variable=variable))
    return ir.ForeachNode(
        *base,
        *routed,
        action,
        env,
        retry,
        node.timeout_s,
        node.cache,
        _over(lowering, node, loop),
        variable,
        loop.collect.text if loop.collect else None,
        loop.parallel,
        loop.max_concurrency or max_concurrency,
        loop.over or node.at,
        loop.variable.at if loop.variable else None,
        loop.collect.at if loop.collect else None,
    )


def _routed(
    lowering: Lowering, node: NodeSpec, after: Scope, during: Scope | None = None
) -> tuple[tuple[ir.Assign, ...], tuple[ir.Edge, ...], ir.Edge | None, ScalarNode | None]:
    """What every node has that leads on: assigns (in the scope `during`, where they have one of their own), edges, the
    error edge, the key `next`.
    """
    assigns = tuple(_assign(lowering, key, value, during or after) for key, value in node.assigns)
    edges = _edges(lowering, node, after)
    rescue = None
    if node.on_error_at is not None:
        target = _target(lowering, node.on_error, node.owner, UnknownErrorTarget)
        rescue = ir.Edge(target, None, node.on_error_at, node.on_error_at)
    return assigns, edges, rescue, node.next_at


def _over(lowering: Lowering, node: NodeSpec, loop: Loop) -> ir.Value:
    """What a loop goes through, and what is wrong with the rest of the loop."""
    if loop.parallel and node.assigns and node.assign_at is not None:
        lowering.report(ParallelAssign(lowering.span(node.assign_at), node.owner))
    if loop.variable is not None:
        _shadow(lowering, loop.variable, node.owner)
    if loop.collect is not None:
        reserved(lowering, loop.collect.text, loop.collect.at, node.owner)
    if loop.over is None:
        return ir.Read(ir.Root.UNKNOWN, (), "?", 0, 0)
    return lower_value(lowering, loop.over, Scope(node.owner, "over"))


def _shadow(lowering: Lowering, variable: Name, owner: Owner) -> None:
    """GW305: a variable of the name of a namespace or of a state key."""
    if variable.text in NAMESPACES:
        lowering.report(HidesNamespace(lowering.span(variable.at), owner, variable.text))
    elif variable.plain and variable.text in lowering.names.state_keys:
        first = lowering.span(lowering.names.state_keys[variable.text])
        lowering.report(HidesKey(lowering.span(variable.at), owner, variable.text, first))


def reserved(lowering: Lowering, key: str, at: Node, owner: Owner) -> None:
    """GW306: a key that belongs to the runtime."""
    if key == "inputs" or key.startswith("_"):
        lowering.report(ReservedKey(lowering.span(at), owner, key))


def _assign(lowering: Lowering, key: ScalarNode, value: Node, scope: Scope) -> ir.Assign:
    reserved(lowering, key.value, key, scope.owner)
    return ir.Assign(key.value, lower_value(lowering, value, scope), key, value)


def _edges(lowering: Lowering, node: NodeSpec, scope: Scope) -> tuple[ir.Edge, ...]:
    """The edges in order; an unconditional one that does not stand at the end (GW205) was meant to."""
    edges = tuple(_edge(lowering, edge, scope) for edge in node.edges)
    first = next((number for number, edge in enumerate(edges) if edge.when is None), len(edges))
    behind = edges[first + 1 :]
    if behind and isinstance(behind[0].at, MappingNode):  # a bare name in the list is reported already
        default, late = node.edges[first], node.edges[first + 1]
        lowering.report(
            EdgeAfterDefault(
                lowering.source.first_token(behind[0].at),
                node.owner,
                target=late.target.text if late.target else "?",
                default_target=default.target.text if default.target else "?",
                rest=len(behind),
                bare=behind[0].when is None,
                default=lowering.source.first_token(default.at),
            )
        )
        return (*(edge for edge in edges if edge.when is not None), *(edge for edge in edges if edge.when is None))
    return edges


def _edge(lowering: Lowering, edge: Edge, scope: Scope) -> ir.Edge:
    when = None if edge.when is None else lower_condition(lowering, edge.when, scope)
    target = _target(lowering, edge.target, scope.owner, UnknownTarget)
    return ir.Edge(target, when, edge.at, edge.at if edge.target is None else edge.target.at)


def _target(
    lowering: Lowering, name: Name | None, owner: Owner, fault: type[UnknownTarget | UnknownErrorTarget]
) -> str | None:
    """The node that a name leads to; for a misspelled name the nearest, of those that nothing leads to if one is near;
    None where there is none.
    """
    if name is None:
        return None
    if name.text in lowering.names.nodes:
        return name.text
    suggestion = lowering.names.nearest_node(name.text)
    lowering.recovery.guessed.append(name.at)
    if not name.plain:
        return suggestion
    lowering.report(fault(lowering.span(name.at), owner, name.text, suggestion))
    return suggestion


def _retry(lowering: Lowering, retry: Retry | None, owner: Owner) -> ir.Retry | None:
    if retry is None:
        return None
    default = _DEFAULT_RETRY
    policy = ir.Retry(
        default.attempts if retry.attempts is None else retry.attempts,
        default.backoff_ms if retry.backoff_ms is None else retry.backoff_ms,
        default.max_backoff_ms if retry.max_backoff_ms is None else retry.max_backoff_ms,
        default.multiplier if retry.multiplier is None else retry.multiplier,
        default.jitter if retry.jitter is None else retry.jitter,
        default.categories if retry.categories is None else retry.categories,
    )
    first, most = policy.backoff_ms, policy.max_backoff_ms
    if most < first and policy.attempts > 1:
        written = [lowering.source.get(retry.at, name) for name in _WAITS]
        is_default = next((name for name, at in zip(_WAITS, written, strict=True) if at is None), None)
        at = written[0] or written[1] or retry.at
        lowering.report(LowCeiling(lowering.span(at), owner, first, most, is_default))
    return policy
