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

#: The placeholder for a name that cannot be read, such as a template that is not interpolated. No file contains it.
UNKNOWN_NAME: Final = "\ud800"


class Name(Record):
    """A string that names something, and its location.

    `plain`: it was written as a string. Otherwise, it is the spelling of another scalar, which was reported.
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
    """An edge from a node; without a target, it may lead anywhere."""

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
    """The assigns and edges of a node. `error_at` is None if it has no error edge, whose target may be unknown."""

    assigns: tuple[Pair, ...] = ()
    assign_at: ScalarNode | None = None
    edges: tuple[Edge, ...] = ()
    next_at: ScalarNode | None = None
    on_error: Name | None = None
    error_at: Node | None = None


class Call(Record):
    """The call of a node: its action and the options for it."""

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
    """A foreach node. `over`, `variable` and `collect` are None if the keys are missing."""

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
    """A return node. If it `fails`, it ends the run with `status: error` and the string `error`."""

    output: Node | None
    fails: bool
    error: Node | None


NodeSpec: TypeAlias = ActionSpec | GateSpec | ForeachSpec | ReturnSpec


class Schema(Record):
    """A JSON Schema: its key and its mapping."""

    key: ScalarNode
    at: MappingNode


class GraphSpec(Record):
    """A whole file, and the assumptions that were necessary to read it."""

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
