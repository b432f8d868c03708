"""Finds graphs that call each other endlessly.

A call on only some paths is a recursion that can end, limited by the maximum depth. A call on every path starts a run
that makes the same call. A graph can finish if a path leads from its start to an end on which every called graph can
finish: a least fixpoint over the graphs that can be reached.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from graphwright import ir
from graphwright.analysis.capability import called_id
from graphwright.ir.visit import Caller

if TYPE_CHECKING:
    from graphwright.facts import Facts


def cycles(facts: Facts) -> Iterator[tuple[ir.Action, tuple[str, ...]]]:
    """The actions that lead back to the graph endlessly, each with the ids of the cycle, from the graph to itself."""
    graph = facts.graph
    if graph is None or facts.project is None:
        return
    around = graphs_around(facts)
    if not any(graph.graph_id in _called(other) for other in around.values()):
        return
    if facts.project.graph(graph.graph_id) is None:
        return  # a tool with the same id replaces the graph, so calls of that id do not lead back
    endless = _endless(around)
    ways: dict[str, tuple[str, ...]] = {}
    for caller in facts.callers:
        item_id = called_id(caller.action)
        if item_id is None or item_id not in endless or not _is_certain(caller):
            continue
        if item_id not in ways:
            ways[item_id] = _way_back(around, endless, item_id, graph.graph_id)
        if ways[item_id]:
            yield caller.action, (graph.graph_id, *ways[item_id])


def graphs_around(facts: Facts) -> dict[str, Facts]:
    """A graph and all graphs that it calls, directly or not, by id."""
    found = {facts.graph_id: facts}
    for current in (waiting := [facts]):
        for item_id in called_ids(current):
            if item_id not in found and current.project is not None:
                other = current.project.graph(item_id)
                if other is not None and other.graph is not None:
                    found[item_id] = other
                    waiting.append(other)
    return found


def called_ids(facts: Facts) -> Iterable[str]:
    """The ids that the actions of a graph name literally, in order."""
    return _called(facts)


def _called(facts: Facts) -> dict[str, list[Caller]]:
    """The calls of a graph by the id of the called item."""
    found: dict[str, list[Caller]] = {}
    for caller in facts.callers:
        item_id = called_id(caller.action)
        if item_id is not None:
            found.setdefault(item_id, []).append(caller)
    return found


def _endless(around: dict[str, Facts]) -> frozenset[str]:
    """The graphs that cannot finish."""
    endless = set(around)
    while finished := [item_id for item_id in endless if _can_finish(around[item_id], endless)]:
        endless.difference_update(finished)
    return frozenset(endless)


def _can_finish(facts: Facts, endless: set[str]) -> bool:
    """Whether a path leads from the start to an end without a call of an endless graph."""
    graph = facts.graph
    if graph is None or graph.start is None or facts.flow.uncertain:
        return True
    calls = [caller for item_id, found in _called(facts).items() if item_id in endless for caller in found]
    certain = [caller for caller in calls if _is_certain(caller)]
    if any(caller.node is None for caller in certain):
        return False
    blocked = {caller.node.name for caller in certain if caller.node is not None}
    waiting = [graph.start]
    seen = set(waiting)
    for name in waiting:
        if name in blocked:
            continue
        if facts.flow.may_end(name):
            return True
        reached = [target for target in facts.flow.successors(name) if target not in seen]
        seen.update(reached)
        waiting += reached
    return False


def _is_certain(caller: Caller) -> bool:
    """Whether a run that reaches the caller always makes the call: a loop may be empty, a hook may not be triggered."""
    if (hook := caller.hook) is not None:
        return hook.when is None and hook.event in ("graph_started", "graph_completed")
    if not isinstance(caller.node, ir.ForeachNode):
        return True
    over = caller.node.over
    return isinstance(over, ir.Const) and bool(over.value)


def _way_back(around: dict[str, Facts], endless: frozenset[str], first: str, home: str) -> tuple[str, ...]:
    """The ids on a shortest path of calls between endless graphs from `first` to `home`; empty if there is none."""
    came: dict[str, tuple[str, ...]] = {first: (first,)}
    for item_id in (waiting := [first]):
        if item_id == home:
            return came[item_id]
        for called in _certainly_called(around[item_id]):
            if called in endless and called not in came:
                came[called] = (*came[item_id], called)
                waiting.append(called)
    return ()


def _certainly_called(facts: Facts) -> list[str]:
    graph = facts.graph
    if graph is None:
        return []
    return [item_id for item_id, found in _called(facts).items() if any(_is_certain(each) for each in found)]
