"""GW4xx, as far as reading alone decides: syntax of templates, namespaces, pipes, operators, places for templates."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from graphwright.diagnostic import Edit, Fix, Severity
from graphwright.facts import Facts
from graphwright.fault import Fault
from graphwright.pattern import pattern
from graphwright.rules.registry import Finding, rule
from graphwright.rules.wording import listed, meant

_PLAIN_PATH = pattern(r"[^\W\d][\w.-]*")


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


@rule("GW405", Severity.ERROR, "unknown operator")
def operator(facts: Facts) -> Iterator[Finding]:
    """The `op` of a condition is none of the language's operators, so nobody can say when the edge is taken.

    Operators are words (`gt`, `lte`), not signs. Without `op`, a condition asks for equality.

    Fails:
        tool_type: graph
        permissions: []
        config:
          start: check
          state: {total: 0}
          nodes:
            check:
              type: gate
              next:
                - {to: done, when: {path: state.total, op: equals, value: 0}}
                - {to: done}
            done: {type: return}

    Passes:
        tool_type: graph
        permissions: []
        config:
          start: check
          state: {total: 0}
          nodes:
            check:
              type: gate
              next:
                - {to: done, when: {path: state.total, op: eq, value: 0}}
                - {to: done}
            done: {type: return}
    """
    for fault in facts.faults("GW405"):
        legal = fault.facts["legal"]
        operators = f"legal here: {', '.join(f'`{name}`' for name in legal)}" if isinstance(legal, tuple) else None
        mend = meant(fault.facts["suggestion"])
        yield Finding(
            fault.span,
            f"`{fault.facts['operator']}` in {fault.facts['owner']} is no operator",
            note="unknown operator",
            help=f"{mend} {operators}" if mend and operators else mend or operators,
        )


@rule("GW406", Severity.ERROR, "operator and value do not fit")
def operator_value(facts: Facts) -> Iterator[Finding]:
    """The literal `value` of a condition is one that its operator can do nothing with.

    `in` needs a list, `regex` a pattern that compiles, an ordering a number or a text; `exists` takes no value, its
    opposite is `not: {path: …, op: exists}`.

    Fails:
        tool_type: graph
        permissions: []
        config:
          start: check
          state: {status: open}
          nodes:
            check:
              type: gate
              next:
                - {to: done, when: {path: state.status, op: in, value: open}}
                - {to: done}
            done: {type: return}

    Passes:
        tool_type: graph
        permissions: []
        config:
          start: check
          state: {status: open}
          nodes:
            check:
              type: gate
              next:
                - {to: done, when: {path: state.status, op: in, value: [open, held]}}
                - {to: done}
            done: {type: return}
    """
    for fault in facts.faults("GW406"):
        message, mend = _value_problem(fault)
        yield Finding(fault.span, f"{fault.facts['owner']}: {message}", help=mend)


def _value_problem(fault: Fault) -> tuple[str, str]:
    """What is wrong with the value, and what to write."""
    name, value = fault.facts["operator"], fault.facts["value"]
    match fault.facts["problem"]:
        case "list":
            return f"`{name}` looks for its left side in a list, and `{value}` is no list", f"write `value: [{value}]`"
        case "pattern":
            return f"the pattern {value} of `{name}` does not compile: {fault.facts['detail']}", "mend the pattern"
        case "false":
            return "`exists` takes no value, so `false` does not turn it round", (
                "write `not: {path: …, op: exists}` around the comparison"
            )
        case "truth":
            return f"`exists` takes no value, not `{value}`", "leave `value` out, or compare with `op: eq`"
        case "order":
            return f"`{name}` compares two numbers or two texts, and `{value}` is neither", (
                "compare with a number or a text, or use `eq`, `in` or `exists`"
            )
        case _:
            return f"`{name}` needs a `value` to compare with", "write `value: …`"


@rule("GW411", Severity.ERROR, "template in a place that is not interpolated")
def not_interpolated(facts: Facts) -> Iterator[Finding]:
    """A `${…}` in a place that is read as it stands.

    Templates are resolved in item ids, `params`, `over`, `assign`, `output` and the `value` of a condition. What
    decides the shape of the graph (kinds, names, edge targets) is fixed, and so are the literals of `config.state`.
    To route by a value, write an edge with a condition for each target.

    Fails:
        tool_type: graph
        permissions: []
        config:
          start: pick
          state: {way: done}
          nodes:
            pick: {type: gate, next: "${state.way}"}
            done: {type: return}

    Passes:
        tool_type: graph
        permissions: []
        config:
          start: pick
          state: {way: done}
          nodes:
            pick:
              type: gate
              next:
                - {to: done, when: {path: state.way, value: done}}
                - {to: done}
            done: {type: return}
    """
    for fault in facts.faults("GW411"):
        place, text = str(fault.facts["place"]), str(fault.facts["text"])
        key = fault.facts.get("key")
        where = f"`{key}`" if place == "config.state" and key else f"`{place}`"
        bare = text.strip().removeprefix("${").removesuffix("}").strip()
        fix = None
        if place == "path" and _PLAIN_PATH.fullmatch(bare):
            fix = Fix((Edit(fault.span, bare),))
        yield Finding(
            fault.span,
            f"{where} in {fault.facts['owner']} takes no template: `{_short(text)}` would be read as it stands",
            note="not interpolated",
            help=_instead(place, bare),
            fix=fix,
        )


def _instead(place: str, bare: str) -> str:
    """What to write in a place without templates."""
    if place == "path":
        return f"a path stands alone: `path: {bare}`"
    if place in ("next", "to", "on_error", "start"):
        return "name a node; to route by a value write one edge for each target, with `when: {path: …, value: …}`"
    if place == "config.state":
        return "`config.state` holds plain values; `assign` the template in the first node"
    if place in ("primary", "item_type", "kind"):
        return "write it out; only `item_id` and `params` are templates in an action"
    return "write a fixed value"


@rule("GW415", Severity.WARNING, "`{input:name}` is plain text in a graph")
def directive_input(facts: Facts) -> Iterator[Finding]:
    """`{input:name}` is the syntax of directives. A graph leaves it as it stands, though an input of that name is
    declared here.

    The fix writes `${inputs.name}`.

    Fails:
        tool_type: graph
        permissions: []
        config_schema: {type: object, properties: {name: {type: string}}, required: [name]}
        config:
          start: done
          nodes:
            done: {type: return, output: "hello {input:name}"}

    Passes:
        tool_type: graph
        permissions: []
        config_schema: {type: object, properties: {name: {type: string}}, required: [name]}
        config:
          start: done
          nodes:
            done: {type: return, output: "hello ${inputs.name}"}
    """
    for fault in facts.faults("GW415"):
        replacement = str(fault.facts["fix_text"])
        yield Finding(
            fault.span,
            f"`{fault.facts['text']}` in {fault.facts['owner']} stays as it is: that is the syntax of directives",
            note="plain text here",
            help=f"write `{replacement}`",
            fix=Fix((Edit(fault.span, replacement),)),
        )


@rule("GW416", Severity.NOTE, "a literal null in `params` is dropped")
def literal_null(facts: Facts) -> Iterator[Finding]:
    """A key of `params` whose value is null is removed before the action runs, so that the tool's own default
    applies. Writing it says nothing.

    Fails:
        tool_type: graph
        permissions: [rye.execute.tool.tickets.list]
        config:
          start: fetch
          nodes:
            fetch:
              action: {item_id: tool:tickets/list, params: {limit: null}}
              next: done
            done: {type: return}

    Passes:
        tool_type: graph
        permissions: [rye.execute.tool.tickets.list]
        config:
          start: fetch
          nodes:
            fetch:
              action: {item_id: tool:tickets/list, params: {limit: 10}}
              next: done
            done: {type: return}
    """
    for fault in facts.faults("GW416"):
        yield Finding(
            fault.span,
            f"`{fault.facts['key']}` in the params of {fault.facts['owner']} is null and will be dropped",
            note="never reaches the tool",
            help="leave the key out, or give it a value",
        )


def _ready(fault: Fault) -> Finding:
    """A fault of the expression parser, which comes with its own words."""
    mend = fault.facts["help"]
    return Finding(
        fault.span, f"{fault.facts['owner']}: {fault.facts['message']}", help=None if mend is None else str(mend)
    )


def _short(text: str) -> str:
    return text if len(text) <= 60 else f"{text[:57]}…"
