"""Walks a graph: one step after the other, as the description of the language says it."""

from __future__ import annotations

import contextlib
import copy
import json
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from typing import TypeVar

from reference.conditions import holds
from reference.declared import check_end, check_key, check_output
from reference.expressions import NodeFaultError, Scope, interpolate
from reference.hooks import Control, capability, fire, hooks_of, item_of
from reference.observer import Observer, Watched

Json = object
T = TypeVar("T")
Tool = Callable[[str, dict[str, object]], object]

RETRYABLE = frozenset({"transient", "rate_limited", "timeout"})
MOST_RETRIES = 3

#: The most attempts of nodes and items, and the largest value in the state; the walker stops beyond them.
MOST_TRIES = 200
LARGEST = 20_000


@dataclass
class Outcome:
    """What came of a run."""

    status: str = "completed"
    state: dict[str, object] = field(default_factory=dict)
    output: object = None
    steps: int = 0
    path: list[str] = field(default_factory=list)
    calls: list[tuple[str | None, object]] = field(default_factory=list)
    error_node: str | None = None
    suppressed: list[str] = field(default_factory=list)
    failed: list[str] = field(default_factory=list)
    limited: bool = False


class _FailedError(Exception):
    """An error that retries and the built-in hook did not fix."""


class _ReportedError(Exception):
    """What a tool says of its own failure, in the mapping that it returned."""

    def __init__(self, result: dict[str, object]) -> None:
        super().__init__(str(result.get("error") or result.get("message") or result.get("stderr") or result))
        self.result = copy.deepcopy(result)


class _EndedError(Exception):
    """The run is over, with an error."""


class TooMuchError(AssertionError):
    """A run or a value that exceeds these limits: not a failure, and skipped."""


class _LimitError(Exception):
    """`max_steps` or the `max_visits` of a node are used up."""


def walk(graph: dict[str, object], inputs: dict[str, object], tool: Tool, observer: Observer | None = None) -> Outcome:
    """Run a graph as loaded by PyYAML. `tool` answers calls by item id, or raises; `observer` sees what happens."""
    walker = _Walker(graph, inputs, tool, observer or Observer())
    outcome = walker.outcome
    try:
        try:
            walker.run()
        except _LimitError:
            outcome.limited = True
        walker.observer.ends(walker.state)
        walker.conclude()
    except _EndedError:
        outcome.status = "error"
    if outcome.status == "completed" and outcome.suppressed:
        outcome.status = "completed_with_errors"
    walker.fire("graph_completed", {"graph_id": "graph", "steps": outcome.steps, "status": outcome.status})
    outcome.state = walker.state
    if outcome.status != "error" and not walker.returned:
        outcome.output = copy.deepcopy(walker.state)
    return outcome


class _Walker:
    def __init__(self, graph: dict[str, object], inputs: dict[str, object], tool: Tool, observer: Observer) -> None:
        config = graph["config"]
        assert isinstance(config, dict)
        self.config = config
        self.output_schema = graph.get("output_schema")
        self.inputs = inputs
        self.tool = tool
        self.observer = observer
        self.state: dict[str, object] = copy.deepcopy(config.get("state") or {})
        self.outcome = Outcome()
        self.retries: dict[str, int] = {}
        self.cached: dict[str, dict[str, object]] = {}
        self.previous: dict[str, object] = {}
        self.limits: dict[str, int] = {"": int(config.get("max_steps", 100))}
        self.result: object = None
        self.tries = 0
        self.returned = False

    def run(self) -> None:
        self.fire("graph_started", {"graph_id": "graph", "inputs": self.inputs})
        name: str | None = self.config["start"]
        while name is not None:
            self._limit(name)
            self.outcome.steps += 1
            self.outcome.path.append(name)
            self.observer.enters(name, self.state)
            name = self._watched(name, self.config["nodes"][name])

    def conclude(self) -> None:
        """The run would complete: is its state, or the state as its output, as declared?"""
        try:
            check_end(self.config.get("state_schema"), self.state)
            if not self.returned:
                check_output(self.output_schema, self.state)
        except NodeFaultError as fault:
            name = self.outcome.path[-1]
            with contextlib.suppress(_EndedError):  # a hook's decision
                self._again(name, self.config["nodes"][name], "permanent", 1, retry=False)
            self.state["_last_error"] = {"node": name, "error": str(fault)}
            self._end(name)

    def fire(self, event: str, context: dict[str, object]) -> Control | None:
        """Run the hooks of an event; what they decided."""
        view = {"step_count": self.outcome.steps, **self.state, "inputs": self.inputs}
        scope = Watched({**context, "state": view}, self.observer)

        def here(number: int) -> Scope:
            self.observer.hook(number)
            return scope

        control = fire(hooks_of(self.config, event), here, lambda action, scope: self._perform(action, scope, None))
        self.observer.hook(None)
        return control

    def _limit(self, name: str) -> None:
        """Before a node: whether there are steps, and visits, left. A hook may grant some."""
        node = self.config["nodes"][name]
        self.limits.setdefault(name, node.get("max_visits", 1_000_000))
        for which, code in (("", "max_steps_exceeded"), (name, "max_visits_exceeded")):
            while (used := self.outcome.path.count(name) if which else self.outcome.steps) >= self.limits[which]:
                context = {"limit_code": code, "current_value": used, "current_max": self.limits[which]}
                control = self.fire("limit", context)
                if control is None or control.kind != "continue" or control.amount == 0:
                    failed = control is not None and control.kind == "fail"
                    if failed or self.config.get("on_max_steps", "fail") == "fail":
                        self._end(name)
                    raise _LimitError
                self.limits[which] += 50 if control.amount is None else control.amount

    def _watched(self, name: str, node: dict[str, object]) -> str | None:
        """A step, and the hooks behind it."""
        self.result = None
        failures = len(self.outcome.failed)
        try:
            following = self._step(name, node)
        except _EndedError:
            self._after(name, node, None, "error")
            raise
        self._after(name, node, following, "error" if len(self.outcome.failed) > failures else "ok")
        return following

    def _after(self, name: str, node: dict[str, object], following: str | None, status: str) -> None:
        if node.get("type") != "return":
            context = {"node": name, "next_node": following, "step_count": self.outcome.steps, "status": status}
            self.fire("after_step", {**context, "result": self.result})

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
                    return self._tried(name, node, lambda: self._assign_and_route(name, node, None))
                case "foreach":
                    return self._loop(name, node)
                case _:
                    return self._tried(name, node, partial(self._act, name, node))
        except (_FailedError, NodeFaultError) as error:
            return self._on_error(name, node, error)

    def _act(self, name: str, node: dict[str, object]) -> str | None:
        self.result = None
        self.result = result = self._call(name, node, self._scope(), None)
        return self._assign_and_route(name, node, result)

    def _finish(self, name: str, node: dict[str, object]) -> None:
        self.returned = "output" in node
        fails = node.get("status") == "error"

        def output() -> object:
            if "error" in node:
                self._resolve("error", node["error"], self._scope())
            if not self.returned:
                return None
            found = self._resolve("output", node["output"], self._scope())
            if not fails:
                check_output(self.output_schema, found)
            return found

        try:
            self.outcome.output = self._tried(name, node, output)
        except _FailedError as fault:
            self.state["_last_error"] = {"node": name, "error": str(fault)}
            self._end(name)
        if fails:
            self._end(name)

    def _on_error(self, name: str, node: dict[str, object], error: Exception) -> str | None:
        self.state["_last_error"] = {"node": name, "error": str(error)}
        self.outcome.failed.append(name)
        target = node.get("on_error")
        self.observer.fails(name, None if target is None else str(target))
        if target is not None:
            return str(target)
        if self.config.get("on_error", "fail") == "fail":
            self._end(name)
        self.outcome.suppressed.append(name)
        cause = error.__cause__
        returned = cause.result if isinstance(cause, _ReportedError) else self.result
        result = {**(returned if isinstance(returned, dict) else {}), "status": "error", "error": str(error)}
        self.result = result
        readable = node.get("type", "action") == "action"
        scope = self._scope(result=result) if readable else self._scope()
        return self._route(name, node, scope, suppressing=True)

    def _scope(self, state: dict[str, object] | None = None, /, **more: object) -> Scope:
        view = {**(self.state if state is None else state), "inputs": self.inputs}
        run = {"step": self.outcome.steps, "graph_id": "graph"}
        return Watched({"state": view, "inputs": self.inputs, "_run": run, **more}, self.observer)

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
        self._commit(node, state)
        return target

    def _commit(self, node: dict[str, object], state: dict[str, object]) -> None:
        self.state = state
        assigns = node.get("assign") or {}
        assert isinstance(assigns, dict)
        for key in assigns:
            self.observer.commits(key, collected=False)

    def _collect(self, node: dict[str, object], collected: list[object]) -> None:
        if "collect" in node:
            key = str(node["collect"])
            check_key(self.config.get("state_schema"), key, collected)
            self.state[key] = collected
            self.observer.commits(key, collected=True)

    def _assign(self, node: dict[str, object], state: dict[str, object], more: dict[str, object]) -> None:
        assigns = node.get("assign") or {}
        assert isinstance(assigns, dict)
        for key, value in assigns.items():
            found = self._resolve(f"assign {key}", value, self._scope(state, **more))
            if _size(found) > LARGEST:
                raise TooMuchError
            check_key(self.config.get("state_schema"), key, found)
            state[key] = copy.deepcopy(found)

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

    def _tried(self, name: str, node: dict[str, object], act: Callable[[], T], *, item: bool = False) -> T:
        """A node or an item of a loop, with its retries: whatever fails in it. Raises `_FailedError`.

        The retries of a node are those of the whole run, those of an item are its own.
        """
        attempt = 1
        own = [0] if item else None
        while True:
            self.tries += 1
            if self.tries > MOST_TRIES:
                raise TooMuchError
            self.observer.tries()
            try:
                return act()
            except (AssertionError, _EndedError):  # an observer's complaint or a fault of this file; a hook's decision
                raise
            except Exception as error:
                category = "transient" if isinstance(error, ConnectionError) else "permanent"
                if not self._again(name, node, category, attempt, own=own):
                    raise _FailedError(str(error)) from error
                attempt += 1

    def _again(
        self,
        name: str,
        node: dict[str, object],
        category: str,
        attempt: int,
        *,
        retry: bool = True,
        own: list[int] | None = None,
    ) -> bool:
        """Whether to try again; the hooks have their say, and may end the run. A whole loop is not tried again."""
        policy = node.get("retry") if retry else None
        if isinstance(policy, dict):
            wanted = policy.get("categories", RETRYABLE)
            if category in wanted and attempt < policy.get("attempts", 3):
                return True
        about = {"category": category, "retryable": category in RETRYABLE}
        context = {"classification": about, "node": name, "step_count": self.outcome.steps}
        control = self.fire("error", context)
        if control is None and "retry" not in node and self.config.get("builtin_hooks", True):
            control = Control("retry") if category in RETRYABLE else None
        if control is not None and control.kind == "fail":
            self._end(name)
        if not retry or control is None or control.kind != "retry":
            return False
        done = self.retries.get(name, 0) if own is None else own[0]
        if done >= (MOST_RETRIES if control.amount is None else control.amount):
            return False
        if own is not None:
            own[0] += 1
        self.retries[name] = self.retries.get(name, 0) + 1
        self.state["_retries"] = dict(self.retries)
        return True

    def _call(self, name: str, node: dict[str, object], scope: Scope, item: object) -> dict[str, object]:
        action = node["action"]
        assert isinstance(action, dict)
        more: dict[str, object] = {}
        visit = self.outcome.path.count(name)
        if node.get("feedback") and visit > 1:
            more["feedback"] = {"visit": visit, "previous": self.previous.get(name)}
        kept = name if node.get("cache_result") or node.get("cache") else None
        result = self._perform(action, scope, kept, more)
        if node.get("feedback"):
            self.previous[name] = copy.deepcopy(result)
        self.observer.calls(str(action.get("item_id")), item, result)
        return result

    def _perform(
        self, action: dict[str, object], scope: Scope, kept: str | None, more: dict[str, object] | None = None
    ) -> dict[str, object]:
        """An action's result; `kept`: whose results are kept, and taken again for the same call."""
        primary = str(action.get("primary", "execute"))
        resolved = self._resolve("item_id", action["item_id"], scope) if "item_id" in action else None
        kind, item_id = item_of(action, resolved)
        written = self._resolve("params", action.get("params") or {}, scope)
        assert isinstance(written, dict)
        params = strip_nulls({**written, **(more or {})})
        assert isinstance(params, dict)
        if resolved is not None and not isinstance(resolved, str):
            raise NodeFaultError("an item id must be a string")
        if item_id is None and primary != "search":
            raise NodeFaultError("no item")
        if item_id == "":
            raise NodeFaultError("no item")
        self.observer.needs(capability(primary, kind, item_id))
        key = json.dumps([kept, primary, kind, item_id, params], sort_keys=True)
        if kept is not None and key in self.cached:
            return copy.deepcopy(self.cached[key])
        self.outcome.calls.append((item_id, copy.deepcopy(params)))
        result = unwrap(self.tool(item_id or "", copy.deepcopy(params)))
        if kept is not None:
            self.cached[key] = copy.deepcopy(result)
        return result

    def _loop(self, name: str, node: dict[str, object]) -> str | None:
        try:
            return self._items_then_route(name, node)
        except NodeFaultError:  # of what it goes over, or of a condition: of no item
            self._again(name, node, "permanent", 1, retry=False)
            raise

    def _items_then_route(self, name: str, node: dict[str, object]) -> str | None:
        items = self._items(node)
        variable = str(node.get("as", "item"))
        collected: list[object] = [None] * len(items)
        failing: list[int] = []
        keep_going = "on_error" not in node and self.config.get("on_error", "fail") == "continue"
        for index, item in enumerate(items):
            try:
                collected[index] = self._tried(name, node, partial(self._item, name, node, variable, item), item=True)
            except _FailedError as error:
                failing.append(index)
                collected[index] = {"status": "error", "error": str(error)}
                if not keep_going:
                    break
            except _EndedError:
                collected[index] = {"status": "error", "error": "…"}
                with contextlib.suppress(NodeFaultError):
                    self._collect(node, collected)
                raise
        try:
            self._collect(node, collected)
        except NodeFaultError:
            if not failing:
                raise
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

    def _item(self, name: str, node: dict[str, object], variable: str, item: object) -> object:
        result = self._call(name, node, self._scope(None, **{variable: item}), item)
        state = dict(self.state)
        self._assign(node, state, {"result": result, variable: item})
        self._commit(node, state)
        if _sends(node):
            return copy.deepcopy(result.get("thread_id"))
        return copy.deepcopy(result)


def _size(value: object) -> int:
    """How much there is in a value: letters, digits, entries."""
    if isinstance(value, list | dict):
        return 1 + sum(map(_size, value.values() if isinstance(value, dict) else value))
    return len(value) if isinstance(value, str) else value.bit_length() if isinstance(value, int) else 1


def _sends(node: dict[str, object]) -> bool:
    """Whether the action of a node starts something and returns at once."""
    action = node["action"]
    assert isinstance(action, dict)
    params = action.get("params") or {}
    assert isinstance(params, dict)
    return params.get("async_exec") is True


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
        raise _ReportedError(value)
    return copy.deepcopy(value)
