"""What an emitted module says about its graph: the records that the loop is driven by.

Nothing here does anything; building a record checks that the module was compiled for this runtime.
"""

from __future__ import annotations

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

#: A node: takes a cursor, returns the name of the node after it, None where the run ends.
NodeFunction: TypeAlias = Callable[[Never], Coroutine[object, object, str | None]]

#: Looks at a value whose path is given, and tells what is wrong with it.
Check: TypeAlias = Callable[[object, str, Problems], None]

HookEvent: TypeAlias = Literal["graph_started", "after_step", "error", "limit", "graph_completed"]

_KINDS: Final = ("tool", "directive", "knowledge")


class Action:
    """What a node calls: one item, and the capability that the call needs.

    Actions compare by identity, so that a run can bind each static one to its tool once.
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
    """The action whose id came out of a template.

    `kind` is None where the whole id is one template: its value may then carry a prefix (`tool:`, `directive:`,
    `knowledge:`; a tool without). Raises NodeError where the id is not a string or is empty.
    """
    if not isinstance(item_id, str) or not item_id:
        raise NodeError(f"an item id must be a string, not {described(item_id)}")
    if kind is None:
        prefix, colon, rest = item_id.partition(":")
        kind, item_id = (prefix, rest) if colon and prefix in _KINDS else ("tool", item_id)
        if not item_id:
            raise NodeError("the item id is missing after its kind")
    return Action(primary, kind, item_id, f"rye.{primary}.{kind}.{item_id.replace('/', '.')}")


class Retry:
    """A node's `retry` policy: `attempts` in all, waits in milliseconds."""

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
    """What a hook decides: `retry` (amount: how often at most), `fail`, `continue` (amount: additional steps)."""

    __slots__ = ("amount", "kind")

    def __init__(self, kind: Literal["retry", "fail", "continue"], amount: int | None = None) -> None:
        self.kind = kind
        self.amount = amount


class Hook:
    """A hook: `control`, or an `action` with its `params`; run where `when` holds.

    `when`, `params` and a callable `action` (a dynamic id) take the event's context.
    """

    __slots__ = ("action", "control", "event", "id", "layer", "params", "when")

    def __init__(
        self,
        event: HookEvent,
        *,
        id: str | None = None,  # noqa: A002
        layer: int = 1,
        when: Callable[[EventContext], bool] | None = None,
        action: Action | Callable[[EventContext], Action] | None = None,
        params: Callable[[EventContext], Params] | None = None,
        control: Control | None = None,
    ) -> None:
        self.event = event
        self.id = id
        self.layer = layer
        self.when = when
        self.action = action
        self.params = params
        self.control = control


class GraphRecord(WithDefaults, Generic[InputsT, StateT, OutputT, NodeT]):
    """One compiled graph: what the loop runs. Modules make it as a `Graph`, which has the entry points, too.

    Attributes (arguments of the same names):
        id: the graph's id, `workflows/etl/process-sales`.
        hash: the sha256 of the graph without comments and descriptions.
        source: the YAML file as the header of the module shows it.
        start: the node to begin with.
        nodes: every node by name, in the order of the YAML.
        kinds: `gate`, `foreach` or `return` for the nodes that are no actions.
        initial: makes a fresh copy of `config.state`.
        declared: the inputs that the schema lists, where others are a mistake; None where they are not.
        validate: fills the defaults of the inputs in place and notes what is wrong with them.
        check_state, check_output: when a run completes, what `state_schema` says of the state as a whole, and what
            `output_schema` says of a state that is the output; NodeErrors. None where nothing is left to be checked.
        permissions: capability patterns; None where the graph declares none.
        required_env: names of environment variables, each with who needs it (`graph`, `node fetch`).
        actions: the static actions, bound once a run.
        retries, max_visits: by node.
        own_inputs: the declared inputs whose names would otherwise steer the call of a nested graph (`node`, `depth`…).
        reads: by node, the path in the template of each parameter that may come out null.
        digests: the beginning of the sha256 of each node, in the order of `nodes`, with blanks between them: resuming
            a run names the nodes that changed. Empty where nobody knows them.
        lines: pairs `line of the module:line of the YAML`, for notes on errors. The module's lines count from that of
            the first node's `def`; a pair holds up to the next one, `:0` where there is nothing to say.

    Raises ImportError where the module was compiled for another ABI.
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
        self.builtin_hooks = builtin_hooks
        self.actions = actions
        self.retries = retries or {}
        self.max_visits = max_visits or {}
        self.reads = reads or {}
        self.own_inputs = own_inputs
        self.limits = limits or {}
        self.durability = durability
        self.digests = digests
        self.lines = lines

    @property
    def node_hashes(self) -> dict[str, str]:
        """The beginning of the sha256 of each node by name; empty where nobody knows them."""
        return dict(zip(self.nodes, self.digests.split(), strict=False))


#: A graph whose types do not matter.
AnyGraph: TypeAlias = GraphRecord[Never, object, object]
