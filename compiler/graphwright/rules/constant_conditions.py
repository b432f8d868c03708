"""GW2xx about conditions: loops that cannot end, constant conditions."""

from __future__ import annotations

import json
from collections.abc import Iterator

import yaml

from graphwright import ir
from graphwright.analysis.constant_conditions import Constant
from graphwright.analysis.exits import FixedExit
from graphwright.analysis.jsontype import STRING, kind_of
from graphwright.analysis.known_values import ExcludedItem
from graphwright.analysis.reads import state_key
from graphwright.analysis.type_text import a_value_of, limited
from graphwright.analysis.typing import ProgramPoint
from graphwright.diagnostic import Label, Severity, Span
from graphwright.expr.paths import written_path
from graphwright.facts import Facts
from graphwright.ir import visit
from graphwright.language.words import NULL_WORDS
from graphwright.pattern import pattern
from graphwright.rules.reading import assigned_here
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
        if found.skipped and facts.conditions.constants(found.condition, facts.nodes[found.node]):
            continue  # GW213: the loop does not wait for anything
        compare = next(visit.comparisons(found.condition))
        waits = f"the loop `{chain(found.loop)}` waits for {listed(found.paths)} to change"
        span = facts.source.span(compare.left_at)
        if found.skipped:
            yield _skipped(facts, graph, found, span, waits)
        else:
            message = f"{waits}, but does not assign it"
            yield Finding(span, message, note="never changes here", help=_change(facts, found), about=found)


def _skipped(facts: Facts, graph: ir.Graph, found: FixedExit, span: Span, waits: str) -> Finding:
    """The finding for a loop that a persistent failure prevents from ending."""
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
    """The advice for an exit that never changes; inputs cannot be assigned."""
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
    not among those that the schema allows or is outside its bounds. A key of the state that is only ever set to
    constants has only those values, and what hooks are shown, such as `status` or `classification.category`, has only
    the values of the language.

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
    explained = {
        id(compare)
        for found in facts.fixed_exits
        if not found.skipped
        for compare in visit.comparisons(found.condition)
    }
    for node in facts.nodes.values():
        for edge in node.edges if node.name in facts.reachable else ():
            if edge.when is None or any(id(compare) in explained for compare in visit.comparisons(edge.when)):
                continue
            point = facts.types.leaving(node)
            for constant in facts.conditions.constants(edge.when, point):
                if _is_set_under_another_name(facts, constant.condition):
                    continue
                yield _constant_finding(facts, constant, f"node `{node.name}`", point, _needless(constant, node, edge))
            for item in facts.conditions.excluded_items(edge.when, point):
                yield _excluded(facts, item, f"node `{node.name}`", point)
    for hook in graph.hooks:
        point = ProgramPoint(None, event=hook.event)
        if hook.when is None:
            continue
        for constant in facts.conditions.constants(hook.when, point):
            yield _constant_finding(facts, constant, hook.owner, point, "remove the condition")
        for item in facts.conditions.excluded_items(hook.when, point):
            yield _excluded(facts, item, hook.owner, point)


def _excluded(facts: Facts, item: ExcludedItem, owner: str, point: ProgramPoint) -> Finding:
    """The finding for an item of a list that never matches."""
    compare = item.compare
    at = compare.right_at.value[item.position] if isinstance(compare.right_at, yaml.SequenceNode) else compare.at
    values = facts.conditions.known_values(compare.left, point) or ()
    return Finding(
        facts.source.span(at),
        f"{owner}: `{compare.left.written}` {_can_be(facts, compare.left, values)}, "
        f"so {_values([item.value])} in this list is never a match",
        note="never a match",
        about=item,
        suggestion=item.suggestion,
        help="remove it from the list",
        related=_set_here(facts, compare),
    )


def _needless(constant: Constant, node: ir.Node, edge: ir.Edge) -> str:
    """The advice for a condition that is always true; edges after it are never taken."""
    if constant.condition is not edge.when:
        return "remove this part of the condition"
    behind = len(node.edges) - 1 - next(place for place, each in enumerate(node.edges) if each is edge)
    if not behind:
        return "remove the condition"
    rest = "the edge" if behind == 1 else f"the {behind} edges"
    return f"change the condition, or remove it and {rest} below it, which can never be taken"


def _constant_finding(facts: Facts, constant: Constant, owner: str, point: ProgramPoint, needless: str) -> Finding:
    always = "always" if constant.holds else "never"
    pair = facts.conditions.clash(constant.condition, point) if isinstance(constant.condition, ir.AllOf) else None
    return Finding(
        facts.source.first_key(constant.condition.at),
        f"{owner}: {_reason(facts, constant, point)}",
        note=f"{always} true",
        about=constant,
        help=_null_meant(constant.condition)
        or _misspelled(facts, constant, point)
        or (needless if constant.holds else _advice(facts, constant, point)),
        related=tuple(
            Label(facts.source.first_token(part.at), words)
            for part, words in zip(pair or (), ("this one", "excludes this one"), strict=False)
        )
        or _set_here(facts, constant.condition),
    )


def _null_meant(condition: ir.Condition) -> str | None:
    """The advice for a comparison with the word for null of another language."""
    match condition:
        case ir.Compare(op="eq" | "ne", left=left, right=ir.Const(str() as word)) if word.casefold() in NULL_WORDS:
            path = f"{{path: {left.written}, op: exists}}"
            test = f"not: {path}" if condition.op == "eq" else path.strip("{}")
            return f"`{word}` is a string: for null, write `value: null`, or `{{{test}}}`"
        case _:
            return None


def _misspelled(facts: Facts, constant: Constant, point: ProgramPoint) -> str | None:
    """The nearest known value, for a comparison that is always true because its value is misspelled."""
    match constant.condition:
        case ir.Compare(op="ne", left=left, right=ir.Const(str() as value)):
            known = facts.conditions.known_values(left, point) or ()
            return meant(nearest(value, [each for each in known if isinstance(each, str)]))
        case _:
            return None


def _is_set_under_another_name(facts: Facts, condition: ir.Condition) -> bool:
    """Whether a key may lack a value because its name is misspelled in an assignment (GW303)."""
    key = state_key(condition.left) if isinstance(condition, ir.Compare) else None
    return key is not None and nearest(key, {found.key for found in facts.liveness.unread}) is not None


def _set_here(facts: Facts, condition: ir.Condition) -> tuple[Label, ...]:
    """The locations where a key gets values that a comparison never matches."""
    key = state_key(condition.left) if isinstance(condition, ir.Compare) else None
    if key is None or not isinstance(condition, ir.Compare) or facts.types.is_declared(condition.left):
        return ()
    writers = facts.assignment.writers.get(key, ())
    return tuple(assigned_here(facts, writer, key) for writer in writers[:3])


def _advice(facts: Facts, constant: Constant, point: ProgramPoint) -> str:
    match constant.condition:
        case ir.Compare(op="regex"):
            return "change the pattern, or remove what depends on it"
        case ir.Compare(op="in", left=left, right=ir.Const(list() as items)) if items:
            return _instead_of_items(facts, left, items, point)
        case ir.Compare(left=left, right=ir.Const(str() | bool() | int() | float() as value)):
            return _fitting(facts, left, value, point)
        case ir.AllOf(parts) if parts:
            return "write `any` if one of the parts is sufficient, or change one of them"
        case ir.Compare(op="in", right=ir.Const([])):
            return "add values to the list, or remove what depends on it"
        case ir.AnyOf(()):
            return "add conditions to the list, or remove what depends on it"
        case _:
            return "change it, or remove what depends on it"


def _instead_of_items(facts: Facts, left: ir.Read, items: list[ir.Json], point: ProgramPoint) -> str:
    """The advice for a list that contains no value of a path."""
    known = [each for each in facts.conditions.known_values(left, point) or () if isinstance(each, str)]
    near = [nearest(item, known) if isinstance(item, str) else None for item in items]
    if any(near):
        right = [item if found is None else found for item, found in zip(items, near, strict=True)]
        return f"did you mean `{json.dumps(right, ensure_ascii=False)}`?"
    kinds = facts.types.of(left, point).present.kinds
    if kinds <= {"integer", "number", "boolean"} and all(
        isinstance(each, str) and _UNQUOTED.match(each) for each in items
    ):
        return f"write the values without quotes: `[{', '.join(map(str, items))}]`"
    return f"write values that it can be, such as {_values(known[:3])}" if known else "change the list, or remove it"


def _fitting(facts: Facts, left: ir.Read, value: ir.Json, point: ProgramPoint) -> str:
    """The advice for comparing a path with a value that it can have."""
    kind = facts.types.of(left, point)
    values = facts.conditions.known_values(left, point)
    if isinstance(value, str):
        suggestion = nearest(value, [other for other in values or () if isinstance(other, str)])
        if suggestion is not None:
            return meant(suggestion) or ""
        if kind.kinds & {"integer", "number", "boolean"} and _UNQUOTED.match(value):
            return f"write the value without quotes: `value: {value}`"
    elif kind.present.kinds == STRING.kinds and (values is None or str(value) in values):
        return f"write the value in quotes: `value: {json.dumps(json.dumps(value))}`"
    bounds = limited(facts.types.bounds(left))
    other = f"write {_one_of(values)}" if values else f"write {a_value_of(kind.present)}{bounds}"
    key = state_key(left) if not facts.types.is_declared(left) else None
    assign = f", assign {json.dumps(value, ensure_ascii=False)} to `{key}` somewhere" if values and key else ""
    return f"{other}{assign}, or remove what depends on it"


#: Strings that would be numbers or booleans without their quotes.
_UNQUOTED = pattern(r"(?:true|false|-?[0-9]+(?:\.[0-9]+)?)\Z")


def _one_of(values: tuple[object, ...]) -> str:
    shown = [f"`value: {json.dumps(value, ensure_ascii=False)}`" for value in values[:6]]
    return " or ".join((*([", ".join(shown[:-1])] if shown[1:] else []), shown[-1])) + (" …" if values[6:] else "")


def _reason(facts: Facts, constant: Constant, point: ProgramPoint) -> str:
    always = "always" if constant.holds else "never"
    match constant.condition:
        case ir.AnyOf(()):
            return "`any` with an empty list is never true"
        case ir.AllOf(()):
            return "`all` with an empty list is always true"
        case ir.Compare(op="in", right=ir.Const([])):
            return "`in` with an empty list is never true"
        case ir.Compare(op=operator, left=left, right=ir.Const(value)):
            kind = facts.types.of(left, point)
            values = facts.conditions.known_values(left, point)
            if values and kind.kinds & {kind_of(each) for each in _constants_of(value)}:
                what = _can_be(facts, left, values)
            else:
                what = f"is {a_value_of(kind)}{limited(facts.types.bounds(left))}"
            return f"`{left.written}` {what}, so `{operator}` with {_values([value])} is {always} true"
        case _:
            how = "its parts cover every case" if constant.holds else "its parts exclude each other"
            return f"this condition is {always} true: {how}"


def _can_be(facts: Facts, left: ir.Read, values: tuple[object, ...]) -> str:
    """All possible values of a path, for messages."""
    if not facts.types.is_declared(left):
        return f"is only ever set to {_values(values)}"
    return f"is one of {_values(values)}" if values[1:] else f"is always {_values(values)}"


def _constants_of(value: ir.Json) -> list[ir.Json]:
    return value if isinstance(value, list) else [value]


def _values(values: object) -> str:
    if not isinstance(values, tuple | list):
        return ""
    return ", ".join(json.dumps(value, ensure_ascii=False) for value in values)
