"""`spawn` and `yield` of the orchestrator: starting several graphs and threads, and giving them the turn."""

from __future__ import annotations

import asyncio
from typing import NamedTuple

from graphwright_runtime.context import Context
from graphwright_runtime.errors import NodeError
from graphwright_runtime.expressions import described
from graphwright_runtime.tools.arguments import positive_number
from graphwright_runtime.values import Json

#: The keys of a task.
_KEYS = ("item_id", "params")


class Task(NamedTuple):
    """What to start: the id of a graph, or of a tool that starts threads, and its params."""

    item_id: str
    params: dict[str, Json]


async def spawn(params: dict[str, Json], context: Context) -> dict[str, Json]:
    """Start graphs and threads in the background, one after the other.

    Params: `tasks`, a list; each is an action, `{item_id, params}`, which is performed with `async: true`. Result:
    `thread_ids`, their ids in this order. If one cannot be started, the call fails; those before it go on.
    """
    return {"thread_ids": [await _started(task, context) for task in _tasks(params.get("tasks"))]}


async def give_turn(params: dict[str, Json], context: Context) -> dict[str, Json]:
    """Let what runs in the background go on, until something that this run started ends.

    Params: `seconds`, how long at most (for a moment by default); `progress`, which `get_status` shows to others.
    Result: `over` and `running`, the ids of what this run started in the background.
    """
    children = {} if context.family is None else context.family.children
    if (own := children.get(context.run_id)) is not None:
        own.progress = params.get("progress")
    context.tell("yield", {"progress": params.get("progress")})
    started = [each for each in children.values() if each.parent_id == context.run_id]
    seconds = positive_number(params, "seconds") or 0
    tasks = [each.task for each in started if each.task is not None and each.outcome is None]
    if tasks:
        await asyncio.wait(tasks, timeout=seconds, return_when=asyncio.FIRST_COMPLETED)
    else:
        await asyncio.sleep(seconds)
    return {
        "over": [each.identity for each in started if each.outcome is not None],
        "running": [each.identity for each in started if each.outcome is None],
    }


async def _started(task: Task, context: Context) -> str:
    """The id of what a task started. Raises NodeError."""
    result = await context.call(task.item_id, {**task.params, "async": True})
    identity = result.get("graph_run_id") or result.get("thread_id")
    if isinstance(identity, str):
        return identity
    raise _wrong(f"`{task.item_id}` does not run in the background: only graphs and threads do")


def _tasks(value: Json) -> list[Task]:
    if not isinstance(value, list):
        raise _wrong(f"`tasks` must be a list of actions such as {{item_id, params}}, not {described(value)}")
    return [_task(each, f"tasks[{number}]") for number, each in enumerate(value)]


def _task(value: Json, name: str) -> Task:
    if not isinstance(value, dict):
        raise _wrong(f"`{name}` must be an action such as {{item_id, params}}, not {described(value)}")
    for key in value:
        if key not in _KEYS:
            raise _wrong(f"`{name}` has no key `{key}`; the keys are {' and '.join(_KEYS)}")
    item_id, params = value.get("item_id"), value.get("params")
    if not isinstance(item_id, str):
        raise _wrong(f"`{name}.item_id` must be the id of a graph or of a tool, not {described(item_id)}")
    if params is not None and not isinstance(params, dict):
        raise _wrong(f"`{name}.params` must be a mapping, not {described(params)}")
    return Task(item_id, params or {})


def _wrong(message: str) -> NodeError:
    return NodeError(message, category="permanent")
