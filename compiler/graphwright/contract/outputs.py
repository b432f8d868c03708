"""Determines the type of `result` after a call of another graph, from the ends of that graph.

In graphs that call each other in a cycle, the outputs of these calls are unknown, so that the types do not depend on
which graph is read first.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Final

from graphwright import ir
from graphwright.analysis.ends import Ends
from graphwright.analysis.jsontype import (
    ANY,
    BOOLEAN,
    INTEGER,
    NULL,
    OBJECT,
    STRING,
    Field,
    Type,
    join,
    list_of,
    object_of,
)
from graphwright.analysis.tools import BACKGROUND, Contract
from graphwright.contract.graphs import (
    CONTROLS,
    RESULT_FIELDS,
    STARTED_FIELDS,
    STEP_FIELDS,
    VALIDATED_FIELDS,
    called_signature,
)
from graphwright.contract.nesting import called_ids, graphs_around
from graphwright.ir.visit import given
from graphwright.record import replace
from graphwright.schema.types import from_schema

if TYPE_CHECKING:
    from graphwright.facts import Facts


#: What can start in the background, for `Contract.starts`.
_STARTS: Final = object_of(dict.fromkeys(BACKGROUND, Field(BOOLEAN, False)), others=ANY)

#: What calls return that do not wait for a run, by the fields of their results.
_AT_ONCE: Final = {
    STARTED_FIELDS: Contract(
        _STARTS,
        object_of(
            {
                "success": Field(BOOLEAN, True),
                **dict.fromkeys(("graph_run_id", "status"), Field(STRING, True)),
                "pid": Field(INTEGER, True),
            },
            others=ANY,
        ),
    ),
    STEP_FIELDS: Contract(
        OBJECT,
        object_of(
            {
                "success": Field(BOOLEAN, True),
                "state": Field(OBJECT, True),
                "executed_node": Field(STRING, True),
                "next_node": Field(join(STRING, NULL), True),
                "step_count": Field(INTEGER, True),
            },
            others=ANY,
        ),
    ),
    VALIDATED_FIELDS: Contract(
        OBJECT,
        object_of(
            {
                "success": Field(BOOLEAN, True),
                **dict.fromkeys(("errors", "warnings"), Field(list_of(STRING), True)),
                "node_count": Field(INTEGER, True),
            },
            others=ANY,
        ),
    ),
}


def returned(facts: Facts, item_id: str, action: ir.Action) -> Contract | None:
    """What the call of a graph returns; None if that is unknown, or depends on values of its options."""
    runs = facts.tools.runs
    if item_id not in runs:
        runs[item_id] = _run_contract(facts, item_id)
    found, params = runs[item_id], given(action)
    has_options = params is not None and not CONTROLS.keys().isdisjoint(params)
    if params is None or (found is None and (not has_options or _leads_back(facts, item_id))):
        return None
    called = called_signature(facts, item_id)
    fields = None if called is None else called.result_fields(params)
    return found if fields is RESULT_FIELDS else None if fields is None else _AT_ONCE[fields]


def _leads_back(facts: Facts, item_id: str) -> bool:
    """Whether a graph calls this one, directly or not, so that its own signature may depend on this call."""
    called = None if facts.project is None else facts.project.graph(item_id)
    return called is not None and facts.graph_id in graphs_around(called)


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
