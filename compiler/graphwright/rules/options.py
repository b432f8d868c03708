"""GW704: options of a call of a graph that fail in every run (nested-graphs.md, options of a call)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from graphwright import ir
from graphwright.analysis.tools import BACKGROUND
from graphwright.contract.graphs import Signature
from graphwright.facts import Facts
from graphwright.ir import visit
from graphwright.ir.visit import Caller, given
from graphwright.rules.calls import places
from graphwright.rules.registry import Finding
from graphwright.rules.wording import listed

_ON = ir.Const(value=True)


def wrong_options(facts: Facts, caller: Caller, called: Signature) -> Iterator[Finding]:
    """Options that do not go together, and values that none of them takes."""
    where = places(facts, caller.action)
    options = {
        name: value
        for name, value in (given(caller.action) or {}).items()
        if name in where and called.steers(name) and value != ir.Const(None)
    }
    for name, problem, advice in _do_not_fit(options):
        yield Finding(facts.source.span(where[name][0]), f"{caller.owner}: {problem}", note="will fail", help=advice)
    match options.get("depth"):
        case ir.Const(int(depth)) if depth < 0:
            yield Finding(
                facts.source.span(where["depth"][1]),
                f"{caller.owner}: `depth` must be at least 0, not {depth}",
                note="will fail",
                help="write the number of levels of graphs that may follow below this one",
            )
        case _:
            pass
    graph = facts.nested(called.graph_id)
    match options.get("node"):
        case ir.Const(str(node)) if graph is not None:
            names = [each.name for each in visit.nodes(graph.body)]
            if node not in names:
                yield Finding(
                    facts.source.span(where["node"][1]),
                    f"{caller.owner}: graph `{called.graph_id}` has no node `{node}`",
                    note="no such node",
                    about=caller,
                    suggestion=facts.guesses.nearest(node, names),
                    help=f"it has {listed(names)}",
                )
        case _:
            pass


def _do_not_fit(options: Mapping[str, ir.Value]) -> Iterator[tuple[str, str, str]]:
    """An option, what is wrong with it, and what to do about it."""
    resume = options.get("resume", ir.Const(value=False))
    if "inject_state" in options and "node" not in options:
        yield "inject_state", "`inject_state` goes with `node`, which executes a single node", "add `node: …`"
    if "resume_run_id" in options and "graph_run_id" in options:
        yield "graph_run_id", "`resume_run_id` and `graph_run_id` both name the run to resume", "remove one of them"
    elif "graph_run_id" in options and resume == ir.Const(value=False):
        yield "graph_run_id", "`graph_run_id` goes with `resume: true`", "write `resume_run_id` instead"
    elif resume == _ON and "resume_run_id" not in options and "graph_run_id" not in options:
        yield "resume", "`resume: true` does not say which run to resume", "write `resume_run_id: …` instead"
    for name in sorted(BACKGROUND):
        at_once = "validate" if options.get("validate") == _ON else "node" if "node" in options else None
        if options.get(name) == _ON and at_once is not None:
            yield name, f"a call with `{at_once}` returns at once, so it has no `{name}`", "remove it"
