"""Small graphs in the shape of emitted modules, and a quick way to run them."""

from __future__ import annotations

import asyncio
import copy
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from graphwright_runtime.abi import Action, Control, Cursor, Event, Graph, Hook, Json, NodeError, RunResult, execute
from graphwright_runtime.context import Context
from graphwright_runtime.inprocess import InProcessHost
from graphwright_runtime.tooling import Call

AnyCursor = Cursor[Any, Any]
Answer = Callable[[Call], object]

WORK = Action("execute", "tool", "svc/work", "rye.execute.tool.svc.work")
RESCUE = Action("execute", "tool", "svc/rescue", "rye.execute.tool.svc.rescue")
NOTIFY = Action("execute", "tool", "svc/notify", "rye.execute.tool.svc.notify")


class QuickHost(InProcessHost):
    """Nothing has to be waited for; what would be is noted in `slept`."""

    def __init__(self) -> None:
        super().__init__()
        self.slept: list[float] = []

    async def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)


async def work(c: AnyCursor) -> str | None:
    """Calls, assigns, goes on: an action node without an error edge."""
    result = await c.call(WORK, {"n": c.state.get("n")})
    c.commit({"n": result.get("n")})
    return "done"


async def work_rescued(c: AnyCursor) -> str | None:
    """The same with `on_error: rescue`."""
    try:
        result = await c.call(WORK, {"n": c.state.get("n")})
        c.commit({"n": result.get("n")})
        return "done"
    except NodeError as error:
        await c.failed(error)
        return "rescue"


async def work_continued(c: AnyCursor) -> str | None:
    """The same under `on_error: continue`, with an edge that looks at the result."""
    try:
        result = await c.call(WORK, {"n": c.state.get("n")})
        c.commit({"n": result.get("n")})
        return "done"
    except NodeError as error:
        result = await c.suppressed(error)
        return "rescue" if result.get("status") == "error" else "done"


async def rescue(c: AnyCursor) -> str | None:
    """Where error edges lead."""
    c.commit({"rescued": True})
    return "done"


async def done(c: AnyCursor) -> None:
    """A return node without output."""
    c.finish()


def graph(
    node: Callable[[AnyCursor], Any] = work, *, start: str = "work", extra: Mapping[str, Any] | None = None, **more: Any
) -> Graph[Any, Any, Any]:
    """A graph around one node called `work`; `extra` adds nodes, `more` goes to the record."""
    settings: dict[str, Any] = {
        "id": "tests/small",
        "hash": "0" * 64,
        "abi": 1,
        "source": "graphs/small.yaml",
        "start": start,
        "nodes": {"work": node, "rescue": rescue, "done": done, **(extra or {})},
        "kinds": {"rescue": "gate", "done": "return"},
        "permissions": ("rye.execute.tool.svc.*",),
        "actions": (WORK, RESCUE, NOTIFY),
    }
    return Graph(**{**settings, **more})


def scripted(results: Mapping[str, Sequence[object]], calls: list[Call]) -> Callable[[Call, Context], object]:
    """A dispatch that gives scripted results by item id, the last one again and again; exceptions are raised."""
    counts: dict[str, int] = {}

    async def dispatch(call: Call, context: Context) -> object:
        calls.append(call._replace(params=copy.deepcopy(call.params)))
        name = call.item_id or ""
        if name not in results:
            raise LookupError(f"no such tool: {name}")
        position = counts[name] = counts.get(name, -1) + 1
        answer = results[name][min(position, len(results[name]) - 1)]
        if isinstance(answer, BaseException):
            raise answer
        return copy.deepcopy(answer)

    return dispatch


class Ran:
    """A finished run: its result, calls and events, and the host it ran on."""

    def __init__(self) -> None:
        self.calls: list[Call] = []
        self.events: list[Event] = []
        self.host = QuickHost()
        self.result: RunResult[Any, Any]

    @property
    def called(self) -> list[str | None]:
        """The ids that were called."""
        return [call.item_id for call in self.calls]


def ran(
    record: Graph[Any, Any, Any],
    results: Mapping[str, Sequence[object]] | None = None,
    inputs: Mapping[str, object] | None = None,
    *,
    watched: bool = False,
    **more: Any,
) -> Ran:
    """Run a graph on scripted tools."""
    run = Ran()
    if watched:
        more["on_event"] = run.events.append
    if "tools" not in more:
        more["dispatch"] = scripted(results or {}, run.calls)
    more.setdefault("env", {})
    more.setdefault("host", run.host)
    run.result = asyncio.run(execute(record, dict(inputs or {}), **more))
    return run


def retry_hook(times: int | None = None, **more: Any) -> Hook:
    """`{event: error, action: {retry: true}}`."""
    return Hook("error", control=Control("retry", times), **more)


def noting(into: list[object], key: str) -> Callable[[Mapping[str, Json]], bool]:
    """A condition that always holds, and notes a key of the context of each event it was asked about."""

    def when(context: Mapping[str, Json]) -> bool:
        into.append(context[key])
        return True

    return when


def reset() -> ConnectionError:
    """An error that the built-in retry acts on."""
    return ConnectionError("connection reset")
