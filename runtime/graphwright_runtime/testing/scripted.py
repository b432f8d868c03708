"""Scripted tools: they give the answers that a test defines, and record their calls."""

from __future__ import annotations

import asyncio
import copy
import inspect
from collections import Counter
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import ModuleType
from typing import Final, Self, cast

from graphwright_runtime.context import Context
from graphwright_runtime.errors import Category, NodeError
from graphwright_runtime.graph import GraphRecord
from graphwright_runtime.parameters import extras
from graphwright_runtime.testing.clock import crash
from graphwright_runtime.testing.faults import Crashes, Delayed, Fails
from graphwright_runtime.tooling import Call, Tool, adapted
from graphwright_runtime.values import Json

_EVERY: Final = 0


@dataclass(slots=True)
class ToolCall:
    """One call of a run. `outcome` is a description; `index` is the index of a foreach's item."""

    item_id: str
    params: dict[str, Json]
    node: str
    step: int
    index: int | None
    graph_id: str
    idempotency_key: str
    outcome: str = ""


class ScriptedTools(Mapping[str, Tool]):
    """Answers the calls of a run from a script, which maps item ids to answers.

    A list (or tuple) contains one answer for each call, in order; anything else answers every call. An answer is a
    result; a `Fails`, `Delayed` or `Crashes`; an exception, which is raised; a function `(params)` or
    `(params, context)`, sync or async, which is called; or a generated graph, which is run. (To return a list, put it
    into a list.)

    Pass it as `dispatch=` to answer every action from the script, or as `tools=` to pass ids that are not in the script
    to the host. `calls` contains the calls in order, `unexpected` messages about calls that the script does not answer.
    """

    def __init__(self, script: Mapping[str, object]) -> None:
        self._script = dict(script)
        self._faults: dict[tuple[str, int], Callable[[object], object]] = {}
        self._made: Counter[str] = Counter()
        self.calls: list[ToolCall] = []
        self.unexpected: list[str] = []

    def fail(
        self,
        item_id: str,
        category: Category = "transient",
        message: str = "",
        *,
        call: int | None = None,
        retry_after: float | str | None = None,
    ) -> Self:
        """Make call number `call` of a tool (from 1), or every call, fail instead of giving its answer."""
        fault = Fails(category, message, retry_after=retry_after)
        self._inject(item_id, call, lambda _: fault)
        return self

    def delay(self, item_id: str, seconds: float, *, call: int | None = None) -> Self:
        """Make call number `call` of a tool (from 1), or every call, take `seconds` before it is answered."""
        self._inject(item_id, call, lambda answer: Delayed(seconds, answer))
        return self

    def crash(self, item_id: str, *, call: int | None = None) -> Self:
        """Make the process "die" during call number `call` of a tool (from 1), or the next call."""
        self._inject(item_id, call, lambda _: Crashes())
        return self

    def of(self, item_id: str) -> Sequence[ToolCall]:
        """The calls of one tool, in order."""
        return [call for call in self.calls if call.item_id == item_id]

    def __getitem__(self, item_id: str) -> Tool:
        if item_id not in self._script:
            raise KeyError(item_id)

        async def tool(params: dict[str, Json], context: Context) -> object:
            return await self._answer(item_id, params, context)

        return tool

    def __iter__(self) -> Iterator[str]:
        return iter(self._script)

    def __len__(self) -> int:
        return len(self._script)

    async def __call__(self, call: Call, context: Context) -> object:
        """Answer a call as the `dispatch` of a run."""
        return await self._answer(call.item_id or "", call.params, context)

    def _inject(self, item_id: str, call: int | None, fault: Callable[[object], object]) -> None:
        if item_id not in self._script:
            raise ValueError(f"the script has no tool {item_id!r}; it has {_listed(self._script)}")
        if call is not None and call < 1:
            raise ValueError("calls are counted from 1")
        self._faults[item_id, call or _EVERY] = fault

    async def _answer(self, item_id: str, params: dict[str, Json], context: Context) -> object:
        self._made[item_id] += 1
        call = ToolCall(
            item_id,
            copy.deepcopy(params),
            context.node,
            context.step,
            context.index,
            context.graph_id,
            context.idempotency_key,
        )
        self.calls.append(call)
        try:
            result = await _played(self._next(item_id, self._made[item_id], context), params, context)
        except asyncio.CancelledError:
            call.outcome = "was cut off"
            raise
        except BaseException as error:
            call.outcome = f"raised {error!r}"
            raise
        call.outcome = f"gave {result!r}"
        return result

    def _next(self, item_id: str, number: int, context: Context) -> object:
        """The answer of the script to a call. Raises NodeError if it has none."""
        fault = self._faults.get((item_id, number)) or self._faults.get((item_id, _EVERY))
        if item_id not in self._script:
            raise self._surprise(
                f"`{item_id}` was called in node `{context.node}`, but the script has only {_listed(self._script)}"
            )
        script = answer = self._script[item_id]
        if isinstance(script, (list, tuple)) and not isinstance(script, Delayed):
            answers = cast("Sequence[object]", script)
            if number > len(answers):
                raise self._surprise(
                    f"`{item_id}` was called {number} times, the last time in node `{context.node}`, "
                    f"but the script has {len(answers)} answers"
                )
            answer = answers[number - 1]
        return answer if fault is None else fault(answer)

    def _surprise(self, text: str) -> NodeError:
        self.unexpected.append(text)
        return NodeError(text, category="permanent")


async def _played(answer: object, params: dict[str, Json], context: Context) -> object:
    """Perform an answer of a script: return, raise, wait for or call it."""
    answer = await answered(answer, f"a call in node `{context.node}` (step {context.step})")
    if isinstance(answer, (GraphRecord, ModuleType)):
        return await adapted(cast("Tool", answer))[0](params, context)
    if callable(answer):  # also sync functions run in the event loop, so that the clock does not advance meanwhile
        function = cast("Callable[..., object]", answer)
        result = extras(function, in_file=False).passed_to(function)(params, context)
        return await cast("Awaitable[object]", result) if inspect.isawaitable(result) else result
    return copy.deepcopy(answer)


async def answered(answer: object, where: str) -> object:
    """Wait for an answer of a script, and return it. Raises the exceptions and crashes of the script."""
    while isinstance(answer, Delayed):
        await asyncio.sleep(answer.seconds)
        answer = answer.answer
    error = _error(answer)
    if error is not None:
        raise error
    if isinstance(answer, Crashes):
        await crash(f"the process died during {where}")
    return answer


def _error(answer: object) -> BaseException | type[BaseException] | None:
    """The exception that an answer raises; None if it raises none."""
    if isinstance(answer, Fails):
        return answer.error()
    if isinstance(answer, BaseException):
        return answer
    return answer if isinstance(answer, type) and issubclass(answer, BaseException) else None


def _listed(script: Mapping[str, object]) -> str:
    return ", ".join(f"`{name}`" for name in script) or "nothing"
