"""GW4xx, as far as reading alone decides: syntax of templates, namespaces, pipes, `result`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from graphwright.diagnostic import Severity
from graphwright.facts import Facts
from graphwright.fault import Fault
from graphwright.rules.registry import Finding, rule
from graphwright.rules.wording import listed, meant


@rule("GW401", Severity.ERROR, "expression syntax")
def syntax(facts: Facts) -> Iterator[Finding]:
    """The text between `${` and `}`, or the `path` of a condition, does not parse.

    Expressions have paths, numbers, texts in quotes, lists, `+ - * / %`, the fallback `||` and pipes. They have no
    comparisons, no functions and no mappings. Each `${…}` that does not parse is reported once.

    Fails:
        tool_type: graph
        permissions: []
        config:
          start: done
          nodes:
            done: {type: return, output: "${inputs.name && true}"}

    Passes:
        tool_type: graph
        permissions: []
        config:
          start: done
          nodes:
            done: {type: return, output: "${inputs.name || 'nobody' | upper}"}
    """
    for fault in facts.faults("GW401"):
        yield _ready(fault)


@rule("GW402", Severity.ERROR, "unknown namespace")
def namespace(facts: Facts) -> Iterator[Finding]:
    """A path begins with a name that means nothing where it stands.

    Values live below `state`, `inputs`, `result`, the variable of a foreach and a few names of the runtime. A shell
    variable is written `$NAME`, without braces: `${NAME}` would be a template.

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
        tool_type: graph
        permissions: [rye.execute.tool.rye.bash]
        config:
          start: look
          nodes:
            look:
              action: {item_id: tool:rye/bash, params: {command: "ls $HOME"}}
              next: done
            done: {type: return}
    """
    for fault in facts.faults("GW402"):
        name, path = fault.facts["name"], fault.facts["path"]
        namespaces = fault.facts["namespaces"]
        legal = f"legal here: {listed(namespaces, 'or')}" if isinstance(namespaces, tuple) else None
        mend = meant(fault.facts["suggestion"])
        if fault.facts["shell"]:
            shell = f"a shell variable is written `${name}` here, without braces"
            mend = f"{shell}; {mend}" if mend else shell
        begins = "" if path == name else f" begins with `{name}`, which"
        yield Finding(
            fault.span,
            f"`{path}` in {fault.facts['owner']}{begins} is no namespace",
            note="unknown namespace",
            help=mend or legal,
        )


@rule("GW403", Severity.ERROR, "unknown pipe or wrong number of arguments")
def pipe(facts: Facts) -> Iterator[Finding]:
    """A pipe that does not exist, or that has too few or too many arguments.

    Only `default` takes an argument, the value to use in place of null.

    Fails:
        tool_type: graph
        permissions: []
        config:
          start: done
          nodes:
            done: {type: return, output: "${inputs.name | uper}"}

    Passes:
        tool_type: graph
        permissions: []
        config:
          start: done
          nodes:
            done: {type: return, output: "${inputs.name | default('nobody') | upper}"}
    """
    for fault in facts.faults("GW403"):
        yield _ready(fault)


_NO_RESULT: Final = {
    "action": ("the action itself cannot read `result`", "`result` is what this action returns; read `state` here"),
    "gate": (
        "a gate has no `result`",
        "a gate runs no action: assign what you need in the node before, and read `state` here",
    ),
    "over": ("`over` cannot read `result`", "the list comes from `state` or `inputs`; assign it in the node before"),
    "foreach next": (
        "`next` of a foreach cannot read `result`",
        "there was one result an item; read the list that `collect` keeps, as `state.<key>`",
    ),
    "parallel foreach": ("a parallel foreach has no `result`", "read the list that `collect` keeps in a later node"),
    "output": ("a return node has no `result`", "assign it in the node before, and read `state` here"),
}


@rule("GW404", Severity.ERROR, "`result` where there is none")
def no_result(facts: Facts) -> Iterator[Finding]:
    """`result` is what a node's own action returned. It exists in that node's `assign` and `next` and nowhere else.

    It is not there in the action itself, in a gate, in a return node, nor in a later node: assign what is needed
    to the state.

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
        tool_type: graph
        permissions: [rye.execute.tool.tickets.count]
        config:
          start: count
          nodes:
            count:
              action: {item_id: tool:tickets/count}
              next:
                - {to: done, when: {path: result.total, op: gt, value: 0}}
                - {to: count}
            done: {type: return}
    """
    for fault in facts.faults("GW404"):
        why, mend = _NO_RESULT.get(
            str(fault.facts["place"]),
            ("there is no `result` here", "`result` exists in `assign` and `next` of an action"),
        )
        path, owner = fault.facts["path"], fault.facts["owner"]
        yield Finding(fault.span, f"`{path}` in {owner}: {why}", note="no result here", help=mend)


def _ready(fault: Fault) -> Finding:
    """A fault of the expression parser, which comes with its own words."""
    mend = fault.facts["help"]
    return Finding(
        fault.span, f"{fault.facts['owner']}: {fault.facts['message']}", help=None if mend is None else str(mend)
    )
