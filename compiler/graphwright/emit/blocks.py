"""Emits statements: logical lines, preceded by the functions that their expressions need; and the call of an action."""

from __future__ import annotations

from collections.abc import Iterable

from graphwright import ir
from graphwright.emit.code import Code, call
from graphwright.emit.expressions import shallow, value_code
from graphwright.emit.literals import number, quoted
from graphwright.emit.model import marked
from graphwright.emit.scope import FunctionScope

INDENT = "    "


def indented(lines: Iterable[str]) -> list[str]:
    """The lines, indented by one more level."""
    return [f"{INDENT}{line}" for line in lines]


def definitions(scope: FunctionScope, line: int) -> list[str]:
    """The functions that the expressions emitted since the last call need."""
    lines: list[str] = []
    for part in scope.take_parts():
        lines.append(marked(f"def {part.name}() -> {part.returns}:", line))
        lines.append(marked(f"{INDENT}return {part.code.text}", line))
    return lines


def statement(scope: FunctionScope, text: str, line: int) -> list[str]:
    """One statement, preceded by the functions that its expressions need."""
    return [*definitions(scope, line), marked(text, line)]


def function(name: str, arguments: str, returns: str, body: Iterable[str], line: int) -> list[str]:
    """An inner function."""
    return [marked(f"def {name}({arguments}) -> {returns}:", line), *indented(body)]


def call_text(function: str, positional: Iterable[Code], options: Iterable[tuple[str, str]]) -> str:
    """`function(a, b, option=c)`."""
    arguments = [code.text for code in positional] + [f"{name}={value}" for name, value in options]
    return f"{function}({', '.join(arguments)})"


def is_static(action: ir.Action) -> bool:
    """Whether the item of an action is known before the run."""
    return isinstance(action.item_id, ir.Const)


def action_code(action: ir.Action, scope: FunctionScope) -> Code:
    """The action as an expression: a constant of the module, or one created from the value of its template."""
    if is_static(action):
        return Code(scope.uses.action(action))
    kind = "None" if action.kind is None else quoted(action.kind)
    item_id = shallow(value_code(action.item_id, scope), scope)
    return call(scope.uses.runtime("dynamic"), (Code(quoted(action.primary)), Code(kind), item_id))


def call_options(node: ir.CallingNode) -> list[tuple[str, str]]:
    """The options of a call that differ from the defaults."""
    options: list[tuple[str, str]] = []
    if node.timeout_s is not None:
        options.append(("timeout_s", number(node.timeout_s)))
    if node.cache:
        options.append(("cache", "True"))
    if isinstance(node, ir.ActionNode) and node.feedback:
        options.append(("feedback", "True"))
    return options
