"""Graphs that grow in one respect, as somebody would write them who wants a check to take long."""

from __future__ import annotations

from collections.abc import Callable

_TOP = "tool_type: graph\npermissions: []\n"
_END = "config: {start: a, nodes: {a: {type: return, output: 1}}}\n"


def _assigned(count: int, value: str) -> str:
    entries = ", ".join(f"k{number}: '{value.format(number)}'" for number in range(count))
    nodes = f"    a: {{type: gate, next: b, assign: {{{entries}}}}}\n    b: {{type: return}}\n"
    return f"{_TOP}config:\n  start: a\n  nodes:\n{nodes}"


def unknown_keys(count: int) -> str:
    """Keys that the language does not have."""
    return _TOP + "".join(f"unknown_key_{number}: 1\n" for number in range(count)) + _END


def unclosed_templates(count: int) -> str:
    """Templates without their `}`."""
    return _assigned(count, "${{state.x{0}")


def undefined_keys(count: int) -> str:
    """Keys that are read and never set, each nearly one that is."""
    state = ", ".join(f"key{number}x: 1" for number in range(count))
    read = ", ".join(f"'${{state.key{number}y}}'" for number in range(count))
    return f"{_TOP}config:\n  start: a\n  state: {{{state}}}\n  nodes:\n    a: {{type: return, output: [{read}]}}\n"


def inputs(count: int) -> str:
    """Inputs that nothing reads."""
    properties = "".join(f"    input_{number}: {{type: string}}\n" for number in range(count))
    return f"{_TOP}config_schema:\n  type: object\n  properties:\n{properties}{_END}"


def undeclared_inputs(count: int) -> str:
    """Inputs that are read, each nearly one that is declared."""
    properties = "".join(f"    input_{number}a: {{type: string}}\n" for number in range(count))
    read = ", ".join(f"'${{inputs.input_{number}b}}'" for number in range(count))
    schema = f"config_schema:\n  type: object\n  properties:\n{properties}"
    return f"{_TOP}{schema}config: {{start: a, nodes: {{a: {{type: return, output: [{read}]}}}}}}\n"


def gates(count: int) -> str:
    """Gates with ten edges each."""
    nodes = []
    for number in range(count):
        edges = ", ".join(
            f"{{to: n{min(number + 1 + step, count)}, when: {{path: state.x, value: {step}}}}}" for step in range(10)
        )
        nodes.append(f"    n{number}: {{type: gate, next: [{edges}, {{to: n{number + 1}}}]}}\n")
    body = "".join(nodes)
    head = "config:\n  start: n0\n  max_steps: 100000\n  state: {x: 1}\n  nodes:\n"
    return f"{_TOP}{head}{body}    n{count}: {{type: return}}\n"


GROWING: dict[str, Callable[[int], str]] = {
    "unknown keys": unknown_keys,
    "unclosed templates": unclosed_templates,
    "undefined keys": undefined_keys,
    "inputs": inputs,
    "undeclared inputs": undeclared_inputs,
    "gates with ten edges": gates,
}
