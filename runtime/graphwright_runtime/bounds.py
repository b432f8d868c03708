"""The limits of what a run starts: graphs and threads, also those that its threads start (language.md §2)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Final, NamedTuple

from graphwright_runtime.capability import Grants
from graphwright_runtime.errors import NodeError
from graphwright_runtime.values import Json

if TYPE_CHECKING:
    from graphwright_runtime.run import Run

#: Why a graph is not started if no level is left.
USED_UP: Final = "no graph can be started below this one: `limits.depth` is used up"


class Bounds(NamedTuple):
    """What a thread may do, and everything that it calls: at most what its run may do."""

    thread_id: str
    grants: Grants
    limits: Mapping[str, Json]


def limits_left(run: Run, bounds: Bounds | None) -> dict[str, Json]:
    """What is left of the limits of a run, or of a thread of it, with the number of further levels as `depth`.

    Raises NodeError where nothing is left of `spend`.
    """
    left: dict[str, Json] = {**run.books().left(run.limits), "depth": run.depth}
    return left if bounds is None else lower_of(left, bounds.limits)


def limits_below(
    run: Run, graph_limits: Mapping[str, Json], depth: int | None, bounds: Bounds | None = None
) -> dict[str, Json]:
    """The limits of a graph that a run, or a thread of it, starts: one level less, and the lower value of each limit
    that both set.

    `depth` is the maximum that the call allows. Raises NodeError if no level is left.
    """
    mine = limits_left(run, bounds)
    left = mine["depth"]
    if not isinstance(left, int) or left <= 0:
        raise NodeError(USED_UP, category="denied")
    mine["depth"] = left - 1 if depth is None else min(left - 1, depth)
    return lower_of(mine, graph_limits)


def lower_of(one: Mapping[str, Json], other: Mapping[str, Json]) -> dict[str, Json]:
    """Both sets of limits in one, with the lower value of each limit that is in both."""
    merged = {**one, **other}
    for name in one.keys() & other.keys():
        mine, its = one[name], other[name]
        if isinstance(mine, (int, float)) and isinstance(its, (int, float)):
            merged[name] = min(mine, its)
    return merged
