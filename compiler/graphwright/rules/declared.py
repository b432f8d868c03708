"""GW701 and GW705: missing contracts, if all have to be known, and contracts that contradict the tool's code."""

from __future__ import annotations

import json
from collections.abc import Iterator

from graphwright.analysis.capability import called_id
from graphwright.analysis.jsontype import ARRAY, OBJECT, Type
from graphwright.analysis.type_text import a_value_of
from graphwright.contract.differences import Difference, differences
from graphwright.contract.lookup import near_tool
from graphwright.contract.manifest import CONSTANTS, Declaration, Manifest
from graphwright.diagnostic import Severity, Span
from graphwright.facts import Facts
from graphwright.ir.visit import Caller
from graphwright.rules.calls import misspelled_graph
from graphwright.rules.registry import Finding, rule
from graphwright.rules.wording import listed


@rule("GW701", Severity.ERROR, "tool without a contract")
def unknown_tool(facts: Facts) -> Iterator[Finding]:
    """With `contracts = "complete"` in the configuration, an action calls an unknown tool: it does not exist, or
    does not declare what it takes and returns. `dict`, `dict[str, Any]` and `{type: object}` declare nothing.

    Without that setting, such a tool is accepted, because the application can supply it (`tools=`, `dispatch=`); its
    params and results are not checked. Only an id that is nearly that of a built-in tool, such as `rye/bsh`, that
    surely misspells a tool or graph in the same folder of the project, or that has dots for slashes, is a warning.

    Fails: with `contracts = "complete"`, a graph that calls `tool:team/fetch`, which has no type hints and no manifest

    Passes: the same graph with a manifest in `contracts/team/fetch.yaml`
    """
    if facts.options.contracts != "complete":
        yield from _nearly_known(facts)
        return
    for caller in facts.callers:
        item_id = called_id(caller.action)
        if item_id is None or caller.action.item_id_at is None:
            continue
        declaration = facts.tools.declaration(item_id)
        if facts.contract(caller.action) is not None and not (declaration is not None and declaration.is_empty):
            continue
        if facts.nested(item_id) is None and misspelled_graph(facts, caller) is None:  # that is GW704
            yield _unknown(facts, caller, item_id, facts.source.span(caller.action.item_id_at))


def _nearly_known(facts: Facts) -> Iterator[Finding]:
    """The calls of ids that are misspelled ones of tools, except those that GW601 or GW704 reports."""
    declares = facts.graph is not None and facts.graph.permissions is not None
    uncovered = facts.capability.uncovered if declares else ()
    for caller in facts.callers:
        near, at = facts.tools.near(caller.action), caller.action.item_id_at
        if near is None or at is None or caller.action.capability in uncovered:
            continue
        if misspelled_graph(facts, caller) is None:
            yield Finding(
                facts.source.span(at),
                f"{caller.owner} calls tool `{called_id(caller.action)}`, which is neither built in nor in the project",
                note="no such tool",
                about=caller,
                suggestion=near,
                severity=Severity.WARNING,
            )


def _unknown(facts: Facts, caller: Caller, item_id: str, span: Span) -> Finding:
    project = facts.project
    file = None if project is None else project.tool_file(item_id)
    if file is None and facts.tools.declaration(item_id) is None:
        return Finding(
            span,
            f"{caller.owner} calls tool `{item_id}`, which is not declared, and `contracts` is set to `complete`",
            note="no such tool",
            about=caller,
            suggestion=None if project is None else near_tool(project, item_id),
            help=f"write `.ai/tools/{item_id}.py`, or declare it in `contracts/{item_id}.yaml`",
        )
    declare = f"declare it in `contracts/{item_id}.yaml`"
    return Finding(
        span,
        f"tool `{item_id}` does not declare what it takes and returns, and `contracts` is set to `complete`",
        note="no contract",
        about=caller,
        help=declare
        if file is None or file.suffix != ".py"
        else f"annotate `execute` in `{file.name}` with a TypedDict, or {declare}",
    )


@rule("GW705", Severity.WARNING, "contract that contradicts the tool's code")
def contradiction(facts: Facts) -> Iterator[Finding]:
    """The declaration of a tool, in a manifest or in `CONFIG_SCHEMA` and `OUTPUT_SCHEMA`, contradicts the type hints of
    its `execute`: a param or a field that only one of them has or requires, or types that differ. Or the file with the
    contract cannot be read. Or the Python file of a tool has no function `execute`, or one that a run cannot call as it
    is written: a run passes all params as one mapping, the first argument, and does not spread them.

    The declaration takes precedence, so a call that passes every check can still fail. What one of the two leaves open,
    such as the items of a list, is not a contradiction. The finding is at the first call of the tool.

    Fails: a manifest that requires `team`, next to `def execute(params: Params)` whose `Params` requires `group`

    Passes: the same manifest, with `team` in `Params`
    """
    for caller, item_id, declaration in _declared(facts):
        at = caller.action.item_id_at
        if at is None:
            continue
        span = facts.source.span(at)
        for broken in declaration.problems:
            verb = "implements" if broken is declaration.signature else "declares"
            yield Finding(
                span,
                f"`{broken.origin}`, which {verb} tool `{item_id}`, cannot be read: {broken.problem}",
                note="contract ignored",
                help=f"correct `{broken.origin}`",
            )
        code = declaration.signature
        if code is not None and code.uncallable is not None:
            yield Finding(
                span,
                f"tool `{item_id}`: {code.uncallable}",
                note="called as `execute(params, project_path)`",
                help=f"write `def execute(params, project_path)` in `{code.origin}`, with all params in `params`",
            )
        for found in differences(declaration):
            yield Finding(
                span,
                f"tool `{item_id}`: {_difference(found)}",
                note="contradiction",
                help=f"correct {_either(found.declaration, found.code)}",
                about=found,
            )


def _declared(facts: Facts) -> Iterator[tuple[Caller, str, Declaration]]:
    """The declaration of each tool that a graph calls, with its first call."""
    seen: set[str] = set()
    for caller in facts.callers:
        item_id = called_id(caller.action)
        if item_id is not None and item_id not in seen:
            seen.add(item_id)
            declaration = facts.tools.declaration(item_id)
            if declaration is not None:
                yield caller, item_id, declaration


def _difference(found: Difference) -> str:
    what = ("param" if found.side == "params" else "field") if found.path else found.side
    where = f"{what} `{'.'.join(found.path)}`" if found.path else f"the {what}"
    declared, code = f"`{found.declaration.origin}`", f"`{found.code.origin}`"
    if declared == code:
        declared, code = f"`{CONSTANTS[found.side]}`", "`execute`"
    if found.sort == "missing":
        knows, lacks = (code, declared) if found.declared is None else (declared, code)
        verb = "requires" if found.declared is None and found.side == "params" else "has"
        return f"{knows} {verb} {where}, which {lacks} does not have"
    if found.sort == "required":
        if found.side == "params":
            return f"{code} requires {where}, which is optional in {declared}"
        return f"{declared} promises {where}, which is optional in {code}"
    return f"{where} is {_shown(found.declared)} in {declared}, but {_shown(found.coded)} in {code}"


def _shown(kind: Type | None) -> str:
    if kind is None:
        return "missing"
    if kind.values is not None and not kind.kinds & (ARRAY.kinds | OBJECT.kinds):
        return " or ".join(json.dumps(value, ensure_ascii=False) for value in kind.values[:6])
    return a_value_of(kind)


def _either(*sources: Manifest) -> str:
    return listed(dict.fromkeys(each.origin for each in sources), "or")
