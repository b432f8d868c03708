"""Determines which graphs call which, and how many levels of nested runs a graph needs.

A call on only some paths may never be made. A graph can finish within a number of levels if a path leads from its start
to an end on which every called graph that counts can finish within one level less: for cycles every graph that is
called, for levels those without which the run fails.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from typing import TYPE_CHECKING, Final, TypeAlias

from graphwright import ir
from graphwright.analysis.capability import called_id
from graphwright.analysis.tools import BACKGROUND
from graphwright.contract.graphs import called_signature
from graphwright.ir.visit import Caller, given

if TYPE_CHECKING:
    from graphwright.facts import Facts

#: Whether a call counts.
Counts: TypeAlias = "Callable[[Facts, Caller], bool]"

#: Options of a call that does not run the called graph from its start.
PARTIAL: Final = ("node", "resume", "resume_run_id", "validate")


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


def levels_needed(around: Mapping[str, Facts], counts: Counts) -> dict[str, int]:
    """How many levels of nested graphs every run of each graph needs; the graphs that cannot finish are not in it."""
    needed: dict[str, int] = {}
    open_ids = set(around)
    level = 0
    while finished := [item_id for item_id in open_ids if _can_finish(around[item_id], open_ids, counts)]:
        needed |= dict.fromkeys(finished, level)
        open_ids.difference_update(finished)
        level += 1
    return needed


def surely_called(facts: Facts, counts: Counts) -> list[str]:
    """The ids of the calls that count."""
    return [item_id for item_id, found in _called(facts).items() if any(counts(facts, caller) for caller in found)]


def runs_surely(facts: Facts, caller: Caller) -> bool:
    """Whether a run that gets to a caller always runs the called graph from its start.

    A loop may be empty, a hook may not be triggered, and some options do something else.
    """
    if passes_option(facts, caller, PARTIAL):
        return False
    if (hook := caller.hook) is not None:
        return hook.when is None and hook.event in ("graph_started", "graph_completed")
    if not isinstance(caller.node, ir.ForeachNode):
        return True
    over = caller.node.over
    return isinstance(over, ir.Const) and bool(over.value)


def must_succeed(facts: Facts, caller: Caller) -> bool:
    """Whether a run fails if a call fails: nothing handles that, it is not a hook's, and the run waits for its end."""
    graph, node = facts.graph, caller.node
    if graph is None or node is None or node.on_error is not None or caller.is_task or caller.action.async_exec:
        return False
    if graph.settings.on_error == "continue" or graph.settings.on_max_steps != "fail":
        return False
    return not passes_option(facts, caller, BACKGROUND)


def passes_option(facts: Facts, caller: Caller, names: Collection[str]) -> bool:
    """Whether a call of a graph passes one of some options (language.md §13)."""
    passed = given(caller.action) or {}
    if passed.keys().isdisjoint(names):
        return False
    called = called_signature(facts, called_id(caller.action))
    return called is not None and any(name in passed and called.steers(name) for name in names)


def _called(facts: Facts) -> dict[str, list[Caller]]:
    """The calls of a graph by the id of the called item."""
    found: dict[str, list[Caller]] = {}
    for caller in facts.callers:
        item_id = called_id(caller.action)
        if item_id is not None:
            found.setdefault(item_id, []).append(caller)
    return found


def _can_finish(facts: Facts, unfinished: Collection[str], counts: Counts) -> bool:
    """Whether a path leads from the start to an end without a call of one of these graphs that counts."""
    graph = facts.graph
    if graph is None or graph.start is None or facts.flow.uncertain:
        return True
    calls = [
        caller
        for item_id, found in _called(facts).items()
        if item_id in unfinished
        for caller in found
        if counts(facts, caller)
    ]
    if any(caller.node is None for caller in calls):
        return False
    blocked = {caller.node.name for caller in calls if caller.node is not None}
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
