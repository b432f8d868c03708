"""Finds the renamed key of a graph in the graphs that call it: in params, and in reads of the result."""

from __future__ import annotations

from collections.abc import Iterator

from yaml.nodes import MappingNode

from graphwright import ir
from graphwright.diagnostic import Edit
from graphwright.facts import Facts
from graphwright.ir.visit import Caller, PlacedRead
from graphwright.refactor.graph import node_reads, step_edit
from graphwright.refactor.key import Key, Occurrences, Uncertain


def call_occurrences(facts: Facts, graph_id: str, key: Key, new: str, *, returns_state: bool) -> Occurrences:
    """The edits that rename the key of the graph `graph_id` in a graph that calls it, possibly in itself.

    `returns_state`: the output of the called graph is its state.
    """
    edits: list[Edit] = []
    uncertain: list[Uncertain] = []
    for caller in facts.callers:
        action = caller.action
        if action.primary != "execute" or action.kind not in ("tool", None):
            continue
        item_id = action.item_id.value if isinstance(action.item_id, ir.Const) else None
        if isinstance(action.item_id, ir.Const) and item_id != graph_id:
            continue
        found = _params(facts, action, key, new) if key.namespace == "inputs" else _reads(facts, caller, key, new)
        if key.namespace == "state" and not returns_state:
            continue
        if item_id == graph_id:
            edits += found.edits
            uncertain += found.uncertain
        else:
            why = "the id of what is called is a template"
            uncertain += [Uncertain(edit.span, why) for edit in found.edits]
    return Occurrences.of(edits, uncertain)


def _params(facts: Facts, action: ir.Action, key: Key, new: str) -> Occurrences:
    params, source = action.params_at, facts.source
    if isinstance(params, MappingNode):
        keys = [name for name, _ in source.entries(params) if name.value == key.name]
        found = [(name, source.instead(name, new)) for name in keys]
        edits = [edit for _, edit in found if edit is not None]
        left = [Uncertain(source.span(name), "aliases repeat it") for name, edit in found if edit is None]
        if edits and _is_shared(facts, params, action):
            return Occurrences((), tuple(Uncertain(edit.span, "aliases repeat these params") for edit in edits))
        return Occurrences(tuple(edits), tuple(left))
    if isinstance(action.params, ir.Template) and params is not None:
        return Occurrences((), (Uncertain(source.span(params), "the params are a template"),))
    return Occurrences()


def _is_shared(facts: Facts, params: MappingNode, action: ir.Action) -> bool:
    """Whether an alias shares the params with a call of another item."""
    return any(other.action.params_at is params and other.action.item_id != action.item_id for other in facts.callers)


def _reads(facts: Facts, caller: Caller, key: Key, new: str) -> Occurrences:
    """The reads of `result.output.KEY` at the calling node."""
    edits: list[Edit] = []
    uncertain: list[Uncertain] = []
    for read, at in _results(caller):
        if read.path[:2] == ("output", key.name):
            edits.append(step_edit(facts.source, read, at, 1 - len(read.path), new))
        elif len(read.path) < 2 and read.path[:1] in ((), ("output",)):
            span = facts.source.span_in(at, read.start, read.end)
            uncertain.append(Uncertain(span, "reads the whole output"))
    return Occurrences(tuple(edits), tuple(uncertain))


def _results(caller: Caller) -> Iterator[PlacedRead]:
    if caller.node is not None:
        yield from ((read, at) for read, at in node_reads(caller.node) if read.root is ir.Root.RESULT)
