"""The `assign` entries of a node: locals, one statement each, and the delta that is committed in the end."""

from __future__ import annotations

from collections.abc import Iterable

from graphwright import ir
from graphwright.emit.blocks import statement
from graphwright.emit.displays import declaration
from graphwright.emit.expressions import declared_code
from graphwright.emit.literals import quoted
from graphwright.emit.reading import reads_later
from graphwright.emit.scope import Scope


def assigned(node: ir.Node, scope: Scope, delta: list[tuple[str, str]]) -> list[str]:
    """The statements; `delta` gets key and expression of each entry.

    A constant that nothing reads afterwards goes straight into the delta.
    """
    lines: list[str] = []
    for position, entry in enumerate(node.assigns):
        code = declared_code(entry.value, scope)
        if isinstance(entry.value, ir.Const) and not reads_later(node, position):
            delta.append((entry.key, code.text))
            continue
        local = scope.local(entry.key)
        lines += statement(scope, f"{local}{declaration(code)} = {code.text}", entry.key_at.start_mark.line + 1)
        scope.locals[entry.key] = local
        delta.append((entry.key, local))
    return lines


def delta_text(delta: Iterable[tuple[str, str]]) -> str:
    """The delta as a dict."""
    return f"{{{', '.join(f'{quoted(key)}: {text}' for key, text in delta)}}}"
