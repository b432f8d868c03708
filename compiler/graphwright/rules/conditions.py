"""GW2xx, as far as conditions decide: loops that cannot end, constant conditions."""

from __future__ import annotations

import json
from collections.abc import Iterator

from graphwright import ir
from graphwright.analysis.conditions import Constant
from graphwright.analysis.exits import FixedExit
from graphwright.analysis.jsontype import STRING
from graphwright.analysis.type_text import a_value_of, limited
from graphwright.analysis.typing import Scope
from graphwright.diagnostic import Label, Severity, Span
from graphwright.expr.paths import written_path
from graphwright.facts import Facts
from graphwright.ir import visit
from graphwright.pattern import pattern
from graphwright.rules.registry import Finding, graph_rule
from graphwright.rules.wording import chain, listed, meant
from graphwright.suggest import nearest


@graph_rule("GW209", Severity.WARNING, "loop whose exit condition never changes")
def fixed_exit(facts: Facts, graph: ir.Graph) -> Iterator[Finding]:
    """The exit of a loop depends on a condition that reads only inputs and state keys that no node of the loop
    assigns. The condition holds the first time or never; if never, the run continues until `max_steps` is used up.

    Assign what the condition reads, or read what the loop assigns.

    Under `on_error: continue`, a node that fails assigns nothing. If only such nodes change what the condition reads,
    an error that persists keeps the loop going, which is reported as well. A gate that counts the rounds does not
    fail and is a reliable exit, and so is `max_visits`.

    Fails:
        tool_type: graph
        permissions: [rye.execute.tool.tickets.count]
        config:
          start: count
          state: {ready: false}
          nodes:
            count:
              action: {item_id: tool:tickets/count}
              assign: {total: "${result.total}"}
              next:
                - {to: done, when: {path: state.ready, value: true}}
                - {to: count}
            done: {type: return, output: "${state.total}"}

    Passes:
        -      assign: {total: "${result.total}"}
        +      assign: {total: "${result.total}", ready: "${result.ready}"}
    """
    for found in facts.fixed_exits:
        compare = next(visit.comparisons(found.condition))
        waits = f"the loop `{chain(found.loop)}` waits for {listed(found.paths)} to change"
        span = facts.source.span(compare.left_at)
        if found.skipped:
            yield _skipped(facts, graph, found, span, waits)
        else:
            message = f"{waits}, but does not assign it"
            yield Finding(span, message, note="never changes here", help=_change(facts, found), about=found)


def _skipped(facts: Facts, graph: ir.Graph, found: FixedExit, span: Span, waits: str) -> Finding:
    """A loop that a persistent failure keeps going."""
    names = listed(found.skipped, "or")
    keeps = f"skips its `assign`, and the loop goes on until {graph.settings.max_steps} steps are used up"
    return Finding(
        span,
        f"{waits}, but when {names} fails, `on_error: continue` {keeps}",
        note="stays the same after a failure",
        about=found,
        help=f"add `on_error` to {names}, or limit the loop with `max_visits`",
        related=tuple(
            Label(facts.source.span(facts.nodes[name].name_at), "its `assign` is skipped when it fails")
            for name in found.skipped[:3]
        ),
    )


def _change(facts: Facts, found: FixedExit) -> str:
    """What to do about an exit that never changes: inputs cannot be assigned."""
    inside = [facts.nodes[name] for name in dict.fromkeys(found.loop) if name in facts.nodes]
    assigned = listed(
        dict.fromkeys(written_path("state", entry.key) for node in inside for entry in node.assigns), "or"
    )
    other = f"let the condition read something that the loop assigns{f', such as {assigned}' if assigned else ''}"
    keys = [path for path in found.paths if path.startswith("state.") and not path.startswith("state.inputs")]
    return f"assign {listed(keys)} in the loop, or {other}" if keys else f"inputs never change during a run: {other}"


@graph_rule("GW213", Severity.WARNING, "condition that is always or never true")
def constant_condition(facts: Facts, graph: ir.Graph) -> Iterator[Finding]:
    """A condition, or a part of one, has the same result in every run.

    For example, `any: []` is never true and `all: []` always is, two comparisons exclude each other, or a value is
    not among those that the schema allows or is outside its bounds.

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
                - {to: done, when: {all: [{path: state.total, value: 1}, {path: state.total, value: 2}]}}
                - {to: done}
            done: {type: return}

    Passes:
        -        - {to: done, when: {all: [{path: state.total, value: 1}, {path: state.total, value: 2}]}}
        +        - {to: done, when: {any: [{path: state.total, value: 1}, {path: state.total, value: 2}]}}
    """
    explained = {id(compare) for found in facts.fixed_exits for compare in visit.comparisons(found.condition)}
    for node in facts.nodes.values():
        for edge in node.edges:
            if edge.when is None or any(id(compare) in explained for compare in visit.comparisons(edge.when)):
                continue
            for constant in facts.conditions.constants(edge.when, node):
                yield _constant_finding(facts, constant, f"node `{node.name}`", node, _needless(constant, node, edge))
    for number, hook in enumerate(graph.hooks, 1):
        for constant in facts.conditions.constants(hook.when, None) if hook.when is not None else ():
            owner = f"hook {number}" if hook.hook_id is None else f"hook `{hook.hook_id}`"
            yield _constant_finding(facts, constant, owner, None, "remove the condition")


def _needless(constant: Constant, node: ir.Node, edge: ir.Edge) -> str:
    """What to do about a condition that always holds; what stands behind its edge is never taken."""
    if constant.condition is not edge.when:
        return "remove this part of the condition"
    behind = len(node.edges) - 1 - next(place for place, each in enumerate(node.edges) if each is edge)
    if not behind:
        return "remove the condition"
    rest = "the edge" if behind == 1 else f"the {behind} edges"
    return f"change the condition, or remove it and {rest} below it, which can never be taken"


def _constant_finding(facts: Facts, constant: Constant, owner: str, node: ir.Node | None, needless: str) -> Finding:
    scope = Scope(None) if node is None else facts.types.leaving(node)
    always = "always" if constant.holds else "never"
    pair = facts.conditions.clash(constant.condition, node) if isinstance(constant.condition, ir.AllOf) else None
    return Finding(
        facts.source.first_key(constant.condition.at),
        f"{owner}: {_reason(facts, constant, scope)}",
        note=f"{always} true",
        about=constant,
        help=needless if constant.holds else _mend(facts, constant, scope),
        related=tuple(
            Label(facts.source.first_token(part.at), words)
            for part, words in zip(pair or (), ("this one", "excludes this one"), strict=False)
        ),
    )


def _mend(facts: Facts, constant: Constant, scope: Scope) -> str:
    match constant.condition:
        case ir.Compare(left=left, right=ir.Const(str() | bool() | int() | float() as value)):
            return _fitting(facts, left, value, scope)
        case ir.AllOf(parts) if parts:
            return "write `any` if one of the parts is sufficient, or change one of them"
        case ir.Compare(op="in", right=ir.Const([])):
            return "add values to the list, or remove what depends on it"
        case ir.AnyOf(()):
            return "add conditions to the list, or remove what depends on it"
        case _:
            return "change it, or remove what depends on it"


def _fitting(facts: Facts, left: ir.Read, value: ir.Json, scope: Scope) -> str:
    """What to compare a path with in place of a value that it never has."""
    kind = facts.types.of(left, scope)
    values = kind.values if kind.values is not None and facts.types.is_declared(left) else None
    if isinstance(value, str):
        suggestion = nearest(value, [other for other in values or () if isinstance(other, str)])
        if suggestion is not None:
            return meant(suggestion) or ""
        if kind.kinds & {"integer", "number", "boolean"} and _UNQUOTED.match(value):
            return f"write the value without quotes: `value: {value}`"
    elif kind.present.kinds == STRING.kinds and values is None:
        return f"write the value in quotes: `value: {json.dumps(json.dumps(value))}`"
    bounds = limited(facts.types.bounds(left))
    other = f"write {_one_of(values)}" if values else f"write {a_value_of(kind.present)}{bounds}"
    return f"{other}, or remove what depends on it"


#: Texts that would be numbers or switches without their quotes.
_UNQUOTED = pattern(r"(?:true|false|-?[0-9]+(?:\.[0-9]+)?)\Z")


def _one_of(values: tuple[object, ...]) -> str:
    shown = [f"`value: {json.dumps(value, ensure_ascii=False)}`" for value in values[:6]]
    return " or ".join((*([", ".join(shown[:-1])] if shown[1:] else []), shown[-1])) + (" …" if values[6:] else "")


def _reason(facts: Facts, constant: Constant, scope: Scope) -> str:
    always = "always" if constant.holds else "never"
    match constant.condition:
        case ir.AnyOf(()):
            return "`any` with an empty list is never true"
        case ir.AllOf(()):
            return "`all` with an empty list is always true"
        case ir.Compare(op="in", right=ir.Const([])):
            return "`in` with an empty list is never true"
        case ir.Compare(op=operator, left=left, right=ir.Const(value)):
            kind = facts.types.of(left, scope)
            allowed = kind.values if kind.values is not None and facts.types.is_declared(left) else None
            what = (
                f"one of {_values(allowed)}"
                if allowed is not None
                else a_value_of(kind) + limited(facts.types.bounds(left))
            )
            return f"`{left.written}` is {what}, so `{operator}` with {_values([value])} is {always} true"
        case _:
            how = "its parts cover every case" if constant.holds else "its parts exclude each other"
            return f"this condition is {always} true: {how}"


def _values(values: object) -> str:
    if not isinstance(values, tuple | list):
        return ""
    return ", ".join(json.dumps(value, ensure_ascii=False) for value in values)
