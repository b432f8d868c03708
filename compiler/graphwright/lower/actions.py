"""From actions to IR: kind and id separated, and the capability of a static action."""

from __future__ import annotations

import json
from collections.abc import Iterable

from yaml.nodes import MappingNode, Node, ScalarNode, SequenceNode

from graphwright import ir
from graphwright.faults.expressions import NullParam
from graphwright.faults.keys import ConflictingKinds, UnknownWord, WrongValue
from graphwright.faults.names import RuntimeParam
from graphwright.language.words import KINDS, ORCHESTRATOR, SHELL_TOOLS, SPAWN
from graphwright.lower.context import Lowering, Scope
from graphwright.lower.values import lower_text, lower_value
from graphwright.model import Action
from graphwright.pattern import pattern
from graphwright.source import scalars
from graphwright.suggest import nearest

_PREFIX = pattern(r"([A-Za-z_]+):")
#: Params that the runtime sets; an author must not set them.
_RUNTIME_PARAMS = frozenset({"parent_thread_id", "parent_depth", "parent_limits", "parent_capabilities"})


def lower_action(lowering: Lowering, action: Action, scope: Scope) -> ir.Action:
    """The action, with its id without prefix and its params as values."""
    kind, item_id = _item(lowering, action, scope)
    known = action.primary is not None and (action.kind is not None or action.kind_at is None)
    if action.params is not None:
        for key, _ in lowering.source.entries(action.params):
            if key.value in _RUNTIME_PARAMS:
                lowering.report(RuntimeParam(lowering.span(key), scope.owner, key.value))
        _nulls(lowering, action.params, scope, ())
        if kind == "tool" and isinstance(item_id, ir.Const) and item_id.value in SHELL_TOOLS:
            lowering.commands.add(id(lowering.source.get(action.params, "command")))
        params = lower_value(lowering, action.params, scope)
    else:
        params = ir.Const(None if action.params_lost else {})
    primary = action.primary or "execute"
    return ir.Action(
        primary,
        kind,
        item_id,
        params,
        _capability(primary, kind, item_id) if known else None,
        action.asynchronous,
        action.at,
        action.item_id,
        action.params,
        _tasks(lowering, action, scope) if item_id == ir.Const(ORCHESTRATOR) else (),
    )


def _tasks(lowering: Lowering, action: Action, scope: Scope) -> tuple[ir.Action, ...]:
    """The actions that a call of the orchestrator spawns; in params, they are lowered like any other value."""
    source = lowering.source
    operation, tasks = source.get(action.params, "operation"), source.get(action.params, "tasks")
    if not (isinstance(operation, ScalarNode) and operation.value == SPAWN and isinstance(tasks, SequenceNode)):
        return ()
    found = []
    for task in tasks.value:
        if not isinstance(task, MappingNode) or {key.value for key, _ in source.entries(task)} - {"item_id", "params"}:
            continue  # GW702 reports it
        item_id, params = source.get(task, "item_id"), source.get(task, "params")
        if isinstance(item_id, ScalarNode) and item_id.tag == scalars.STR:
            passed = params if isinstance(params, MappingNode) else None
            lost = passed is None and params is not None
            spawned = Action("execute", None, None, item_id, passed, lost, True, task)
            found.append(lower_action(lowering, spawned, scope))
    return tuple(found)


def _item(lowering: Lowering, action: Action, scope: Scope) -> tuple[str | None, ir.Value]:
    """The kind and the id of the item. Only an id that is a single template may leave its kind to run time."""
    node = action.item_id
    if not isinstance(node, ScalarNode):
        return action.kind or "tool", ir.Const(None)
    value = lower_text(lowering, node, scope)
    match value:
        case ir.Template(at, ir.Text((str(text), *parts))):
            kind, rest = _split(lowering, text, action, node, scope)
            return kind, ir.Template(at, ir.Text((rest, *parts) if rest else tuple(parts)))
        case ir.Template(value=ir.Text()):
            return action.kind or "tool", value
        case ir.Const(str(text)):
            kind, rest = _split(lowering, text, action, node, scope)
            return kind, ir.Const(rest)
        case ir.Const(other):
            shown = json.dumps(other, ensure_ascii=False)
            span = lowering.span(node)
            lowering.report(WrongValue(span, scope.owner, "item_id", "a string", f"`{shown}`", other))
            return action.kind, ir.Const(None)
        case _:
            return action.kind, value


def _split(lowering: Lowering, text: str, action: Action, node: ScalarNode, scope: Scope) -> tuple[str | None, str]:
    """The kind in the prefix of an id (None: unknown), checked against `item_type`, and the bare id."""
    match = _PREFIX.match(text)
    if match is None:
        return action.kind or "tool", text
    prefix, rest = match[1], text[match.end() :]
    if prefix not in KINDS:
        suggestion = nearest(prefix, KINDS)
        lowering.report(UnknownWord(lowering.span(node), scope.owner, "item_id", prefix, suggestion, KINDS, rest=rest))
        return action.kind or suggestion, rest
    if action.kind is not None and action.kind_at is not None and action.kind != prefix:
        lowering.report(ConflictingKinds(lowering.span(action.kind_at), scope.owner, action.kind, prefix))
    return prefix, rest


def _capability(primary: str, kind: str | None, item_id: ir.Value) -> str | None:
    """The capability of a static action; only a search needs no id."""
    match item_id:
        case ir.Const(str(text)) if kind is not None:
            return f"rye.{primary}.{kind}.{text.replace('/', '.')}"
        case ir.Const(None) if kind is not None and primary == "search":
            return f"rye.{primary}.{kind}"
        case _:
            return None


def _nulls(lowering: Lowering, node: Node, scope: Scope, path: tuple[str, ...]) -> None:
    """Literal nulls in mappings of params are dropped at run time (GW416); items of lists are kept."""
    below: Iterable[tuple[str, Node]]
    if isinstance(node, MappingNode):
        below = ((key.value, value) for key, value in lowering.source.entries(node))
        for name, value in below:
            if isinstance(value, ScalarNode):
                if value.tag == scalars.NULL:
                    lowering.report(NullParam(lowering.span(value), scope.owner, ".".join((*path, name))))
            else:
                _nulls(lowering, value, scope, (*path, name))
    elif isinstance(node, SequenceNode):
        for number, value in enumerate(node.value):
            if not isinstance(value, ScalarNode):
                _nulls(lowering, value, scope, (*path, str(number)))
