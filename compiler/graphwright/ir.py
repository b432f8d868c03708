"""The graph with everything resolved: what analyses read and the emitter writes.

Lowering (`lower.py`) turns the author's model into this. Templates are typed operations over known namespaces,
spellings are the modern ones, defaults are filled in, edges lead to nodes that exist. `verify.py` holds the
invariants, `printer.py` shows a graph as text (golden files of it live in the tests). Positions are kept as the
YAML nodes they came from; `Source.span`, `Source.span_in` turn them into spans when a message needs one.

Values are immutable and hold offsets relative to their own scalar, so equal texts share one value.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from enum import Enum
from typing import TypeAlias

import yaml

from graphwright.expr.nodes import Segment
from graphwright.record import Record
from graphwright.source.reader import Json as Json


class Root(Enum):
    """Where a path starts."""

    STATE = "state"
    INPUTS = "inputs"
    RESULT = "result"
    ITEM = "item"  # the variable of the enclosing foreach
    NOW = "_now"
    TIMESTAMP = "_timestamp"
    RUN = "_run"  # path[0] is "id", "graph_id" or "step"
    EVENT = "event"  # in hooks: path[0] is a key of the event's context (also "state", "inputs", "result")
    UNKNOWN = "?"  # a namespace that does not exist; reported (GW402, GW404, GW305), never emitted


# --- values ------------------------------------------------------------------------------------------------


class Const(Record):
    """A JSON literal, at any depth."""

    value: Json


class Read(Record):
    """A path. `state.inputs.x` is lowered to INPUTS. `written` is the path as the author spelt it.

    `start`/`end`: offsets within the scalar of the enclosing `Template` (or `Compare.left_at`).
    """

    root: Root
    path: tuple[Segment, ...]
    written: str
    start: int
    end: int


class Text(Record):
    """Mixed text: parts joined as text, null as nothing (language.md §4)."""

    parts: tuple[str | Value, ...]


class FirstOf(Record):
    """`a || b`."""

    operands: tuple[Value, ...]


class Arithmetic(Record):
    """`a + b`, with the place of the whole sum."""

    operator: str
    left: Value
    right: Value
    start: int
    end: int


class Negative(Record):
    """`-a`."""

    operand: Value
    start: int
    end: int


class Pipe(Record):
    """`operand | name(arguments)`; skipped on null, `default` excepted. The place is that of the name."""

    name: str
    operand: Value
    arguments: tuple[Value, ...]
    start: int
    end: int


class ListOf(Record):
    """A list with at least one item that is no constant (of YAML or of an expression)."""

    items: tuple[Value, ...]


class MapOf(Record):
    """A YAML mapping with at least one value that is no constant. Keys are plain text."""

    entries: tuple[tuple[str, Value], ...]


class Template(Record):
    """A scalar with at least one `${…}`; every offset below it counts in that scalar's decoded text.

    `value` is the expression of a whole-string template, or a `Text`.
    """

    at: yaml.ScalarNode
    value: Value


Value: TypeAlias = Const | Read | Text | FirstOf | Arithmetic | Negative | Pipe | ListOf | MapOf | Template


# --- conditions --------------------------------------------------------------------------------------------


class Compare(Record):
    """`{path, op, value}`. `op` is a modern spelling (`eq ne gt gte lt lte in contains regex exists`).

    `at`: the condition's mapping; `left_at`: the scalar of `path` (offsets of `left` count in it);
    `right_at`: the YAML node of `value`, None where there is none (`exists`). `right` of `exists` is Const(True).
    """

    op: str
    left: Read
    right: Value
    at: yaml.MappingNode
    left_at: yaml.ScalarNode
    right_at: yaml.Node | None


class AnyOf(Record):
    """`any: [...]`; false when empty."""

    conditions: tuple[Condition, ...]
    at: yaml.MappingNode


class AllOf(Record):
    """`all: [...]`; true when empty."""

    conditions: tuple[Condition, ...]
    at: yaml.MappingNode


class Not(Record):
    """`not: {...}`."""

    condition: Condition
    at: yaml.MappingNode


Condition: TypeAlias = Compare | AnyOf | AllOf | Not


# --- nodes -------------------------------------------------------------------------------------------------


class Edge(Record):
    """One way out of a node. `when` is None for an unconditional edge.

    `target` is the name of a node that exists (after adopting the suggestion for a misspelt one), or None where
    nothing can be known of it (the fault is reported; analyses treat it as "anywhere").
    `at`: the edge's mapping, or the target's scalar where `next` is a plain name. `target_at`: the target scalar.
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

    `primary`: execute, search, load, sign (fetch is lowered to load). `kind`: tool, directive, knowledge;
    None where the whole id is one template, whose value may carry the prefix (default tool).
    `item_id`: Const text without its kind prefix, or a Template (a literal prefix already taken off into `kind`
    only when the template starts with it; the emitted expression leaves it out); Const(None) when absent.
    `capability`: the required string where the id is static, else None.
    `params`: Const mapping or MapOf; Const(None) where they are no mapping (reported). Literal null entries are still
    there (GW416 reads them); emission drops them.
    `async_exec`: `params.async_exec`, `params.async` or `action.async` is literally true.
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


class Retry(Record):
    """A node's `retry` policy; waits in milliseconds."""

    attempts: int = 3
    backoff_ms: float = 1000
    max_backoff_ms: float = 30_000
    multiplier: float = 2
    jitter: bool = True
    categories: tuple[str, ...] = ("transient", "rate_limited", "timeout")


class Foreach(Record):
    """What only a foreach node has. `over`'s YAML node is `over_at`; `collect`'s and `as`'s are for messages."""

    over: Value
    variable: str
    collect: str | None
    parallel: bool
    max_concurrency: int
    over_at: yaml.Node
    variable_at: yaml.Node | None
    collect_at: yaml.Node | None

    @property
    def says_over(self) -> bool:
        """Whether it says what it goes through; it is reported where not."""
        return not (isinstance(self.over, Read) and self.over.root is Root.UNKNOWN and not self.over.path)


class Kind(Enum):
    """The kinds of node."""

    ACTION = "action"
    GATE = "gate"
    FOREACH = "foreach"
    RETURN = "return"


class Node(Record):
    """One node. `at` is its body, `name_at` its key.

    `on_error`: the target node, or None. `has_on_error` tells an edge with an unknown target from none at all.
    `output`: a return node's template, None where it has none (the state without `inputs`).
    `next_at`: the `next` key, None where there is none.
    """

    name: str
    kind: Kind
    name_at: yaml.ScalarNode
    at: yaml.Node
    action: Action | None = None
    foreach: Foreach | None = None
    assigns: tuple[Assign, ...] = ()
    edges: tuple[Edge, ...] = ()
    on_error: str | None = None
    has_on_error: bool = False
    on_error_at: yaml.Node | None = None
    next_at: yaml.ScalarNode | None = None
    output: Value | None = None
    output_at: yaml.Node | None = None
    env: tuple[EnvName, ...] = ()
    retry: Retry | None = None
    timeout_s: float | None = None
    cache: bool = False
    feedback: bool = False
    max_visits: int | None = None
    description: str | None = None


class EnvName(Record):
    """An environment variable that the graph or a node requires."""

    name: str
    at: yaml.Node


class Permission(Record):
    """A capability pattern, `ryeos.` and `fetch` already in their modern spelling; `written` is the author's."""

    pattern: str
    written: str
    at: yaml.Node


class Control(Record):
    """A control literal of a hook: `retry` (amount = max_retries), `fail`, `continue` (amount = additional_steps)."""

    kind: str
    amount: int | None


class Hook(Record):
    """`layer`: 1 graph, 2 built-in, 3 infrastructure. `action` is an Action or a Control."""

    event: str
    layer: int
    when: Condition | None
    action: Action | Control
    at: yaml.MappingNode
    hook_id: str | None = None


class Doubt(Record):
    """What nobody knows of a graph, because of mistakes that are reported where they stand.

    Analyses and rules ask here before they conclude anything, so that one mistake is one complaint.

    `guesses`: by identity, the values and YAML nodes that are read as something else than what is written.
    `reads`: paths in parts that were left out: somebody reads them, nobody knows where. `words`: the keys and strings
    in those parts.
    """

    guesses: Mapping[int, object] = {}
    reads: tuple[Read, ...] = ()
    words: frozenset[str] = frozenset()

    def trusts(self, part: Value | Condition | yaml.Node | None) -> bool:
        """Whether a part of the graph is what its author wrote, and not a guess or unknown."""
        match part:
            case Read(root=Root.UNKNOWN) | Compare(op="?"):
                return False
            case _:
                return id(part) not in self.guesses

    def mentions(self, name: str) -> bool:
        """Whether a part that was left out may mean this name: of a node, a state key, a variable, a permission."""
        return name in self.words


class Graph(Record):
    """A whole graph. `path` is relative (posix) to the project, as the header of the module shows it.

    `inputs_schema`, `output_schema`, `state_schema`: JSON, None where not declared (or unusable: reported).
    `inputs_declared`: the schema declares properties, so that other `inputs.x` are faults.
    `permissions` is None where none are declared. `nodes` keeps the order of the YAML.
    `start` is None where it is unknown (reported).
    """

    graph_id: str
    path: str
    description: str
    start: str | None
    start_at: yaml.Node | None
    nodes: Mapping[str, Node]
    state: Mapping[str, Json]
    state_at: Mapping[str, yaml.ScalarNode]  # the key of each entry of config.state
    inputs_schema: Json
    inputs_at: Mapping[str, yaml.ScalarNode]  # the key of each declared input
    output_schema: Json
    state_schema: Json
    permissions: tuple[Permission, ...] | None
    env: tuple[EnvName, ...]
    limits: Mapping[str, Json]
    max_steps: int = 100
    max_steps_at: yaml.Node | None = None
    on_error: str = "fail"
    on_max_steps: str = "fail"
    max_concurrency: int = 16
    timeout_s: float | None = None
    require_capabilities: bool = False
    builtin_hooks: bool = True
    hooks: tuple[Hook, ...] = ()
    durability: str | None = None
    config_at: yaml.ScalarNode | None = None
    doubt: Doubt = Doubt()


def children(value: Value) -> tuple[Value, ...]:
    """The values directly inside a value."""
    match value:
        case Text(parts):
            return tuple(part for part in parts if not isinstance(part, str))
        case FirstOf(operands):
            return operands
        case Arithmetic(left=left, right=right):
            return (left, right)
        case Negative(operand=operand):
            return (operand,)
        case Pipe(operand=operand, arguments=arguments):
            return (operand, *arguments)
        case ListOf(items):
            return items
        case MapOf(entries):
            return tuple(entry for _, entry in entries)
        case Template(value=inner):
            return (inner,)
        case _:
            return ()


def comparisons(condition: Condition) -> Iterator[Compare]:
    """Every comparison inside a condition, in document order."""
    match condition:
        case Compare():
            yield condition
        case Not(inner):
            yield from comparisons(inner)
        case AnyOf(parts) | AllOf(parts):
            for part in parts:
                yield from comparisons(part)
