"""Chained assertions about a run. A failure describes the whole run."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final, Never, Self

from graphwright_runtime.classify import classify
from graphwright_runtime.errors import Category
from graphwright_runtime.result import RunResult, Status
from graphwright_runtime.testing.compare import difference, show
from graphwright_runtime.testing.scripted import ScriptedTools, ToolCall

#: Maximum number of nodes and calls in a failure.
_SHOWN: Final = 30


def assert_run(result: RunResult[Any, Any], tools: ScriptedTools | None = None) -> RunAssertion:
    """Start a chain of assertions about a finished run: `assert_run(result, tools).completed().visited("fetch")`.

    `tools` is the script of the run, which assertions about calls need. Raises AssertionError if the run made a call
    that the script does not answer.
    """
    __tracebackhide__ = True
    chain = RunAssertion(result, tools)
    if tools is not None and tools.unexpected:
        chain.fail(tools.unexpected[0])
    return chain


class RunAssertion:
    """Assertions about one run. Each returns the chain, or raises AssertionError with a description of the run."""

    def __init__(self, result: RunResult[Any, Any], tools: ScriptedTools | None) -> None:
        self._result = result
        self._tools = tools

    def completed(self) -> Self:
        """The run completed without suppressed errors."""
        __tracebackhide__ = True
        return self._status("completed")

    def completed_with_errors(self, *nodes: str) -> Self:
        """The run completed with suppressed errors; if `nodes` are given, in exactly these nodes, in order."""
        __tracebackhide__ = True
        self._status("completed_with_errors")
        failed = tuple(error.node for error in self._result.errors)
        if nodes and failed != nodes:
            self.fail(f"expected errors of the nodes {_named(nodes)}, but they were those of {_named(failed)}")
        return self

    def failed(self, node: str | None = None, *, error: str = "", category: Category | None = None) -> Self:
        """The run ended with an error: in this node, with a message that contains `error`, of this category."""
        __tracebackhide__ = True
        self._status("error")
        result = self._result
        if node is not None and result.node != node:
            self.fail(f"expected the run to fail in node `{node}`, but it failed in {_node(result.node)}")
        if error.lower() not in (result.error or "").lower():
            self.fail(f"expected an error that contains {error!r}, but it is {result.error!r}")
        if category is not None:
            actual = None if result.exception is None else classify(result.exception)
            if actual != category:
                self.fail(f"expected an error of the category `{category}`, but it is `{actual}`")
        return self

    def cancelled(self) -> Self:
        """The run was cancelled."""
        __tracebackhide__ = True
        return self._status("cancelled")

    def ended_at(self, node: str) -> Self:
        """The run ended at this node."""
        __tracebackhide__ = True
        if self._result.ended_at != node:
            self.fail(f"expected the run to end at `{node}`, but it ended at {_node(self._result.ended_at)}")
        return self

    def visited(self, *nodes: str) -> Self:
        """These nodes were executed in this order, possibly with others before, between and after them."""
        __tracebackhide__ = True
        rest = iter(self._result.path)
        for index, node in enumerate(nodes):
            if node not in rest:
                after = f" after `{nodes[index - 1]}`" if index and node in self._result.path else ""
                self.fail(f"expected the run to visit `{node}`{after}, but it did not")
        return self

    def not_visited(self, *nodes: str) -> Self:
        """None of these nodes was executed."""
        __tracebackhide__ = True
        for node in nodes:
            if node in self._result.path:
                self.fail(f"expected the run not to visit `{node}`, but it did")
        return self

    def took_path(self, *nodes: str) -> Self:
        """Exactly these nodes were executed, in this order."""
        __tracebackhide__ = True
        if self._result.path != nodes:
            self.fail(f"expected the path {_path(nodes)}, but it was {_path(self._result.path)}")
        return self

    def with_output(self, expected: object) -> Self:
        """The output equals `expected`."""
        __tracebackhide__ = True
        self._equal(expected, self._result.output, "output")
        return self

    def with_state(self, expected: Mapping[str, object]) -> Self:
        """The final state contains these keys with these values."""
        __tracebackhide__ = True
        self._equal({"$has": dict(expected)}, self._result.state, "state")
        return self

    def called(self, item_id: str, *, times: int | None = None, params: Mapping[str, object] | None = None) -> Self:
        """A tool was called, at least once or exactly `times` times.

        With `params`, only calls whose params contain these are counted.
        """
        __tracebackhide__ = True
        calls = self._calls(item_id)
        wanted = {"$has": dict(params or {})}
        matching = [call for call in calls if difference(wanted, call.params, "params") is None]
        if len(matching) == times or (times is None and matching):
            return self
        wish = "not to be called" if times == 0 else f"to be called {_times(times)}"
        with_params = "" if params is None else f" with {show(dict(params))}"
        said = f"expected `{item_id}` {wish}{with_params}, but it was {_called(len(matching))}"
        if params is not None and len(calls) > len(matching):
            misses = [each for call in calls if (each := difference(wanted, call.params, "params")) is not None]
            said += f"; with other params it was {_called(len(misses))}, first: {misses[0]}"
        return self.fail(said)

    def not_called(self, item_id: str) -> Self:
        """A tool was not called."""
        __tracebackhide__ = True
        return self.called(item_id, times=0)

    def fail(self, said: str) -> Never:
        """Raise AssertionError with a description of the run."""
        __tracebackhide__ = True
        raise AssertionError("\n".join([said, *self._account()]))

    def _status(self, expected: Status) -> Self:
        __tracebackhide__ = True
        if self._result.status != expected:
            self.fail(f"expected the run to have the status `{expected}`, but it is `{self._result.status}`")
        return self

    def _equal(self, expected: object, actual: object, place: str) -> None:
        __tracebackhide__ = True
        found = difference(expected, actual, place)
        if found is not None:
            self.fail(found)

    def _calls(self, item_id: str) -> Sequence[ToolCall]:
        if self._tools is None:
            raise TypeError("assertions on calls need the script: assert_run(result, tools)")
        return self._tools.of(item_id)

    def _account(self) -> list[str]:
        """A short description of the run, as lines."""
        result = self._result
        lines = [f"  run    {result.graph_run_id}: {result.status}", f"  path   {_path(result.path)}"]
        if result.error is not None:
            lines.append(f"  error  {_node(result.node)}: {result.error}")
        lines += [f"  error  suppressed in `{each.node}` (step {each.step}): {each.error}" for each in result.errors]
        calls = [] if self._tools is None else self._tools.calls
        if len(calls) > _SHOWN:
            lines.append(f"  calls  … {len(calls) - _SHOWN} earlier ones")
        for call in calls[-_SHOWN:]:
            outcome = call.outcome if len(call.outcome) <= 160 else f"{call.outcome[:160]}…"
            lines.append(f"  call   {call.node}: {call.item_id} {show(call.params)} {outcome}")
        return lines


def _path(nodes: Sequence[str]) -> str:
    shown = " → ".join(nodes[-_SHOWN:]) or "(no node)"
    return f"… {len(nodes) - _SHOWN} nodes → {shown}" if len(nodes) > _SHOWN else shown


def _named(nodes: Sequence[str]) -> str:
    return ", ".join(f"`{node}`" for node in nodes) or "none"


def _node(name: str | None) -> str:
    return "no node" if name is None else f"node `{name}`"


def _times(number: int | None) -> str:
    words = {None: "at least once", 1: "once", 2: "twice"}
    return words.get(number, f"{number} times")


def _called(number: int) -> str:
    return f"called {_times(number)}" if number else "not"
