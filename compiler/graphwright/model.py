"""The graph as its author wrote it: keys identified, values typed, nothing resolved yet.

`parse` creates it, `lower` turns it into the IR. Spellings are the modern ones, and misspelled keys are already read as
what they meant; templates, names of nodes and paths are still YAML nodes.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, TypeAlias

from yaml.nodes import MappingNode, Node, ScalarNode

from graphwright import ir
from graphwright.diagnostic import Json
from graphwright.fault import Owner
from graphwright.record import Record
from graphwright.recover.recovery import Recovery
from graphwright.source.reader import Pair, Source

#: Stands for a name that cannot be read, such as a template where none is interpolated. It cannot be written.
UNKNOWN_NAME: Final = "\ud800"


class Name(Record):
    """A string that names something, and its location.

    `plain`: it was written as a string. A number instead was reported, and is read by its spelling.
    """

    text: str
    at: Node
    plain: bool = True


class Comparison(Record):
    """`{path, op, value}`. `op` is a modern spelling, including `exists` and `eq`; None if it is unknown."""

    path: ScalarNode
    op: str | None
    value: Node | None
    at: MappingNode


class Group(Record):
    """`any` or `all`."""

    kind: str
    parts: tuple[Condition, ...]
    at: MappingNode


class Negation(Record):
    """`not`."""

    part: Condition
    at: MappingNode


Condition: TypeAlias = Comparison | Group | Negation


class Edge(Record):
    """A way out of a node; without a target it may lead anywhere."""

    target: Name | None
    when: Condition | None
    at: Node


class Action(Record):
    """What is called. `primary`: None if it is unknown. `kind`: the value of `item_type`, None if that is missing or
    unknown (`kind_at` tells which). `item_id`: None if it is missing or was not a string. `params_lost`: they exist,
    but are not a mapping. `asynchronous`: `async` is true."""

    primary: str | None
    kind: str | None
    kind_at: Node | None
    item_id: Node | None
    params: MappingNode | None
    params_lost: bool
    asynchronous: bool
    at: MappingNode


class Hook(Record):
    """One entry of `config.hooks`."""

    event: str
    layer: int
    condition: Condition | None
    action: Action | ir.Control
    owner: Owner
    hook_id: str | None
    at: MappingNode


class Routing(Record):
    """How a node leads on; `error_at` is None where it has no error edge, whose target may be unknown."""

    assigns: tuple[Pair, ...] = ()
    assign_at: ScalarNode | None = None
    edges: tuple[Edge, ...] = ()
    next_at: ScalarNode | None = None
    on_error: Name | None = None
    error_at: Node | None = None


class Call(Record):
    """What a node calls, and how."""

    action: Action | None
    env: tuple[Name, ...]
    retry: ir.Retry | None
    timeout_s: float | None
    cache: bool


class _Spec(Record):
    owner: Owner
    name: str
    name_at: ScalarNode
    at: Node
    description: str | None
    max_visits: int | None


class ActionSpec(_Spec):
    """An action node."""

    routing: Routing
    call: Call
    feedback: bool


class GateSpec(_Spec):
    """A gate."""

    routing: Routing


class ForeachSpec(_Spec):
    """A foreach; `over` is None where it is missing, `variable` and `collect` where they are not written."""

    routing: Routing
    call: Call
    over: Node | None
    variable: Name | None
    collect: Name | None
    parallel: bool
    max_concurrency: int | None

    @property
    def item(self) -> str:
        """The name of the variable."""
        return self.variable.text if self.variable else "item"


class ReturnSpec(_Spec):
    """A return node. One that `fails` ends the run with `status: error`, and with the string `error`."""

    output: Node | None
    fails: bool
    error: Node | None


NodeSpec: TypeAlias = ActionSpec | GateSpec | ForeachSpec | ReturnSpec


class Schema(Record):
    """A JSON Schema: its key and its mapping."""

    key: ScalarNode
    at: MappingNode


class GraphSpec(Record):
    """A whole file, and what had to be assumed to read it."""

    source: Source
    at: MappingNode
    description: str
    permissions: tuple[Name, ...] | None
    env: tuple[Name, ...]
    inputs_schema: Schema | None
    output_schema: Schema | None
    state_schema: Schema | None
    limits: Mapping[str, Json]
    config_at: ScalarNode | None
    start: Name | None
    settings: ir.Settings
    state: tuple[Pair, ...]
    hooks: tuple[Hook, ...]
    nodes: tuple[NodeSpec, ...]
    recovery: Recovery
