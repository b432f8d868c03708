"""Replays a recorded run: executes the graph with the recorded answers instead of its tools."""

from __future__ import annotations

import asyncio
import copy
import json
import math
from collections import deque
from collections.abc import Mapping
from os import PathLike
from pathlib import Path
from typing import Any, TypeVar, cast

from graphwright_runtime.context import Context
from graphwright_runtime.errors import NodeError
from graphwright_runtime.execute import RunnableGraph
from graphwright_runtime.result import RunResult
from graphwright_runtime.testing.clock import run_virtually
from graphwright_runtime.testing.compare import difference
from graphwright_runtime.testing.host import FrozenHost
from graphwright_runtime.testing.recording import Answered, as_case, expectation, place, raises
from graphwright_runtime.testing.trial import check_no_loop
from graphwright_runtime.tooling import Call
from graphwright_runtime.typeforms import ResultT
from graphwright_runtime.values import Json

InputsT = TypeVar("InputsT")


class ReplayDeviation(AssertionError):  # noqa: N818 - what pytest shows is that it is an assertion
    """A run that differs from the recording."""


def replay(
    graph: RunnableGraph[InputsT, object, object, str, ResultT],
    path: str | PathLike[str],
    *,
    project: str | PathLike[str] | None = None,
) -> ResultT:
    """Run a graph with the answers that `record` wrote: calls no tools and takes no time.

    The inputs, environment, capabilities and run id are those of the recording. Values of `expect` in the file can be
    replaced by `{"$match": regex}` and `{"$has": {…}}`.

    Raises ReplayDeviation if the run makes other calls, passes other params or ends differently; ValueError if the file
    is not a recording; RuntimeError inside a running event loop.
    """
    check_no_loop("replay")
    case = _read(Path(path))
    host = FrozenHost()
    player = _Player(_calls(case, Path(path)), host)
    result = run_virtually(
        graph.run(
            cast("InputsT", case["inputs"]),
            dispatch=player,
            capabilities=cast("list[str] | None", case["capabilities"]),
            env=cast("dict[str, str]", case["env"]),
            host=host,
            project=project,
            run_id=str(case["graph_run_id"]),
        ),
        host.clock,
    )
    found = player.deviation or player.missing() or _end(cast("Mapping[str, Json]", case["expect"]), result)
    if found is not None:
        changed = "" if case["graph_hash"] == graph.hash else "; the graph was changed since it was recorded"
        raise ReplayDeviation(f"{path}: {found} (path: {' → '.join(result.path)}{changed})")
    return result


class _Player:
    """The `dispatch` of a replayed run: answers each call with the recorded answer for its location in the run."""

    def __init__(self, calls: list[Answered], host: FrozenHost) -> None:
        self.deviation: str | None = None
        self._host = host
        self._left: dict[str, deque[Answered]] = {}
        for each in calls:
            self._left.setdefault(each.at, deque()).append(each)

    async def __call__(self, call: Call, context: Context) -> object:
        at = place(context)
        actual = as_case(call)
        if not self._left.get(at):
            raise self._deviates(
                f"`{call.item_id}` is called in node `{context.node}` (at {at}), which was not recorded"
            )
        answered = self._left[at].popleft()
        if answered.call["item_id"] != call.item_id:
            raise self._deviates(
                f"node `{context.node}` (at {at}) calls `{call.item_id}`; recorded is `{answered.call['item_id']}`"
            )
        found = difference(answered.call, actual, f"the call of `{call.item_id}` in node `{context.node}` (at {at})")
        if found is not None:
            raise self._deviates(found)
        answer = cast("Mapping[str, Json]", answered.answer)
        if "return" in answer:
            return copy.deepcopy(answer["return"])
        told = cast("Mapping[str, Json]", answer["raise"])
        if told.get("cut"):
            await asyncio.sleep(_LONG)
        raise raises(told)

    def missing(self) -> str | None:
        """A message about a recorded call that was not made; None if all were made."""
        for at, calls in self._left.items():
            for each in calls:
                return f"the recorded call of `{each.call['item_id']}` (at {at}) is not made"
        return None

    def _deviates(self, text: str) -> NodeError:
        """Record the first deviation and end the run after this node, because later ones are only consequences."""
        self.deviation = self.deviation or text
        self._host.cancel()
        return NodeError(text, category="permanent")


#: Longer than any timeout, in seconds.
_LONG = math.ldexp(1.0, 40)


def _end(expect: Mapping[str, Json], result: RunResult[Any, Any]) -> str | None:
    """Describe how the end of the run differs from the recorded one; None if it does not."""
    actual = expectation(result)
    return next((found for key in actual if (found := difference(expect.get(key), actual[key], key)) is not None), None)


def _read(path: Path) -> dict[str, Json]:
    try:
        case: object = json.loads(path.read_text("utf-8", errors="surrogatepass"))
    except ValueError as error:
        raise ValueError(f"{path} is not a recording: {error}") from error
    keys = {"graph_hash", "graph_run_id", "inputs", "env", "capabilities", "tools", "expect", "calls_at"}
    if not isinstance(case, dict) or not keys <= set(cast("dict[str, Json]", case)):
        raise ValueError(f"{path} is not a recording: it was not written by `record`")
    return cast("dict[str, Json]", case)


def _calls(case: Mapping[str, Json], path: Path) -> list[Answered]:
    """The recorded calls with their answers. Raises ValueError if they do not match."""
    calls: list[Answered] = []
    try:
        tools = cast("Mapping[str, list[dict[str, Json]]]", case["tools"])
        answers = {item_id: deque(each) for item_id, each in tools.items()}
        expected = cast("Mapping[str, list[dict[str, Json]]]", case["expect"])["calls"]
        for at, call in zip(cast("list[str]", case["calls_at"]), expected, strict=True):
            answer = answers[str(call["item_id"] or "")].popleft()
            if "return" not in answer and not isinstance(answer.get("raise"), dict):
                raise ValueError(f"an answer neither returns nor raises: {answer!r}")
            calls.append(Answered(at, call, answer))
    except (KeyError, TypeError, IndexError, AttributeError, ValueError) as error:
        raise ValueError(f"{path} is not a recording: its calls and answers do not belong together: {error}") from error
    return calls
