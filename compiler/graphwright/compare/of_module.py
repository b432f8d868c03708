"""Creates the outline of a generated module.

It contains the exact interface for importers. What a node does is represented by the Python code of its function.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Final

from graphwright.analysis.jsontype import OBJECT, Field, Type, meet
from graphwright.compare.of_graph import hook_names, settings_text
from graphwright.compare.outline import HookOutline, InputOutline, Line, MethodOutline, NodeOutline, Outline, Target
from graphwright.readback.annotations import object_schema, schema_of
from graphwright.readback.functions import CalledItem
from graphwright.readback.hooks import ModuleHook
from graphwright.readback.module import ModuleOutline
from graphwright.readback.nodes import ModuleNode
from graphwright.readback.types import MethodType
from graphwright.schema.types import from_schema
from graphwright.schema.walk import mapping

_TARGETS: Final = ("return ", "target = ", "target: ")


def module_outline(module: ModuleOutline) -> Outline:
    """The outline of a module."""
    return Outline(
        graph_id=module.graph_id,
        start=module.start or None,
        settings=_settings(module),
        permissions=module.permissions,
        environment=tuple(module.environment),
        inputs=_inputs(module),
        inputs_schema={},
        state_schema=None,
        output_schema=None,
        closed=module.closed,
        output=_output(module),
        state=_state(module),
        initial=mapping(module.initial),
        hooks=hook_names((hook.hook_id, _hook(hook)) for hook in module.hooks),
        tools=tuple(dict.fromkeys((*(item.text for item in module.tools), *_dynamic(module)))),
        methods={f"tool:{item_id}": _method(each, module) for item_id, each in module.methods.items()},
        nodes={name: _node(node) for name, node in module.nodes.items()},
        input_checks=module.input_checks,
        declared_checks=module.declared_checks,
        is_module=True,
    )


def _settings(module: ModuleOutline) -> dict[str, str]:
    limits = mapping(module.settings["limits"])
    continues = any(node.function.continues for node in module.nodes.values())
    values = {name: value for name, value in module.settings.items() if name != "limits"}
    return settings_text({**values, "on_error": "continue" if continues else "fail"}, limits)


def _inputs(module: ModuleOutline) -> dict[str, InputOutline]:
    declared = module.types.get("Inputs")
    if declared is None or declared.fields is None:
        return {}
    return {
        name: InputOutline(
            schema_of(field.annotation, module.types),
            field.required,
            name in module.defaults,
            module.defaults.get(name),
        )
        for name, field in declared.fields.items()
    }


def _output(module: ModuleOutline) -> Type:
    declared = module.types.get("Output")
    return from_schema(True if declared is None else object_schema(declared, module.types), fills=False)


def _state(module: ModuleOutline) -> Mapping[str, Field]:
    declared = module.types.get("State")
    if declared is None:
        return {}
    return meet(from_schema(object_schema(declared, module.types), fills=False), OBJECT).field_map


def _method(method: MethodType, module: ModuleOutline) -> MethodOutline:
    params, result = (schema_of(each, module.types) for each in (method.params, method.returns))
    return MethodOutline(from_schema(params, fills=False), from_schema(result, fills=False))


def _dynamic(module: ModuleOutline) -> Iterator[str]:
    """The items with a template as their id that nodes call."""
    for node in module.nodes.values():
        if node.function.dynamic and node.function.calls is not None:
            yield f"{_text(node.function.calls)} with an id from a template"


def _text(item: CalledItem) -> str:
    return item.kind or item.text


def _node(node: ModuleNode) -> NodeOutline:
    function = node.function
    lines: list[Line] = [] if function.calls is None else [(f"calls {function.calls.text}",)]
    lines += [(f"{name} {value}",) for name, value in function.options.items()]
    lines += [] if node.retry is None else [(f"retry {node.retry}",)]
    lines += [] if node.max_visits is None else [(f"max_visits {node.max_visits}",)]
    lines += [("next ", Target(name)) if name is not None else ("ends the run",) for name in function.successors]
    lines += [] if function.on_error is None else [("on error ", Target(function.on_error))]
    targets = {*(name for name in function.successors if name is not None), *filter(None, [function.on_error])}
    lines += [_code_line(line, targets) for line in node.code.split("\n")]
    return NodeOutline(node.kind, tuple(lines), node.digest)


def _code_line(line: str, targets: set[str]) -> Line:
    """A line of code, split at the names of nodes that it leads to."""
    if not targets or not line.lstrip().startswith(_TARGETS):
        return (line,)
    quoted = {repr(name): name for name in targets}
    pieces = re.split("|".join(map(re.escape, sorted(quoted, key=len, reverse=True))), line)
    names = re.findall("|".join(map(re.escape, sorted(quoted, key=len, reverse=True))), line)
    parts: list[str | Target] = [pieces[0]]
    for name, piece in zip(names, pieces[1:], strict=True):
        parts += [Target(quoted[name], "'", "'"), piece]
    return tuple(parts)


def _hook(hook: ModuleHook) -> HookOutline:
    layer = f"hook on {hook.event}, layer {hook.layer}"
    return HookOutline(hook.event, (layer, hook.does, *hook.code))
