"""The interface for tracing: spans around runs, nodes and calls. `otel.py` implements it; by default there are none."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from typing import TYPE_CHECKING, Final, Protocol

if TYPE_CHECKING:
    from graphwright_runtime.branch import Branch
    from graphwright_runtime.context import Context
    from graphwright_runtime.graph import Action
    from graphwright_runtime.payloads import NodeRetryPayload
    from graphwright_runtime.result import RunResult
    from graphwright_runtime.run import Run

#: Used instead of a span if there is no tracer.
NO_SPAN: Final[AbstractContextManager[None]] = nullcontext()


class Tracer(Protocol):
    """Creates spans, each of which is current while its block runs. Its methods do not raise errors of their own."""

    def run(self, run: Run) -> AbstractContextManager[Callable[[RunResult[object, object]], None]]:
        """A span around a run; yields a function to call with the result."""

    def refused(self, graph_id: str, run_id: str, error: str) -> None:
        """A span for a run that was refused."""

    def node(self, branch: Branch) -> AbstractContextManager[None]:
        """A span around the execution of a node, including all attempts."""

    def call(self, action: Action, context: Context) -> AbstractContextManager[None]:
        """A span around one call of a tool: an attempt of a node, an item or a hook, or a call by a tool."""

    def environment(self) -> dict[str, str]:
        """The environment variables that pass the current span to child processes."""

    def retry(self, payload: NodeRetryPayload) -> None:
        """Note a retry in the current span."""


_installed: list[Tracer] = []


def active() -> Tracer | None:
    """The tracer for new runs; None if there is none."""
    return _installed[-1] if _installed else None


def install(tracer: Tracer | None) -> None:
    """Set the tracer for new runs; None stops tracing."""
    _installed[:] = [] if tracer is None else [tracer]
