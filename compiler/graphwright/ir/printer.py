"""Prints the IR: for people, for golden files, and as the input of the graph's hash.

The text contains everything that the graph does and nothing else: no positions, no comments, no path. Equal texts mean
equal graphs. Descriptions are printed, but not hashed.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from typing import Final, assert_never

from graphwright import ir
from graphwright.pattern import pattern

_DESCRIBING: Final = ("title", "description", "$comment")
#: Created once: `json.dumps` with options creates one per value.
_ENCODER: Final = json.JSONEncoder(ensure_ascii=False)

_SIMPLE: Final = pattern(r"[^\W\d][\w-]*\Z")


def print_graph(graph: ir.Graph) -> str:
    """The whole graph, one construct per line."""
    lines = (line for node in graph.nodes.values() for line in _node(node, True))
    return "\n".join((*_head(graph, True), *lines, ""))


def graph_digest(graph: ir.Graph) -> str:
    """The sha256 (hex) of the graph without descriptions, which a run's log records."""
    digest = hashlib.sha256("\n".join(_head(graph, False)).encode())
    for name, own in node_digests(graph).items():
        digest.update(f"\n{name_text(name)} {own}".encode())
    return digest.hexdigest()


def hooks_digest(graph: ir.Graph) -> str:
    """The sha256 (hex) of the hooks of the project; empty if there are none."""
    lines = [line for hook in graph.shared_hooks for line in (hook.owner, *hook_lines(hook))]
    return hashlib.sha256("\n".join(lines).encode()).hexdigest() if lines else ""


def node_digests(graph: ir.Graph) -> dict[str, str]:
    """The sha256 (hex) of each node, so that a changed graph can name what changed."""
    return {
        name: hashlib.sha256("\n".join(_node(node, False)).encode()).hexdigest() for name, node in graph.nodes.items()
    }


def _head(graph: ir.Graph, descriptions: bool) -> Iterator[str]:
    yield f"graph {name_text(graph.graph_id)}"
    if descriptions and graph.description:
        yield f"  description {_json(graph.description)}"
    yield f"  start {_target(graph.start)}"
    yield f"  max_steps {graph.settings.max_steps}, then {graph.settings.on_max_steps}"
    yield f"  on_error {graph.settings.on_error}"
    yield f"  max_concurrency {graph.settings.max_concurrency}"
    if graph.settings.timeout_s is not None:
        yield f"  timeout_s {_json(graph.settings.timeout_s)}"
    if graph.settings.durability is not None:
        yield f"  durability {graph.settings.durability}"
    if graph.settings.require_capabilities:
        yield "  require_capabilities"
    if graph.limits:
        yield f"  limits {_json(dict(graph.limits))}"
    for key, schema in (
        ("inputs", graph.inputs_schema),
        ("output", graph.output_schema),
        ("state", graph.state_schema),
    ):
        if schema is not None:
            yield f"  {key} schema {_json(schema if descriptions else _undescribed(schema))}"
    for key, value in graph.state.items():
        yield f"  state {name_text(key)} = {_json(value)}"
    if graph.permissions is None:
        yield "  permissions of the caller"
    for permission in graph.permissions or ():
        yield f"  permission {permission.pattern}"
    for variable in graph.env:
        yield f"  env {variable.name}"
    if not graph.settings.builtin_hooks:
        yield "  no built-in hooks"
    for hook in graph.all_hooks:
        yield from hook_lines(hook)


def _undescribed(schema: ir.Json) -> ir.Json:
    """A JSON Schema without the keywords that are only for people."""
    if isinstance(schema, list):
        return [_undescribed(item) for item in schema]
    if not isinstance(schema, dict):
        return schema
    return {
        key: value if key in ("default", "enum", "const") else _undescribed(value)
        for key, value in schema.items()
        if not (key in _DESCRIBING and isinstance(value, str))
    }


def hook_lines(hook: ir.Hook) -> Iterator[str]:
    """A hook, one construct per line, indented."""
    name = "" if hook.hook_id is None else f" {name_text(hook.hook_id)}"
    when = "" if hook.when is None else f" when {condition_text(hook.when)}"
    yield f"  hook{name} on {hook.event}, layer {hook.layer}{when}"
    if isinstance(hook.action, ir.Control):
        amount = "" if hook.action.amount is None else f" {hook.action.amount}"
        yield f"    control {hook.action.kind}{amount}"
    else:
        yield from _action(hook.action)


def _node(node: ir.Node, descriptions: bool) -> Iterator[str]:
    yield ""
    yield f"node {name_text(node.name)}: {node.kind}"
    if descriptions and node.description:
        yield f"    description {_json(node.description)}"
    yield from work_lines(node)
    for edge in node.edges:
        when = "" if edge.when is None else f" when {condition_text(edge.when)}"
        yield f"    next {_target(edge.target)}{when}"
    if node.on_error is not None:
        yield f"    on error {_target(node.on_error.target)}"


def work_lines(node: ir.Node) -> Iterator[str]:
    """What a node does, without its name, its description and its edges; one construct per line, indented."""
    match node:
        case ir.ActionNode():
            yield from _calling(node)
            if node.feedback:
                yield "    feedback"
        case ir.ForeachNode():
            yield _loop(node)
            yield from _calling(node)
        case ir.GateNode():
            yield from _visits(node)
        case ir.ReturnNode():
            yield from _visits(node)
            if node.output is not None:
                yield f"    output {value_text(node.output)}"
            if node.fails:
                yield "    status error" if node.error is None else f"    status error {value_text(node.error)}"
        case _:
            assert_never(node)
    for assign in node.assigns:
        yield f"    assign {name_text(assign.key)} = {value_text(assign.value)}"


def _loop(node: ir.ForeachNode) -> str:
    how = f"at most {node.max_concurrency} at once" if node.parallel else "in turn"
    collect = "" if node.collect is None else f", collect {name_text(node.collect)}"
    return f"    for {name_text(node.variable)} in {value_text(node.over)} {how}{collect}"


def _action(action: ir.Action) -> Iterator[str]:
    kind = action.kind or "whatever kind"
    started = ", in the background" if action.async_exec else ""
    yield f"    {action.primary} {kind} {value_text(action.item_id)}{started}"
    entries: list[tuple[str, str]] = []
    if isinstance(action.params, ir.MapOf):
        entries = [(key, value_text(value)) for key, value in action.params.entries]
    elif isinstance(action.params, ir.Const) and isinstance(action.params.value, dict):
        entries = [(key, _json(value)) for key, value in action.params.value.items()]
    for key, text in entries:
        yield f"      {name_text(key)} = {text}"


def _calling(node: ir.CallingNode) -> Iterator[str]:
    """What a node calls, and how."""
    if node.action is not None:
        yield from _action(node.action)
    for variable in node.env:
        yield f"    env {variable.name}"
    if node.retry is not None:
        retry = node.retry
        jitter = "with jitter" if retry.jitter else "without jitter"
        waits = f"{_json(retry.backoff_ms)} ms * {_json(retry.multiplier)} up to {_json(retry.max_backoff_ms)} ms"
        yield f"    retry {retry.attempts} times on {', '.join(retry.categories)}; wait {waits}, {jitter}"
    if node.timeout_s is not None:
        yield f"    timeout_s {_json(node.timeout_s)}"
    yield from _visits(node)
    if node.cache:
        yield "    cache_result"


def _visits(node: ir.Node) -> Iterator[str]:
    if node.max_visits is not None:
        yield f"    max_visits {node.max_visits}"


def value_text(value: ir.Value) -> str:
    """A value as an expression. Constants are JSON, which distinguishes strings from paths."""
    match value:
        case ir.Const(constant):
            return _json(constant)
        case ir.Template(value=inner):
            return value_text(inner)
        case ir.Read(root, path):
            return root.value + "".join(map(_step, path))
        case ir.Text(parts):
            return f"text({', '.join(_json(part) if isinstance(part, str) else value_text(part) for part in parts)})"
        case ir.FirstOf(operands):
            return f"({' || '.join(map(value_text, operands))})"
        case ir.Arithmetic(first, operations):
            rest = "".join([f" {each.operator} {value_text(each.operand)})" for each in operations])
            return "(" * len(operations) + value_text(first) + rest
        case ir.Negative(operand):
            return f"-({value_text(operand)})"
        case ir.Pipe(name, operand, arguments):
            given = f"({', '.join(map(value_text, arguments))})" if arguments else ""
            return f"({value_text(operand)} | {name}{given})"
        case ir.ListOf(items):
            return f"[{', '.join(map(value_text, items))}]"
        case ir.MapOf(entries):
            return f"{{{', '.join(f'{_json(key)}: {value_text(item)}' for key, item in entries)}}}"


def condition_text(condition: ir.Condition) -> str:
    """A condition, with its operator between the two sides."""
    match condition:
        case ir.Not(inner):
            return f"not({condition_text(inner)})"
        case ir.AnyOf(parts):
            return f"any({', '.join(map(condition_text, parts))})"
        case ir.AllOf(parts):
            return f"all({', '.join(map(condition_text, parts))})"
        case ir.Compare(op="exists", left=left):
            return f"{value_text(left)} exists"
        case ir.Compare(op, left, right):
            return f"{value_text(left)} {op} {value_text(right)}"


def name_text(name: str) -> str:
    """A name, in quotes if it could be misread."""
    return name if _SIMPLE.match(name) else _json(name)


def _step(step: str | int) -> str:
    if isinstance(step, int):
        return f"[{step}]"
    return f".{step}" if _SIMPLE.match(step) else f"[{_json(step)}]"


def _target(target: str | None) -> str:
    return "?" if target is None else name_text(target)


def _json(value: ir.Json) -> str:
    return _ENCODER.encode(value)
