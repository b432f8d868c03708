"""GW702 and GW703: compares calls of tools with their contracts."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping

import yaml

from graphwright import ir
from graphwright.analysis.tools import FAILURE, Contract, unwrapped
from graphwright.contract.items import DIRECTIVE_FIELDS
from graphwright.diagnostic import Label, Severity
from graphwright.facts import Facts
from graphwright.ir.visit import Caller, given
from graphwright.rules.calls import calls_directives, known_calls, missing_at, places, result_reads
from graphwright.rules.params import intended, other_form, wrong_keys
from graphwright.rules.registry import Finding, rule
from graphwright.rules.wording import listed, meant
from graphwright.suggest import nearest


@rule("GW702", Severity.ERROR, "wrong params for a known tool")
def wrong_params(facts: Facts) -> Iterator[Finding]:
    """A call lacks a parameter that the tool requires, or passes one whose name is one or two letters off or is the
    name that other tools use (`cmd`, `cwd`).

    Contracts are known for `load`, `search` and `sign`, for the tools that come with the runtime (`rye/bash`,
    `rye/file-system/*`, `rye/core/processes/*`) and for those of threads (`rye/agent/threads/thread_directive`,
    `rye/agent/threads/orchestrator`, each `operation` of which has its own), unless the project has its own tool with
    that id, and for tools of the project that declare what they take: in the type hints of `execute`, or in a manifest.
    A name that does not resemble any parameter is reported only if the tool declares that it takes no others; otherwise
    the tool ignores it. Limits of a thread that are not in `limit_overrides` are reported, because they do not apply.
    GW412 reports parameters of the wrong type.

    If a directive of the project or the user is named literally, its inputs are checked against those that it declares,
    both when a thread is started with it and when it is executed.

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
    for caller, callee, contract in known_calls(facts):
        passed = given(caller.action)
        if passed is None:
            continue
        misspelled = _misspelled(facts, caller, contract, passed)
        for name, right in misspelled.items():
            ran_into_its_value = name.startswith((f"{right}:", f"{right} "))
            adapted = None if ran_into_its_value else other_form(facts, caller, name, right, contract)
            yield Finding(
                facts.source.span(places(facts, caller.action)[name][0]),
                f"{caller.owner}: param `{right}` of {callee} is joined with its value"
                if ran_into_its_value
                else f"{caller.owner}: {callee} has no param `{name}`",
                note="no such param",
                about=caller,
                suggestion=None if ran_into_its_value or adapted is not None else right,
                help=adapted or f"write `{right}: `, with a colon and a space after it",
            )
        for name in _unknown(facts, caller, contract, passed):
            if name not in misspelled:
                yield Finding(
                    facts.source.span(places(facts, caller.action)[name][0]),
                    f"{caller.owner}: {callee} has no param `{name}`, and takes no others than it declares",
                    note="no such param",
                    about=caller,
                    suggestion=nearest(name, contract.params.field_map),
                    help=f"remove it; the params are {listed(contract.params.field_map) or 'none'}",
                )
        for name in _missing(contract, passed):
            if name not in misspelled.values():
                yield Finding(
                    facts.source.span(missing_at(facts, caller.action)),
                    f"{caller.owner} calls {callee} without `{name}`, which it requires",
                    note="missing param",
                    help=f"add `{name}: …` to `params`",
                )
    yield from wrong_keys(facts)
    if calls_directives(facts):
        from graphwright.rules.directives import wrong_inputs
        from graphwright.rules.threads import misplaced

        yield from misplaced(facts)
        yield from wrong_inputs(facts)


def _misspelled(facts: Facts, caller: Caller, contract: Contract, passed: Mapping[str, ir.Value]) -> Mapping[str, str]:
    """The unknown params, each with the missing one that was probably meant."""
    own = contract.params.field_map
    missing = [name for name in own if name not in passed]
    written = places(facts, caller.action)
    found = {}
    for name in passed:
        if name not in own and name in written:
            glued = next((other for other in missing if name.startswith((f"{other}:", f"{other} "))), None)
            found[name] = glued or intended(name, missing)
    return {name: right for name, right in found.items() if right is not None}


def _unknown(facts: Facts, caller: Caller, contract: Contract, passed: Mapping[str, ir.Value]) -> Iterator[str]:
    """The params that a tool rejects, because it declares that it accepts no others."""
    written = places(facts, caller.action)
    for name, value in passed.items():
        if (
            contract.params.closed
            and contract.params.field(name) is None
            and name in written
            and value != ir.Const(None)
        ):
            yield name


def _missing(contract: Contract, passed: Mapping[str, ir.Value]) -> Iterator[str]:
    """The required params that are not passed; a null is not passed."""
    for name, field in contract.params.fields:
        if field.required and passed.get(name, ir.Const(None)) == ir.Const(None):
            yield name


@rule("GW703", Severity.WARNING, "result field that the tool never returns")
def not_returned(facts: Facts) -> Iterator[Finding]:
    """A path reads a field of `result` that the tool of this node never returns, so it is null in every run.

    Contracts are known for `load`, `search` and `sign`, the tools that come with the runtime, those of threads, and
    those that declare what they return; see GW702. A thread that is started with `async: true` returns only `thread_id`
    and `status`. Executing a directive only parses it and fills in its inputs. To get what the directive produces, call
    `tool:rye/agent/threads/thread_directive`, which runs it.

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
    for caller, callee, contract in known_calls(facts):
        shape = unwrapped(contract.result)
        fields, is_listed = list(shape.field_map), bool(shape.fields or shape.closed)
        if contract.more or not is_listed or (caller.action.async_exec and not contract.starts):
            continue
        for read, at in _reads_beyond(facts, caller, fields):
            field = str(read.path[0])
            near = nearest(field, fields)
            inside = next((name for name, each in shape.fields if field in each.type.field_map), None)
            yield Finding(
                facts.source.span_in(at, read.start, read.end),
                f"`{read.written}`: {callee} does not return `{field}`",
                note="always null",
                about=read,
                suggestion=near,
                help=f"it returns {listed(fields) or 'nothing'}"
                if near is not None or inside is None
                else f"did you mean `result.{inside}.{field}`?",
            )
    for caller in facts.callers:
        if caller.action.primary == "execute" and caller.action.kind == "directive":
            yield from _not_run(facts, caller)


def _reads_beyond(facts: Facts, caller: Caller, fields: Collection[str]) -> Iterator[tuple[ir.Read, yaml.ScalarNode]]:
    """The reads of fields that a result with only these fields does not have."""
    graph, node = facts.graph, caller.node
    if graph is None or node is None or node.name in graph.doubt.merged:
        return
    # The error of a suppressed failure is not part of the tool's result, but can still be read.
    suppressed = graph.settings.on_error == "continue" and node.on_error is None
    for read, at in result_reads(caller):
        field = str(read.path[0])
        if graph.doubt.trusts(read) and field not in fields and not (suppressed and field in FAILURE.field_map):
            yield read, at


def _reads_of_outputs(facts: Facts, caller: Caller) -> Iterator[tuple[ir.Read, yaml.ScalarNode]]:
    """What is read of a directive's result that only executing it would give; `outputs` is a list, read by number."""
    for read, at in _reads_beyond(facts, caller, DIRECTIVE_FIELDS - {"outputs"}):
        if read.path[0] != "outputs" or (len(read.path) > 1 and not str(read.path[1]).lstrip("-").isdigit()):
            yield read, at


def is_output_of_directive(facts: Facts, read: ir.Read) -> bool:
    """Whether a path reads what only executing a directive would give (GW703)."""
    callers = [each for each in facts.callers if each.action.primary == "execute" and each.action.kind == "directive"]
    return any(read is each for caller in callers for each, _ in _reads_of_outputs(facts, caller))


#: Maximum number of other reads in a finding.
_LABELS = 5


def _not_run(facts: Facts, caller: Caller) -> Iterator[Finding]:
    """The reads of a directive's result as if it had been executed; `outputs` are its declared outputs."""
    fields = DIRECTIVE_FIELDS - {"outputs"}
    reads = list(_reads_of_outputs(facts, caller))
    for (read, at), *others in filter(None, [reads]):
        field = str(read.path[0])
        what = f"has no `{field}`" if field != "outputs" else "lists the declared outputs without values"
        near = None if field == "outputs" else nearest(field, fields)
        advice = "to run it, call `tool:rye/agent/threads/thread_directive` with its id as `directive_name`"
        yield Finding(
            facts.source.span_in(at, read.start, read.end),
            f"`{read.written}`: executing a directive only parses it; the result {what}",
            note="always null",
            related=tuple(
                Label(facts.source.span_in(other_at, other.start, other.end), f"`{other.written}` is read here, too")
                for other, other_at in others[:_LABELS]
            ),
            help=advice if near is None else f"{meant(near)} {advice[0].upper()}{advice[1:]}",
        )
