"""Small graphs for the cases: the top of the file is always the same."""

from __future__ import annotations

from textwrap import dedent, indent

_TOP = """\
version: "1.0.0"
tool_type: graph
description: "a case from the field"
"""
_PERMISSIONS = {"shop/": "rye.execute.tool.shop.*", "rye/bash": "rye.execute.tool.rye.bash"}


def graph(config: str, *, inputs: str = "", top: str = "") -> str:
    """A graph from the lines below `config`, `inputs` (properties of the schema) and further top-level lines.

    It permits what it calls, as far as that is below `shop/` or is `rye/bash`.
    """
    permitted = [pattern for part, pattern in _PERMISSIONS.items() if part in config]
    text = f"{_TOP}permissions: [{', '.join(permitted)}]\n{dedent(top)}"
    if inputs:
        text += "config_schema:\n  type: object\n  properties:\n" + indent(dedent(inputs), "    ")
    return text + "config:\n" + indent(dedent(config), "  ")
