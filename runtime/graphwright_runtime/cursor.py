"""What a node function is given: its view of the state, and everything it may do.

Emitted modules import this; what only a run needs is imported where it is called, when a run is there already.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Generic, NoReturn, TypeVar, cast

from graphwright_runtime.branch import Branch
from graphwright_runtime.errors import NodeError
from graphwright_runtime.graph import Action, Check
from graphwright_runtime.result import ABSENT
from graphwright_runtime.shortcut import incoming, outgoing
from graphwright_runtime.values import ATOMS, PLAIN, Json, Params, Result

if TYPE_CHECKING:
    from graphwright_runtime.run import Run

ViewT = TypeVar("ViewT", covariant=True)
InputsT = TypeVar("InputsT", covariant=True)
ValueT = TypeVar("ValueT")


class Cursor(Branch, Generic[ViewT, InputsT]):
    """The place of a run, as a node function sees it.

    `state` is what this node reads of the state, `inputs` the run's inputs; `node` and `step` (from 1) say where the
    run is. `commit(delta)` sets keys of the state, `assign(key, value)` one of them: the last thing that a node does,
    after its edges are decided (a loop has collected by then).
    """

    __slots__ = ("forgiving", "graph_id", "inputs", "run_id", "state")

    state: ViewT
    inputs: InputsT

    def __init__(self, run: Run) -> None:
        super().__init__(run)
        self.state = cast("ViewT", run.state)
        self.inputs = cast("InputsT", run.inputs)
        self.forgiving = 0  # how long the path was when an error was last suppressed
        self.run_id = run.run_id
        self.graph_id = run.graph.id

    async def call(self, action: Action, params: Params) -> Result:
        """Perform an action and give its unwrapped result; whatever goes wrong is a NodeError.

        `params` is a mapping that nobody else holds. The result is read before anything else can happen; who keeps it
        as a whole copies it.
        """
        shortcut = self.shortcuts.get(action)
        if shortcut is None:
            return await self.call_with(action, params)
        tool, param, field = shortcut
        try:
            if len(params) != 1 or type(params[param]) not in PLAIN:
                params = outgoing(self, action, params)
        except KeyError:  # another key than last time
            params = outgoing(self, action, params)
        try:
            result = await tool(params)
        except BaseException as error:
            from graphwright_runtime.toolerror import failed

            self.run.cancellation.check_error(error)
            fault = failed(error)
            if fault is error:
                raise
            raise fault from error
        try:
            if type(result) is dict and len(result) == 1 and type(result[field]) in ATOMS:
                return result
        except KeyError:  # another key than last time
            pass
        return incoming(self.shortcuts, action, result)

    async def call_with(
        self,
        action: Action,
        params: Params,
        *,
        timeout_s: float | None = None,
        cache: bool = False,
        feedback: bool = False,
    ) -> Result:
        """`call` with options.

        `timeout_s` bounds this attempt; `cache` takes an earlier result of the same call; `feedback` adds
        `params.feedback` from the node's second visit on.
        """
        from graphwright_runtime.calling import call

        return await call(self, action, params, timeout_s, cache, feedback)

    async def each(
        self,
        action: Action | Callable[[Json], Action],
        over: object,
        params: Callable[[Json], Params],
        *,
        assign: Callable[[Json, Result], Params] | None = None,
        parallel: int | None = None,
        collect: str | None = None,
        check: Check | None = None,
        path: str = "",
        timeout_s: float | None = None,
        cache: bool = False,
        thread_ids: bool = False,
        keep_going: bool = False,
    ) -> list[Json]:
        """Perform an action for each item of `over`; the results in the order of the items.

        `action` (where its id is a template), `params` and `assign` are functions of the item. Without `parallel`
        (how many at once) items run one after the other, and `assign` gives what the state gets after each.
        `check` looks at what was collected before it is committed. `thread_ids` collects the `thread_id` of each result
        instead of the result. `path` is how `over` is written, where it can be null.

        When an item fails after its retries, no further item is started unless `keep_going`; `collect` is committed
        with an error in each failed place, and a NodeError names the failing indices.
        """
        from graphwright_runtime.foreach import each

        return await each(
            self,
            action,
            over,
            params,
            assign=assign,
            parallel=parallel,
            collect=collect,
            check=check,
            path=path,
            timeout_s=timeout_s,
            cache=cache,
            thread_ids=thread_ids,
            keep_going=keep_going,
        )

    async def failed(self, error: NodeError) -> None:
        """The node failed and has an error edge: retries and hooks have their turn; then the edge is to be taken.

        Raises a signal to the loop where the node is to be executed again, or where a hook ends the run.
        """
        from graphwright_runtime.failure import pass_on

        await pass_on(self, error)

    async def suppressed(self, error: NodeError, returned: Result | None = None) -> Result:
        """As `failed`, under `on_error: continue`: the error is listed, and is part of the result that edges see.

        `returned`: the result that the node already had, where it was something else that failed.
        """
        from graphwright_runtime.failure import suppress

        result = await suppress(self, error, returned)
        self.forgiving = len(self.path)
        return result

    def holds(self, condition: Callable[[], bool]) -> bool:
        """Whether a condition holds; after a suppressed error of this node one that cannot be evaluated does not."""
        try:
            return condition()
        except NodeError:
            if self.forgiving != len(self.path):
                raise
            return False

    def finish(self, output: object = ABSENT) -> None:
        """End the run at a return node: with its output, or (no argument) with the state."""
        self.output = output

    def fail(self, error: object = None, output: object = ABSENT) -> NoReturn:
        """End the run at a return node with status `error`: with a text, and an output where there is one."""
        from graphwright_runtime.failure import end_with

        end_with(self, error, output)

    def note(self, written: str, value: ValueT, base: object = None) -> ValueT:
        """`value`, with a warning (once a run and expression) where it is null.

        `written` is the expression in the template, `base` what a path in it begins with where that is neither `state`
        nor `inputs`.
        """
        if value is None:
            from graphwright_runtime.nulls import warn

            warn(self, written, base)
        return value

    def now(self) -> str:
        """`_now`: the time, ISO-8601 in UTC."""
        from datetime import UTC, datetime

        return datetime.fromtimestamp(self.run.host.now(), UTC).isoformat()

    def timestamp(self) -> int:
        """`_timestamp`: milliseconds since the epoch."""
        return int(self.run.host.now() * 1000)


class WatchedCursor(Cursor[ViewT, InputsT]):
    """A cursor that keeps what a node called and what came back, for whoever is told of every step."""

    __slots__ = ()

    async def call(self, action: Action, params: Params) -> Result:
        """As `Cursor.call`. What the short way gives may be held by the tool, too: a copy is kept."""
        self.result = None
        self.sent = (action, params.copy())
        result = await super().call(action, params)
        self.result = self.returned = result.copy()
        return result
