"""`rye/agent/threads/orchestrator`: waiting for graphs and threads, looking at them, and ending them."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Awaitable, Callable, Mapping
from typing import Final, cast

from graphwright_runtime.agent.listing import chain_of, known, search, standing, transcript
from graphwright_runtime.agent.outcomes import ACTIVE, OPEN, ended, is_run, outcome, thread_row
from graphwright_runtime.agent.spawning import give_turn, spawn
from graphwright_runtime.context import Context
from graphwright_runtime.errors import NodeError, RefusedError
from graphwright_runtime.expressions import described
from graphwright_runtime.threads import in_thread
from graphwright_runtime.tools.arguments import count, positive_number, text
from graphwright_runtime.values import Json

Params = dict[str, Json]

#: Seconds that `wait_threads` waits unless it is told otherwise, and that a run has to end before it is killed.
_TIMEOUT: Final = 300.0
_GRACE: Final = 3.0


async def orchestrate(params: Params, context: Context) -> Params:
    """Perform an `operation` on graphs and threads of the project, whose ids are `thread_id` or `thread_ids`."""
    operation = text(params, "operation")
    if operation not in _OPERATIONS:
        known_ones = ", ".join(_OPERATIONS)
        raise NodeError(f"`operation` must be one of {known_ones}, not {operation!r}", category="permanent")
    return await _OPERATIONS[operation]({key: value for key, value in params.items() if value is not None}, context)


async def _wait(params: Params, context: Context) -> Params:
    """Params: `thread_ids`; `timeout` (300); `count`: only until so many are over.

    Result: `results` by id, each with `status` and `result`; `timed_out`, the ids that were not over in time;
    `running`, those that were not waited for because `count` was reached.
    """
    identities = _ids(params)
    timeout = positive_number(params, "timeout") or _TIMEOUT
    wanted = min(count(params, "count", default=len(identities) or 1), len(identities))
    over, waiting = await _first(identities, context, wanted, timeout)
    reached = len(over) >= wanted
    return {
        "results": {identity: over[identity] for identity in identities if identity in over},
        "timed_out": [] if reached else list[Json](waiting),
        "running": list[Json](waiting) if reached else [],
    }


async def _race(params: Params, context: Context) -> Params:
    """Wait for the first to be over, and cancel the others. Params: `thread_ids`, `timeout` (300).

    Result: `winner`, its id (null if none was in time), `winner_status`, `result`; `cancelled`, the ids of the others.
    """
    identities = _ids(params)
    if not identities:
        raise NodeError("`thread_ids` is empty: a race needs a thread", category="permanent")
    over, waiting = await _first(identities, context, 1, positive_number(params, "timeout") or _TIMEOUT)
    for identity in waiting if over else ():
        await _cancel({"thread_id": identity}, context)
    winner = next((identity for identity in identities if identity in over), None)
    found = {} if winner is None else over[winner]
    told: Params = {"winner": winner, "winner_status": found.get("status"), "result": found.get("result")}
    return told | {"cancelled": list[Json](waiting if over else [])}


async def _first(
    identities: list[str], context: Context, wanted: int, timeout: float
) -> tuple[dict[str, dict[str, Json]], list[str]]:
    """The outcomes of those that are over first, at least so many of them, and the ids of the others."""
    until = asyncio.get_running_loop().time() + timeout
    tasks = {identity: asyncio.ensure_future(ended(context, identity)) for identity in identities}
    try:
        while True:
            over = {identity: task for identity, task in tasks.items() if task.done()}
            left = until - asyncio.get_running_loop().time()
            if len(over) >= wanted or left <= 0:
                found = {identity: task.result() for identity, task in over.items()}
                return found, [identity for identity in tasks if identity not in over]
            pending = [task for task in tasks.values() if not task.done()]
            done, _ = await asyncio.wait(pending, timeout=left, return_when=asyncio.FIRST_COMPLETED)
            for task in done:
                task.result()  # an id that does not exist is an error at once
    finally:
        for task in tasks.values():
            task.cancel()
        await asyncio.gather(*tasks.values(), return_exceptions=True)


async def _status(params: Params, context: Context) -> Params:
    """Params: `thread_id`. Result: `run_id`, `alive`, `pid`, `status`, `current_node`, `step`."""
    return await standing(context, text(params, "thread_id"))


async def _active(_: Params, context: Context) -> Params:
    """Result: `threads`, those of the project that are not over."""
    return {"threads": [row for row in await known(context) if row["status"] in ACTIVE]}


async def _children(params: Params, context: Context) -> Params:
    """Params: `thread_id` (the run itself by default). Result: `children`, what that one started."""
    parent = text(params, "thread_id", default=context.run_id)
    return {"children": [row for row in await known(context) if row["parent_id"] == parent]}


async def _aggregate(params: Params, context: Context) -> Params:
    """Params: `thread_ids`. Result: `results`, in this order, each with `thread_id`, `status` and `result`."""
    return {"results": [{"thread_id": each, **await outcome(context, each)} for each in _ids(params)]}


async def _cancel(params: Params, context: Context) -> Params:
    """Params: `thread_id`. Result: `thread_id`, and `requested`: false if it was over already."""
    identity = text(params, "thread_id")
    child = None if context.family is None else context.family.children.get(identity)
    if child is not None:
        requested = child.outcome is None
        if requested:
            child.stop("cancel")
        return {"thread_id": identity, "requested": requested}
    requested = (await outcome(context, identity))["status"] in OPEN
    if requested:
        from graphwright_runtime.durable.survey import request_cancel

        try:
            row = cast("Mapping[str, Json]", await in_thread(thread_row, context, identity))
            first = row.get("chain_root_id")  # of a chain, the first thread receives the request
            await in_thread(request_cancel, context.project, str(first or identity))
        except RefusedError as error:
            raise NodeError(str(error), category="permanent") from error
    return {"thread_id": identity, "requested": requested}


async def _kill(params: Params, context: Context) -> Params:
    """End the process of a run: SIGTERM, SIGKILL after 3 seconds. Threads, and runs in this process, are cancelled.

    Params: `thread_id`. Result: that of `get_status`, from after that.
    """
    identity = text(params, "thread_id")
    before = await standing(context, identity)
    if before["alive"] and (before["pid"] == os.getpid() or not is_run(context.project, identity)):
        await _cancel(params, context)
        await _first([identity], context, 1, _GRACE)
    elif before["alive"]:
        from graphwright_runtime.durable.survey import kill

        try:
            await in_thread(kill, context.project, identity)
        except RefusedError as error:
            raise NodeError(str(error), category="permanent") from error
    return await standing(context, identity)


async def _steer(params: Params, context: Context) -> Params:
    """Send a message to a thread in the background. Params: `thread_id`, `message`. Result: `thread_id`, `messages`."""
    identity, message = text(params, "thread_id"), text(params, "message")
    child = None if context.family is None else context.family.children.get(identity)
    if child is None or child.outcome is not None or child.messages is None:
        raise NodeError(
            f"{identity!r} is not a thread in the background of this tree of runs that is still running",
            category="permanent",
        )
    child.messages.append(message)
    return {"thread_id": identity, "messages": len(child.messages)}


async def _chain(params: Params, context: Context) -> Params:
    """Params: `thread_id`. Result: `chain`, the threads that continue each other, the first one first."""
    return {"chain": list[Json](await chain_of(context, text(params, "thread_id")))}


async def _search(params: Params, context: Context) -> Params:
    """Params: `thread_id`, `query`. Result: `matches` in the transcripts of its chain: `thread_id`, `line`, `text`."""
    return {"matches": await search(context, text(params, "thread_id"), text(params, "query"))}


async def _transcript(params: Params, context: Context) -> Params:
    """Params: `thread_id`, `tail_lines` (all by default). Result: `thread_id`, `transcript`, `lines`, their number."""
    identity = text(params, "thread_id")
    lines = await transcript(context, identity)
    last = lines[-count(params, "tail_lines", default=len(lines) or 1) :]
    return {"thread_id": identity, "transcript": "\n".join(last), "lines": len(last)}


def _ids(params: Params) -> list[str]:
    value = params.get("thread_ids")
    if isinstance(value, list) and all(isinstance(each, str) for each in value):
        return list(dict.fromkeys(map(str, value)))
    raise NodeError(f"`thread_ids` must be a list of ids, not {described(value)}", category="permanent")


_OPERATIONS: Final[Mapping[str, Callable[[Params, Context], Awaitable[Params]]]] = {
    "spawn": spawn,
    "yield": give_turn,
    "wait_threads": _wait,
    "race": _race,
    "list_active": _active,
    "list_children": _children,
    "get_status": _status,
    "status": _status,
    "aggregate_results": _aggregate,
    "cancel_thread": _cancel,
    "kill_thread": _kill,
    "steer_thread": _steer,
    "get_chain": _chain,
    "chain_search": _search,
    "read_transcript": _transcript,
}
