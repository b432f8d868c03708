"""What goes wrong in a node, and the two signals that the loop understands.

A `NodeError` is everything that language.md §7 calls an error: a tool that failed, a template that could not be
evaluated, a denied action. Nothing else is ever routed to `on_error`, hooks or retries: cancellation and the errors
of the program itself pass through.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Literal, TypeAlias

if TYPE_CHECKING:
    from graphwright_runtime.values import Result

#: How an error is classified (runtime.md §7).
Category: TypeAlias = Literal["cancelled", "denied", "timeout", "transient", "rate_limited", "permanent"]

CATEGORIES: Final[tuple[Category, ...]] = ("cancelled", "denied", "timeout", "transient", "rate_limited", "permanent")


class NodeError(Exception):
    """A node failed.

    `str(error)` is the text that `state._last_error.error` gets. `__cause__` is the tool's own exception, if any.

    Attributes:
        node: the node that failed; None until the runtime knows it.
        category: the class of error, None where it is still to be found out (`classify.py`).
        code: a status code that the tool reported, in its result or on its exception.
        retry_after: how long the tool asked to wait before another attempt, as it said it (`backoff.py` reads it).
        error_type: the name of the exception behind it, `NodeError` where there is none.
        result: the mapping that the tool returned to report the error, if it did.
        members: the errors of an exception group.
        settled: retries and hooks have had their turn (a foreach gives them to each item).
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
    """The node is to be executed again; raised by `Cursor.failed`, understood by the loop."""


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
    """A run cannot be started or resumed here; the text is one line for the user."""


class LogError(Exception):
    """The log of a run cannot be written, so the run cannot go on."""


class LimitReached(Exception):  # noqa: N818 - a signal, not an error
    """A limit is used up and no hook extended it; `node` would have been next, `failed`: a hook ended the run."""

    def __init__(self, message: str, node: str, *, failed: bool) -> None:
        super().__init__(message)
        self.node = node
        self.failed = failed
