"""Errors of nodes and runs, and the signals of the loop.

A `NodeError` is what language.md §7 calls an error: a tool that failed, a template that could not be evaluated, a
denied action. Only NodeErrors are passed to `on_error`, hooks and retries; cancellation and errors of the program are
always propagated.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Literal, TypeAlias

if TYPE_CHECKING:
    from graphwright_runtime.values import Result

#: The categories of errors (runtime.md §7).
Category: TypeAlias = Literal["cancelled", "denied", "timeout", "transient", "rate_limited", "permanent"]

CATEGORIES: Final[tuple[Category, ...]] = ("cancelled", "denied", "timeout", "transient", "rate_limited", "permanent")


class NodeError(Exception):
    """A node failed.

    `str(error)` becomes `state._last_error.error`. `__cause__` is the exception of the tool, if any.

    Attributes:
        node: the node that failed; None until it is known.
        category: the category of the error; None until it is determined (`classify.py`).
        code: the status code that the tool reported, in its result or exception.
        retry_after: the wait that the tool requested before another attempt, unparsed (see `backoff.py`).
        error_type: the name of the type of the causing exception, or `NodeError` if there is none.
        result: the mapping that the tool returned to report the error, if any.
        members: the errors of an exception group.
        settled: whether retries and hooks have been processed (a foreach does that for each item).
    """

    def __init__(
        self,
        message: str,
        *,
        category: Category | None = None,
        code: int | str | None = None,
        retry_after: float | str | None = None,
        error_type: str = "NodeError",
    ) -> None:
        super().__init__(message)
        self.node: str | None = None
        self.category: Category | None = category
        self.code = code
        self.retry_after = retry_after
        self.error_type = error_type
        self.result: Result | None = None
        self.members: tuple[NodeError, ...] = ()
        self.settled = False


class Reenter(Exception):  # noqa: N818 - a signal, not an error
    """The node must be executed again; raised by `Cursor.failed` for the loop."""


class Ended(Exception):  # noqa: N818 - a signal, not an error
    """The run ends with status `error`: a hook decided so about the node error `error`, or the graph `returned` it.

    `repeats`: if the run is resumed, an unchanged graph ends it in the same way again.
    """

    def __init__(self, error: NodeError, *, returned: bool = False, repeats: bool = False) -> None:
        super().__init__(str(error))
        self.error = error
        self.returned = returned
        self.repeats = returned or repeats


class CancelRequested(Exception):  # noqa: N818 - a signal, not an error
    """The host asked the run to stop."""


class RefusedError(Exception):
    """A run cannot be started or resumed. `str()` is one line for the user."""


class LogError(Exception):
    """The log of a run cannot be written, so the run cannot continue."""


class LimitReached(Exception):  # noqa: N818 - a signal, not an error
    """A limit is reached and no hook extended it. `node` would have been next; `failed`: a hook ended the run."""

    def __init__(self, message: str, node: str, *, failed: bool) -> None:
        super().__init__(message)
        self.node = node
        self.failed = failed
