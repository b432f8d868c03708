"""Faults that a script can inject into a call: failing, being slow, or ending the process."""

from __future__ import annotations

from typing import NamedTuple

from graphwright_runtime.errors import CATEGORIES, Category, NodeError


class Fails:
    """The call fails with an error of a category (runtime.md, "Errors"), regardless of its message.

    Raises ValueError if the category does not exist.
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
        """A new error to raise."""
        return NodeError(self.message, category=self.category, code=self.code, retry_after=self.retry_after)


class Delayed(NamedTuple):
    """The call takes `seconds`, then gives `answer`: a result, or any other answer of a script.

    In `run_scripted`, these are seconds of the test's clock: timeouts apply, but the test does not wait.
    """

    seconds: float
    answer: object = None


class Crashes:
    """The process "dies" during the call, before the tool returns (`run_scripted` raises SimulatedCrash)."""

    def __repr__(self) -> str:
        return "Crashes()"
