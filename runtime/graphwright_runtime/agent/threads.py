"""Threads that a run starts: waited for, or in the background (language.md §13)."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import TYPE_CHECKING, Final

from graphwright_runtime.agent.call import ThreadCall, received, thread_call
from graphwright_runtime.agent.request import CancelledByRequest, Request
from graphwright_runtime.agent.runner import Thread, ThreadRunner
from graphwright_runtime.agent.standing import register, write_thread_context
from graphwright_runtime.bounds import limits_left, lower_of
from graphwright_runtime.calling import without_rest
from graphwright_runtime.errors import NodeError
from graphwright_runtime.family import Child, Family
from graphwright_runtime.host import Directives
from graphwright_runtime.items.directive import Directive, accepted, filled, parse_directive
from graphwright_runtime.ledger import summed
from graphwright_runtime.nested import call_identity
from graphwright_runtime.toolerror import failed
from graphwright_runtime.values import Json

if TYPE_CHECKING:
    from graphwright_runtime.context import Context
    from graphwright_runtime.ledger import Ledger
    from graphwright_runtime.run import Run

#: What to do if threads have no runner, which a graph cannot name: for the command line, and for Python.
_NO_RUNNER: Final = (
    "nothing runs threads: for `graphwright run`, write the tool `.ai/tools/rye/agent/threads/thread_directive.py`, "
    "whose `execute(params, context)` returns `await context.run_thread(params, runner)`, or answer for it with "
    "`--mock FILE`; in Python, pass `host=InProcessHost(threads=runner)`. `runner` is a `ThreadRunner` of your own"
)
#: Threads of a chain at most.
_LONGEST_CHAIN: Final = 1000


async def run_thread(
    run: Run, params: Mapping[str, Json], context: Context, runner: ThreadRunner | None = None
) -> dict[str, Json]:
    """Start a thread below a run, and wait for its result unless the call says otherwise.

    If the run is persisted, so are the beginning and the outcome of the thread: when the run is resumed, a thread that
    completed is not run again. Raises NodeError.
    """
    call = thread_call(params)
    runner = _runner(getattr(run.host, "threads", None) if runner is None else runner)
    books, kept = run.books(), run.recorder is not None and run.recorder.level != "exit"
    identity = _identity(call, context, books) if kept else run.host.new_run_id(call.directive)
    if (outcome := books.completed(identity)) is not None:
        return started(identity, str(outcome["status"])) if call.background else dict(outcome)
    if run.family is not None and run.family.is_running(identity):
        return started(identity)
    thread = _thread(run, call, identity, context)
    begun: dict[str, Json] = {
        "thread_id": identity,
        "directive": call.directive,
        "inputs": call.inputs,
        "limits": dict(call.limits),
        "background": call.background,
        "node": context.node,
        "step": context.step,
    }
    books.started[identity] = begun
    if run.recorder is not None:
        run.recorder.thread(run, "thread_started", begun)
    _introduce(run, thread)
    if call.background:
        _begin(run, thread, runner)
        return started(identity)
    try:
        return await _to_end(run, thread, runner)
    except CancelledByRequest as error:
        raise NodeError("the thread was cancelled", category="cancelled") from error


def _identity(call: ThreadCall, context: Context, books: Ledger) -> str:
    """The id of the thread that a call of a kept run starts; see `nested.py` for the calls of tools."""
    while True:
        identity = call_identity(context, background=call.background)
        before = books.started.get(identity)
        same = before is None or (before["directive"], before["inputs"]) == (call.directive, call.inputs)
        if same or not context.level:
            return identity
        context.children += 1


def _introduce(run: Run, thread: Thread) -> None:
    """Let others know of a thread before it begins."""
    register(run, thread, "running")
    write_thread_context(run, thread)


def started(identity: str, status: str = "running") -> dict[str, Json]:
    """The result of a call that does not wait."""
    return {"thread_id": identity, "status": status}


def _begin(run: Run, thread: Thread, runner: ThreadRunner) -> None:
    """Run a thread in the background of a run."""
    family = run.family = run.family or Family()
    child = Child(thread.thread_id, thread.directive, run.run_id, lambda by: _stop(run, thread, child, by))
    child.messages = thread.messages
    family.start(child, _to_end(run, thread, runner), lambda: None)


def _stop(run: Run, thread: Thread, child: Child, by: str) -> None:
    """End a thread in the background. If it is asked to end by itself, it is over, also when the run is resumed."""
    if by == "cancel":
        _over(run, thread, {"thread_id": thread.thread_id, "status": "cancelled", "error": "cancelled"})
    if child.task is not None:
        child.task.cancel()


def _runner(found: object) -> ThreadRunner:
    """What runs a thread. Raises NodeError if it is not a runner, or None."""
    if isinstance(found, ThreadRunner):
        return found
    if found is not None:
        said = f"a thread runner needs a method `run(thread)`, which {type(found).__name__} does not have"
        raise NodeError(said, category="permanent")
    raise NodeError(_NO_RUNNER, category="permanent")


def _thread(run: Run, call: ThreadCall, identity: str, context: Context) -> Thread:
    """The thread of a call, within the bounds of its run and its directive. Raises NodeError."""
    directive = _directive(run, call)
    inputs = call.inputs if directive is None else accepted(call.directive, directive, call.inputs)
    parent_limits = limits_left(run, context.bounds)
    left = parent_limits["depth"]
    if not isinstance(left, int) or left <= 0:
        raise NodeError("no thread can be started below this run: `limits.depth` is used up", category="denied")
    run.books().begin(identity, run.limits)
    declared = {} if directive is None else directive.limits
    limits = lower_of({**parent_limits, "depth": left - 1}, {**declared, **call.limits})
    permissions = directive.permissions if directive is not None else ()
    return Thread(
        identity,
        call.directive,
        prompt=None if directive is None else filled(directive, inputs).strip("\n"),
        inputs=inputs,
        outputs=() if directive is None else directive.outputs,
        grants=context.grants.narrowed(permissions or None),
        limits=limits,
        parent_depth=left,
        parent_limits=parent_limits,
        context=context,
    )


def _directive(run: Run, call: ThreadCall) -> Directive | None:
    """What the directive of a call declares; None if the project has none of this name."""
    if not isinstance(run.host, Directives):
        return None
    content = run.host.directive(call.directive, run.project, run.env.get("HOME"))
    return None if content is None else parse_directive(call.directive, content)


async def _to_end(run: Run, thread: Thread, runner: ThreadRunner) -> dict[str, Json]:
    """Run a thread, and those that continue it: the result of the last one, with the cost of all."""
    seconds = thread.limits.get("duration_s")
    deadline = asyncio.timeout(seconds if isinstance(seconds, (int, float)) else None)
    request = Request(run, thread.thread_id, deadline)
    try:
        async with deadline:
            with request:
                outcome = await _chain(run, thread, runner)
    except asyncio.CancelledError:
        register(run, thread, "cancelled")
        raise
    except Exception as error:
        if request.came:
            _over(run, thread, {"thread_id": thread.thread_id, "status": "cancelled", "error": "cancelled"})
            raise CancelledByRequest from error
        fault = failed(error)
        if deadline.expired():
            fault = NodeError(f"the thread timed out after {seconds} s", category="timeout", error_type="TimeoutError")
        _over(run, thread, {"thread_id": thread.thread_id, "status": "error", "error": str(fault)})
        raise fault from error
    _over(run, thread, outcome)
    return outcome


async def _chain(run: Run, thread: Thread, runner: ThreadRunner) -> dict[str, Json]:
    costs: list[Mapping[str, Json]] = []
    first, seen = thread, {thread.thread_id}
    while True:
        outcome = received(await without_rest(runner.run(thread), thread.context), thread.thread_id, thread.outputs)
        if isinstance(cost := outcome.get("cost"), dict):
            costs.append(cost)
        following = outcome.get("continuation_thread_id")
        if outcome["status"] != "continued":
            break
        if not isinstance(following, str) or not following or following in seen or len(seen) >= _LONGEST_CHAIN:
            raise NodeError(
                f"the thread {thread.thread_id} is continued, but `continuation_thread_id` leads to no further thread",
                category="permanent",
            )
        register(run, thread, "continued", outcome)
        seen.add(following)
        thread = thread.continued(following)
        _introduce(run, thread)
    if thread is not first:
        register(run, thread, str(outcome["status"]), outcome)
        outcome["continuation_of"] = thread.continuation_of
    return {**outcome, "cost": {**_kept(outcome), **summed(*costs)}} if costs else outcome


def _kept(outcome: Mapping[str, Json]) -> dict[str, Json]:
    """What a cost says besides numbers, such as the model."""
    cost = outcome.get("cost")
    return dict(cost) if isinstance(cost, dict) else {}


def _over(run: Run, thread: Thread, outcome: Mapping[str, Json]) -> None:
    """Note what a thread came to: in the books, the log and the registry."""
    books, identity = run.books(), thread.thread_id
    books.outcomes[identity] = outcome
    books.charge(identity, outcome.get("cost"))
    if run.recorder is not None:
        run.recorder.thread(run, "thread_completed", {"thread_id": identity, "outcome": outcome})
    if outcome.get("thread_id") == identity:
        register(run, thread, str(outcome["status"]), outcome)
