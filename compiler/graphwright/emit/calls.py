"""The call of an action: which one, with what options."""

from __future__ import annotations

from graphwright import ir
from graphwright.emit.code import Code, call
from graphwright.emit.expressions import shallow, value_code
from graphwright.emit.literals import number, quoted
from graphwright.emit.scope import Scope


def is_static(action: ir.Action) -> bool:
    """Whether the item is known before the graph runs."""
    return isinstance(action.item_id, ir.Const)


def action_code(action: ir.Action, scope: Scope) -> Code:
    """The action as an expression: a constant of the module, or one made from the value of its template."""
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
