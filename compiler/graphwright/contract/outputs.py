"""Determines the type of `result` after a call of another graph, from the ends of that graph.

In graphs that call each other in a cycle, the outputs of these calls are unknown, so that the types do not depend on
which graph is read first.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from graphwright import ir
from graphwright.analysis.ends import Ends
from graphwright.analysis.jsontype import ANY, OBJECT, Field, Type, join, object_of
from graphwright.analysis.tools import Contract
from graphwright.contract.graphs import RESULT_FIELDS, called_signature
from graphwright.contract.nesting import called_ids, graphs_around
from graphwright.ir.visit import given
from graphwright.record import replace
from graphwright.schema.types import from_schema

if TYPE_CHECKING:
    from graphwright.facts import Facts


def returned(facts: Facts, item_id: str, action: ir.Action) -> Contract | None:
    """What a run of the called graph returns to a node that waits for it; None if that is unknown."""
    runs = facts.tools.runs
    if item_id not in runs:
        runs[item_id] = _run_contract(facts, item_id)
    found, params = runs[item_id], given(action)
    called = None if found is None else called_signature(facts, item_id)
    is_waited_for = called is not None and params is not None and called.result_fields(params) is RESULT_FIELDS
    return found if is_waited_for else None


def _run_contract(facts: Facts, item_id: str) -> Contract | None:
    called = None if facts.project is None else facts.project.graph(item_id)
    around = {} if called is None else graphs_around(called)
    if called is None or facts.graph_id in around:
        return None
    for each in _innermost_first(called, around):  # so that each of them needs only those that are already known
        output_type(each)
    output = output_type(called)
    if not output.known:
        return None
    output = replace(output, closed=False, rest=None, variants=())  # what it does not have is GW704
    return Contract(OBJECT, object_of({"output": Field(output, True)}, others=ANY))


def output_type(facts: Facts) -> Type:
    """The type of the output of completed runs; `ANY` if it is unknown, or the state."""
    tools = facts.tools
    if tools.output is None:
        tools.output = _output_type(facts)
    return tools.output


def _output_type(facts: Facts) -> Type:
    graph = facts.graph
    if graph is None or facts.flow.uncertain or facts.flow.has_guesses:
        return ANY
    declared = ANY if graph.output_schema is None else from_schema(graph.output_schema, fills=False)
    if declared.known and declared.kinds:
        return declared
    outputs = [end.output for end in Ends(facts.assignment, facts.types, facts.declarations) if not end.fails]
    known = [output for output in outputs if output is not None]
    return join(*known) if known and len(known) == len(outputs) else ANY


def _innermost_first(facts: Facts, around: Mapping[str, Facts]) -> Iterator[Facts]:
    """A graph and those that it calls, each after those that it calls itself, without those whose output is known."""
    waiting, seen = [(facts, False)], {facts.graph_id}
    while waiting:
        current, is_done = waiting.pop()
        if is_done:
            yield current
            continue
        waiting.append((current, True))
        for item_id in called_ids(current):
            if item_id in around and item_id not in seen and around[item_id].tools.output is None:
                seen.add(item_id)
                waiting.append((around[item_id], False))
