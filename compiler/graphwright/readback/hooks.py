"""Reads the hooks of a module."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping

from graphwright.readback.constants import Call, Constant, Name, json_of, records_of, text_of
from graphwright.readback.functions import item_of
from graphwright.record import Record


class ModuleHook(Record):
    """A hook: its event and a description. `code` is the code of the functions for its condition, id and params."""

    event: str
    hook_id: str | None
    layer: int
    conditional: bool
    does: str
    code: tuple[str, ...]


def module_hooks(hooks: Constant, functions: Mapping[str, ast.FunctionDef]) -> Iterator[ModuleHook]:
    """The hooks in order. `functions` are those at the top level of the module."""
    for hook in records_of(hooks):
        event, hook_id, layer = hook.get("event", 0), hook.get("id"), hook.get("layer")
        yield ModuleHook(
            text_of(event),
            hook_id if isinstance(hook_id, str) else None,
            layer if isinstance(layer, int) else 1,
            conditional="when" in hook.options,
            does=_does(hook),
            code=tuple(_hook_code(hook, functions)),
        )


def _hook_code(hook: Call, functions: Mapping[str, ast.FunctionDef]) -> Iterator[str]:
    """The statements of a hook's functions, line by line, without the numbered names of the functions."""
    for option, function in hook.options.items():
        if isinstance(function, Name) and function.text in functions:
            for statement in functions[function.text].body:
                yield f"{option}: {ast.unparse(statement)}"


def _does(hook: Call) -> str:
    action, control = hook.get("action"), hook.get("control")
    if isinstance(action, Call):
        return item_of(action).text
    if isinstance(control, Call):
        return " ".join(str(json_of(each)) for each in control.arguments)
    return "an item that a template names"
