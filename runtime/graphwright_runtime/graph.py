"""The records with which emitted modules describe their graph.

They contain no behavior; creating a `GraphRecord` checks that the module was compiled for this runtime, and that the
packages that the process is to verify exist.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Coroutine, Mapping, Sequence
from typing import Final, Generic, Literal, Never, TypeAlias, TypeVar

from graphwright_runtime.checks import Problems
from graphwright_runtime.errors import Category, NodeError
from graphwright_runtime.expressions import described
from graphwright_runtime.hookcontext import EventContext
from graphwright_runtime.typeforms import NodeT, WithDefaults
from graphwright_runtime.values import Json, Params
from graphwright_runtime.version import ABI, RUNTIME_VERSION

InputsT = TypeVar("InputsT", contravariant=True)
StateT = TypeVar("StateT", covariant=True)
OutputT = TypeVar("OutputT", covariant=True)

#: A node function: takes a cursor, returns the name of the next node, or None if the run ends.
NodeFunction: TypeAlias = Callable[[Never], Coroutine[object, object, str | None]]

#: Checks a value at a path, and reports its problems.
Check: TypeAlias = Callable[[object, str, Problems], None]

HookEvent: TypeAlias = Literal["graph_started", "after_step", "error", "limit", "graph_completed"]

_PRIMARIES: Final = ("execute", "load", "search", "sign")
_KINDS: Final = ("tool", "directive", "knowledge")


class Action:
    """The item that a node calls, and the capability that the call needs.

    Actions are compared by identity, so that a run can bind each static action to its tool once.
    """

    __slots__ = ("capability", "item_id", "kind", "primary")

    def __init__(self, primary: str, kind: str, item_id: str | None, capability: str) -> None:
        self.primary = primary
        self.kind = kind
        self.item_id = item_id
        self.capability = capability

    def __repr__(self) -> str:
        return f"Action({self.primary!r}, {self.kind!r}, {self.item_id!r})"


def dynamic(primary: str, kind: str | None, item_id: object) -> Action:
    """The action whose id is the value of a template, which may begin with `tool:`, `directive:` or `knowledge:`.

    Without a `kind` and a prefix, it is a tool. Raises NodeError if the id is not a string, is empty, or has the prefix
    of another kind than `kind`.
    """
    if not isinstance(item_id, str) or not item_id:
        raise NodeError(f"an item id must be a string, not {described(item_id)}")
    prefix, colon, rest = item_id.partition(":")
    if colon and prefix in _KINDS:
        if kind not in (None, prefix):
            raise NodeError(f"the kind of the action is {kind}, but its id is {described(item_id)}")
        if not rest:
            raise NodeError("the item id is missing after its kind")
        kind, item_id = prefix, rest
    kind = kind or "tool"
    return Action(primary, kind, item_id, f"rye.{primary}.{kind}.{item_id.replace('/', '.')}")


def called(primary: str, kind: str | None, item_id: object) -> Action:
    """The action that a tool asks for, which may be anything; `fetch` means load. Raises NodeError."""
    primary = "load" if primary == "fetch" else primary
    for name, value, known in (("primary", primary, _PRIMARIES), ("kind", kind or "tool", _KINDS)):
        if value not in known:
            raise NodeError(f"`{name}` must be one of {', '.join(known)}, not {described(value)}", category="permanent")
    if item_id is None and primary == "search":
        return Action(primary, kind or "tool", None, f"rye.{primary}.{kind or 'tool'}")
    return dynamic(primary, kind, item_id)


class Retry:
    """The `retry` policy of a node: the total number of `attempts`, waits in milliseconds."""

    __slots__ = ("attempts", "backoff_ms", "categories", "jitter", "max_backoff_ms", "multiplier")

    def __init__(
        self,
        attempts: int = 3,
        *,
        backoff_ms: float = 1000,
        max_backoff_ms: float = 30_000,
        multiplier: float = 2,
        jitter: bool = True,
        categories: Sequence[Category] = ("transient", "rate_limited", "timeout"),
    ) -> None:
        self.attempts = attempts
        self.backoff_ms = backoff_ms
        self.max_backoff_ms = max_backoff_ms
        self.multiplier = multiplier
        self.jitter = jitter
        self.categories = frozenset(categories)


class Control:
    """The decision of a hook: `retry` (amount: maximum number), `fail`, `continue` (amount: additional steps)."""

    __slots__ = ("amount", "kind")

    def __init__(self, kind: Literal["retry", "fail", "continue"], amount: int | None = None) -> None:
        self.kind = kind
        self.amount = amount


class Hook:
    """A hook: a `control`, or an `action` with its `params`, which runs if `when` is true.

    `when`, `params` and a callable `action` (a dynamic id) take the context of the event. `name` is for messages: by
    default the id, and without one the position among the hooks of the graph.
    """

    __slots__ = ("action", "control", "event", "id", "layer", "name", "params", "when")

    def __init__(
        self,
        event: HookEvent,
        *,
        id: str | None = None,  # noqa: A002
        name: str | None = None,
        layer: int = 1,
        when: Callable[[EventContext], bool] | None = None,
        action: Action | Callable[[EventContext], Action] | None = None,
        params: Callable[[EventContext], Params] | None = None,
        control: Control | None = None,
    ) -> None:
        self.event = event
        self.id = id
        self.name = name or id or ""
        self.layer = layer
        self.when = when
        self.action = action
        self.params = params
        self.control = control


class GraphRecord(WithDefaults, Generic[InputsT, StateT, OutputT, NodeT]):
    """One compiled graph. Modules create its subclass `Graph`, which adds the entry points.

    Attributes (arguments of the same names):
        id: the graph's id, `workflows/etl/process-sales`.
        hash: the sha256 of the graph without comments and descriptions.
        source: the path of the YAML file, as in the header of the module.
        start: the first node.
        nodes: every node by name, in the order of the YAML.
        kinds: `gate`, `foreach` or `return` for nodes that are not action nodes.
        initial: returns a new copy of `config.state`.
        declared: the declared inputs if others are a mistake; otherwise None.
        validate: fills the defaults of the inputs in place and reports problems.
        check_state, check_output: check, when a run completes, the state as a whole against `state_schema`, and a
            state that is the output against `output_schema`; raise NodeError. None if there is nothing to check.
        permissions: capability patterns; None if the graph declares none.
        required_env: names of environment variables, each with what needs it (`graph`, `node fetch`).
        actions: the static actions, which are bound once per run.
        retries, max_visits: by node.
        own_inputs: the declared inputs that have the names of options for nested calls (`node`, `depth`…).
        tool_methods: by item id, the methods of the module's `Tools` that implement the tools.
        reads: by node, the source of the template of each param that may be null.
        digests: prefixes of the sha256 of each node, in the order of `nodes`, separated by spaces, with which a resumed
            run names the nodes that changed. Empty if unknown.
        lines: pairs `line of the module:line of the YAML`, for notes on errors. Lines of the module are relative to the
            `def` of the first node; a pair applies up to the next one, and `:0` means that there is no YAML line.

    Raises ImportError if the module was compiled for another ABI, or if a package that is to be verified is missing.
    """

    __slots__ = (
        "actions",
        "builtin_hooks",
        "check_output",
        "check_state",
        "declared",
        "digests",
        "durability",
        "hash",
        "hooks",
        "id",
        "initial",
        "kinds",
        "limits",
        "lines",
        "max_steps",
        "max_visits",
        "nodes",
        "on_max_steps",
        "own_inputs",
        "permissions",
        "reads",
        "require_capabilities",
        "required_env",
        "retries",
        "source",
        "start",
        "timeout_s",
        "tool_methods",
        "validate",
    )

    def __init__(
        self,
        *,
        id: str,  # noqa: A002
        hash: str,  # noqa: A002
        abi: int,
        source: str,
        start: str,
        nodes: Mapping[str, NodeFunction],
        kinds: Mapping[str, str] | None = None,
        initial: Callable[[], dict[str, object]] = dict,
        declared: Sequence[str] | None = None,
        validate: Callable[[dict[str, object], Problems], None] | None = None,
        check_state: Check | None = None,
        check_output: Check | None = None,
        max_steps: int = 100,
        on_max_steps: Literal["fail", "return", "flag"] = "fail",
        timeout_s: float | None = None,
        permissions: Sequence[str] | None = None,
        require_capabilities: bool = False,
        required_env: Mapping[str, Sequence[str]] | None = None,
        hooks: Sequence[Hook] = (),
        builtin_hooks: bool = True,
        actions: Sequence[Action] = (),
        retries: Mapping[str, Retry] | None = None,
        max_visits: Mapping[str, int] | None = None,
        tool_methods: Mapping[str, str] | None = None,
        reads: Mapping[str, Mapping[str, str]] | None = None,
        own_inputs: Sequence[str] = (),
        limits: Mapping[str, Json] | None = None,
        durability: str | None = None,
        digests: str = "",
        lines: str = "",
    ) -> None:
        if abi != ABI:
            raise ImportError(
                f"{source} was compiled for ABI {abi}, this is graphwright-runtime {RUNTIME_VERSION} with ABI {ABI}: "
                f"rebuild it with the matching graphwright"
            )
        if "graphwright_runtime.loader" in sys.modules:
            from graphwright_runtime.loader import check_packages

            check_packages()
        self.id = id
        self.hash = hash
        self.source = source
        self.start = start
        self.nodes = nodes
        self.kinds = kinds or {}
        self.initial = initial
        self.declared = declared
        self.validate = validate
        self.check_state = check_state
        self.check_output = check_output
        self.max_steps = max_steps
        self.on_max_steps = on_max_steps
        self.timeout_s = timeout_s
        self.permissions = permissions
        self.require_capabilities = require_capabilities
        self.required_env = required_env or {}
        self.hooks = hooks
        for number, hook in enumerate(hooks, 1):
            hook.name = hook.name or str(number)
        self.builtin_hooks = builtin_hooks
        self.actions = actions
        self.retries = retries or {}
        self.max_visits = max_visits or {}
        self.tool_methods = tool_methods or {}
        self.reads = reads or {}
        self.own_inputs = own_inputs
        self.limits = limits or {}
        self.durability = durability
        self.digests = digests
        self.lines = lines

    @property
    def node_hashes(self) -> dict[str, str]:
        """The prefix of the sha256 of each node by name; empty if unknown."""
        return dict(zip(self.nodes, self.digests.split(), strict=False))


#: A graph with any types.
AnyGraph: TypeAlias = GraphRecord[Never, object, object]
