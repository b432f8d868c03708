"""The interface to whatever runs threads: a language model in a loop, a person, a script."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Protocol, runtime_checkable

from graphwright_runtime.bounds import Bounds
from graphwright_runtime.capability import PARENT_VARIABLE, Grants
from graphwright_runtime.context import Context
from graphwright_runtime.items.directive import Field
from graphwright_runtime.values import Json, Result

if TYPE_CHECKING:
    from collections.abc import Sequence


class Thread:
    """A thread that a run has started: what there is to do, and within which bounds.

    Attributes:
        thread_id: its id; the same when the run is resumed and the thread is run again.
        directive: the id of the directive that it follows.
        prompt: the text of the directive with its inputs filled in; None if the project has no such directive.
        inputs: its inputs, with defaults.
        outputs: the outputs that the directive declares; a result returns them as `outputs`.
        capabilities: the patterns of what it may do: those of its run, narrowed by the directive's `<permissions>`.
        limits: `depth`, `turns`, `tokens`, `spend`, `duration_s`, `spawns`, as far as set: the lower value of what the
            run has left and of what the call or the directive asks for.
        parent_thread_id, parent_depth, parent_limits, parent_capabilities: the same of the run that started it.
        continuation_of: the thread that this one continues, None for the first of a chain.
        messages: what the `steer_thread` operation has sent to it so far, in order.
        context: what `call` calls with, next to the node and the environment of the call that started the thread.
    """

    __slots__ = (
        "_caller",
        "capabilities",
        "context",
        "continuation_of",
        "directive",
        "inputs",
        "limits",
        "messages",
        "outputs",
        "parent_capabilities",
        "parent_depth",
        "parent_limits",
        "parent_thread_id",
        "prompt",
        "thread_id",
    )

    def __init__(
        self,
        thread_id: str,
        directive: str,
        *,
        prompt: str | None,
        inputs: Mapping[str, Json],
        outputs: Sequence[Field],
        grants: Grants,
        limits: Mapping[str, Json],
        parent_depth: int,
        parent_limits: Mapping[str, Json],
        context: Context,
        continuation_of: str | None = None,
        messages: list[str] | None = None,
    ) -> None:
        self.thread_id = thread_id
        self.directive = directive
        self.prompt = prompt
        self.inputs = inputs
        self.outputs = tuple(outputs)
        self.capabilities = grants.patterns()
        self.limits = limits
        self.parent_thread_id = context.run_id
        self.parent_depth = parent_depth
        self.parent_limits = parent_limits
        self.parent_capabilities = context.grants.patterns()
        self.continuation_of = continuation_of
        self.messages: list[str] = [] if messages is None else messages
        self.context = context.below(f"{thread_id}/thread", bounds=Bounds(thread_id, grants, limits))
        self._caller = context

    @property
    def environment(self) -> dict[str, str]:
        """The environment for a process that runs the thread: that of the run, with the id of the thread."""
        return {**self.context.env, PARENT_VARIABLE: self.thread_id}

    async def call(
        self,
        item_id: str | None,
        params: Mapping[str, object] | None = None,
        *,
        primary: str = "execute",
        kind: str | None = None,
    ) -> Result:
        """Call a tool or a graph for the thread, as `Context.call` does, within the capabilities of the thread.

        Raises NodeError.
        """
        return await self.context.call(item_id, params, primary=primary, kind=kind)

    def continued(self, thread_id: str) -> Thread:
        """The next thread of the chain, with the same bounds."""
        return Thread(
            thread_id,
            self.directive,
            prompt=self.prompt,
            inputs=self.inputs,
            outputs=self.outputs,
            grants=self.context.grants,
            limits=self.limits,
            parent_depth=self.parent_depth,
            parent_limits=self.parent_limits,
            context=self._caller,
            continuation_of=self.thread_id,
            messages=self.messages,
        )


@runtime_checkable
class ThreadRunner(Protocol):
    """Runs threads. Pass it to the host: `InProcessHost(threads=runner)`."""

    async def run(self, thread: Thread) -> Mapping[str, object]:
        """Run a thread to its end, and return its result.

        Keys: `status` (`completed` by default, `error`, `continued`), `outputs` (a mapping), `result` (text), `cost`
        (numbers: `turns`, `input_tokens`, `output_tokens`, `spend` …), `error` (text).

        If a thread was handed over to another one, its result has the status `continued` and the id of the other one as
        `continuation_thread_id`. This method is then called for that one, with `thread.continuation_of` set: it runs
        it, or waits for it.

        An exception fails the node. If the call is cancelled, or takes longer than `duration_s`, CancelledError is
        raised in it.
        """
        ...
