"""Walks a graph: one step after the other, as the description of the language says it."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from typing import TypeVar

from reference.conditions import holds
from reference.expressions import NodeFaultError, Scope, interpolate
from reference.observer import Observer, Watched

Json = object
T = TypeVar("T")
Tool = Callable[[str, dict[str, object]], object]

RETRYABLE = frozenset({"transient", "rate_limited", "timeout"})
BUILT_IN_RETRIES = 3


@dataclass
class Outcome:
    """What came of a run."""

    status: str = "completed"
    state: dict[str, object] = field(default_factory=dict)
    output: object = None
    steps: int = 0
    path: list[str] = field(default_factory=list)
    calls: list[tuple[str, object]] = field(default_factory=list)
    error_node: str | None = None
    suppressed: list[str] = field(default_factory=list)


class _FailedError(Exception):
    """An error that retries and the built-in hook did not mend."""


class _EndedError(Exception):
    """The run is over, with an error."""


def walk(graph: dict[str, object], inputs: dict[str, object], tool: Tool, observer: Observer | None = None) -> Outcome:
    """Run a graph as loaded by PyYAML. `tool` answers calls by item id, or raises; `observer` sees what happens."""
    walker = _Walker(graph, inputs, tool, observer or Observer())
    try:
        walker.run()
    except _EndedError:
        walker.outcome.status = "error"
    else:
        walker.observer.ends(walker.state)
    outcome = walker.outcome
    outcome.state = walker.state
    if outcome.status == "completed":
        if outcome.suppressed:
            outcome.status = "completed_with_errors"
        if not walker.returned:
            outcome.output = copy.deepcopy(walker.state)
    return outcome


class _Walker:
    def __init__(self, graph: dict[str, object], inputs: dict[str, object], tool: Tool, observer: Observer) -> None:
        config = graph["config"]
        assert isinstance(config, dict)
        self.config = config
        self.inputs = inputs
        self.tool = tool
        self.observer = observer
        self.state: dict[str, object] = copy.deepcopy(config.get("state") or {})
        self.outcome = Outcome()
        self.retries: dict[str, int] = {}
        self.returned = False

    def run(self) -> None:
        name: str | None = self.config["start"]
        limit = self.config.get("max_steps", 100)
        while name is not None:
            if self.outcome.steps >= limit:
                if self.config.get("on_max_steps", "fail") == "fail":
                    self._end(name)
                return
            self.outcome.steps += 1
            self.outcome.path.append(name)
            self.observer.enters(name, self.state)
            name = self._step(name, self.config["nodes"][name])

    def _end(self, name: str) -> None:
        self.outcome.error_node = name
        raise _EndedError

    def _step(self, name: str, node: dict[str, object]) -> str | None:
        kind = node.get("type", "action")
        if kind == "return":
            self._finish(name, node)
            return None
        try:
            match kind:
                case "gate":
                    return self._assign_and_route(name, node, None)
                case "foreach":
                    return self._loop(name, node)
                case _:
                    return self._tried(name, node, partial(self._act, name, node))
        except (_FailedError, NodeFaultError) as error:
            return self._on_error(name, node, error)

    def _act(self, name: str, node: dict[str, object]) -> str | None:
        result = self._call(node, self._scope(), None)
        return self._assign_and_route(name, node, result)

    def _finish(self, name: str, node: dict[str, object]) -> None:
        self.returned = "output" in node
        if not self.returned:
            return
        try:
            self.outcome.output = self._resolve("output", node["output"], self._scope())
        except NodeFaultError as fault:
            self.state["_last_error"] = {"node": name, "error": str(fault)}
            self._end(name)

    def _on_error(self, name: str, node: dict[str, object], error: Exception) -> str | None:
        self.state["_last_error"] = {"node": name, "error": str(error)}
        target = node.get("on_error")
        self.observer.fails(name, None if target is None else str(target))
        if target is not None:
            return str(target)
        if self.config.get("on_error", "fail") == "fail":
            self._end(name)
        self.outcome.suppressed.append(name)
        result = {"status": "error", "error": str(error)}
        readable = node.get("type", "action") == "action"
        scope = self._scope(result=result) if readable else self._scope()
        return self._route(name, node, scope, suppressing=True)

    def _scope(self, state: dict[str, object] | None = None, /, **more: object) -> Scope:
        view = {**(self.state if state is None else state), "inputs": self.inputs}
        return Watched({"state": view, "inputs": self.inputs, **more}, self.observer)

    def _resolve(self, what: str, value: object, scope: Scope) -> object:
        self.observer.resolving(what)
        found = interpolate(value, scope)
        self.observer.resolves(what, found)
        return found

    def _assign_and_route(self, name: str, node: dict[str, object], result: object) -> str | None:
        state = dict(self.state)
        more = {} if result is None else {"result": result}
        self._assign(node, state, more)
        target = self._route(name, node, self._scope(state, **more))
        self.state = state
        return target

    def _assign(self, node: dict[str, object], state: dict[str, object], more: dict[str, object]) -> None:
        assigns = node.get("assign") or {}
        assert isinstance(assigns, dict)
        for key, value in assigns.items():
            state[key] = copy.deepcopy(self._resolve(f"assign {key}", value, self._scope(state, **more)))

    def _route(self, name: str, node: dict[str, object], scope: Scope, *, suppressing: bool = False) -> str | None:
        self.observer.routes(failed=suppressing)
        target = self._match(node.get("next"), scope, suppressing)
        self.observer.leaves(name, target, failed=suppressing)
        return target

    def _match(self, following: object, scope: Scope, suppressing: bool) -> str | None:
        if following is None or isinstance(following, str):
            return following
        assert isinstance(following, list)
        for number, edge in enumerate(following):
            try:
                outcome = holds(edge.get("when"), scope)
            except NodeFaultError:
                self.observer.decides(number, None)
                if not suppressing:
                    raise
            else:
                self.observer.decides(number, outcome)
                if outcome:
                    return str(edge["to"])
        return None

    def _tried(self, name: str, node: dict[str, object], act: Callable[[], T]) -> T:
        """An action node or an item of a loop, with its retries: whatever fails in it. Raises `_FailedError`."""
        policy = node.get("retry")
        attempt = 1
        while True:
            try:
                return act()
            except AssertionError:  # an observer's complaint, or a fault of this file
                raise
            except Exception as error:
                category = "transient" if isinstance(error, ConnectionError) else "permanent"
                if isinstance(policy, dict):
                    wanted = policy.get("categories", RETRYABLE)
                    again = category in wanted and attempt < policy.get("attempts", 3)
                else:
                    again = self._built_in(name, category)
                if not again:
                    raise _FailedError(str(error)) from error
                attempt += 1

    def _built_in(self, name: str, category: str) -> bool:
        if not self.config.get("builtin_hooks", True) or category not in RETRYABLE:
            return False
        if self.retries.get(name, 0) >= BUILT_IN_RETRIES:
            return False
        self.retries[name] = self.retries.get(name, 0) + 1
        self.state["_retries"] = dict(self.retries)
        return True

    def _call(self, node: dict[str, object], scope: Scope, item: object) -> dict[str, object]:
        action = node["action"]
        assert isinstance(action, dict)
        item_id = str(self._resolve("item_id", action["item_id"], scope)).removeprefix("tool:")
        if not item_id:
            raise NodeFaultError("no item")
        params = strip_nulls(self._resolve("params", action.get("params") or {}, scope))
        assert isinstance(params, dict)
        self.outcome.calls.append((item_id, params))
        result = unwrap(self.tool(item_id, copy.deepcopy(params)))
        self.observer.calls(item_id, item, result)
        return result

    def _loop(self, name: str, node: dict[str, object]) -> str | None:
        items = self._items(node)
        variable = str(node.get("as", "item"))
        collected: list[object] = [None] * len(items)
        failing: list[int] = []
        keep_going = "on_error" not in node and self.config.get("on_error", "fail") == "continue"
        for index, item in enumerate(items):
            try:
                collected[index] = self._tried(name, node, partial(self._item, node, variable, item))
            except _FailedError as error:
                failing.append(index)
                collected[index] = {"status": "error", "error": str(error)}
                if not keep_going:
                    break
        if "collect" in node:
            self.state[str(node["collect"])] = collected
        if failing:
            raise _FailedError(f"items {failing} failed")
        return self._route(name, node, self._scope())

    def _items(self, node: dict[str, object]) -> list[object]:
        over = self._resolve("over", node["over"], self._scope())
        if over is None:
            return []
        if isinstance(over, str):
            try:
                over = json.loads(over)
            except ValueError as error:
                raise NodeFaultError("over is no list") from error
        if not isinstance(over, list):
            raise NodeFaultError("over is no list")
        return over

    def _item(self, node: dict[str, object], variable: str, item: object) -> object:
        result = self._call(node, self._scope(None, **{variable: item}), item)
        state = dict(self.state)
        self._assign(node, state, {"result": result, variable: item})
        self.state = state
        return copy.deepcopy(result)


def strip_nulls(value: object) -> object:
    """Null entries of mappings go, at every depth; list items stay."""
    if isinstance(value, dict):
        return {key: strip_nulls(item) for key, item in value.items() if item is not None}
    if isinstance(value, list):
        return [strip_nulls(item) for item in value]
    return value


def unwrap(value: object) -> dict[str, object]:
    """A result as a mapping. Raises when the tool reports an error of its own."""
    if value is None:
        return {}
    if not isinstance(value, dict):
        return {"result": copy.deepcopy(value)}
    if value.get("status") == "error" or value.get("success") is False:
        raise RuntimeError(str(value.get("error") or value.get("message") or value.get("stderr") or value))
    return copy.deepcopy(value)
