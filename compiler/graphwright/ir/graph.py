"""The graph as a whole: its nodes, its hooks and the declarations of `config`."""

from __future__ import annotations

from collections.abc import Mapping

import yaml

from graphwright.ir.nodes import Action, EnvName, Node
from graphwright.ir.values import Compare, Condition, Json, Read, Root, Value
from graphwright.record import Record


class Region(Record):
    """Nodes, in file order, whose edges stay within the region, and the node that it starts with.

    A graph has one region; node types that run their own nodes contain more (`visit.regions`). `start` is None if it is
    unknown, which is reported.
    """

    start: str | None
    start_at: yaml.Node | None
    nodes: Mapping[str, Node]


class Permission(Record):
    """A capability pattern in its modern spelling (without `ryeos.` and `fetch`); `written` is that of the author."""

    pattern: str
    written: str
    at: yaml.Node


class Settings(Record):
    """The plain values of `config`."""

    max_steps: int = 100
    max_steps_at: yaml.Node | None = None
    on_error: str = "fail"
    on_max_steps: str = "fail"
    max_concurrency: int = 16
    timeout_s: float | None = None
    require_capabilities: bool = False
    builtin_hooks: bool = True
    durability: str | None = None


class Control(Record):
    """A control literal of a hook: `retry` (amount = max_retries), `fail`, `continue` (amount = additional_steps)."""

    kind: str
    amount: int | None


class Hook(Record):
    """`layer`: 1 graph, 2 built-in, 3 infrastructure. `owner` names the hook in messages, by its id or its number."""

    event: str
    layer: int
    when: Condition | None
    action: Action | Control
    at: yaml.MappingNode
    owner: str
    hook_id: str | None = None


class Doubt(Record):
    """What is unknown about a graph because of mistakes that are reported elsewhere.

    Analyses and rules consult it before they draw a conclusion, so that one mistake gives one diagnostic.

    `guesses` are values and YAML nodes, by identity, that are not read as they are written. `reads` are the paths in
    parts that were left out, and `words` the keys and strings in those parts. `merged` are nodes with a duplicate key,
    which may be two nodes that were joined by accident. `unreadable` are permissions that cannot be interpreted.
    `plain` are the paths, as namespace and key, in strings that were meant to be templates; `plain_at` are the
    identities of the strings that are a single template. `lacks_node`: an edge leads to a node that does not exist and
    is not misspelled; it could read, set and lead to anything.
    """

    guesses: Mapping[int, object] = {}
    reads: tuple[Read, ...] = ()
    words: frozenset[str] = frozenset()
    merged: frozenset[str] = frozenset()
    unreadable: tuple[str, ...] = ()
    plain: frozenset[tuple[str, str]] = frozenset()
    plain_at: frozenset[int] = frozenset()
    lacks_node: bool = False

    def trusts(self, part: Value | Condition | yaml.Node | None) -> bool:
        """Whether a part of the graph is read as its author wrote it, that is, neither a guess nor unknown."""
        match part:
            case Read(root=Root.UNKNOWN) | Compare(op="?"):
                return False
            case _:
                return id(part) not in self.guesses

    def plainly_read(self, root: Root) -> frozenset[str]:
        """The keys of a namespace in strings that were meant to be templates."""
        return frozenset(key for namespace, key in self.plain if namespace == root.value)

    def mentions(self, name: str) -> bool:
        """Whether a part that was left out may contain this name of a node, state key, variable or permission."""
        return self.lacks_node or name in self.words


class Graph(Record):
    """A whole graph. `path` is relative (posix) to the project, as the header of the module shows it.

    `body` is the region of its nodes. `inputs_schema`, `output_schema`, `state_schema`: JSON, None if not declared (or
    invalid, which is reported). `permissions` is None if none are declared. `shared_hooks` are those of the project;
    their YAML nodes are in another file.
    """

    graph_id: str
    path: str
    description: str
    body: Region
    state: Mapping[str, Json]
    state_at: Mapping[str, yaml.ScalarNode]  # the key of each entry of config.state
    inputs_schema: Json
    inputs_at: Mapping[str, yaml.ScalarNode]  # the key of each declared input
    output_schema: Json
    state_schema: Json
    permissions: tuple[Permission, ...] | None
    env: tuple[EnvName, ...]
    limits: Mapping[str, Json]
    settings: Settings = Settings()
    hooks: tuple[Hook, ...] = ()
    shared_hooks: tuple[Hook, ...] = ()
    config_at: yaml.ScalarNode | None = None
    doubt: Doubt = Doubt()

    @property
    def all_hooks(self) -> tuple[Hook, ...]:
        """The hooks of the graph, followed by those of its project."""
        return (*self.hooks, *self.shared_hooks)

    @property
    def start(self) -> str | None:
        """The node that a run begins with."""
        return self.body.start

    @property
    def nodes(self) -> Mapping[str, Node]:
        """The nodes of the outermost region by name."""
        return self.body.nodes
