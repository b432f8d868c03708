"""Emits the rows of the module's hook table, and the functions that they refer to."""

from __future__ import annotations

from typing import Final

from graphwright import ir
from graphwright.emit.blocks import action_code, call_text, is_static, statement
from graphwright.emit.code import CONDITIONAL, Code
from graphwright.emit.conditions import condition_code, decided
from graphwright.emit.expressions import params_code
from graphwright.emit.knowledge import Knowledge
from graphwright.emit.literals import quoted
from graphwright.emit.model import Function
from graphwright.emit.scope import TAKEN, FunctionScope
from graphwright.emit.uses import Uses
from graphwright.names import Namespace

_EMPTY: Final = ir.Const({})


def hook_code(hook: ir.Hook, number: int, uses: Uses, knowledge: Knowledge) -> tuple[str, list[Function]]:
    """The row of one hook, and the functions for its condition, action and params."""
    functions: list[Function] = []
    is_shared = number > len(knowledge.graph.hooks)
    line = 0 if is_shared else hook.at.start_mark.line + 1  # 0: it is in another file

    def define(word: str, code: Code, returns: str, scope: FunctionScope) -> str:
        name = uses.names.claim(f"_hook_{number}_{word}")
        arguments = f"event: {uses.runtime('EventContext')}"
        body = statement(scope, f"return {code.within(CONDITIONAL)}", line)
        functions.append(Function(name, arguments, returns, tuple(body)))
        return name

    options: list[tuple[str, str]] = []
    if hook.hook_id is not None:
        options.append(("id", quoted(hook.hook_id)))
    elif is_shared:  # the others are named by their position
        options.append(("name", quoted(hook.owner.removeprefix("hook "))))
    if hook.layer != 1:
        options.append(("layer", repr(hook.layer)))
    if hook.when is not None:
        scope = _scope(hook, uses, knowledge)
        verdict = decided(hook.when)
        code = condition_code(hook.when, scope) if verdict is None else Code("False")
        if verdict is not True:
            options.append(("when", define("when", code, "bool", scope)))
    if isinstance(hook.action, ir.Control):
        options.append(("control", _control(hook.action, uses)))
    else:
        scope = _scope(hook, uses, knowledge)
        code = action_code(hook.action, scope)
        static = is_static(hook.action)
        options.append(("action", code.text if static else define("action", code, uses.runtime("Action"), scope)))
        if hook.action.params != _EMPTY:
            scope = _scope(hook, uses, knowledge)
            params = params_code(hook.action.params, scope)
            options.append(("params", define("params", params, uses.runtime("Params"), scope)))
    return call_text(uses.runtime("Hook"), (Code(quoted(hook.event)),), options), functions


def _scope(hook: ir.Hook, uses: Uses, knowledge: Knowledge) -> FunctionScope:
    return FunctionScope(uses, knowledge, None, Namespace(TAKEN), hook.event)


def _control(control: ir.Control, uses: Uses) -> str:
    amount = [] if control.amount is None else [Code(repr(control.amount))]
    return call_text(uses.runtime("Control"), (Code(quoted(control.kind)), *amount), ())
