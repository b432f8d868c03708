"""Graphs that grow in one respect, made to slow down a check."""

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


def unclosed_in_one(count: int) -> str:
    """Templates without their `}` in one string."""
    return f"{_TOP}config: {{start: a, nodes: {{a: {{type: return, output: '{'${' * count}'}}}}}}\n"


def ignored_keys(count: int) -> str:
    """Keys that the language does not have, each with a comment that silences a finding, and one that does not."""
    lines = (f"unknown_key_{number}: 1  # graphwright: ignore[GW101, GW10, GW999]\n" for number in range(count))
    return _TOP + "".join(lines) + "# graphwright: ignore[GW101]\n" * count + _END


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


def references(count: int) -> str:
    """A chain of references, each to the next."""
    chain = "".join(f"    d{number}: {{$ref: '#/$defs/d{number + 1}'}}\n" for number in range(count))
    schema = (
        f"  properties: {{x: {{$ref: '#/$defs/d0', default: 1}}}}\n  $defs:\n{chain}    d{count}: {{type: integer}}\n"
    )
    return f"{_TOP}config_schema:\n  type: object\n{schema}{_END}"


def isolated_nodes(count: int) -> str:
    """Nodes of a line, and as many that nothing leads to, each spelled nearly like one of those."""
    line = "".join(f"    node{number}x: {{type: gate, next: node{number + 1}x}}\n" for number in range(count))
    alone = "".join(f"    node{number}y: {{type: return}}\n" for number in range(count))
    nodes = f"{line}    node{count}x: {{type: return}}\n{alone}"
    return f"{_TOP}config:\n  start: node0x\n  max_steps: 100000\n  nodes:\n{nodes}"


def _in_shell(command: str) -> str:
    schema = "config_schema: {type: object, properties: {v: {type: string}}, required: [v]}\n"
    action = f'{{item_id: rye/bash, params: {{command: "{command}"}}}}'
    nodes = f"{{a: {{action: {action}, next: b}}, b: {{type: return}}}}"
    head = f"tool_type: graph\npermissions: [rye.execute.tool.rye.bash]\n{schema}"
    return f"{head}config: {{start: a, nodes: {nodes}}}\n"


def shell_values(count: int) -> str:
    """Values in one shell command."""
    return _in_shell("echo ${inputs.v}; " * count)


def shell_sums(count: int) -> str:
    """Values in arithmetic of one shell command."""
    return _in_shell("let x=${inputs.v | quote}; [[ ${inputs.v | quote} -eq 1 ]]; " * count)


def shell_depth(count: int) -> str:
    """Quotes, substitutions and subscripts that are begun and never end."""
    return _in_shell("$(( a[ `x $[ [[ " * count + "${inputs.v}")


def uniques(count: int) -> str:
    """A default list whose items are to be unique."""
    items = ", ".join(f"{{a: {number}}}" for number in range(count))
    schema = f"{{type: array, uniqueItems: true, default: [{items}]}}"
    return f"{_TOP}config_schema: {{type: object, properties: {{x: {schema}}}}}\n{_END}"


def pattern_properties(count: int) -> str:
    """A default object whose keys are told apart by patterns."""
    keys = ", ".join(f"k{number}: 1" for number in range(count))
    patterns = "patternProperties: {'^j': {type: string}, '^k[0-9]': {type: integer}}, additionalProperties: false"
    schema = f"{{type: object, {patterns}, default: {{{keys}}}}}"
    return f"{_TOP}config_schema: {{type: object, properties: {{x: {schema}}}}}\n{_END}"


def hooks(count: int) -> str:
    """Hooks of one event."""
    action = "{item_id: 'tool:h/x', params: {}}"
    entries = "".join(f"    - {{event: graph_completed, action: {action}}}\n" for _ in range(count))
    head = "tool_type: graph\npermissions: [rye.execute.tool.h.x]\n"
    return f"{head}config:\n  start: a\n  hooks:\n{entries}  nodes: {{a: {{type: return, output: 1}}}}\n"


GROWING: dict[str, Callable[[int], str]] = {
    "unknown keys": unknown_keys,
    "unclosed templates": unclosed_templates,
    "unclosed templates of one string": unclosed_in_one,
    "keys with ignore comments": ignored_keys,
    "undefined keys": undefined_keys,
    "inputs": inputs,
    "undeclared inputs": undeclared_inputs,
    "gates with ten edges": gates,
    "references": references,
    "isolated nodes": isolated_nodes,
    "values in a command": shell_values,
    "values in sums of a command": shell_sums,
    "open constructs of a command": shell_depth,
    "unique items": uniques,
    "keys told apart by patterns": pattern_properties,
    "hooks": hooks,
}
