"""GW5xx: required environment variables, and those that commands read."""

from __future__ import annotations

import re
from collections.abc import Iterator

from graphwright import ir
from graphwright.analysis.environment import RequiredVariable
from graphwright.analysis.variables import read_in, undeclared
from graphwright.diagnostic import Label, Severity
from graphwright.expr.paths import written_path
from graphwright.facts import Facts
from graphwright.faults.names import InvalidVariable
from graphwright.ir.visit import Caller
from graphwright.options import Options
from graphwright.rules.registry import Finding, fault_rule, graph_rule, rule
from graphwright.rules.wording import listed, meant
from graphwright.suggest import nearest


@fault_rule(InvalidVariable, Severity.ERROR, "invalid variable name")
def malformed_name(_: Facts, fault: InvalidVariable) -> Iterator[Finding]:
    """The name of an environment variable consists of letters, digits and `_`, and does not begin with a digit.

    A shell cannot set a variable with another name, so a graph that requires one could never run.

    Fails:
        tool_type: graph
        permissions: [rye.execute.tool.tickets.list]
        env_requires: [TICKETS-TOKEN]
        config:
          start: fetch
          nodes:
            fetch: {action: {item_id: tool:tickets/list}}

    Passes:
        -env_requires: [TICKETS-TOKEN]
        +env_requires: [TICKETS_TOKEN]
    """
    yield Finding(
        fault.span,
        f"`{fault.name}` in {fault.owner.phrase} cannot be the name of an environment variable",
        note="malformed",
        help=_well_formed(fault),
    )


def _well_formed(fault: InvalidVariable) -> str:
    """The advice for a string that is not a valid name of a variable."""
    if fault.several:
        return f"write a list: `[{', '.join(fault.several)}]`"
    if "${" in fault.name:
        return "templates are not supported here: list every variable that may be needed, such as `API_TOKEN`"
    return (
        meant(fault.suggestion)
        or "a name consists of letters, digits and `_`, and does not begin with a digit: `API_TOKEN`"
    )


@graph_rule("GW502", Severity.NOTE, "variable required twice")
def required_twice(facts: Facts, _: ir.Graph) -> Iterator[Finding]:
    """A node requires a variable that the whole graph already requires. One of the two declarations is enough.

    Fails:
        tool_type: graph
        permissions: [rye.execute.tool.tickets.list]
        env_requires: [TICKETS_URL]
        config:
          start: fetch
          nodes:
            fetch: {action: {item_id: tool:tickets/list}, env_requires: [TICKETS_URL]}

    Passes:
        -env_requires: [TICKETS_URL]
    """
    for name, needs in facts.environment.declared.items():
        by_graph = next((need for need in needs if need.node is None), None)
        for need in needs:
            if by_graph is not None and need.node is not None and need.node.name in facts.flow.reachable:
                yield Finding(
                    facts.source.span(need.at),
                    f"`{name}` is required by {need.owner}, but the whole graph already requires it",
                    note="required twice",
                    about=need,
                    help="remove it here, or from the `env_requires` of the graph",
                    related=(Label(facts.source.span(by_graph.at), "required by the graph here"),),
                )


@rule("GW503", Severity.WARNING, "undeclared variable in a shell command")
def undeclared_variable(facts: Facts) -> Iterator[Finding]:
    """A `rye/bash` command reads an environment variable that neither the graph nor the node requires.

    Required variables are checked before the first node runs; an undeclared one may turn out to be empty in the
    middle of a run. Variables that every shell has and variables that the command sets itself are not reported.
    Neither are single-quoted strings, quoted heredocs, and anything after a `source` or `eval`, which may set any
    variable. (`${NAME}` is a template here; write a shell variable as `$NAME` or `$${NAME}`.)

    Fails:
        tool_type: graph
        permissions: [rye.execute.tool.rye.bash]
        config:
          start: fetch
          nodes:
            fetch:
              action: {item_id: tool:rye/bash, params: {command: 'curl "$TICKETS_URL"'}}

    Passes:
         permissions: [rye.execute.tool.rye.bash]
        +env_requires: [TICKETS_URL]
    """
    for found in undeclared(facts.graph, facts.callers, facts.source) if facts.graph is not None else ():
        name, owner = found.name, found.caller.owner
        near = facts.guesses.nearest(name, found.declared)
        path = _path_meant(found.scalar.value[found.start :]) or _name_meant(facts, found.caller, name)
        yield Finding(
            facts.source.span_in(found.scalar, found.start, found.end),
            f"the command of {owner} reads `${name}`, which is not declared",
            note="not declared",
            about=found,
            suggestion=None if path else near and f"${near}",
            help=path or f"{_declare(facts.flow.graph, found.caller, name)}, or give it a default: `$${{{name}:-…}}`",
        )


def _path_meant(text: str) -> str | None:
    """The template to write if a command reads `$state.x`, which the shell reads as a variable `state`, and `.x`."""
    found = re.match(r"\$((?:state|inputs|result)(?:\.[\w-]+)+)", text)
    return f"write `${{{found[1]} | quote}}`" if found else None


def _name_meant(facts: Facts, caller: Caller, name: str) -> str | None:
    """The template to write where a command reads `$team`, and `team` is a loop variable, an input or a state key."""
    variable = caller.node.variable if isinstance(caller.node, ir.ForeachNode) else None
    known = {"inputs": facts.flow.graph.inputs_at, "state": facts.assignment.all_keys}
    paths = [name] if name == variable else [written_path(root, name) for root, names in known.items() if name in names]
    return f"write `${{{paths[0]} | quote}}`" if paths else None


def _declare(graph: ir.Graph, caller: Caller, name: str) -> str:
    """The advice for declaring a variable: next to others of the node or the graph, otherwise as the first one."""
    if caller.node is not None and not caller.node.env and not graph.env:
        return f"add `env_requires: [{name}]` to {caller.owner}"
    if caller.node is not None and caller.node.env:
        return f"add `{name}` to `env_requires` of {caller.owner}"
    if graph.env:
        return f"add `{name}` to `env_requires` of the graph"
    return f"add `env_requires: [{name}]` at the top level"


@graph_rule("GW504", Severity.ERROR, "required variable not set (`check --env`)")
def not_set(facts: Facts, _: ir.Graph) -> Iterator[Finding]:
    """A required variable is missing from the environment. A variable that is set to an empty string counts as set.

    This is reported with `check --env`, which reads the current environment, or `check --env-file FILE`. The
    message names everything that needs the variable, including the graphs that this one calls.

    Fails: `graphwright check --env-file prod.env`, if `prod.env` lacks a variable listed in `env_requires`

    Passes:
        tool_type: graph
        permissions: [rye.execute.tool.tickets.list]
        env_requires: [TICKETS_URL]
        config:
          start: fetch
          nodes:
            fetch: {action: {item_id: tool:tickets/list}}
    """
    environment = facts.options.environment
    if environment is None:
        return
    for name, every in facts.environment.required.items():
        needs = tuple(need for need in every if not need.is_shared)  # the others are reported in the file of the hooks
        if name not in environment and needs:
            first = needs[0]
            yield Finding(
                facts.source.span(first.at),
                f"`{name}` is not set in {facts.options.environment_name}; it is needed by {_owners(needs)}",
                note="not set",
                about=first,
                help=_set(name, facts.options),
                related=tuple(
                    Label(facts.source.span(need.at), f"needed by {need.owner}")
                    for need in needs[1:4]
                    if need.at is not first.at
                ),
            )


def _set(name: str, options: Options) -> str:
    """The advice for setting a variable in the environment that was checked."""
    here = options.environment_name == Options().environment_name
    advice = f"write `export {name}=…`" if here else f"add a line `{name}=…` to {options.environment_name}"
    near = nearest(name, options.environment or ())
    return f"{advice}; `{near}`, which is set there, has a similar name" if near else advice


def _owners(needs: tuple[RequiredVariable, ...]) -> str:
    owners = list(dict.fromkeys(need.owner for need in needs))
    return owners[0] if len(owners) == 1 else f"{', '.join(owners[:-1])} and {owners[-1]}"


@graph_rule("GW505", Severity.WARNING, "variable required only by unreachable nodes")
def only_unreachable(facts: Facts, graph: ir.Graph) -> Iterator[Finding]:
    """A variable is required before any run starts, but the nodes that require it are never reached. Callers have to
    set a variable that the graph does not use.

    Fails:
        tool_type: graph
        permissions: [rye.execute.tool.tickets.*]
        env_requires: [ARCHIVE_KEY]
        config:
          start: fetch
          nodes:
            fetch: {action: {item_id: tool:tickets/list}}
            archive: {action: {item_id: tool:tickets/archive}, env_requires: [ARCHIVE_KEY]}

    Passes:
        -    fetch: {action: {item_id: tool:tickets/list}}
        +    fetch: {action: {item_id: tool:tickets/list}, next: archive}
    """
    if len(facts.flow.reachable) == len(graph.nodes) or graph.doubt.lacks_node:
        return
    read = read_in(facts.callers, facts.source, facts.flow.reachable)
    for name, needs in facts.environment.required.items():
        nodes = [need.node for need in needs if need.node is not None]
        if not nodes or name in read or any(node.name in facts.flow.reachable for node in nodes):
            continue
        if any(need.nested for need in needs):
            continue
        who = listed(dict.fromkeys(node.name for node in nodes))
        yield Finding(
            facts.source.span(needs[0].at),
            f"`{name}` is required, but only by {who}, which is never reached",
            note="never needed",
            help=f"remove it together with {who}, or lead to {who}",
        )
