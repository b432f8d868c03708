"""GW702 and GW703: calls of tools, against what those tools take and return."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from typing import Final

import yaml

from graphwright import ir
from graphwright.analysis.tools import FAILURE, Contract
from graphwright.contract.builtin import DIRECTIVE_FIELDS
from graphwright.diagnostic import Severity
from graphwright.facts import Facts
from graphwright.ir.visit import Caller
from graphwright.rules.calls import given, known_calls, missing_at, places, result_reads
from graphwright.rules.registry import Finding, rule
from graphwright.rules.wording import listed, meant
from graphwright.suggest import nearest

#: What other tools call the params of the built-in ones.
_SAID_ELSEWHERE: Final[Mapping[str, tuple[str, ...]]] = {
    "command": ("cmd", "run", "script", "shell"),
    "working_dir": ("cwd", "dir", "workdir", "working_directory"),
    "timeout": ("timeout_s", "timeout_seconds"),
    "path": ("file", "file_path", "filename", "folder"),
    "content": ("body", "contents", "data", "text"),
    "append": ("mode",),
    "pattern": ("glob",),
    "run_id": ("graph_run_id", "id", "run", "thread_id"),
    "parent_id": ("parent", "parent_run_id", "parent_thread_id"),
    "graph_id": ("graph",),
}


@rule("GW702", Severity.ERROR, "wrong params for a known tool")
def wrong_params(facts: Facts) -> Iterator[Finding]:
    """A call lacks a parameter that the tool requires, or passes one whose name is one or two letters off or is the
    name that other tools use (`cmd`, `cwd`).

    Contracts are known for the tools that come with the runtime (`rye/bash`, `rye/file-system/*`,
    `rye/core/processes/*`), unless the project has its own tool with that id. A name that does not resemble any
    parameter is not reported, because the tool ignores it. GW412 reports parameters of the wrong type.

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
    for caller, item_id, contract in known_calls(facts):
        passed = given(caller.action)
        if passed is None:
            continue
        misspelled = _misspelled(facts, caller, contract, passed)
        for name, intended in misspelled.items():
            ran_into_its_value = name.startswith((f"{intended}:", f"{intended} "))
            yield Finding(
                facts.source.span(places(facts, caller.action)[name][0]),
                f"{caller.owner}: param `{intended}` of tool `{item_id}` is joined with its value"
                if ran_into_its_value
                else f"{caller.owner}: tool `{item_id}` has no param `{name}`",
                note="no such param",
                about=caller,
                suggestion=None if ran_into_its_value else intended,
                help=f"write `{intended}: `, with a colon and a space after it",
            )
        for name in _missing(contract, passed):
            if name not in misspelled.values():
                yield Finding(
                    facts.source.span(missing_at(facts, caller.action)),
                    f"{caller.owner} calls tool `{item_id}` without `{name}`, which it requires",
                    note="missing param",
                    help=f"add `{name}: …` to `params`",
                )


def _misspelled(facts: Facts, caller: Caller, contract: Contract, passed: Mapping[str, ir.Value]) -> Mapping[str, str]:
    """The params that the tool does not know, each with the one of its own that is missing and was likely meant."""
    own = contract.params.field_map
    missing = [name for name in own if name not in passed]
    written = places(facts, caller.action)
    found = {}
    for name in passed:
        if name not in own and name in written:
            glued = next((other for other in missing if name.startswith((f"{other}:", f"{other} "))), None)
            usual = next((other for other in missing if name in _SAID_ELSEWHERE.get(other, ())), None)
            found[name] = glued or usual or nearest(name, missing)
    return {name: intended for name, intended in found.items() if intended is not None}


def _missing(contract: Contract, passed: Mapping[str, ir.Value]) -> Iterator[str]:
    """The params that the tool requires and is not given; a null is not passed on."""
    for name, field in contract.params.fields:
        if field.required and passed.get(name, ir.Const(None)) == ir.Const(None):
            yield name


@rule("GW703", Severity.WARNING, "result field that the tool never returns")
def not_returned(facts: Facts) -> Iterator[Finding]:
    """A path reads a field of `result` that the tool of this node never returns, so it is null in every run.

    Contracts are known for the tools that come with the runtime; see GW702. Executing a directive only parses it
    and fills in its inputs. To get what the directive produces, call `tool:rye/agent/threads/thread_directive`,
    which runs it.

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
    for caller, item_id, contract in known_calls(facts):
        fields = list(contract.result.field_map)
        for read, at in _reads_beyond(facts, caller, fields):
            field = str(read.path[0])
            yield Finding(
                facts.source.span_in(at, read.start, read.end),
                f"`{read.written}`: tool `{item_id}` does not return `{field}`",
                note="always null",
                about=read,
                suggestion=nearest(field, fields),
                help=f"it returns {listed(fields)}",
            )
    for caller in facts.callers:
        if caller.action.primary == "execute" and caller.action.kind == "directive":
            yield from _not_run(facts, caller)


def _reads_beyond(facts: Facts, caller: Caller, fields: Collection[str]) -> Iterator[tuple[ir.Read, yaml.ScalarNode]]:
    """What the node of a call reads of a result that has only these fields, beyond them."""
    graph, node = facts.graph, caller.node
    if graph is None or node is None or caller.action.async_exec or node.name in graph.doubt.merged:
        return
    # What a suppressed failure leaves is no result of the tool, but can be asked for all the same.
    suppressed = graph.settings.on_error == "continue" and node.on_error is None
    for read, at in result_reads(caller):
        field = str(read.path[0])
        if field not in fields and not (suppressed and field in FAILURE.field_map):
            yield read, at


def _not_run(facts: Facts, caller: Caller) -> Iterator[Finding]:
    """What is read of the result of a directive as if it had been run; `outputs` lists what it declares."""
    fields = DIRECTIVE_FIELDS - {"outputs"}
    for read, at in _reads_beyond(facts, caller, fields):
        field = str(read.path[0])
        if field == "outputs" and (len(read.path) == 1 or str(read.path[1]).lstrip("-").isdigit()):
            continue  # the list, or one of its items
        what = f"has no `{field}`" if field != "outputs" else "lists the declared outputs without values"
        near = None if field == "outputs" else nearest(field, fields)
        advice = "to run it, call `tool:rye/agent/threads/thread_directive` with its id as `directive_name`"
        yield Finding(
            facts.source.span_in(at, read.start, read.end),
            f"`{read.written}`: executing a directive only parses it; the result {what}",
            note="always null",
            help=advice if near is None else f"{meant(near)} {advice[0].upper()}{advice[1:]}",
        )
