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
from graphwright.rules.misnamed import Misnamed
from graphwright.rules.params import other_form, wrong_keys
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
    that id (a `thread_directive` that takes a context and declares nothing runs threads as usual), and for tools of the
    project that declare what they take: in the type hints of `execute`, or in a manifest.
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
        yield from _wrong_names(facts, caller, callee, contract, passed)
    yield from wrong_keys(facts)
    if calls_directives(facts):
        from graphwright.rules.directives import wrong_inputs
        from graphwright.rules.threads import misplaced

        yield from misplaced(facts)
        yield from wrong_inputs(facts)


def _wrong_names(
    facts: Facts, caller: Caller, callee: str, contract: Contract, passed: Mapping[str, ir.Value]
) -> Iterator[Finding]:
    """The params that are unknown or missing; a misspelled one that the tool requires is one problem."""
    written, own = places(facts, caller.action), contract.params.field_map
    missing = list(_missing(contract, passed))
    likely = missing if contract.takes_more else own  # other params have names of their own
    absent = [name for name in likely if name not in passed]
    unknown = [name for name in passed if name in written and name not in own]
    glued = {name: right for right in absent for name in unknown if name.startswith((f"{right}:", f"{right} "))}
    for name, param in glued.items():
        yield Finding(
            facts.source.span(written[name][0]),
            f"{caller.owner}: param `{param}` of {callee} is joined with its value",
            note="no such param",
            about=caller,
            help=f"write `{param}: `, with a colon and a space after it",
        )
    unknown = [name for name in unknown if name not in glued]
    missing = [name for name in missing if name not in glued.values()]
    names = Misnamed(facts.guesses, unknown, absent, missing if contract.params.closed else ())
    for name in unknown:
        right = names.meant.get(name)
        if right is None and (not contract.params.closed or passed[name] == ir.Const(None)):
            continue
        only = "" if right is not None else ", and takes no others than it declares"
        adapted = None if right is None else other_form(facts, caller, name, right, contract)
        yield Finding(
            facts.source.span(written[name][0]),
            f"{caller.owner}: {callee} has no param `{name}`{names.but(name)}{only}",
            note="no such param",
            about=caller,
            suggestion=None if adapted is not None else right or nearest(name, own),
            help=adapted or f"remove it; the params are {listed(own) or 'none'}",
        )
    for name in missing:
        if name not in names.meant.values():
            yield Finding(
                facts.source.span(missing_at(facts, caller.action)),
                f"{caller.owner} calls {callee} without `{name}`, which it requires",
                note="missing param",
                help=f"add `{name}: …` to `params`",
            )


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
