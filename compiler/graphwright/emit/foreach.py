"""Emits a foreach node: functions for the params and the assigns of one item, and a call for the loop."""

from __future__ import annotations

from graphwright import ir
from graphwright.analysis.fallible import collects_surely
from graphwright.emit.assigns import assigned, delta_text
from graphwright.emit.blocks import action_code, call_options, call_text, function, is_static, statement
from graphwright.emit.code import Code
from graphwright.emit.expressions import is_worth_a_note, params_code, unwrapped, value_code
from graphwright.emit.literals import quoted
from graphwright.emit.reading import written
from graphwright.emit.scope import FunctionScope
from graphwright.names import identifier


def loop(
    node: ir.ForeachNode, scope: FunctionScope, *, keep_going: bool
) -> tuple[list[str], list[str], list[tuple[str, str]]]:
    """The inner functions, the call, and the delta to commit. `keep_going`: failed items are skipped."""
    action = node.action
    if action is None:
        raise ValueError(f"foreach node {node.name!r} has no action")
    line = action.at.start_mark.line + 1
    scope.item = scope.names.claim(identifier(node.variable))
    item = f"{scope.item}: {scope.uses.runtime('Json')}"
    called = Code("action")
    definitions: list[str] = []
    if is_static(action):
        called = action_code(action, scope)
    else:
        inner = scope.inner()
        body = statement(inner, f"return {action_code(action, inner).text}", line)
        definitions += function("action", item, scope.uses.runtime("Action"), body, line)
    inner = scope.inner()
    body = statement(inner, f"return {params_code(action.params, inner).text}", line)
    definitions += function("params", item, scope.uses.runtime("Params"), body, line)
    options = _options(node, action, scope, keep_going=keep_going)
    if node.assigns:
        definitions += _assign(node, scope, item)
        options.insert(0, ("assign", "assign"))
    scope.item = None
    over = value_code(unwrapped(node.over), scope)
    text = f"await {call_text('c.each', (called, over, Code('params')), options)}"
    line = node.over_at.start_mark.line + 1
    if node.collect is None:
        return definitions, statement(scope, text, line), []
    local = scope.local(node.collect)
    scope.locals[node.collect] = local
    return definitions, statement(scope, f"{local} = {text}", line), [(node.collect, local)]


def _assign(node: ir.Node, scope: FunctionScope, item: str) -> list[str]:
    """The function that returns what one item assigns, given its result."""
    inner = scope.inner()
    delta: list[tuple[str, str]] = []
    line = node.assigns[0].key_at.start_mark.line + 1
    body = assigned(node, inner, delta)
    body += statement(inner, f"return {delta_text(delta)}", line)
    arguments = f"{item}, result: {scope.uses.runtime('Result')}"
    return function("assign", arguments, scope.uses.runtime("Params"), body, line)


def _options(
    node: ir.ForeachNode, action: ir.Action, scope: FunctionScope, *, keep_going: bool
) -> list[tuple[str, str]]:
    options: list[tuple[str, str]] = []
    over = unwrapped(node.over)
    if is_worth_a_note(over, scope):
        options.append(("path", quoted(written(over))))
    if node.parallel:
        options.append(("parallel", repr(node.max_concurrency)))
    if node.collect is not None:
        options.append(("collect", quoted(node.collect)))
        if not collects_surely(scope.knowledge.graph, node):
            options.append(("check", scope.uses.checks.of_key(node.collect)))
    options += call_options(node)
    if action.async_exec:
        options.append(("thread_ids", "True"))
    if keep_going:
        options.append(("keep_going", "True"))
    return options
