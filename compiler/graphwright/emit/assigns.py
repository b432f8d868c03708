"""Emits the `assign` entries of a node: locals, statements, and the delta that is committed at the end."""

from __future__ import annotations

from collections.abc import Iterable

from graphwright import ir
from graphwright.emit.blocks import INDENT, statement
from graphwright.emit.code import Code, call
from graphwright.emit.displays import declaration, typed
from graphwright.emit.expressions import declared_code, is_worth_a_note, note_base, noted, unwrapped
from graphwright.emit.literals import quoted
from graphwright.emit.model import marked
from graphwright.emit.reading import reads_later, written
from graphwright.emit.scope import FunctionScope
from graphwright.expr.paths import written_path


def assigned(node: ir.Node, scope: FunctionScope, delta: list[tuple[str, str]]) -> list[str]:
    """The statements; adds the key and the expression of each entry to `delta`.

    A constant that nothing reads afterwards is put directly into the delta.
    """
    lines: list[str] = []
    for position, entry in enumerate(node.assigns):
        value = unwrapped(entry.value)
        code = declared_code(value, scope)
        checked = scope.knowledge.needs_check(entry.key, entry.value, node, scope.locals)
        if isinstance(entry.value, ir.Const) and not checked and not reads_later(node, position):
            alone = len(node.assigns) == 1 and not isinstance(node, ir.ForeachNode)  # no dict declares its type
            delta.append((entry.key, typed(value, code, scope.uses).text if alone else code.text))
            continue
        is_copy = code.text in scope.locals.values()
        if is_copy:  # of which type checkers know whether it is null
            code = noted(value, code, scope)
        local = scope.local(entry.key)
        line = entry.key_at.start_mark.line + 1
        lines += statement(scope, f"{local}{declaration(code)} = {code.text}", line)
        if not is_copy and is_worth_a_note(value, scope):
            given = (Code(quoted(written(value))), Code(local), *note_base(value, scope))
            note = call(f"{scope.cursor}.note", given).text
            lines += [marked(f"if {local} is None:", line), marked(f"{INDENT}{note}", line)]
        if checked:
            lines.append(marked(check_text(entry.key, local, scope), line))
        scope.locals[entry.key] = local
        delta.append((entry.key, local))
    return lines


def check_text(key: str, local: str, scope: FunctionScope) -> str:
    """The statement that checks a value for a state key."""
    function = scope.uses.checks.of_key(key)
    return f"{function}({local}, {quoted(written_path('state', key))}, {scope.uses.runtime('misfit')})"


def delta_text(delta: Iterable[tuple[str, str]]) -> str:
    """The delta as a dict."""
    return f"{{{', '.join(f'{quoted(key)}: {text}' for key, text in delta)}}}"


def commit_text(delta: list[tuple[str, str]]) -> str:
    """The commit of a delta; for a single key, without a dict."""
    if len(delta) == 1:
        [(key, text)] = delta
        return f"c.assign({quoted(key)}, {text})"
    return f"c.commit({delta_text(delta)})"
