"""What a loop goes through, and whether what it collected may enter the state."""

from __future__ import annotations

from graphwright_runtime.branch import Branch
from graphwright_runtime.checks import misfit
from graphwright_runtime.errors import NodeError
from graphwright_runtime.expressions import described
from graphwright_runtime.graph import Check
from graphwright_runtime.nulls import warn
from graphwright_runtime.pipes import from_json
from graphwright_runtime.values import Json


def looped_over(branch: Branch, over: object, path: str) -> list[Json]:
    """The list that `over` stands for: a JSON list in a text too, none for null."""
    if isinstance(over, list):
        return over
    if over is None:
        warn(branch, path or "`over`", so=": there are no items")
        return []
    if isinstance(over, str):
        try:
            inside = from_json(over)
        except NodeError:
            inside = None
        if isinstance(inside, list):
            return inside
    raise NodeError(f"`over` takes a list, not {described(over)}")


def refusal(collected: list[Json], key: str | None, check: Check | None) -> NodeError | None:
    """Why what was collected cannot enter the state; None where it can."""
    try:
        if check is not None:
            check(collected, f"state.{key}", misfit)
    except NodeError as error:
        return error
    return None
