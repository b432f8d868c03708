"""GW704: compares calls of nested graphs with the declarations of those graphs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from graphwright import ir
from graphwright.analysis.capability import called_id
from graphwright.analysis.jsontype import NULL
from graphwright.contract.cycles import cycles
from graphwright.contract.depth import TooDeep, too_deep
from graphwright.contract.graphs import (
    CONTROLS,
    RESULT_FIELDS,
    STARTED_FIELDS,
    WITHOUT_INPUTS,
    Signature,
    called_signature,
)
from graphwright.diagnostic import Severity
from graphwright.expr.paths import written_path
from graphwright.facts import Facts
from graphwright.ir.visit import Caller, given
from graphwright.rules.calls import calls_directives, missing_at, misspelled_graph, places, point_of, result_reads
from graphwright.rules.misnamed import Misnamed
from graphwright.rules.params import wrong_inputs
from graphwright.rules.registry import Finding, rule
from graphwright.rules.wording import chain, listed, meant, number, scalar
from graphwright.suggest import nearest


@rule("GW704", Severity.ERROR, "invalid call of a nested graph or directive")
def nested_graph(facts: Facts) -> Iterator[Finding]:
    """An action calls another graph of the project in a way that cannot work.

    * An input that the graph requires is missing, or may be null, as the tool declares that returns it; or an input
      is passed that it does not declare, that has the wrong type, or whose constant violates its `config_schema`.
    * An option of the call cannot work: `node` names no node of the called graph, or options do not go together.
    * An output is read that the graph does not return. (The result of the call is `{success, status, output, …}`;
      the output is in `result.output`.)
    * The id is almost that of a graph in the same folder, and no tool or graph has it. Or it is almost that of a
      directive, and no directive has it.
    * Graphs call each other in a cycle, and every path through them makes the call. A call that only some paths
      make ends on the others and is not reported.
    * The called graph always calls others, more levels deep than `limits.depth` of this graph or `depth` of the call
      allows, and nothing handles the failure of a call. If only the default, 5, is too low, it is a warning: a graph
      that calls this one may set a higher limit.

    Fails: a graph that calls `tool:reports/count` without `team`, which `reports/count` requires

    Passes: the same graph with `params: {team: "${inputs.team}"}`
    """
    if facts.project is None:
        return
    calls_graphs = False
    for caller in facts.callers:
        item_id = called_id(caller.action)
        if item_id is None or item_id.startswith("rye/"):
            continue
        meant_id = misspelled_graph(facts, caller)
        if meant_id is not None:
            yield from _unknown(facts, caller, item_id, meant_id)
            item_id = meant_id  # it is called with that id
        called = called_signature(facts, item_id)
        if called is not None:
            calls_graphs = True
            yield from _inputs(facts, caller, called)
            yield from _outputs(facts, caller, called)
    if calls_graphs:
        from graphwright.rules.nullable import nullable_inputs

        yield from nullable_inputs(facts)
    if calls_directives(facts):
        from graphwright.rules.directives import unknown_directives

        yield from unknown_directives(facts)
    for action, way in cycles(facts):
        if action.item_id_at is not None:
            yield Finding(
                facts.source.span(action.item_id_at),
                f"graphs call each other in a cycle: `{chain(way)}`"
                if len(way) > 2
                else f"graph `{way[0]}` calls itself, `{chain(way)}`",
                note="leads back here",
                help="remove one of these calls, or make it on some paths only: each starts a new run, and none ends"
                if len(way) > 2
                else "make the call on some paths only, or use `next` to go back to a node instead",
            )
    yield from (_too_deep(facts, found) for found in too_deep(facts))


def _too_deep(facts: Facts, found: TooDeep) -> Finding:
    """A chain of calls for which a limit is too low."""
    caller, severity = found.caller, None
    if found.is_option:
        name, at = "`depth` of the call", places(facts, caller.action)["depth"][1]
        advice = f"pass `depth: {found.needed}`"
    else:
        name, at = "`limits.depth`", caller.action.item_id_at or caller.action.at
        limit = f"`limits: {{depth: {found.needed}}}`"
        advice = f"write {limit}"
        if facts.graph is None or "depth" not in facts.graph.limits:
            severity = Severity.WARNING  # a graph that calls this one may have a higher limit
            advice = f"add {limit}; the default is {found.allowed}"
    return Finding(
        facts.source.span(at),
        f"{caller.owner}: `{chain(found.way)}` needs {number(found.needed, 'level')} of nested graphs, but {name} is "
        f"{found.allowed}",
        note="will be refused",
        about=caller,
        help=advice,
        severity=severity,
    )


# --- ids ----------------------------------------------------------------------------------------------------------


def _unknown(facts: Facts, caller: Caller, item_id: str, meant_id: str) -> Iterator[Finding]:
    if caller.action.item_id_at is not None:
        yield Finding(
            facts.source.span(caller.action.item_id_at),
            f"{caller.owner} calls graph `{item_id}`, which does not exist",
            note="no such graph",
            about=caller,
            suggestion=meant_id,
        )


# --- inputs -------------------------------------------------------------------------------------------------------


def _inputs(facts: Facts, caller: Caller, called: Signature) -> Iterator[Finding]:
    passed = given(caller.action)
    if passed is None:
        return
    where = places(facts, caller.action)
    needs_none = any(name in passed and called.steers(name) for name in WITHOUT_INPUTS)
    required = () if needs_none else sorted(called.required)
    missing = [name for name in required if name not in passed]
    absent = [*called.inputs, *_likely_options(caller, called, passed)]
    absent = [name for name in absent if name not in passed]
    unknown = [name for name in where if called.closed and name not in called.inputs and not called.steers(name)]
    names = Misnamed(facts.guesses, unknown, absent, missing)
    if not WITHOUT_INPUTS.isdisjoint(names.meant.values()):
        missing = []
    if not unknown and any(called.steers(name) for name in passed):
        from graphwright.rules.options import wrong_options  # few calls have options

        yield from wrong_options(facts, caller, called)
    for name in unknown:
        yield Finding(
            facts.source.span(where[name][0]),
            f"{caller.owner}: graph `{called.graph_id}` has no input `{name}`{names.but(name)}",
            note="no such input",
            about=caller,
            suggestion=names.meant.get(name),
            help=f"remove it; the inputs are {listed(sorted(called.inputs)) or 'none'}",
        )
    for name in (name for name in missing if name not in names.meant.values()):
        yield Finding(
            facts.source.span(missing_at(facts, caller.action)),
            f"{caller.owner} calls graph `{called.graph_id}` without `{name}`, which it requires",
            note="missing input",
            help=f"add `{name}: …` to `params`"
            if caller.action.params_at is not None
            else f"add `params: {{{scalar(name)}: …}}` to the action",
        )
    for name, value in passed.items():
        if name not in where or (name not in called.inputs and not called.steers(name)):
            continue
        found = facts.types.of(value, point_of(caller))
        if found.kinds - NULL.kinds:  # a null is not passed
            wanted = CONTROLS[name] if called.steers(name) else called.inputs[name]
            yield from wrong_inputs(facts, caller, called.graph_id, name, wanted)
            from graphwright.rules.constraints import violating_input

            graph = facts.nested(called.graph_id)
            if graph is not None and not called.steers(name):
                yield from violating_input(facts, caller, graph, name, wanted)


#: Options that are useful only next to another one, and one that excludes the other.
_GO_WITH: Final = {"inject_state": "node", "graph_run_id": "resume"}


def _likely_options(caller: Caller, called: Signature, passed: Mapping[str, ir.Value]) -> Iterator[str]:
    """The options that a misspelled param may mean; a loop has no `async`."""
    excluded = {"resume_run_id"} if "resume" in passed else set[str]()
    if isinstance(caller.node, ir.ForeachNode):
        excluded.add("async")
    for name in filter(called.steers, CONTROLS):
        if name not in excluded and _GO_WITH.get(name, name) in (name, *passed):
            yield name


# --- outputs ------------------------------------------------------------------------------------------------------


def _outputs(facts: Facts, caller: Caller, called: Signature) -> Iterator[Finding]:
    fields = called.result_fields(given(caller.action) or {})
    if fields is None:
        return
    for read, at in result_reads(caller):
        path = [str(step) for step in read.path]
        if path[0] not in fields:
            waits = fields is RESULT_FIELDS
            inside = waits and called.outputs is not None and path[0] in called.outputs
            near = f"result.output.{path[0]}" if inside else nearest(path[0], fields)
            if near is not None and not inside:
                near = written_path("result", near, *path[1:])
            what, why = "a graph", f"what `{called.graph_id}` returns is in `result.output`"
            if fields is STARTED_FIELDS:
                what, why = "a graph in the background", "it only says that the graph was started"
            elif not waits:
                what, why = "this call", "it does not run the graph"
            yield Finding(
                facts.source.span_in(at, read.start, read.end),
                f"`{read.written}`: the result of {what} has no `{path[0]}`; {why}",
                note="no such field",
                about=read,
                suggestion=near,
                help=f"it has {listed(sorted(fields))}",
            )
        elif path[0] == "output" and len(path) > 1 and called.outputs is not None and path[1] not in called.outputs:
            yield Finding(
                facts.source.span_in(at, read.start, read.end),
                f"`{read.written}`: graph `{called.graph_id}` does not return `{path[1]}`",
                note="not returned",
                help=_returned(path[1], called.outputs),
            )


def _returned(name: str, outputs: frozenset[str]) -> str:
    """The advice for reading a key that a graph does not return."""
    near = nearest(name, outputs)
    if near is not None:
        return meant(written_path("result.output", near)) or ""
    paths = [written_path("result.output", each) for each in sorted(outputs)]
    return f"it returns {listed(paths) or 'nothing'}"
