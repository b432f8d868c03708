"""Records a real run with all answers of its tools, in a file that a test replays.

The file is a conformance case (`tools`, `expect`, …) without its graph. `calls_at` contains the location in the run of
each of `expect.calls`, so that replaying matches answers to items that ran in parallel.
"""

from __future__ import annotations

import asyncio
import json
import os
from collections.abc import Mapping, Sequence
from contextvars import ContextVar
from pathlib import Path
from typing import Any, Final, TypeVar, cast

from graphwright_runtime.classify import classify
from graphwright_runtime.context import Context
from graphwright_runtime.errors import CATEGORIES, NodeError
from graphwright_runtime.errortable import read_rules
from graphwright_runtime.execute import RunnableGraph
from graphwright_runtime.graph import Action, AnyGraph
from graphwright_runtime.host import Host
from graphwright_runtime.inprocess import InProcessHost
from graphwright_runtime.methods import tools_by_id
from graphwright_runtime.result import RunResult
from graphwright_runtime.testing.trial import InputsOf, check_no_loop
from graphwright_runtime.toolerror import failed
from graphwright_runtime.tooling import Call, Dispatch, Tool, adapted, adapted_dispatch
from graphwright_runtime.typeforms import ResultT, ToolsT
from graphwright_runtime.values import Json, NotJsonError, json_copy

InputsT = TypeVar("InputsT")

#: The key that recordings have and other scripts do not: the place of the run that made each call.
RECORDED: Final = "calls_at"

#: Set during a recorded call, whose answer includes all calls that its tool or graph makes.
_inside: Final[ContextVar[bool]] = ContextVar("inside a recorded call", default=False)


class Answered:
    """A call and its answer in the format of the file: `{"return": …}`, `{"raise": {…}}`, or None while it runs."""

    __slots__ = ("answer", "at", "call")

    def __init__(self, at: str, call: dict[str, Json], answer: Mapping[str, Json] | None = None) -> None:
        self.at = at
        self.call = call
        self.answer = answer


def record(
    graph: RunnableGraph[InputsT, object, object, str, ResultT, ToolsT],
    inputs: InputsOf[InputsT],
    path: str | os.PathLike[str],
    *,
    tools: Mapping[str, Tool] | ToolsT | None = None,
    dispatch: Dispatch | None = None,
    capabilities: Sequence[str] | None = None,
    env: Mapping[str, str] | None = None,
    host: Host | None = None,
    project: str | os.PathLike[str] | None = None,
    run_id: str | None = None,
) -> ResultT:
    """Run a graph with its real tools and write their answers to `path`, as JSON. Arguments as for `Graph.run`.

    The file contains the inputs, params, results and environment (`env`, otherwise the variables that the graph needs)
    unchanged: check it for secrets before you share it.

    Raises RuntimeError inside a running event loop, and if the run was cancelled (then nothing is written).
    """
    check_no_loop("record")
    recorder = Recorder(
        {} if tools is None else tools_by_id(graph, tools), dispatch, InProcessHost() if host is None else host
    )
    result = asyncio.run(
        graph.run(
            cast("InputsT", inputs),
            dispatch=recorder,
            capabilities=capabilities,
            env=env,
            host=host,
            project=project,
            run_id=run_id,
        )
    )
    if result.status == "cancelled":
        raise RuntimeError("the run was cancelled, so it was not recorded")
    written = recording(graph, inputs, recorder, result, env=env, capabilities=capabilities)
    Path(path).write_text(written, "utf-8", errors="surrogatepass")
    return result


def recording(
    graph: AnyGraph,
    inputs: object,
    recorder: Recorder,
    result: RunResult[object, object],
    *,
    env: Mapping[str, str] | None,
    capabilities: Sequence[str] | None,
) -> str:
    """The text of the file for a run that `recorder` answered."""
    given = env if env is not None else {name: os.environ[name] for name in graph.required_env if name in os.environ}
    case: dict[str, Json] = {
        "graph_id": graph.id,
        "graph_hash": graph.hash,
        "graph_run_id": result.graph_run_id,
        "inputs": json_copy(inputs),
        "env": dict(given),
        "capabilities": None if capabilities is None else list(capabilities),
        "tools": _by_tool(recorder.calls),
        "expect": {**expectation(result), "calls": [each.call for each in recorder.calls]},
        RECORDED: [each.at for each in recorder.calls],
    }
    return json.dumps(case, indent=1, ensure_ascii=False) + "\n"


def expectation(result: RunResult[Any, Any]) -> dict[str, Json]:
    """The result of a run in the format of `expect`."""
    told = result.to_dict()
    return {
        "status": result.status,
        "state": told["state"],
        "output": told["output"],
        "path": list(result.path),
        "error": None if result.error is None else {"node": result.node, "contains": result.error},
        "suppressed": [error.node for error in result.errors],
    }


def as_case(call: Call) -> dict[str, Json]:
    """A call in the format of the file."""
    return {"primary": call.primary, "kind": call.kind, "item_id": call.item_id, "params": json_copy(call.params)}


def place(context: Context) -> str:
    """The location of a call in its run: `step`, `step/index` or `step/hook-n`."""
    return context.idempotency_key.removeprefix(f"{context.run_id}/")


class Recorder:
    """The `dispatch` of a recorded run: calls the real tool and records its answer."""

    def __init__(self, tools: Mapping[str, Tool], dispatch: Dispatch | None, host: Host) -> None:
        self.calls: list[Answered] = []
        self._tools = tools
        self._dispatch = dispatch
        self._host = host

    async def __call__(self, call: Call, context: Context) -> object:
        is_inside = _inside.get() or context.level > 0  # a thread of the tool does not have the variable
        answered = Answered(place(context), as_case(call))
        token = _inside.set(True)
        try:
            if is_inside:
                return await self._perform(call, context)
            self.calls.append(answered)
            result = await self._perform(call, context)
            answered.answer = {"return": json_copy(result)}
        except asyncio.CancelledError:  # by the timeout of the node, or of the run
            raise
        except NotJsonError as error:
            fault = NodeError(f"the result is not JSON: {error}", category="permanent")
            answered.answer = {"raise": _raised(fault, context)}
            raise fault from error
        except Exception as error:
            answered.answer = {"raise": _raised(error, context)}
            raise
        finally:
            _inside.reset(token)
        return result

    async def _perform(self, call: Call, context: Context) -> object:
        action = Action(call.primary, call.kind, call.item_id, call.capability)
        item_id = call.item_id or ""
        if item_id in self._tools:
            bound = adapted(self._tools[item_id])[0]
        elif self._dispatch is not None:
            bound = adapted_dispatch(self._dispatch, action)
        else:
            return await self._host.dispatch(action, call.params, context)
        return await bound(call.params, context)


def _raised(error: Exception, context: Context) -> dict[str, Json]:
    """An exception in the format of the file, with its category according to the project's rules."""
    fault = failed(error)
    if fault is not error:
        fault.__cause__ = error
    category = classify(fault, read_rules(context.project))
    told: dict[str, Json] = {"type": fault.error_type, "message": str(fault), "category": category}
    if fault.code is not None:
        told["code"] = fault.code
    if fault.retry_after is not None:
        told["retry_after"] = fault.retry_after
    return told


def _by_tool(calls: Sequence[Answered]) -> dict[str, Json]:
    """The answers by item id, in the order of the calls."""
    tools: dict[str, list[Json]] = {}
    for each in calls:
        answers = tools.setdefault(str(each.call["item_id"] or ""), [])
        answers.append(dict(each.answer or {"raise": {"type": "TimeoutError", "message": "cut off", "cut": True}}))
    return dict(tools.items())


def raises(told: Mapping[str, Json]) -> NodeError:
    """The error that the file describes."""
    code, retry_after, category = told.get("code"), told.get("retry_after"), told.get("category")
    return NodeError(
        str(told.get("message", "")),
        category=next((each for each in CATEGORIES if each == category), None),
        code=code if isinstance(code, (int, str)) else None,
        retry_after=retry_after if isinstance(retry_after, (int, float, str)) else None,
        error_type=str(told.get("type", "NodeError")),
    )
