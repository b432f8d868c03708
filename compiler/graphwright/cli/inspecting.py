"""Formats the outline of a module as text and as JSON."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence

from graphwright.cli.runs.printing import table
from graphwright.ir import Json
from graphwright.readback.functions import CalledItem
from graphwright.readback.hooks import ModuleHook
from graphwright.readback.module import SETTINGS, ModuleOutline
from graphwright.readback.nodes import ModuleNode
from graphwright.readback.origin import SourceState
from graphwright.readback.types import TypeDeclaration
from graphwright.render.layout import printable
from graphwright.trust.standing import Standing

_WIDTH = 12
_COLUMNS = ("NODE", "LINE", "KIND", "CALLS", "NEXT", "ON ERROR", "SETS", "OPTIONS")
_STATES = {
    "unchanged": "not changed since the build",
    "changed": "changed since the build",
    "missing": "not found",
    "unreadable": "cannot be read",
    "unknown": "not recorded",
}


def as_text(shown: str, module: ModuleOutline, source: SourceState, standing: Standing) -> str:
    """General facts, then the nodes, then the types."""
    head = f"{printable(shown)}: graph {printable(module.graph_id)}\n"
    facts = "".join(
        f"  {name if number == 0 else '':<{_WIDTH}} {printable(line)}".rstrip() + "\n"
        for name, lines in _facts(module, source, standing)
        for number, line in enumerate(lines)
    )
    nodes = table([_COLUMNS, *map(_row, module.nodes.values())])
    hooks = table([("HOOK", "EVENT", "LAYER", "DOES"), *map(_hook_row, module.hooks)]) if module.hooks else ""
    types = "\n".join(_type_text(each, module) for each in module.types.values() if each.name != "NodeName")
    return "\n".join(filter(None, (head + facts, nodes, hooks, types)))


def _facts(module: ModuleOutline, source: SourceState, standing: Standing) -> Iterator[tuple[str, Sequence[str]]]:
    digest = f", sha256 {module.header.digest}" if module.header.digest else ""
    if module.description:
        yield "description", [line for line in module.description.splitlines() if line.strip()]
    yield "source", [f"{module.source}: {_STATES[source]}{digest}"]
    yield "compiler", [f"graphwright {module.header.version}, ABI {module.abi}"]
    yield "graph hash", [module.graph_hash]
    yield "signature", [signature_text(standing)]
    yield "start", [module.start]
    yield (
        "limits",
        [f"max_steps {module.settings['max_steps']}, then {module.settings['on_max_steps']}", *_other(module)],
    )
    if module.permissions is None:
        yield "permissions", ["those of the caller: the graph declares none"]
    else:
        yield "permissions", module.permissions or ["none"]
    yield "environment", [_needed(name, who) for name, who in module.environment.items()] or ["none"]
    yield "calls", [_called(item) for item in module.tools] or ["nothing"]
    if module.initial:
        yield "initial", [f"state {json.dumps(module.initial, ensure_ascii=False)}"]


def signature_text(standing: Standing) -> str:
    """The status of the signature, on one line."""
    if standing.refusal is None:
        return f"valid, by the key {standing.signer}"
    if standing.refusal.reason == "unsigned":
        return "none"  # as it should be in a project that does not sign
    return f"not valid: {standing.refusal}"


def _other(module: ModuleOutline) -> list[str]:
    """The settings that do not have their default values."""
    return [
        f"{name} {json.dumps(module.settings[name], ensure_ascii=False)}"
        for name, default in SETTINGS.items()
        if name not in ("max_steps", "on_max_steps") and module.settings[name] != default
    ]


def _needed(name: str, who: Sequence[str]) -> str:
    return f"{name} ({', '.join(who)})" if who else name


def _called(item: CalledItem) -> str:
    return f"{item.text}, which needs {item.capability}" if item.capability else item.text


def _row(node: ModuleNode) -> tuple[str, ...]:
    function = node.function
    calls = "" if function.calls is None else function.calls.text
    if function.dynamic:
        calls += " (the id is a template)"
    options = [f"{name}={value}" for name, value in function.options.items() if name != "collect"]
    options += [] if node.retry is None else [f"retry: {node.retry}"]
    options += [] if node.max_visits is None else [f"max_visits={node.max_visits}"]
    error = function.on_error or ("continue" if function.continues else "")
    return (
        node.name,
        "" if node.line is None else str(node.line),
        node.kind,
        calls,
        "" if node.kind == "return" else ", ".join(name or "(end)" for name in function.successors),
        error,
        ", ".join(function.assigns),
        ", ".join(options),
    )


def _hook_row(hook: ModuleHook) -> tuple[str, ...]:
    condition = ", on a condition" if hook.conditional else ""
    return hook.hook_id or "", f"{hook.event}{condition}", str(hook.layer), hook.does


def _type_text(declared: TypeDeclaration, module: ModuleOutline) -> str:
    if declared.methods is not None:
        signatures = [(f"  {name}", f"{each.params} -> {each.returns}") for name, each in declared.methods.items()]
        return f"{printable(declared.name)}\n{table(signatures)}"
    if declared.fields is None:
        return f"{printable(declared.name)} = {printable(declared.value or '')}\n"
    rows = []
    for key, field in declared.fields.items():
        words = [field.annotation, "" if field.required else "optional"]
        if declared.name == "Inputs" and key in module.defaults:
            words[1] = f"default {json.dumps(module.defaults[key], ensure_ascii=False)}"
        rows.append((f"  {key}", *words))
    return f"{printable(declared.name)}\n{table(rows) if rows else '  no keys' + chr(10)}"


def as_json(shown: str, module: ModuleOutline, source: SourceState, standing: Standing) -> str:
    """The outline as JSON; future versions only add keys."""
    refusal = standing.refusal
    record: dict[str, Json] = {
        "module": shown,
        "graph_id": module.graph_id,
        "description": module.description,
        "source": {"path": module.source, "sha256": module.header.digest or None, "state": source},
        "compiler": module.header.version,
        "abi": module.abi,
        "graph_hash": module.graph_hash,
        "signature": {
            "valid": refusal is None,
            "key": standing.signer if refusal is None else refusal.key or None,
            "reason": None if refusal is None else refusal.reason,
            "message": signature_text(standing),
        },
        "start": module.start,
        "settings": dict(module.settings),
        "permissions": None if module.permissions is None else list(module.permissions),
        "environment": {name: list(who) for name, who in module.environment.items()},
        "tools": [_item(item) for item in module.tools],
        "initial_state": module.initial,
        "nodes": {name: _node(node) for name, node in module.nodes.items()},
        "hooks": [
            {
                "id": hook.hook_id,
                "event": hook.event,
                "layer": hook.layer,
                "conditional": hook.conditional,
                "does": hook.does,
            }
            for hook in module.hooks
        ],
        "types": {name: _type(each, module) for name, each in module.types.items()},
    }
    return json.dumps(record, indent=2, ensure_ascii=False) + "\n"


def _item(item: CalledItem) -> Json:
    return {"primary": item.primary, "kind": item.kind, "item_id": item.item_id, "capability": item.capability}


def _node(node: ModuleNode) -> Json:
    function = node.function
    return {
        "kind": node.kind,
        "line": node.line,
        "digest": node.digest or None,
        "calls": None if function.calls is None else _item(function.calls),
        "options": dict(function.options),
        "next": list(function.successors),
        "on_error": function.on_error,
        "continues_on_error": function.continues,
        "reads": list(node.reads),
        "sets": list(function.assigns),
        "retry": node.retry,
        "max_visits": node.max_visits,
    }


def _type(declared: TypeDeclaration, module: ModuleOutline) -> Json:
    if declared.methods is not None:
        return {
            "methods": {
                name: {"params": each.params, "returns": each.returns} for name, each in declared.methods.items()
            }
        }
    if declared.fields is None:
        return {"alias": declared.value}
    fields: dict[str, Json] = {}
    for key, field in declared.fields.items():
        entry: dict[str, Json] = {"type": field.annotation, "required": field.required}
        if declared.name == "Inputs" and key in module.defaults:
            entry["default"] = module.defaults[key]
        fields[key] = entry
    return {"fields": fields}
