"""The common form in which graphs and modules are compared."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TypeAlias

from graphwright.analysis.jsontype import Field, Type
from graphwright.ir import Json
from graphwright.record import Record


class Target(Record):
    """The name of a node in a line, with text around it that appears only with the name."""

    name: str
    before: str = ""
    after: str = ""


#: A line that describes a node: text, and names of nodes.
Line: TypeAlias = tuple[str | Target, ...]


class NodeOutline(Record):
    """A node. `lines` describe what it does and its successors. `digest` may distinguish nodes with equal lines."""

    kind: str
    lines: tuple[Line, ...]
    digest: str = ""

    def text(self, called: Callable[[str], str]) -> tuple[str, ...]:
        """The lines as text; `called` returns the name to use for each node."""
        return tuple(
            "".join(part if isinstance(part, str) else f"{part.before}{called(part.name)}{part.after}" for part in line)
            for line in self.lines
        )


class InputOutline(Record):
    """A declared input. `schema` is without its default. `required`: callers must pass it."""

    schema: Json
    required: bool
    has_default: bool
    default: Json = None


class HookOutline(Record):
    """A hook; `lines` describe when it runs and what it does."""

    event: str
    lines: tuple[str, ...]


class MethodOutline(Record):
    """What a tool is called with and what it returns, as a module declares it; `ANY` if that is unknown."""

    params: Type
    result: Type


class Outline(Record):
    """One side of a comparison.

    `settings` are by name, as text. `permissions` is None if none are declared. `inputs` are the declared inputs,
    `inputs_schema` is the rest of their schema. `state_schema` and `output_schema` are null if nothing is declared.
    `closed`: no other inputs are accepted. `output` and `state` are the types for readers, `initial` is
    `config.state`, and `tools` are the called items as text. `methods` are those of `Tools`, by the item that they
    implement, in the same form.

    `is_module`: the outline is that of a module. Then `input_checks` is the code that checks each input, with an empty
    name for all of them together, and `declared_checks` that for the declared state and output.
    """

    graph_id: str
    start: str | None
    settings: Mapping[str, str]
    permissions: tuple[str, ...] | None
    environment: tuple[str, ...]
    inputs: Mapping[str, InputOutline]
    inputs_schema: Json
    state_schema: Json
    output_schema: Json
    closed: bool
    output: Type
    state: Mapping[str, Field]
    initial: Mapping[str, Json]
    hooks: Mapping[str, HookOutline]
    tools: tuple[str, ...]
    methods: Mapping[str, MethodOutline]
    nodes: Mapping[str, NodeOutline]
    input_checks: Mapping[str, str] = {}
    declared_checks: str = ""
    is_module: bool = False
