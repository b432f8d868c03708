"""The parts of a run that its branches share."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from functools import partial
from logging import DEBUG
from typing import TYPE_CHECKING, Final, cast

from graphwright_runtime import tracing
from graphwright_runtime.cancellation import Cancellation
from graphwright_runtime.capability import Grants
from graphwright_runtime.classify import Rule
from graphwright_runtime.context import Context
from graphwright_runtime.errors import NodeError
from graphwright_runtime.events import Emitted, Event, Listener, RunEvent
from graphwright_runtime.graph import Action, AnyGraph, Hook
from graphwright_runtime.host import Host, persists
from graphwright_runtime.ledger import Ledger, ledger_of
from graphwright_runtime.log import logger, steps
from graphwright_runtime.origin import Origin
from graphwright_runtime.result import SuppressedError
from graphwright_runtime.toolerror import failed, with_type
from graphwright_runtime.tooling import Adapted, Bound, Dispatch, Plain, Tool, adapted, adapted_dispatch
from graphwright_runtime.values import Json, Result

if TYPE_CHECKING:
    import asyncio
    from pathlib import Path

    from graphwright_runtime.agent.runner import ThreadRunner
    from graphwright_runtime.durable.checkpoint import Checkpoint
    from graphwright_runtime.durable.recorder import Recorder
    from graphwright_runtime.family import Family
    from graphwright_runtime.payloads import CallReceipt, EmittedPayload

log: Final = logger(__name__)

#: The default maximum depth of nested graphs.
DEPTH: Final = 5

#: Keys of the state that belong to the runtime and are not part of `state_schema`.
OWN_KEYS: Final = frozenset({"_last_error", "_retries"})


class Run:
    """What the branches (`branch.py`) of a run share.

    `state` and `inputs` are changed in place. `visits` and `previous` (results for `feedback`) are by node, over all
    branches; `errors` are the suppressed ones. `limits` are the lower ones of the caller's and the graph's limits.
    `perform` and `nest` are the operations that tools can request. `recorder` writes the log, `checkpoint` is the state
    of a resumed run; None if there is none. `capabilities` are those of the caller. `room` waits until a slow listener
    has caught up. `origin` is None for a top-level run.
    """

    def __init__(
        self,
        graph: AnyGraph,
        inputs: dict[str, object],
        *,
        run_id: str,
        host: Host,
        grants: Grants,
        tools: Mapping[str, Tool],
        dispatch: Dispatch | None,
        strict_tools: bool,
        env: Mapping[str, str],
        project: Path,
        limits: Mapping[str, Json],
        listener: Listener | None,
        perform: Callable[[Run, Action, Mapping[str, object], Context, float | None], Awaitable[Result]],
        nest: Callable[[Run, AnyGraph, Mapping[str, Json], Context], Awaitable[dict[str, Json]]],
        capabilities: Sequence[str] | None = None,
        recorder: Recorder | None = None,
        checkpoint: Checkpoint | None = None,
        room: Callable[[], Awaitable[None]] | None = None,
        origin: Origin | None = None,
    ) -> None:
        self.graph = graph
        self.inputs = inputs
        self.run_id = run_id
        self.host = host
        self.grants = grants
        self.tools = tools
        self.dispatch = dispatch
        self.strict_tools = strict_tools
        self.env = env
        self.project = project
        self.limits = limits
        self.listener = listener
        self.room = room
        self.tracer = tracing.active()
        self.origin = Origin(None, run_id, ()) if origin is None else origin
        self.perform = partial(perform, self)
        self.nest = partial(nest, self)
        self.hooks = _by_event(graph.hooks)
        self.capabilities = capabilities
        self.recorder = recorder
        self.checkpoint = checkpoint
        self.state = graph.initial() if checkpoint is None else checkpoint.state
        self.cancellation = Cancellation()
        #: What requested the end of the run from outside of its task; `cut` then cancels its current action.
        self.cancelled_by: str | None = None
        self.cut: Callable[[], None] | None = None
        #: What the tree of this run has started in the background, and what is told when this run itself has begun.
        self.family: Family | None = None
        #: What this run itself has started; None as long as it has started nothing.
        self.ledger = None if checkpoint is None or not checkpoint.threads else ledger_of(checkpoint)
        self.begun: asyncio.Event | None = None
        self.errors: list[SuppressedError] = [] if checkpoint is None else checkpoint.errors
        self.previous: dict[str, Result] = {} if checkpoint is None else checkpoint.previous
        self.max_steps = graph.max_steps
        self.max_visits = dict(graph.max_visits)
        if checkpoint is not None:
            self.max_steps = max(self.max_steps, checkpoint.max_steps or 0)
            self.max_visits |= {node: most for node, most in checkpoint.max_visits.items() if node in self.max_visits}
        self.visits: dict[str, int] = {}
        self._rules: Sequence[Rule] | None = None
        self._warned: set[str] = set()
        #: When the run must be over, in the time of the event loop; None without a `timeout_s`.
        self.ends_at: float | None = None
        self._adapted: dict[str, Adapted] = {}
        self._static = frozenset(graph.actions)
        self._bound: dict[Action, Bound] = {}
        #: Whether anything observes every step (`loop.py`) and call (`cursor.py`).
        self.watched = (
            listener is not None
            or recorder is not None
            or persists(host)
            or "after_step" in self.hooks
            or steps.isEnabledFor(DEBUG)
            or self.tracer is not None
        )
        #: The receipts of the calls that tools made in the current step, each with the index of its item.
        self.calls: list[tuple[int | None, CallReceipt]] = []
        self.notes_calls = listener is not None or recorder is not None
        self.plain_tools: dict[Action, Plain] = self._plain_tools()

    def bound(self, action: Action) -> Bound:
        """The tool of an action. Raises NodeError, also if the run lacks the capability."""
        found = self._bound.get(action)
        if found is None:
            self.grants.check(action)
            found = self._tool(action)
            if action in self._static:
                self._bound[action] = found
        return found

    def context(self, node: str, step: int, call_id: str, index: int | None = None, attempt: int = 1) -> Context:
        """The context of a call; `call_id` is unique in the run, `attempt` counts from 1."""
        return Context(
            run_id=self.run_id,
            graph_id=self.graph.id,
            node=node,
            step=step,
            index=index,
            idempotency_key=f"{self.run_id}/{call_id}",
            project=self.project,
            env=self.env,
            limits=dict(self.limits),
            services=self,
            attempt=attempt,
        )

    @property
    def cancelled(self) -> bool:
        """Whether cancellation of the run was requested."""
        return self.cancellation.asked

    @property
    def loop(self) -> asyncio.AbstractEventLoop:
        """The event loop of the run."""
        task = self.cancellation.task
        if task is None:
            raise RuntimeError("the run has not begun")
        return task.get_loop()

    def taken_calls(self, index: int | None = None) -> list[CallReceipt]:
        """The receipts of the calls that tools of an item made, or all that are left, once."""
        taken = [receipt for at, receipt in self.calls if index is None or at == index]
        self.calls = [] if index is None else [each for each in self.calls if each[0] != index]
        return taken

    @property
    def depth(self) -> int:
        """The number of further levels of nested graphs."""
        value = self.limits.get("depth", DEPTH)
        return value if isinstance(value, int) and not isinstance(value, bool) else DEPTH

    @property
    def cost(self) -> dict[str, Json]:
        """What everything that the run has started cost so far, by kind of cost."""
        return {} if self.ledger is None else self.ledger.total()

    def books(self) -> Ledger:
        """The ledger of the run, which begins with what it starts first."""
        self.ledger = self.ledger or Ledger()
        return self.ledger

    @property
    def rules(self) -> Sequence[Rule]:
        """The project's rules for classifying errors, read when the first error occurs."""
        if self._rules is None:
            from graphwright_runtime.errortable import read_rules

            self._rules = read_rules(self.project)
        return self._rules

    def emit(self, kind: type[RunEvent], payload: Mapping[str, object]) -> None:
        """Pass an event to the listener, if there is one; exceptions that it raises are logged as warnings."""
        if self.listener is not None:
            event = cast("Event", kind(self.host.now(), self.origin, self.run_id, payload))
            try:
                self.listener(event)
            except KeyboardInterrupt:
                raise
            except BaseException as error:  # a cancellation cannot come from outside, because the call is not awaited
                fault, name = failed(error), event.event_type
                self.warn_once(f"listener {name} {fault.error_type}", f"on_event failed on {name}: {with_type(fault)}")

    def cancel(self, by: str) -> None:
        """End the run with status `cancelled`, cancelling its current action. No effect after the run has ended."""
        if self.cut is not None:
            self.cancelled_by = by
            self.cut()

    async def thread(
        self, params: Mapping[str, Json], context: Context, runner: ThreadRunner | None
    ) -> dict[str, Json]:
        """Run a thread below this run (`agent.threads`)."""
        from graphwright_runtime.agent.threads import run_thread  # few graphs start threads

        return await run_thread(self, params, context, runner)

    def tell_log(self, kind: type[RunEvent], payload: Mapping[str, object]) -> None:
        """Report an event to the listener and the log."""
        self.emit(kind, payload)
        if self.recorder is not None:
            self.recorder.note(self, kind.event_type, payload)

    def tell(self, name: str, payload: dict[str, Json]) -> None:
        """Report an event of a tool to the listener."""
        told: EmittedPayload = {"event": name, "payload": payload}
        self.emit(Emitted, told)

    def warn_once(self, subject: str, message: str) -> None:
        """Log a warning, once per run and subject."""
        if subject not in self._warned:
            self._warned.add(subject)
            log.warning("%s: %s", self.run_id, message)

    def _tool(self, action: Action) -> Bound:
        item_id = action.item_id or ""
        if item_id in self.tools:
            return self._adapt(item_id)[0]
        if self.dispatch is not None:
            return adapted_dispatch(self.dispatch, action)
        if self.strict_tools:
            called = f"`{item_id}`" if item_id else f"{action.primary} of {action.kind}"
            raise NodeError(
                f"{called} is not in `tools`, and with `strict_tools` nothing else runs", category="permanent"
            )
        host = self.host
        return lambda params, context: host.dispatch(action, params, context)

    def _adapt(self, item_id: str) -> Adapted:
        if item_id not in self._adapted:
            self._adapted[item_id] = adapted(self.tools[item_id])
        return self._adapted[item_id]

    def _plain_tools(self) -> dict[Action, Plain]:
        """The allowed static actions whose tools are plain coroutine functions, to be called directly."""
        found: dict[Action, Plain] = {}
        for action in self.graph.actions if self.tracer is None else ():
            if action.item_id is not None and action.item_id in self.tools:
                plain = self._adapt(action.item_id)[1]
                if plain is not None and self.grants.allow(action):
                    found[action] = plain
        return found


def _by_event(hooks: Sequence[Hook]) -> dict[str, list[Hook]]:
    """The hooks of each event in the order of execution: by layer, then as in the graph."""
    found: dict[str, list[Hook]] = {}
    for hook in sorted(hooks, key=lambda each: each.layer):
        found.setdefault(hook.event, []).append(hook)
    return found
