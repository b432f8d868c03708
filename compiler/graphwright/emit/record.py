"""Emits the `GRAPH` record: the data of a graph, as arguments that differ from the defaults."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from graphwright import ir
from graphwright.analysis.declared_inputs import declared_inputs
from graphwright.contract.graphs import CONTROLS
from graphwright.emit.blocks import call_text
from graphwright.emit.code import Code
from graphwright.emit.displays import constant_code
from graphwright.emit.expressions import unwrapped
from graphwright.emit.knowledge import Knowledge
from graphwright.emit.literals import number, quoted, strings
from graphwright.emit.model import ToolProtocol
from graphwright.emit.reading import NULLABLE, written
from graphwright.emit.uses import Uses
from graphwright.ir import visit


def graph_arguments(
    graph: ir.Graph, uses: Uses, functions: Mapping[str, str], knowledge: Knowledge
) -> Iterator[tuple[str, str]]:
    """Settings and tables; names refer to functions and constants of the module."""
    if graph.settings.on_max_steps != "fail":
        yield "on_max_steps", quoted(graph.settings.on_max_steps)
    inputs = declared_inputs(graph)
    if inputs.closed and inputs.names:
        yield "declared", strings(tuple(sorted(inputs.names)))
    environment = knowledge.required_env
    if environment:
        yield "required_env", table((name, strings(who)) for name, who in environment.items())
    if graph.settings.require_capabilities:
        yield "require_capabilities", "True"
    if not graph.settings.builtin_hooks:
        yield "builtin_hooks", "False"
    if graph.settings.timeout_s is not None:
        yield "timeout_s", number(graph.settings.timeout_s)
    own = sorted(inputs.names & CONTROLS.keys())
    if own:
        yield "own_inputs", strings(tuple(own))
    if graph.limits:
        yield "limits", constant_code(dict(graph.limits), uses).text
    if graph.settings.durability is not None:
        yield "durability", quoted(graph.settings.durability)
    if uses.actions:
        yield "actions", f"({', '.join(uses.actions)}{',' if len(uses.actions) == 1 else ''})"
    yield "nodes", table(functions.items())
    nodes = graph.nodes.values()
    kinds = [(node.name, quoted(node.kind)) for node in nodes if not isinstance(node, ir.ActionNode)]
    if kinds:
        yield "kinds", table(kinds)
    calling = tuple(visit.calling_nodes(graph))
    retries = [(node.name, retry_text(node.retry, uses)) for node in calling if node.retry is not None]
    if retries:
        yield "retries", table(retries)
    visits = [(node.name, repr(node.max_visits)) for node in nodes if node.max_visits is not None]
    if visits:
        yield "max_visits", table(visits)
    reads = [(node.name, table(paths)) for node in calling if (paths := _param_paths(node, knowledge))]
    if reads:
        yield "reads", table(reads)


def tool_arguments(tools: ToolProtocol | None) -> Iterator[tuple[str, str]]:
    """The argument that maps tools to the methods of `Tools`."""
    if tools is not None:
        yield "tool_methods", table((item_id, quoted(name)) for name, item_id, *_ in tools.methods)


def _param_paths(node: ir.CallingNode, knowledge: Knowledge) -> list[tuple[str, str]]:
    """The params of a node's action whose templates may be null, with their expressions."""
    if node.action is None or not isinstance(node.action.params, ir.MapOf):
        return []
    paths = [(key, unwrapped(value)) for key, value in node.action.params.entries]
    return [
        (key, quoted(written(value)))
        for key, value in paths
        if isinstance(value, NULLABLE) and knowledge.is_nullable(value, node, ())
    ]


def table(rows: Iterable[tuple[str, str]]) -> str:
    """A dict from strings to expressions."""
    return f"{{{', '.join(f'{quoted(key)}: {value}' for key, value in rows)}}}"


def retry_text(retry: ir.Retry, uses: Uses) -> str:
    """The options of a node's retry policy that differ from the defaults."""
    usual = ir.Retry()
    options: list[tuple[str, str]] = []
    for name, value, default in (
        ("backoff_ms", retry.backoff_ms, usual.backoff_ms),
        ("max_backoff_ms", retry.max_backoff_ms, usual.max_backoff_ms),
        ("multiplier", retry.multiplier, usual.multiplier),
        ("jitter", retry.jitter, usual.jitter),
    ):
        if value != default:
            options.append((name, number(value)))
    if retry.categories != usual.categories:
        options.append(("categories", strings(retry.categories)))
    attempts = [Code(repr(retry.attempts))] if retry.attempts != usual.attempts else []
    return call_text(uses.runtime("Retry"), attempts, options)
