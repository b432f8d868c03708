"""Creates the outline of a graph in YAML."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping

from graphwright import ir
from graphwright.analysis.declared_inputs import declared_inputs
from graphwright.analysis.jsontype import ANY, OBJECT, Field, Type, join, object_of
from graphwright.analysis.tools import Contract
from graphwright.compare.canonical import canonical_action, canonical_node
from graphwright.compare.outline import HookOutline, InputOutline, Line, MethodOutline, NodeOutline, Outline, Target
from graphwright.compare.types import declared
from graphwright.emit.knowledge import Knowledge
from graphwright.facts import Facts
from graphwright.ir import Json, visit
from graphwright.ir.printer import condition_text, hook_lines, value_text, work_lines
from graphwright.record import replace
from graphwright.schema.walk import mapping, texts


def graph_outline(facts: Facts) -> Outline:
    """The outline of a graph. Raises ValueError if the file does not contain one."""
    knowledge = Knowledge(facts)
    graph = knowledge.graph
    accepted = declared_inputs(graph)
    return Outline(
        graph_id=graph.graph_id,
        start=graph.start,
        settings=_settings(graph),
        permissions=None if graph.permissions is None else tuple(each.pattern for each in graph.permissions),
        environment=tuple(knowledge.required_env),
        inputs=_inputs(graph.inputs_schema, accepted.names),
        inputs_schema=_rest(graph.inputs_schema),
        state_schema=graph.state_schema,
        output_schema=graph.output_schema,
        closed=accepted.closed,
        output=declared(_output(knowledge)),
        state={key: Field(declared(field.type), field.required) for key, field in knowledge.state.items()},
        initial=graph.state,
        hooks=hook_names((hook.hook_id, _hook(hook)) for hook in graph.all_hooks),
        tools=tuple(dict.fromkeys(_called(caller.action) for caller in visit.callers(graph))),
        methods={f"tool:{item_id}": _method(contract) for item_id, contract in knowledge.tools.items()},
        nodes={name: _node(node) for name, node in graph.nodes.items()},
    )


def hook_names(hooks: Iterable[tuple[str | None, HookOutline]]) -> dict[str, HookOutline]:
    """Hooks by their ids or, without an id, by event and number."""
    found: dict[str, HookOutline] = {}
    for hook_id, hook in hooks:
        name, number = hook_id or hook.event, 1
        while name in found:
            number += 1
            name = f"{hook_id or hook.event} #{number}"
        found[name] = hook
    return found


def _settings(graph: ir.Graph) -> dict[str, str]:
    settings = graph.settings
    values: dict[str, Json] = {
        "max_steps": settings.max_steps,
        "on_max_steps": settings.on_max_steps,
        "on_error": settings.on_error,
        "max_concurrency": settings.max_concurrency,
        "timeout_s": settings.timeout_s,
        "require_capabilities": settings.require_capabilities,
        "builtin_hooks": settings.builtin_hooks,
        "durability": settings.durability,
    }
    return settings_text(values, graph.limits)


def settings_text(values: Mapping[str, Json], limits: Mapping[str, Json]) -> dict[str, str]:
    """Settings and limits as text, without those that are not set."""
    every = {**values, **{f"limits.{name}": value for name, value in limits.items()}}
    return {
        name: value if isinstance(value, str) else json.dumps(value)
        for name, value in every.items()
        if value is not None
    }


def _inputs(schema: Json, names: Iterable[str]) -> dict[str, InputOutline]:
    properties, required = mapping(mapping(schema).get("properties")), set(texts(mapping(schema).get("required")))
    found: dict[str, InputOutline] = {}
    for name in dict.fromkeys([*properties, *sorted(names), *sorted(required)]):
        own = properties.get(name, True)
        has_default = "default" in mapping(own)
        bare = {key: value for key, value in own.items() if key != "default"} if isinstance(own, dict) else own
        found[name] = InputOutline(bare, name in required and not has_default, has_default, mapping(own).get("default"))
    return found


def _rest(schema: Json) -> Json:
    """A schema without its properties, but with the definitions that they refer to."""
    return {key: value for key, value in mapping(schema).items() if key not in ("properties", "required")}


def _output(knowledge: Knowledge) -> Type:
    if knowledge.declared_output is not None:
        return knowledge.declared_output
    if not knowledge.returns_state:
        return knowledge.output
    return join(knowledge.output, object_of(knowledge.state))


def _method(contract: Contract | None) -> MethodOutline:
    """The types of a method of `Tools`. Params without names are a mapping with any values."""
    if contract is None:
        return MethodOutline(ANY, ANY)
    params = contract.params.only(OBJECT.kinds)
    return MethodOutline(declared(params) if params.fields or params.others.known else ANY, declared(contract.result))


def _called(action: ir.Action) -> str:
    """The item that an action calls: `tool:rye/bash`, `load knowledge:style`, `tool:${state.tool}`."""
    item = action.item_id.value if isinstance(action.item_id, ir.Const) else f"${{{value_text(action.item_id)}}}"
    words = ":".join(filter(None, (action.kind, None if item is None else str(item))))
    return words if action.primary == "execute" else f"{action.primary} {words}"


def _node(node: ir.Node) -> NodeOutline:
    lines: list[Line] = [(line.strip(),) for line in work_lines(canonical_node(node))]
    for edge in node.edges:
        when = "" if edge.when is None else f" when {condition_text(edge.when)}"
        lines.append(("next ", Target(edge.target or "?"), when))
    if node.on_error is not None:
        lines.append(("on error ", Target(node.on_error.target or "?")))
    return NodeOutline(node.kind, tuple(lines))


def _hook(hook: ir.Hook) -> HookOutline:
    action = hook.action
    canonical = hook if isinstance(action, ir.Control) else replace(hook, action=canonical_action(action))
    return HookOutline(hook.event, tuple(line.strip() for line in hook_lines(canonical)))
