"""The result of a run."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Final, Generic, Literal, NamedTuple, TypeAlias, TypeVar, cast

from graphwright_runtime.errors import NodeError
from graphwright_runtime.typeforms import EndT, NodeT, WithDefaults
from graphwright_runtime.values import Json, apart

StateT = TypeVar("StateT", covariant=True)
OutputT = TypeVar("OutputT", covariant=True)

#: The status of a run that did not complete.
Failure: TypeAlias = Literal["error", "cancelled", "interrupted"]
Status: TypeAlias = Literal["completed", "completed_with_errors"] | Failure

#: The output of a return node without `output`: the state.
ABSENT: Final = object()


class SuppressedError(NamedTuple):
    """An error that `on_error: continue` suppressed."""

    step: int
    node: str
    error: str


class RunResult(WithDefaults, Generic[StateT, OutputT, EndT, NodeT]):
    """The end of a run (language.md §12).

    A run that did not complete has a `Failed`, which is a subclass. `EndT` are the names of the nodes at which the run
    can end, `NodeT` those of all nodes; both can be omitted.

    `state` and `output` are deep copies, made on first access, so changing them affects nothing else.

    Attributes:
        success: whether `status` is `completed` or `completed_with_errors`.
        status: how the run ended. Check it before you read `state` and `output`, whose types apply to completed runs:
            after an error, the state may be incomplete, and the output is None or that of a return node with
            `status: error`.
        state: the final state, without the inputs.
        output: the output of the return node; the state if it has no `output`.
        steps: the number of executed nodes, without retries.
        graph_run_id: the id of the run.
        ended_at: the node where the run ended; None if it was refused before the first one.
        path: the executed nodes in order.
        error, node: the error that ended the run with status `error`, and its node.
        errors: the errors that `on_error: continue` suppressed.
        max_steps_reached: whether `on_max_steps: flag` ended the run.
        cost: the total cost of the threads of the run, and of the graphs that it called (`spend`, `turns` …).
        exception: the error itself, with the tool's exception as its `__cause__`.
    """

    def __init__(
        self,
        status: Status,
        state: StateT,
        output: OutputT,
        *,
        graph_run_id: str,
        path: tuple[NodeT, ...] = (),
        error: str | None = None,
        node: NodeT | None = None,
        errors: tuple[SuppressedError, ...] = (),
        max_steps_reached: bool = False,
        exception: NodeError | None = None,
        cost: Mapping[str, Json] | None = None,
    ) -> None:
        self._status: Final[Status] = status
        self._state: Final = state
        self._output: Final = output
        self.steps: Final = len(path)
        self.graph_run_id: Final = graph_run_id
        self.path: Final = path
        self._error: Final = error
        self.node: Final = node
        self.errors: Final = errors
        self.max_steps_reached: Final = max_steps_reached
        self.exception: Final = exception
        self.cost: Final[Mapping[str, Json]] = cost or {}

    # properties, because all type checkers use declared properties to narrow unions of results

    @property
    def success(self) -> bool:
        """Whether the run completed."""
        return self._status in ("completed", "completed_with_errors")

    @property
    def status(self) -> Status:
        """How the run ended."""
        return self._status

    @property
    def ended_at(self) -> EndT | None:
        """The node where the run ended; None if it was refused before the first one."""
        return cast("EndT", self.path[-1]) if self.path else None

    @property
    def error(self) -> str | None:
        """The message of the error that ended the run; None if it completed."""
        return self._error

    @cached_property
    def state(self) -> StateT:
        """The final state, without the inputs."""
        return apart(self._state)

    @cached_property
    def output(self) -> OutputT:
        """The output of the return node, or the state."""
        return apart(self._output)

    def __repr__(self) -> str:
        """A short form without the state, because `asyncio.run` calls it twice."""
        where = f" at {self.ended_at}" if self.ended_at is not None else ""
        return f"<RunResult {self.graph_run_id}: {self.status}{where} after {self.steps} steps>"

    def to_dict(self, *, with_state: bool = True) -> dict[str, Json]:
        """The result as JSON; `error`, `node`, `errors`, `max_steps_reached` and `cost` are only included if set."""
        out: dict[str, Json] = {"success": self.success, "status": self.status}
        if with_state:
            out["state"] = cast("Json", apart(self._state))
        out |= {
            "output": cast("Json", apart(self._output)),
            "steps": self.steps,
            "graph_run_id": self.graph_run_id,
            "ended_at": self.ended_at,
        }
        if self.error is not None:
            out["error"] = self.error
            out["node"] = self.node
        if self.errors:
            out["errors"] = [{"step": each.step, "node": each.node, "error": each.error} for each in self.errors]
        if self.max_steps_reached:
            out["max_steps_reached"] = True
        if self.cost:
            out["cost"] = dict(self.cost)
        return out


class Failed(RunResult[StateT, OutputT, EndT, NodeT]):
    """The result of a run that did not complete.

    `output` is None, unless a return node with `status: error` has one. The state may be incomplete.
    """

    if TYPE_CHECKING:

        @property
        def success(self) -> Literal[False]: ...

        @property
        def status(self) -> Failure: ...

        @property
        def error(self) -> str: ...
