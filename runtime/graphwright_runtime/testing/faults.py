"""What a script can say of a call besides its result: that it fails, takes its time, or ends the process."""

from __future__ import annotations

from typing import NamedTuple

from graphwright_runtime.errors import CATEGORIES, Category, NodeError


class Fails:
    """The call fails with an error of a category (runtime.md, "Errors"), whatever its text says.

    Raises ValueError for another category.
    """

    def __init__(
        self,
        category: Category = "permanent",
        message: str = "",
        *,
        code: int | str | None = None,
        retry_after: float | str | None = None,
    ) -> None:
        if category not in CATEGORIES:
            raise ValueError(f"{category!r} is not a category of errors: use one of {', '.join(CATEGORIES)}")
        self.category: Category = category
        self.message = message or f"scripted failure ({category})"
        self.code = code
        self.retry_after = retry_after

    def __repr__(self) -> str:
        return f"Fails({self.category!r}, {self.message!r})"

    def error(self) -> NodeError:
        """The error to raise, a new one for each call."""
        return NodeError(self.message, category=self.category, code=self.code, retry_after=self.retry_after)


class Delayed(NamedTuple):
    """The call takes `seconds`, then gives `answer`: a result, or anything else that a script can hold.

    In a run by `run_scripted` these are seconds of the test's clock: timeouts apply, and nobody waits.
    """

    seconds: float
    answer: object = None


class Crashes:
    """The process "dies" during the call, before the tool has answered (`run_scripted` raises SimulatedCrash)."""

    def __repr__(self) -> str:
        return "Crashes()"
