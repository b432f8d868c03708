"""GW702 and GW703: calls of tools, against what those tools take and return."""

from __future__ import annotations

from collections.abc import Iterator

from graphwright import ir
from graphwright.analysis.capability import called_id, callers
from graphwright.analysis.results import FAILURE
from graphwright.diagnostic import Severity
from graphwright.facts import Facts
from graphwright.rules.calls import given, missing_at, places, result_reads
from graphwright.rules.registry import Finding, rule
from graphwright.rules.wording import listed, meant
from graphwright.suggest import nearest


@rule("GW702", Severity.ERROR, "params against the tool's contract: missing, misspelt")
def wrong_params(facts: Facts) -> Iterator[Finding]:
    """A call without a parameter that its tool requires, or with one whose name is a letter or two off.

    The contracts known are those of the tools that come with the runtime (`rye/bash`, `rye/file-system/*`); a tool of
    the project under such an id takes their place. A name that resembles none of the tool's parameters is left alone:
    the tool ignores it. A parameter of the wrong type is GW412.

    Fails:
        tool_type: graph
        permissions: [rye.execute.tool.rye.bash]
        config:
          start: list
          nodes:
            list: {action: {item_id: tool:rye/bash, params: {comand: "ls -1"}}}

    Passes:
        -    list: {action: {item_id: tool:rye/bash, params: {comand: "ls -1"}}}
        +    list: {action: {item_id: tool:rye/bash, params: {command: "ls -1"}}}
    """
    if facts.graph is None:
        return
    for caller in callers(facts.graph):
        item_id = called_id(caller.action)
        contract = facts.contract(item_id) if item_id is not None else None
        passed = given(caller.action)
        if contract is None or passed is None:
            continue
        wanted = contract.params.field_map
        open_names = [name for name in wanted if name not in passed]
        where = places(facts, caller.action)
        intended = set()
        for name in passed:
            ran_into = next((each for each in open_names if name.startswith((f"{each}:", f"{each} "))), None)
            near = nearest(name, open_names) if name not in wanted and name in where else None
            if ran_into is not None and name in where:
                intended.add(ran_into)
                yield Finding(
                    facts.source.span(where[name][0]),
                    f"{caller.owner}: param `{ran_into}` of tool `{item_id}` ran into its value",
                    note="no such param",
                    help=f"write `{ran_into}: `, with a colon and a blank behind it",
                )
            elif near is not None:
                intended.add(near)
                yield Finding(
                    facts.source.span(where[name][0]),
                    f"{caller.owner}: tool `{item_id}` takes no param `{name}`",
                    note="no such param",
                    help=meant(near),
                )
        for name, field in wanted.items():
            if field.required and name not in intended and passed.get(name, ir.Const(None)) == ir.Const(None):
                yield Finding(
                    facts.source.span(missing_at(facts, caller.action)),
                    f"{caller.owner} calls tool `{item_id}` without `{name}`, which it requires",
                    note="missing param",
                    help=f"add `{name}: …` to `params`",
                )


@rule("GW703", Severity.WARNING, "`result.x` that the tool's contract does not return")
def not_returned(facts: Facts) -> Iterator[Finding]:
    """A field of `result` that the tool of this node never returns: it is null in every run.

    The contracts known are those of the tools that come with the runtime; see GW702.

    Fails:
        tool_type: graph
        permissions: [rye.execute.tool.rye.bash]
        config:
          start: list
          nodes:
            list:
              action: {item_id: tool:rye/bash, params: {command: "ls -1"}}
              assign: {files: "${result.stdot | lines}"}
              next: done
            done: {type: return, output: "${state.files}"}

    Passes:
        -      assign: {files: "${result.stdot | lines}"}
        +      assign: {files: "${result.stdout | lines}"}
    """
    graph = facts.graph
    if graph is None:
        return
    for caller in callers(graph):
        item_id = called_id(caller.action)
        contract = facts.contract(item_id) if item_id is not None and not caller.action.async_exec else None
        if contract is None or caller.node is None or facts.has_duplicates(caller.node):
            continue
        fields = list(contract.result.field_map)
        # What a suppressed failure leaves is no result of the tool, but can be asked for all the same.
        suppressed = graph.on_error == "continue" and caller.node.on_error is None
        for read, at in result_reads(caller):
            field = str(read.path[0])
            if field in fields or (suppressed and field in FAILURE.field_map):
                continue
            yield Finding(
                facts.source.span_in(at, read.start, read.end),
                f"`{read.written}`: tool `{item_id}` returns no `{field}`",
                note="always null",
                help=meant(near) if (near := nearest(field, fields)) else f"it returns {listed(fields)}",
            )
