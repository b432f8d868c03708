"""Nodes, one class per type of node, and their parts.

Code that depends on the type of a node matches on the classes of `Node` and ends in `assert_never`, so that mypy finds
it when a type is added. Code that only needs to know whether a node has edges, or calls something, tests for
`RoutedNode` or `CallingNode`.
"""

from __future__ import annotations

from typing import ClassVar, TypeAlias

import yaml

from graphwright.ir.values import Condition, Value
from graphwright.record import Record


class Edge(Record):
    """An edge from a node. `when` is None for an unconditional edge, and for an error edge.

    `target` is the name of a node that exists (the suggestion for a misspelled one), or None if it is unknown (the
    fault is reported; analyses treat it as "anywhere"). `at`: the edge's mapping, or the target's scalar if `next` is a
    plain name. `target_at`: the target scalar.
    """

    target: str | None
    when: Condition | None
    at: yaml.Node
    target_at: yaml.Node


class Assign(Record):
    """One entry of `assign`, in document order."""

    key: str
    value: Value
    key_at: yaml.ScalarNode
    value_at: yaml.Node


class Action(Record):
    """What a node or a hook calls.

    `primary`: execute, search, load, sign (fetch is lowered to load). `kind`: tool, directive, knowledge; None if the
    whole id is one template, whose value may contain the prefix (default tool). `item_id`: a Const string without its
    kind prefix, or a Template (a literal prefix already moved to `kind` only if the template starts with it; the
    emitted expression omits it); Const(None) if missing. `capability`: the required string if the id is static,
    otherwise None. `params`: Const mapping or MapOf; Const(None) if they are not a mapping (reported). Literal null
    entries are kept (GW416 reads them); emission drops them. `async_exec`: `params.async_exec`, `params.async` or
    `action.async` is literally true. `tasks`: the actions that it spawns, if their list is a literal one.
    """

    primary: str
    kind: str | None
    item_id: Value
    params: Value
    capability: str | None
    async_exec: bool
    at: yaml.MappingNode
    item_id_at: yaml.Node | None
    params_at: yaml.Node | None
    tasks: tuple[Action, ...] = ()


class EnvName(Record):
    """An environment variable that the graph or a node requires."""

    name: str
    at: yaml.Node


class Retry(Record):
    """A node's `retry` policy; waits in milliseconds."""

    attempts: int = 3
    backoff_ms: float = 1000
    max_backoff_ms: float = 30_000
    multiplier: float = 2
    jitter: bool = True
    categories: tuple[str, ...] = ("transient", "rate_limited", "timeout")


class _Node(Record):
    """The fields of all nodes. `at` is the body of the node, `name_at` its key."""

    name: str
    name_at: yaml.ScalarNode
    at: yaml.Node
    description: str | None
    max_visits: int | None


class _Routed(_Node):
    """A node that assigns and then takes an edge. `on_error` is None if there is no error edge.

    `next_at`: the `next` key, or None.
    """

    assigns: tuple[Assign, ...]
    edges: tuple[Edge, ...]
    on_error: Edge | None
    next_at: yaml.ScalarNode | None


class _Calling(_Routed):
    """A node that calls something. `action` is None if it is missing or unusable, which is reported."""

    action: Action | None
    env: tuple[EnvName, ...]
    retry: Retry | None
    timeout_s: float | None
    cache: bool


class ActionNode(_Calling):
    """Calls, assigns, takes an edge."""

    kind: ClassVar = "action"

    feedback: bool


class GateNode(_Routed):
    """Assigns and takes an edge, without calling anything."""

    kind: ClassVar = "gate"


class ForeachNode(_Calling):
    """Calls once per item of `over`. `over` reads `Root.UNKNOWN` if it is missing, which is reported.

    `over_at` is the YAML node of `over`, `collect_at` that of `collect`.
    """

    kind: ClassVar = "foreach"

    over: Value
    variable: str
    collect: str | None
    parallel: bool
    max_concurrency: int
    over_at: yaml.Node
    collect_at: yaml.Node | None


class ReturnNode(_Node):
    """Ends the run. If `output` is None, the output is the state without `inputs`.

    If it `fails`, the run ends with status `error` and the message `error` (None: a default message); its output is
    then null if `output` is None.
    """

    kind: ClassVar = "return"
    assigns: ClassVar[tuple[Assign, ...]] = ()
    edges: ClassVar[tuple[Edge, ...]] = ()
    on_error: ClassVar[None] = None

    output: Value | None
    output_at: yaml.Node | None
    fails: bool = False
    error: Value | None = None
    error_at: yaml.Node | None = None


CallingNode: TypeAlias = ActionNode | ForeachNode
RoutedNode: TypeAlias = CallingNode | GateNode
Node: TypeAlias = RoutedNode | ReturnNode
