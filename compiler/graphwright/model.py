"""The graph as its author wrote it: keys told apart, values typed, nothing resolved yet.

`parse` makes it, `lower` turns it into the IR. Spellings are the modern ones, misspelled keys already read as what they
meant; templates, names of nodes and paths are still YAML nodes.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, TypeAlias

from yaml.nodes import MappingNode, Node, ScalarNode

from graphwright.diagnostic import Json
from graphwright.fault import Owner
from graphwright.record import Record
from graphwright.recover.recovery import Recovery
from graphwright.source.reader import Pair, Source

#: What stands for a name that cannot be read, such as a template where none is interpolated. No author can write it.
UNKNOWN_NAME: Final = "\ud800"


class Name(Record):
    """A text that names something, and where it stands.

    `plain`: it was written as a text. A number in its place was reported, and is read by its spelling.
    """

    text: str
    at: Node
    plain: bool = True


class Comparison(Record):
    """`{path, op, value}`. `op` is a modern spelling, `exists` and `eq` included; None where it is unknown."""

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
    """What is called. `primary`: None where it is unknown. `kind`: what `item_type` says, None where it says nothing
    or something unknown (`kind_at` tells which). `item_id`: None where it is missing or was not a string.
    `params_lost`: they are there, but are not a mapping. `asynchronous`: `async` is true.
    """

    primary: str | None
    kind: str | None
    kind_at: Node | None
    item_id: Node | None
    params: MappingNode | None
    params_lost: bool
    asynchronous: bool
    at: MappingNode


class Control(Record):
    """A control literal of a hook: `retry`, `fail`, `continue`."""

    kind: str
    amount: int | None


class Hook(Record):
    """One entry of `config.hooks`."""

    event: str
    layer: int
    condition: Condition | None
    action: Action | Control
    owner: Owner
    hook_id: str | None
    at: MappingNode


class Retry(Record):
    """A node's `retry`; None where a key is absent. `at`: its mapping."""

    at: MappingNode
    attempts: int | None
    backoff_ms: float | None
    max_backoff_ms: float | None
    multiplier: float | None
    jitter: bool | None
    categories: tuple[str, ...] | None


class Loop(Record):
    """What only a foreach has. `over` is None where it is missing."""

    over: Node | None
    variable: Name | None
    collect: Name | None
    parallel: bool
    max_concurrency: int | None


class NodeSpec(Record):
    """One node; `kind` is action, gate, foreach or return.

    `on_error_at` without `on_error`: there is an error edge, and nobody can tell where it leads.
    """

    name: str
    name_at: ScalarNode
    at: Node
    owner: Owner
    kind: str
    action: Action | None = None
    loop: Loop | None = None
    assigns: tuple[Pair, ...] = ()
    assign_at: ScalarNode | None = None
    edges: tuple[Edge, ...] = ()
    next_at: ScalarNode | None = None
    on_error: Name | None = None
    on_error_at: Node | None = None
    output: Pair | None = None
    env: tuple[Name, ...] = ()
    retry: Retry | None = None
    timeout_s: float | None = None
    cache: bool = False
    feedback: bool = False
    max_visits: int | None = None
    description: str | None = None


class Settings(Record):
    """The plain values of `config`; None where absent."""

    start: Name | None = None
    max_steps: int | None = None
    max_steps_at: Node | None = None
    on_error: str | None = None
    on_max_steps: str | None = None
    max_concurrency: int | None = None
    timeout_s: float | None = None
    require_capabilities: bool | None = None
    builtin_hooks: bool | None = None
    durability: str | None = None


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
    settings: Settings
    state: tuple[Pair, ...]
    hooks: tuple[Hook, ...]
    nodes: tuple[NodeSpec, ...]
    recovery: Recovery
