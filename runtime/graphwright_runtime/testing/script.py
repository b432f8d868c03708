"""Tools played from a file: a script, a conformance case, or a recording, which have the same form.

    {"tools": {"tickets/list": [{"raise": {"type": "ConnectionError", "message": "refused"}}, {"return": {"n": 3}}]},
     "inputs": {"team": "ops"}, "env": {"TOKEN": "x"}, "capabilities": null}

The calls of a tool get its answers in order. The last one repeats, except in a recording, which has one answer for each
call. `inputs`, `env` and `capabilities` can be left out.
"""

from __future__ import annotations

import builtins
import copy
import json
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final, cast

from graphwright_runtime.capability import INTERNAL
from graphwright_runtime.context import Context
from graphwright_runtime.errors import NodeError
from graphwright_runtime.graph import Action
from graphwright_runtime.inprocess import InProcessHost
from graphwright_runtime.testing.recording import RECORDED, raises
from graphwright_runtime.tooling import Call, graph_tool
from graphwright_runtime.values import Json

#: What the runtime reads from an exception in addition to its type and message.
_ATTRIBUTES: Final = {"code", "status", "status_code", "retry_after"}

#: The most ids that a message lists.
_LISTED: Final = 8


class ScriptError(ValueError):
    """A file that is not a script; the text says what is wrong with it, and where."""


class Script:
    """What a file says.

    `tools`: the answers by item id. `inputs`, `env`: of the run that they belong to; `capabilities` are those of its
    caller, None if it passed none. `is_recording`: there is one answer for each call.
    """

    def __init__(self, data: Mapping[str, Json]) -> None:
        self.tools = {item_id: _answers(item_id, answers) for item_id, answers in _mapping(data, "tools").items()}
        self.inputs = _mapping(data, "inputs")
        self.env = {name: _text(f"env.{name}", value) for name, value in _mapping(data, "env").items()}
        self.capabilities = _texts(data.get("capabilities"))
        self.is_recording = RECORDED in data

    def answer(self, item_id: str, number: int) -> Mapping[str, Json]:
        """What a call of a tool gets, `{"return": …}` or `{"raise": …}`; its calls are counted from 1.

        Raises LookupError if the script has nothing for it; the text says why.
        """
        answers = self.tools.get(item_id)
        if answers is None:
            known = [f"`{name}`" for name in self.tools]
            listed = ", ".join(known[:_LISTED]) + (f" and {len(known) - _LISTED} more" if len(known) > _LISTED else "")
            raise LookupError(f"it has no answer for `{item_id}`, only for {listed}" if known else "it has no answers")
        if not answers or (self.is_recording and number > len(answers)):
            count = "1 answer" if len(answers) == 1 else f"{len(answers) or 'no'} answers"
            raise LookupError(f"it has {count} for `{item_id}`, and this is call {number}")
        return answers[min(number, len(answers)) - 1]


class ScriptedHost(InProcessHost):
    """A host on which waits between attempts take no time."""

    async def sleep(self, seconds: float) -> None:
        """Return at once."""


class Player:
    """The `dispatch` of a run that a script answers; `unanswered` says what it called that the script does not have.

    Graphs that the script does not answer for are run, and their tools are played, too. No other tool is run.
    """

    def __init__(self, script: Script, name: str, host: InProcessHost) -> None:
        self.unanswered: list[str] = []
        self._script = script
        self._name = name
        self._host = host
        self._made: Counter[str] = Counter()

    async def __call__(self, call: Call, context: Context) -> object:
        item_id = call.item_id or ""
        if item_id not in self._script.tools:
            graph = self._host.graph(item_id, context.graph)
            if graph is not None:
                return await graph_tool(graph)(call.params, context)
            if item_id.startswith(INTERNAL):  # they control the run, and touch nothing else
                action = Action(call.primary, call.kind, call.item_id, call.capability)
                return await self._host.dispatch(action, call.params, context)
        self._made[item_id] += 1
        try:
            answer = self._script.answer(item_id, self._made[item_id])
        except LookupError as error:
            told = f"{self._name}: {error} (node `{context.node}`)"
            self.unanswered.append(told)
            raise NodeError(told, category="permanent") from None
        if "return" in answer:
            return copy.deepcopy(answer["return"])
        raise _error(answer["raise"])


def read_script(path: Path) -> Script:
    """The script in a file. Raises OSError, and ScriptError if the file is something else."""
    try:
        data: object = json.loads(path.read_bytes().decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        raise ScriptError(f"it is not UTF-8: {error.reason} at byte {error.start}") from error
    except (ValueError, RecursionError) as error:
        raise ScriptError(f"it is not JSON: {error}") from error
    if not isinstance(data, dict) or "tools" not in data:
        raise ScriptError("it has no `tools`: expected an object with the answers of each tool")
    return Script(cast("dict[str, Json]", data))


def _answers(item_id: str, value: Json) -> Sequence[Mapping[str, Json]]:
    """The answers of one tool; a single one need not be in a list."""
    place = f"tools[{json.dumps(item_id, ensure_ascii=False)}]"
    if isinstance(value, list):
        return [_answer(f"{place}[{number}]", each) for number, each in enumerate(value)]
    return [_answer(place, value)]


def _answer(place: str, value: Json) -> Mapping[str, Json]:
    if not isinstance(value, dict) or value.keys() not in ({"return"}, {"raise"}):
        raise ScriptError(f'{place}: expected an answer, {{"return": …}} or {{"raise": …}}')
    if not isinstance(value.get("raise", ""), (dict, str)):
        raise ScriptError(f"{place}.raise: expected an object with `type` and `message`")
    return value


def _mapping(data: Mapping[str, Json], key: str) -> dict[str, Json]:
    value = data.get(key)
    if value is not None and not isinstance(value, dict):
        raise ScriptError(f"`{key}` is not an object")
    return value or {}


def _text(name: str, value: Json) -> str:
    if not isinstance(value, str):
        raise ScriptError(f"`{name}` is not a string")
    return value


def _texts(value: Json) -> list[str] | None:
    if value is not None and not isinstance(value, list):
        raise ScriptError("`capabilities` is not a list of patterns")
    return None if value is None else [_text(f"capabilities[{place}]", each) for place, each in enumerate(value)]


def _error(told: Json) -> Exception:
    """The exception that an answer tells of: an object with `type`, `message` and what else it has, or its message."""
    if not isinstance(told, dict):
        return RuntimeError(str(told))
    if "category" in told:
        return raises(told)
    if told.get("cut"):
        return TimeoutError(str(told.get("message", "")))
    name = str(told.get("type", "RuntimeError"))
    known = getattr(builtins, name, None)
    base = (
        known if isinstance(known, type) and issubclass(known, (OSError, ArithmeticError, LookupError)) else Exception
    )
    error: Exception = type(name, (base,), {})(str(told.get("message", "")))
    for key in _ATTRIBUTES & told.keys():
        setattr(error, key, told[key])
    return error
