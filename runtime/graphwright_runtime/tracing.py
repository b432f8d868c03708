"""Where spans begin and end: around a run, a node and a call. `otel.py` has them made; without it there are none."""

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

#: In the place of a span, where there is no tracer.
NO_SPAN: Final[AbstractContextManager[None]] = nullcontext()


class Tracer(Protocol):
    """Makes spans, each the current one for as long as its block lasts. It raises nothing of its own."""

    def run(self, run: Run) -> AbstractContextManager[Callable[[RunResult[object, object]], None]]:
        """Around a run; what it gives takes the result."""

    def refused(self, graph_id: str, run_id: str, error: str) -> None:
        """A run that does not start."""

    def node(self, branch: Branch) -> AbstractContextManager[None]:
        """Around the execution of a node, with all of its attempts."""

    def call(self, action: Action, context: Context) -> AbstractContextManager[None]:
        """Around one call of a tool: an attempt of a node, of an item or of a hook, or a call that a tool makes."""

    def environment(self) -> dict[str, str]:
        """The variables by which a child process knows the current span."""

    def retry(self, payload: NodeRetryPayload) -> None:
        """What failed is executed again."""


_installed: list[Tracer] = []


def active() -> Tracer | None:
    """What traces the runs that begin now."""
    return _installed[-1] if _installed else None


def install(tracer: Tracer | None) -> None:
    """Trace every run that begins from now on; None: no longer."""
    _installed[:] = [] if tracer is None else [tracer]
