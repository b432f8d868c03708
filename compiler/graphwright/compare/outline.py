"""What is compared: a graph as its callers, its reviewers and its runs know it, read from YAML or from a module."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TypeAlias

from graphwright.analysis.jsontype import Field, Type
from graphwright.ir import Json
from graphwright.record import Record


class Target(Record):
    """A place in a line where the name of a node stands; `before` and `after` are put around the name."""

    name: str
    before: str = ""
    after: str = ""


#: A line of what a node does: text, and the names of nodes.
Line: TypeAlias = tuple[str | Target, ...]


class NodeOutline(Record):
    """`lines`: what the node does and where it leads. `digest`: tells apart nodes with equal lines; may be empty."""

    kind: str
    lines: tuple[Line, ...]
    digest: str = ""

    def text(self, called: Callable[[str], str]) -> tuple[str, ...]:
        """The lines, with `called` saying what each node is called."""
        return tuple(
            "".join(part if isinstance(part, str) else f"{part.before}{called(part.name)}{part.after}" for part in line)
            for line in self.lines
        )


class InputOutline(Record):
    """One declared input. `schema`: what it accepts, without its default. `required`: callers must pass it."""

    schema: Json
    required: bool
    has_default: bool
    default: Json = None


class HookOutline(Record):
    """A hook: `lines` say when it runs and what it does."""

    event: str
    lines: tuple[str, ...]


class Outline(Record):
    """One side of a comparison.

    `settings`: by name, as text. `permissions`: None if none are declared. `inputs`, `inputs_schema`: the declared
    inputs, and what else the schema says. `state_schema` and `output_schema` are null
    if nothing is declared. `closed`: no other inputs are accepted. `output`, `state`: what callers read.
    `initial`: `config.state`. `tools`: what is called, as text. `is_module`: read from a module, not from YAML; then
    `input_checks` is the code that checks each input, and under an empty name all of them, and `declared_checks` that
    which checks the declared state and output.
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
    nodes: Mapping[str, NodeOutline]
    input_checks: Mapping[str, str] = {}
    declared_checks: str = ""
    is_module: bool = False
