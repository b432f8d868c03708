"""Finds graphs that call each other endlessly.

A call on only some paths is a recursion that can end, limited by the maximum depth. A call on every path starts a run
that makes the same call.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import TYPE_CHECKING

from graphwright import ir
from graphwright.analysis.capability import called_id
from graphwright.contract.nesting import called_ids, graphs_around, levels_needed, runs_surely, surely_called

if TYPE_CHECKING:
    from graphwright.facts import Facts


def cycles(facts: Facts) -> Iterator[tuple[ir.Action, tuple[str, ...]]]:
    """The actions that lead back to the graph endlessly, each with the ids of the cycle, from the graph to itself."""
    graph = facts.graph
    if graph is None or facts.project is None:
        return
    around = graphs_around(facts)
    if not any(graph.graph_id in called_ids(other) for other in around.values()):
        return
    if facts.project.graph(graph.graph_id) is None:
        return  # a tool with the same id replaces the graph, so calls of that id do not lead back
    endless = around.keys() - levels_needed(around, runs_surely)
    ways: dict[str, tuple[str, ...]] = {}
    for caller in facts.callers:
        item_id = called_id(caller.action)
        if item_id is None or item_id not in endless or not runs_surely(facts, caller):
            continue
        if item_id not in ways:
            ways[item_id] = _way_back(around, endless, item_id, graph.graph_id)
        if ways[item_id]:
            yield caller.action, (graph.graph_id, *ways[item_id])


def _way_back(around: dict[str, Facts], endless: Collection[str], first: str, home: str) -> tuple[str, ...]:
    """The ids on a shortest path of calls between endless graphs from `first` to `home`; empty if there is none."""
    came: dict[str, tuple[str, ...]] = {first: (first,)}
    for item_id in (waiting := [first]):
        if item_id == home:
            return came[item_id]
        for called in surely_called(around[item_id], runs_surely):
            if called in endless and called not in came:
                came[called] = (*came[item_id], called)
                waiting.append(called)
    return ()
