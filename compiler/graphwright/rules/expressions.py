"""GW4xx that are found by reading: syntax of templates, namespaces, pipes, `result`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from graphwright.diagnostic import Severity
from graphwright.expr.paths import written_path
from graphwright.facts import Facts
from graphwright.faults.expressions import InvalidExpression, InvalidPipe, SwallowedOperand, SyntaxProblem
from graphwright.faults.names import NoResult, UnknownName
from graphwright.language.events import EVENTS
from graphwright.language.pipes import PIPES
from graphwright.rules.registry import Finding, fault_rule
from graphwright.rules.wording import listed, meant


@fault_rule(InvalidExpression, Severity.ERROR, "expression syntax error")
def syntax(_: Facts, fault: InvalidExpression) -> Iterator[Finding]:
    """The expression between `${` and `}`, or the `path` of a condition, is not valid.

    Expressions consist of paths, numbers, quoted strings, lists, `+ - * / %`, the fallback `||` and pipes. There
    are no comparisons, functions or mappings. Each `${…}` with a syntax error is reported once.

    Fails:
        tool_type: graph
        permissions: []
        config:
          start: done
          nodes:
            done: {type: return, output: "${inputs.name && true}"}

    Passes:
        -    done: {type: return, output: "${inputs.name && true}"}
        +    done: {type: return, output: "${inputs.name || 'nobody' | upper}"}
    """
    yield _ready(fault)


@fault_rule(
    UnknownName, Severity.ERROR, "unknown name", lambda fault: (fault.owner, fault.name, fault.path == fault.name)
)
def namespace(_: Facts, fault: UnknownName) -> Iterator[Finding]:
    """A path begins with a name that is not defined at this location.

    Paths begin with `state`, `inputs`, `result`, the variable of a foreach or one of the runtime's names. In shell
    commands, write shell variables as `$NAME`, without braces: `${NAME}` is a template. Elsewhere, templates cannot
    read the environment: declare an input, or let the tool read the variable and list it in `env_requires`.

    Fails:
        tool_type: graph
        permissions: [rye.execute.tool.rye.bash]
        config:
          start: look
          nodes:
            look:
              action: {item_id: tool:rye/bash, params: {command: "ls ${HOME}"}}
              next: done
            done: {type: return}

    Passes:
        -      action: {item_id: tool:rye/bash, params: {command: "ls ${HOME}"}}
        +      action: {item_id: tool:rye/bash, params: {command: "ls $HOME"}}
    """
    name, path = fault.name, fault.path
    begins = "" if path == name else f" begins with `{name}`, which"
    message = f"`{path}` in {fault.owner.phrase}{begins} is not defined here"
    if name == "_run":
        message = f"`{path}` in {fault.owner.phrase}: `_run` only has `id`, `graph_id` and `step`"
    yield Finding(fault.span, message, note="unknown name", help=_readable(fault))


def _readable(fault: UnknownName) -> str:
    """The advice for a path with an unknown name."""
    name, node = fault.name, fault.returned_by
    advice = meant(fault.suggestion)
    if fault.shell:
        shell = f"write a shell variable as `${fault.shell}`, without braces"
        return f"{shell}; {advice}" if advice else shell
    if advice:
        return advice
    if fault.path in PIPES:
        return f"to use the pipe `{name}`, write it after a single bar: `… | {name}`"
    if name == "_run":
        return "write `_run.id`, `_run.graph_id` or `_run.step`"
    if node is not None:
        field = fault.path.rpartition(".")[2]
        return (
            f'results are not kept: write `assign: {{{field}: "${{result.{field}}}"}}` in node `{node}`, '
            f"and `state.{field}` here"
        )
    if fault.environment is not None:
        return _instead_of_environment(fault, fault.environment)
    begins = f"a path begins with {listed(fault.namespaces, 'or')}"
    if only := _events_with(fault):
        return f"only hooks on {listed(only)} have `{name}`; here, {begins}"
    if "result" not in fault.namespaces or name in fault.namespaces:
        return begins
    rest = fault.path.removeprefix(name) or f".{name}"
    return f"did you mean `result{rest}`? Otherwise, {begins}"


def _events_with(fault: UnknownName) -> list[str]:
    """In a hook, the other events that show the name."""
    if not any(set(event.shows) <= set(fault.namespaces) for event in EVENTS.values()):
        return []
    return [event.name for event in EVENTS.values() if fault.name in event.shows]


def _instead_of_environment(fault: UnknownName, variable: str) -> str:
    """The advice for an environment variable in a template that no shell evaluates."""
    why = f"only shell commands read the environment, as `${variable}`; declare an input"
    advice = f"{why} and read `${{inputs.{variable.lower()}}}`"
    if not fault.in_action:
        return advice
    return f"{advice}, or let the tool read `{variable}` itself and add `env_requires: [{variable}]`"


@fault_rule(InvalidPipe, Severity.ERROR, "unknown pipe or wrong number of arguments")
def pipe(_: Facts, fault: InvalidPipe) -> Iterator[Finding]:
    """A pipe that does not exist, or that has too many or too few arguments. Only `default` takes an argument: the
    value to use instead of null.

    Fails:
        tool_type: graph
        permissions: []
        config:
          start: done
          nodes:
            done: {type: return, output: "${inputs.name | uper}"}

    Passes:
        -    done: {type: return, output: "${inputs.name | uper}"}
        +    done: {type: return, output: "${inputs.name | default('nobody') | upper}"}
    """
    yield _ready(fault)


#: Why there is no result in a location.
_NO_RESULT: Final = {
    "action": "`result` is what the action returns, and does not exist before it",
    "gate": "a gate has no action, and so no `result`",
    "over": "`over` is evaluated before the action, so there is no `result`",
    "foreach next": "`next` of a foreach has no `result`, because there is one for each item",
    "output": "a return node has no action, and so no `result`",
}


@fault_rule(NoResult, Severity.ERROR, "`result` where it is not available")
def no_result(_: Facts, fault: NoResult) -> Iterator[Finding]:
    """`result` is what a node's own action returned. It is only available in the `assign` and `next` of that node.

    It is not available in the action itself, in a gate, in a return node, or in a later node. Assign the values
    that you need later to the state.

    Fails:
        tool_type: graph
        permissions: [rye.execute.tool.tickets.count]
        config:
          start: count
          nodes:
            count:
              action: {item_id: tool:tickets/count}
              next: check
            check:
              type: gate
              next:
                - {to: done, when: {path: result.total, op: gt, value: 0}}
                - {to: count}
            done: {type: return}

    Passes:
        -      next: check
        -    check:
        -      type: gate
    """
    why = _NO_RESULT.get(fault.place, "there is no `result` here")
    message = f"`{fault.path}` in {fault.owner.phrase}: {why}"
    yield Finding(fault.span, message, note="no result here", help=_keep_it(fault))


def _keep_it(fault: NoResult) -> str:
    """The advice for using a result in another location."""
    field = fault.field or "answer"
    if fault.place == "foreach next":
        if fault.collect is not None:
            return f"read the list of all results, `{written_path('state', fault.collect)}`"
        return "add `collect: results` to the node, and read the list of all results as `state.results`"
    assign = f'assign it in the node before, `assign: {{{field}: "${{{fault.path}}}"}}`'
    return meant(fault.suggestion) or f"{assign}, and read `state.{field}` here"


def _ready(fault: SyntaxProblem) -> Finding:
    """The finding for a fault of the expression parser, which includes the message."""
    return Finding(fault.span, f"{fault.owner.phrase}: {fault.message}", help=fault.help)


@fault_rule(SwallowedOperand, Severity.WARNING, "fallback that includes an operation")
def swallowed(_: Facts, fault: SwallowedOperand) -> Iterator[Finding]:
    """`||` binds looser than arithmetic: `state.rounds || 0 + 1` is `state.rounds || (0 + 1)`, which does not add 1
    once there is a value. To add to whichever value there is, put the fallback in parentheses.

    Fails:
        tool_type: graph
        permissions: []
        config:
          start: count
          nodes:
            count: {type: gate, assign: {rounds: "${state.rounds || 0 + 1}"}, next: done}
            done: {type: return, output: "${state.rounds}"}

    Passes:
        -    count: {type: gate, assign: {rounds: "${state.rounds || 0 + 1}"}, next: done}
        +    count: {type: gate, assign: {rounds: "${(state.rounds || 0) + 1}"}, next: done}
    """
    yield Finding(
        fault.span,
        f"`{fault.written}` in {fault.owner.phrase} is the fallback as a whole, because `||` binds looser",
        note="only without a value",
        help=f"write `${{{fault.meant}}}`",
    )
