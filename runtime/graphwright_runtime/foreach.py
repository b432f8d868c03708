"""Performs the action of a foreach node for each item (language.md §7)."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Iterator, Sequence
from typing import TYPE_CHECKING, Final, TypeAlias

from graphwright_runtime.backoff import finish_wait
from graphwright_runtime.branch import Branch
from graphwright_runtime.calling import perform
from graphwright_runtime.cancellation import Cancellation, ended
from graphwright_runtime.collecting import failure, looped_over, refusal, tell_completed, tell_item
from graphwright_runtime.errors import CancelRequested, Ended, NodeError
from graphwright_runtime.failure import Tries, again
from graphwright_runtime.graph import Action, Check
from graphwright_runtime.nulls import warn_params
from graphwright_runtime.shortcut import incoming, outgoing
from graphwright_runtime.toolerror import failed
from graphwright_runtime.values import ATOMS, PLAIN, Json, Params, Result

if TYPE_CHECKING:
    from graphwright_runtime.durable.checkpoint import InFlight

ActionOf: TypeAlias = Action | Callable[[Json], Action]
ParamsOf: TypeAlias = Callable[[Json], Params]
AssignOf: TypeAlias = Callable[[Json, Result], Params]

#: Seconds after which a loop that never waits yields to other tasks; it checks the clock every 64 items.
_TURN: Final = 0.005


async def each(
    branch: Branch,
    action: ActionOf,
    over: object,
    params: ParamsOf,
    *,
    assign: AssignOf | None = None,
    parallel: int | None = None,
    collect: str | None = None,
    check: Check | None = None,
    path: str = "",
    timeout_s: float | None = None,
    cache: bool = False,
    thread_ids: bool = False,
    keep_going: bool = False,
) -> list[Json]:
    """`Cursor.each`: the collected results. On failure, commits `collect` and raises a NodeError that is handled.

    Results that `check` rejects are not committed; if no item failed, that is the error of the node. If a hook ends the
    run because of an item, raises Ended with that error.
    """
    resumed = branch.resumed()
    items = looped_over(branch, over, path) if resumed is None or resumed.over is None else resumed.over
    loop = Loop(
        branch, items, action, params, assign, timeout_s, cache=cache, thread_ids=thread_ids, keep_going=keep_going
    )
    if resumed is not None:
        loop.take_up(resumed)
    by_hook: Ended | None = None
    try:
        await loop.run(1 if parallel is None else parallel)
    except Ended as signal:  # because of an item, which is already among the failures
        by_hook = signal
    branch.cache_hits, branch.cache_hit = loop.cache_hits, loop.cache_hits == len(items) > 0
    tell_completed(branch, len(items), loop.failures)
    refused = refusal(loop.collected, collect, check)
    if loop.failures:
        if collect is not None and refused is None:
            branch.commit({collect: loop.collected})
        error = failure(loop.failures, len(items), "" if refused is None else f"; {refused}")
        if by_hook is None:
            raise error from error.__cause__
        error.node = branch.node
        raise Ended(error) from by_hook
    if by_hook is not None:
        raise by_hook
    if refused is not None:
        raise refused
    return loop.collected


class Loop:
    """One execution of a foreach node.

    `collected` is as long as `items` and in their order: results, `{status: error, error: text}` where an item failed,
    null where one never started; `cache_hits` of them came from the cache. Workers take their items from one iterator;
    each item has retries of its own.
    """

    def __init__(
        self,
        branch: Branch,
        items: Sequence[Json],
        action: ActionOf,
        params: ParamsOf,
        assign: AssignOf | None,
        timeout_s: float | None,
        *,
        cache: bool,
        thread_ids: bool,
        keep_going: bool,
    ) -> None:
        self.collected: list[Json] = [None] * len(items)
        self.failures: dict[int, NodeError] = {}
        self.cache_hits = 0
        self._branch = branch
        self._action = action
        self._params = params
        self._assign = assign
        self._timeout_s = timeout_s
        self._cache = cache
        self._thread_ids = thread_ids
        self._keep_going = keep_going
        self._cancellation = Cancellation(branch.run.cancellation)
        self._source: Iterator[tuple[int, Json]] = iter(enumerate(items))
        self._items = items
        self._resumed: InFlight | None = None
        self._over_is_known = False  # whether the log contains the items; assigns may change the value of `over`
        self._now = asyncio.get_running_loop().time
        self._turned = self._now()
        self._finished = 0  # finished items, including those before the run was resumed

    def take_up(self, resumed: InFlight) -> None:
        """Continue an interrupted loop: finished items are not called again."""
        self._resumed = resumed
        self._over_is_known = resumed.over is not None
        finished = {index: item for index, item in resumed.items.items() if index < len(self._items)}
        self._finished = len(finished)
        self.cache_hits = sum(item.cache_hit for item in finished.values())
        for index, item in finished.items():
            if item.error is not None:
                self._note_failure(index, item.error)
            elif item.result is not None:
                self.collected[index] = self._kept_of(item.result)
        stopped = self.failures and not self._keep_going
        self._source = iter([] if stopped else [each for each in enumerate(self._items) if each[0] not in finished])

    async def run(self, workers: int) -> None:
        """Process all items, `workers` at once. When this returns or raises, no task is left."""
        branch = self._branch
        workers = min(workers, len(self.collected))
        if workers <= 1:
            await self._worker(branch.run.cancellation)
        else:
            await self._in_parallel(workers)
        branch.look()

    async def _in_parallel(self, workers: int) -> None:
        async def work() -> None:
            try:
                await self._worker(Cancellation(self._cancellation, asyncio.current_task()))
            except SystemExit as error:  # from a host: raised in a task, it would end the event loop
                raise RuntimeError(f"SystemExit: {error}") from error

        tasks = [asyncio.create_task(work()) for _ in range(workers)]
        try:
            await asyncio.wait(tasks, return_when=asyncio.FIRST_EXCEPTION)
            lost = any(task.cancelled() for task in tasks if task.done())
        finally:
            self._cancellation.ask()
            self._skip_the_rest()
            await ended(tasks)
        for task in tasks:
            if not task.cancelled():
                task.result()
        if lost:
            raise NodeError("a tool cancelled the task of the loop that called it", category="cancelled")

    def _worker(self, cancellation: Cancellation) -> Coroutine[object, object, None]:
        action = self._shortcut()
        return self._work(cancellation) if action is None else self._work_plainly(action, cancellation)

    def _skip_the_rest(self) -> None:
        list(self._source)  # exhaust the iterator, so that no worker starts another item

    def _shortcut(self) -> Action | None:
        """The action if its tool can be called directly for each item; otherwise None."""
        is_watched = self._branch.run.watched or self._cache or self._thread_ids
        if is_watched or self._timeout_s is not None or self._assign is not None:
            return None
        return self._action if isinstance(self._action, Action) and self._action in self._branch.shortcuts else None

    async def _work_plainly(self, action: Action, cancellation: Cancellation) -> None:
        """A worker that calls the tool directly: `Cursor.call`, inlined."""
        params, collected, branch, shortcuts = self._params, self.collected, self._branch, self._branch.shortcuts
        branch.next_look = 0
        tool, param, field = shortcuts[action]
        for index, item in self._source:
            if index >= branch.next_look:
                branch.next_look = index + 64
                branch.look()
                await self._look_around()
                _, param, field = shortcuts[action]
            try:
                wire = params(item)
                if len(wire) != 1 or type(wire.get(param)) not in PLAIN:
                    wire = outgoing(branch, action, wire)
                try:
                    result = await tool(wire)
                except BaseException as error:
                    cancellation.check_error(error)
                    fault = failed(error)
                    if fault is error:
                        raise
                    raise fault from error
                if type(result) is dict and len(result) == 1 and type(result.get(field, self)) in ATOMS:
                    collected[index] = result.copy()
                else:
                    collected[index] = incoming(shortcuts, action, result)
            except NodeError as error:
                await self._try_again(index, item, error, cancellation)

    async def _work(self, cancellation: Cancellation) -> None:
        for index, item in self._source:
            await self._look_around()
            attempt = 1
            if self._resumed is not None:
                await finish_wait(self._branch.run, self._resumed, index)
                cancellation.check()
                attempt += self._resumed.item_attempts.get(index, 0)
            try:
                await self._attempt(index, item, cancellation, attempt)
            except NodeError as error:
                await self._try_again(index, item, error, cancellation, attempt)

    async def _attempt(self, index: int, item: Json, cancellation: Cancellation, attempt: int) -> None:
        """Call the tool for an item, and store its result."""
        branch, params = self._branch, self._params(item)
        if None in params.values():
            warn_params(branch, params, item)
        action = self._action if isinstance(self._action, Action) else self._action(item)
        context = branch.run.context(branch.node, branch.step, f"{branch.step}/{index}", index, attempt)
        result = await perform(
            branch.run, action, params, context, timeout_s=self._timeout_s, cache=self._cache, cancellation=cancellation
        )
        delta: Params | None = None
        if self._assign is not None:
            delta = self._assign(item, result)
            branch.commit(delta)
        self.collected[index] = self._kept_of(result)
        self._tell(index, result, delta, context.cache_hit)

    def _kept_of(self, result: Result) -> Json:
        return result.get("thread_id", result.get("graph_run_id")) if self._thread_ids else result

    async def _try_again(
        self, index: int, item: Json, error: NodeError, cancellation: Cancellation, attempt: int = 1
    ) -> None:
        """Retry an item; if it still fails, add it to the failures and, unless `keep_going`, start no further items."""
        tries = Tries(attempt, index)
        if self._resumed is not None:
            tries.retried = self._resumed.item_retries.get(index, 0)
        try:
            while await again(self._branch, error, tries):
                cancellation.check()
                tries.attempts += 1
                try:
                    await self._attempt(index, item, cancellation, tries.attempts)
                except NodeError as next_error:
                    error = next_error
                else:
                    return
        except Ended:
            self._fail(index, error)
            raise
        self._fail(index, error)
        if not self._keep_going:
            self._skip_the_rest()

    def _fail(self, index: int, error: NodeError) -> None:
        self._note_failure(index, error)
        self._tell(index, error)

    def _note_failure(self, index: int, error: NodeError) -> None:
        self.failures[index] = error
        self.collected[index] = {"status": "error", "error": str(error)}

    def _tell(self, index: int, outcome: Result | NodeError, delta: Params | None = None, hit: bool = False) -> None:
        """Record and report a finished item; `delta` is what it assigned."""
        branch, run, total = self._branch, self._branch.run, len(self.collected)
        self.cache_hits += hit
        calls = run.taken_calls(index) if run.calls else []
        over = None if self._assign is None or self._over_is_known else self._items
        if run.recorder is not None:
            run.recorder.item(branch, index, total, outcome, delta, over, hit, calls)
            self._over_is_known = True
        self._finished += 1
        tell_item(branch, index, total, self._finished, outcome, calls)

    async def _look_around(self) -> None:
        """Yield to other tasks from time to time. Raises CancelRequested if the host requests it."""
        if self._branch.run.room is not None:
            await self._branch.run.room()
        if self._now() - self._turned >= _TURN:
            await asyncio.sleep(0)
            self._turned = self._now()
        if self._branch.run.host.cancel_requested():
            raise CancelRequested
