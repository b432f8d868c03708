"""From the model to the IR: names resolved, templates parsed, defaults filled in."""

from __future__ import annotations

from yaml.nodes import MappingNode, Node, ScalarNode, SequenceNode

from graphwright import ir
from graphwright.expr.parser import parse_template
from graphwright.fault import GRAPH
from graphwright.faults.expressions import UnreadTemplate
from graphwright.faults.names import UnknownStart
from graphwright.lower.actions import lower_action
from graphwright.lower.conditions import lower_condition
from graphwright.lower.context import Lowering, Scope, declared_inputs, names_of
from graphwright.lower.doubt import doubt_of
from graphwright.lower.nodes import lower_node, reserved
from graphwright.lower.requirements import lower_env, lower_permissions
from graphwright.model import UNKNOWN_NAME, Action, GraphSpec, Hook, Name, Schema


def lower_graph(spec: GraphSpec, *, graph_id: str, path: str) -> ir.Graph | None:
    """The IR of a graph; None if it has no nodes. Faults go to the log of the parser.

    `path` is relative to the project (posix), as the header of the module shows it.
    """
    if not spec.nodes:
        return None
    lowering = Lowering(spec.recovery, names_of(spec))
    _check_state(lowering, spec)
    body = ir.Region(
        _start(lowering, spec.start),
        None if spec.start is None else spec.start.at,
        {node.name: lower_node(lowering, node, spec.settings.max_concurrency) for node in spec.nodes},
    )
    lowering.report_unknown_nodes()
    return ir.Graph(
        graph_id=graph_id,
        path=path,
        description=spec.description,
        body=body,
        state={key.value: spec.source.value(value) for key, value in spec.state},
        state_at={key.value: key for key, _ in spec.state},
        inputs_schema=_json(spec, spec.inputs_schema),
        inputs_at=declared_inputs(spec),
        output_schema=_json(spec, spec.output_schema),
        state_schema=_json(spec, spec.state_schema),
        permissions=None if spec.permissions is None else lower_permissions(lowering, spec.permissions),
        env=lower_env(lowering, spec.env, GRAPH),
        settings=spec.settings,
        hooks=tuple(_hook(lowering, hook) for hook in spec.hooks),
        limits=spec.limits,
        config_at=spec.config_at,
        doubt=doubt_of(spec),
    )


def _json(spec: GraphSpec, schema: Schema | None) -> ir.Json:
    return None if schema is None else spec.source.value(schema.at)


def _start(lowering: Lowering, start: Name | None) -> str | None:
    """The node that a run begins with; if that cannot be read, the first one that no edge leads to."""
    if start is not None and start.text in lowering.names.nodes:
        return start.text
    likely = next((name for name in lowering.names.node_names if name in lowering.names.without_edge), None)
    if start is None:
        return likely
    suggestion = lowering.names.nearest_node(start.text)
    if start.plain:
        forgotten = likely if len(lowering.names.without_edge) == 1 else None
        lowering.recovery.lacks_node = suggestion is None
        fault = UnknownStart(lowering.span(start.at), GRAPH, start.text, suggestion, forgotten=forgotten)
        lowering.report_unknown_node(fault)
    return suggestion or likely


def _check_state(lowering: Lowering, spec: GraphSpec) -> None:
    """Report what `config.state` cannot contain: reserved keys, and templates (GW411), which would remain strings."""
    for key, value in spec.state:
        if key.value == UNKNOWN_NAME:
            lowering.recovery.guessed.append(key)
            continue
        reserved(lowering, key.value, key, GRAPH)
        before = lowering.fault_count
        _literal(lowering, value, key.value)
        if lowering.fault_count > before:
            lowering.recovery.guessed.append(key)


def _literal(lowering: Lowering, node: Node, path: str) -> None:
    if isinstance(node, ScalarNode):
        if "${" in node.value and parse_template(node.value).template.constant is None:
            lowering.report(UnreadTemplate(lowering.span(node), GRAPH, "config.state", node.value, path))
    elif isinstance(node, MappingNode):
        for key, value in lowering.source.entries(node):
            _literal(lowering, value, f"{path}.{key.value}")
    elif isinstance(node, SequenceNode):
        for number, value in enumerate(node.value):
            _literal(lowering, value, f"{path}[{number}]")


def _hook(lowering: Lowering, hook: Hook) -> ir.Hook:
    when = None
    if hook.condition is not None:
        when = lower_condition(lowering, hook.condition, Scope(hook.owner, "condition", event=hook.event))
    scope = Scope(hook.owner, "action", event=hook.event)
    action = lower_action(lowering, hook.action, scope) if isinstance(hook.action, Action) else hook.action
    return ir.Hook(hook.event, hook.layer, when, action, hook.at, hook.owner.phrase, hook.hook_id)


__all__ = ["lower_graph"]
