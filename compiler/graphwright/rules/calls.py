"""The params of actions, and the fields of results that nodes read."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import chain

import yaml

from graphwright import ir
from graphwright.analysis.capability import called_id
from graphwright.analysis.tools import Contract
from graphwright.analysis.typing import ProgramPoint
from graphwright.contract.graphs import RESULT_FIELDS, Signature, called_signature, near_graph
from graphwright.facts import Facts
from graphwright.ir import visit
from graphwright.ir.visit import Caller, given


def known_calls(facts: Facts) -> Iterator[tuple[Caller, str, Contract]]:
    """The calls with a known contract, each with what is called, for messages; not the execution of directives."""
    for caller in facts.callers:
        action, contract = caller.action, facts.contract(caller.action)
        item_id = called_id(action)
        if contract is not None and (item_id is not None or action.primary != "execute"):
            yield caller, f"`{action.primary}`" if item_id is None else f"tool `{item_id}`", contract


def calls_directives(facts: Facts) -> bool:
    """Whether a graph calls directives, or thread tools, which follow directives."""
    return any(
        caller.action.kind == "directive" or (called_id(caller.action) or "").startswith("rye/agent/threads/")
        for caller in facts.callers
    )


def point_of(caller: Caller) -> ProgramPoint:
    """Where the params of a call are resolved."""
    return ProgramPoint(caller.node, event=None if caller.hook is None else caller.hook.event)


def places(facts: Facts, action: ir.Action) -> Mapping[str, tuple[yaml.ScalarNode, yaml.Node]]:
    """The key and the value of each param in the file."""
    return written(facts, action.params_at)


def written(facts: Facts, node: yaml.Node | None) -> Mapping[str, tuple[yaml.ScalarNode, yaml.Node]]:
    """The keys and values of a mapping in the file; empty for anything else."""
    if not isinstance(node, yaml.MappingNode):
        return {}
    return {key.value: (key, value) for key, value in facts.source.entries(node)}


def missing_at(facts: Facts, action: ir.Action) -> yaml.Node:
    """The location for something missing in an action: its key `params`, otherwise the item's id or the action."""
    key = next((key for key, value in facts.source.entries(action.at) if value is action.params_at), None)
    return key or action.item_id_at or action.at


def misspelled_graph(facts: Facts, caller: Caller) -> str | None:
    """The graph that an action means, if the item does not exist, but a graph with a similar name that fits the call.

    The params, or the fields of the result that are read, can show that it is an unknown tool instead.
    """
    item_id = called_id(caller.action)
    if item_id is None or item_id.startswith("rye/"):
        return None
    meant_id = near_graph(facts, item_id)
    called = called_signature(facts, meant_id)
    return meant_id if called is not None and _fits(caller, called) else None


def _fits(caller: Caller, called: Signature) -> bool:
    passed = given(caller.action) or {}
    if called.closed and passed and not any(name in called.inputs or called.steers(name) for name in passed):
        return False
    reads = {str(read.path[0]) for read, _ in result_reads(caller)}
    return not reads or called.outputs is None or not reads.isdisjoint(RESULT_FIELDS | called.outputs)


def result_reads(caller: Caller) -> Iterator[visit.PlacedRead]:
    """The paths below `result` in the assigns and edges of the calling node."""
    if caller.node is None or caller.is_task:
        return
    assigned = chain.from_iterable(visit.placed_reads(entry.value) for entry in caller.node.assigns)
    compared = chain.from_iterable(map(visit.condition_reads, visit.conditions(caller.node)))
    for read, at in chain(assigned, compared):
        if read.root is ir.Root.RESULT and read.path:
            yield read, at
