"""GW305, GW306 and GW310: names with another meaning, and `assign` without an order."""

from __future__ import annotations

from collections.abc import Iterator

from graphwright import ir
from graphwright.diagnostic import Label, Severity
from graphwright.expr.paths import written_path
from graphwright.facts import Facts
from graphwright.fault import GRAPH
from graphwright.faults.names import HidesKey, LoopVariable, OutsideLoop, ParallelAssign, ReservedKey
from graphwright.rules.registry import Finding, fault_rule
from graphwright.rules.wording import listed


def _cause(fault: LoopVariable) -> object:
    return (fault.owner, fault.variable) if isinstance(fault, OutsideLoop) else fault


@fault_rule(
    LoopVariable, Severity.WARNING, "loop variable outside its node, or with the name of something else", _cause
)
def loop_variable(_: Facts, fault: LoopVariable) -> Iterator[Finding]:
    """The variable of a foreach exists only inside that node. Reading it elsewhere is an error.

    A variable with the name of a namespace (`state`, `inputs`, `result`) is also an error. A variable with the name
    of a state key is confusing and gives a warning.

    Fails:
        tool_type: graph
        permissions: [rye.execute.tool.tickets.*]
        config:
          start: fetch
          state: {teams: [red, blue]}
          nodes:
            fetch:
              type: foreach
              over: "${state.teams}"
              as: team
              action: {item_id: tool:tickets/list, params: {team: "${team}"}}
              collect: tickets
              next: done
            done: {type: return, output: {last: "${team}", tickets: "${state.tickets}"}}

    Passes:
        -    done: {type: return, output: {last: "${team}", tickets: "${state.tickets}"}}
        +    done: {type: return, output: {last: "${state.tickets | last}", tickets: "${state.tickets}"}}
    """
    variable, owner = fault.variable, fault.owner.phrase
    if isinstance(fault, OutsideLoop):
        message, advice = _outside(fault)
        yield Finding(fault.span, message, note="no such variable here", help=advice, severity=Severity.ERROR)
    elif isinstance(fault, HidesKey):
        yield Finding(
            fault.span,
            f"the loop variable `{variable}` of {owner} has the same name as a state key",
            note="ambiguous name",
            help=f"rename it, for example `as: {variable}_item`; in the loop, `{variable}` is the item and "
            f"`state.{variable}` is the key",
            related=(Label(fault.first, f"`state.{variable}` is assigned here"),),
        )
    else:
        yield Finding(
            fault.span,
            f"the loop variable of {owner} is named `{variable}`, which already has another meaning",
            note="already in use",
            help="rename it, for example `as: item`, and use the new name in the node",
            severity=Severity.ERROR,
        )


def _outside(fault: OutsideLoop) -> tuple[str, str]:
    """The message about a loop variable outside of its loop, and the advice."""
    variable, path, owner, node = fault.variable, fault.path, fault.owner.phrase, fault.owner.node
    collected = fault.suggestion
    read = f"read the list that `collect` stores, `{collected}`"
    if node in fault.loops:
        when = "comes before the loop" if fault.place == "over" else "comes after the loop"
        what = "`over`" if fault.place == "over" else "`next`"
        message = f"`{path}` is used in {what} of {owner}, which {when}: `{variable}` only exists inside it"
        if fault.place == "over":
            return message, "write the list to iterate over, such as `${state.rows}`"
        return message, read if collected else f"add `collect: results` to `{node}`, and read the list `state.results`"
    names = listed(fault.loops, "or")
    message = f"`{path}` is used in {owner}, but `{variable}` only exists inside foreach {names}"
    if fault.instead is not None:
        return message, f"the variable of this loop is `{fault.here}`: write `{fault.instead}`"
    return message, read if collected else f"add `collect: results` to {names}, and read the list `state.results`"


@fault_rule(ReservedKey, Severity.WARNING, "assignment to a reserved key")
def reserved_key(facts: Facts, fault: ReservedKey) -> Iterator[Finding]:
    """A key that is reserved for the runtime is assigned.

    Assigning `inputs` is an error, because `state.inputs` is always what the caller passed. `_last_error`,
    `_retries` and all other names with a leading `_` belong to the runtime, which may overwrite them at any time.

    Fails:
        tool_type: graph
        permissions: [rye.execute.tool.tickets.count]
        config:
          start: count
          nodes:
            count:
              action: {item_id: tool:tickets/count}
              assign: {_total: "${result.total}"}
              next: done
            done: {type: return, output: {total: "${state._total}"}}

    Passes:
        -      assign: {_total: "${result.total}"}
        +      assign: {total: "${result.total}"}

        -    done: {type: return, output: {total: "${state._total}"}}
        +    done: {type: return, output: {total: "${state.total}"}}
    """
    key = fault.key
    is_inputs = key == "inputs"
    other = "values" if is_inputs else key.lstrip("_") or "value"
    while other in facts.assignment.all_keys:
        other += "_2"
    owner = "`config.state`" if fault.owner == GRAPH else fault.owner.phrase
    yield Finding(
        fault.span,
        f"{owner} assigns `{key}`, "
        + ("which is always what the caller passed" if is_inputs else "a name that is reserved for the runtime"),
        note="reserved",
        help=f"use another name, such as `{other}`",
        severity=Severity.ERROR if is_inputs else None,
    )


@fault_rule(ParallelAssign, Severity.ERROR, "`assign` in a parallel foreach")
def assign_in_parallel(facts: Facts, fault: ParallelAssign) -> Iterator[Finding]:
    """The items of a parallel foreach run at the same time, so their assignments would have no defined order.

    Use `collect` and read the list afterwards, or remove `parallel`.

    Fails:
        tool_type: graph
        permissions: [rye.execute.tool.tickets.list]
        config:
          start: fetch
          state: {teams: [red, blue]}
          nodes:
            fetch:
              type: foreach
              over: "${state.teams}"
              as: team
              parallel: true
              action: {item_id: tool:tickets/list, params: {team: "${team}"}}
              assign: {last: "${result.tickets}"}
              next: done
            done: {type: return, output: {last: "${state.last}"}}

    Passes:
        -      assign: {last: "${result.tickets}"}
        +      collect: results

        -    done: {type: return, output: {last: "${state.last}"}}
        +    done: {type: return, output: {last: "${state.results | last}"}}
    """
    yield Finding(
        fault.span,
        f"{fault.owner.phrase} is a parallel foreach, which cannot `assign`: its items run in no order",
        note="not in a parallel foreach",
        help=f"{_collect(facts, fault.owner.node)}, or remove `parallel: true`",
    )


def _collect(facts: Facts, name: str | None) -> str:
    """The advice for assigning in a parallel loop."""
    node = facts.nodes.get(name or "")
    if isinstance(node, ir.ForeachNode) and node.collect is not None:
        return f"remove it, and read the list of all results as `{written_path('state', node.collect)}`"
    return "write `collect: results` instead, and read the list of all results as `state.results`"
