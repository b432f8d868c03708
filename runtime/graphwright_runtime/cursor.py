"""The argument of node functions: their view of the state, and the operations of a node.

Emitted modules import this module, so modules that only a run needs are imported when they are first used.
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
    """The position of a run, as node functions see it.

    `state` is a typed view of the state with the keys that the node reads, `inputs` are the inputs of the run. `node`
    and `step` (from 1) are the position. `commit(delta)` sets keys of the state, `assign(key, value)` a single key; a
    node calls them last, after it has chosen its edge (a loop has already collected then).
    """

    __slots__ = ("forgiving", "graph_id", "inputs", "run_id", "state")

    state: ViewT
    inputs: InputsT

    def __init__(self, run: Run) -> None:
        super().__init__(run)
        self.state = cast("ViewT", run.state)
        self.inputs = cast("InputsT", run.inputs)
        self.forgiving = 0  # the length of the path when an error was last suppressed
        self.run_id = run.run_id
        self.graph_id = run.graph.id

    async def call(self, action: Action, params: Params) -> Result:
        """Perform an action and return its unwrapped result. All errors are NodeErrors.

        `params` must not be used by anyone else. The caller must read the result at once, and copy it to keep it.
        """
        shortcut = self.shortcuts.get(action)
        if shortcut is None:
            return await self.call_with(action, params)
        tool, param, field = shortcut
        try:
            if len(params) != 1 or type(params[param]) not in PLAIN:
                params = outgoing(self, action, params)
        except KeyError:  # not the same key as last time
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
        except KeyError:  # not the same key as last time
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

        `timeout_s` limits this attempt; `cache` reuses an earlier result of the same call; `feedback` adds
        `params.feedback` from the second visit of the node on.
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
        """Perform an action for each item of `over`, and return the results in the order of the items.

        `action` (if its id is a template), `params` and `assign` are functions of the item. Without `parallel` (the
        maximum number of items at once), items run one after the other, and `assign` returns the delta of the state
        after each. `check` validates the collected results before they are committed. `thread_ids` collects the
        `thread_id` of each result instead of the result. `path` is the source of `over` for a warning if it is null.

        If an item fails after its retries, no further items are started unless `keep_going`. `collect` is then
        committed with an error for each failed item, and a NodeError names their indices.
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
        """Handle the failure of a node with an error edge: retries and hooks first; if it returns, take the error edge.

        Raises a signal for the loop if the node must be executed again, or a hook ends the run.
        """
        from graphwright_runtime.failure import pass_on

        await pass_on(self, error)

    async def suppressed(self, error: NodeError, returned: Result | None = None) -> Result:
        """Like `failed`, for `on_error: continue`: adds the error to the list, and to the result that edges see.

        `returned` is the result of the action if something else in the node failed.
        """
        from graphwright_runtime.failure import suppress

        result = await suppress(self, error, returned)
        self.forgiving = len(self.path)
        return result

    def holds(self, condition: Callable[[], bool]) -> bool:
        """Whether a condition is true. After a suppressed error of this node, a condition that fails is false."""
        try:
            return condition()
        except NodeError:
            if self.forgiving != len(self.path):
                raise
            return False

    def finish(self, output: object = ABSENT) -> None:
        """End the run at a return node, with its output or, without an argument, with the state."""
        self.output = output

    def fail(self, error: object = None, output: object = ABSENT) -> NoReturn:
        """End the run at a return node with status `error`, a message and an optional output."""
        from graphwright_runtime.failure import end_with

        end_with(self, error, output)

    def note(self, written: str, value: ValueT, base: object = None) -> ValueT:
        """Return `value`; if it is null, log a warning (once per run and expression).

        `written` is the expression in the template, `base` the value that its paths start with unless that is `state`
        or `inputs`.
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
    """A cursor that records the call of each node and its result, for runs that report every step."""

    __slots__ = ()

    async def call(self, action: Action, params: Params) -> Result:
        """Like `Cursor.call`; records copies of the params and the result, because the tool may change them later."""
        self.result = None
        self.sent = (action, params.copy())
        result = await super().call(action, params)
        self.result = self.returned = result.copy()
        return result
