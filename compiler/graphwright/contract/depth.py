"""Finds calls that always need more levels of nested runs than `limits.depth`, or `depth` of the call, allows."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from graphwright import ir
from graphwright.analysis.capability import called_id
from graphwright.contract.nesting import (
    PARTIAL,
    graphs_around,
    levels_needed,
    must_succeed,
    passes_option,
    runs_surely,
    surely_called,
)
from graphwright.ir.visit import Caller, given
from graphwright.language.keys import LIMITS
from graphwright.record import Record

if TYPE_CHECKING:
    from graphwright.facts import Facts


class TooDeep(Record):
    """A call that fails for lack of levels.

    `way`: the ids of the graphs, from the one that sets the limit to the last one that is called. `needed`: the
    smallest limit that would do. `allowed`: the limit. `is_option`: it is the `depth` of the call, which counts from
    the called graph on.
    """

    caller: Caller
    way: tuple[str, ...]
    needed: int
    allowed: int
    is_option: bool


def too_deep(facts: Facts) -> Iterator[TooDeep]:
    """The calls of graphs that cannot work, because of the limit of this graph or of the call.

    The limit of a called graph is judged in that graph. A call whose failure is handled may fail.
    """
    graph = facts.graph
    if graph is None or facts.project is None:
        return
    allowed = graph.limits.get("depth", LIMITS["depth"].default)
    if not isinstance(allowed, int):
        return
    around = graphs_around(facts)
    if len(around) == 1 and allowed:
        return  # at most itself, within the one level that a call needs
    if len(around) < allowed and not any("depth" in (given(caller.action) or {}) for caller in facts.callers):
        return  # more levels than there are graphs
    needed = levels_needed(around, _counts)
    for caller in facts.callers:
        item_id = called_id(caller.action)
        if item_id not in needed or not must_succeed(facts, caller) or passes_option(facts, caller, ("validate",)):
            continue
        below = 0 if passes_option(facts, caller, PARTIAL) else needed[item_id]
        way = (item_id, *_way_down(around, needed, item_id, below))
        if below + 1 > allowed:
            yield TooDeep(caller, (facts.graph_id, *way), below + 1, allowed, is_option=False)
        option = (given(caller.action) or {}).get("depth")
        if option is None or not passes_option(facts, caller, ("depth",)):
            continue
        if isinstance(option, ir.Const) and type(option.value) is int and 0 <= option.value < below:
            yield TooDeep(caller, way, below, option.value, is_option=True)


def _counts(facts: Facts, caller: Caller) -> bool:
    return must_succeed(facts, caller) and runs_surely(facts, caller)


def _way_down(around: Mapping[str, Facts], needed: Mapping[str, int], first: str, levels: int) -> Iterator[str]:
    """The ids of what is called on the way down from a graph, level by level."""
    current = first
    for level in reversed(range(levels)):
        current = next(item_id for item_id in surely_called(around[current], _counts) if needed.get(item_id) == level)
        yield current
