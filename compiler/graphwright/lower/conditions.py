"""From conditions to IR, with the operators checked against their literal values."""

from __future__ import annotations

import json

from graphwright import ir
from graphwright.expr import nodes
from graphwright.expr.parser import parse_path
from graphwright.faults.expressions import UnfitValue, UnreadTemplate
from graphwright.faults.keys import MissingKey
from graphwright.language.operators import ORDERS
from graphwright.lower.context import Lowering, Scope
from graphwright.lower.paths import adopt_path, lower_path
from graphwright.lower.values import lower_value, report_syntax
from graphwright.model import Comparison, Condition, Group, Negation
from graphwright.pattern import pattern
from graphwright.record import replace

_PLAIN_PATH = pattern(r"[^\W\d][\w.-]*")


def lower_condition(lowering: Lowering, condition: Condition, scope: Scope) -> ir.Condition:
    """The condition with its path resolved and its value a template or constant."""
    match condition:
        case Negation(part, at):
            return ir.Not(lower_condition(lowering, part, scope), at)
        case Group(kind, parts, at):
            lowered = tuple(lower_condition(lowering, part, scope) for part in parts)
            return ir.AnyOf(lowered, at) if kind == "any" else ir.AllOf(lowered, at)
        case Comparison():
            return _comparison(lowering, condition, scope)


def is_always_true(condition: ir.Condition) -> bool:
    """Whether a condition is true by its form alone: it contains no comparison that could be false, as `all: []`."""
    return _by_form(condition) is True


def _by_form(condition: ir.Condition) -> bool | None:
    """What a condition without a comparison is, at any time; None if a comparison decides."""
    match condition:
        case ir.Not(part):
            inner = _by_form(part)
            return None if inner is None else not inner
        case ir.AllOf(parts) | ir.AnyOf(parts):
            decisive = isinstance(condition, ir.AnyOf)  # one true part decides `any`, one false part `all`
            found = [_by_form(part) for part in parts]
            return decisive if decisive in found else None if None in found else not decisive
        case ir.Compare():
            return None


def _comparison(lowering: Lowering, condition: Comparison, scope: Scope) -> ir.Condition:
    """A comparison; one whose value is missing or invalid (both are reported) may be true or false."""
    left = _left(lowering, condition, scope)
    op = condition.op or "?"
    right: ir.Value = ir.Const(op == "exists" or None)
    problem = ""
    if condition.value is not None:
        written = lower_value(lowering, condition.value, scope)
        if isinstance(written, ir.Const):
            problem = _check(lowering, op, written.value, condition, scope)
        if op != "exists":
            right = written
    elif op not in ("exists", "?"):
        problem = "missing"
        if not isinstance(parse_path(condition.path.value), nodes.Path):
            return ir.Compare("?", left, right, condition.at, condition.path, None)  # the path may hold the value, too
        lowering.report(MissingKey(lowering.source.first_key(condition.at), scope.owner, "value", "a condition"))
    right_at = condition.value if op != "exists" else None
    usable = op == "exists" or not problem
    lowered = ir.Compare(op if usable else "?", left, right, condition.at, condition.path, right_at)
    return ir.Not(lowered, condition.at) if problem == "false" else lowered


def _left(lowering: Lowering, condition: Comparison, scope: Scope) -> ir.Read:
    at = condition.path
    parsed = parse_path(at.value)
    if isinstance(parsed, nodes.Path):
        return lower_path(lowering, parsed, at, scope)
    bare = at.value.strip().removeprefix("${").removesuffix("}").strip()
    if condition.op is not None or at.value != "?":
        for problem in parsed:
            if problem.code == UnreadTemplate.code:
                edit = lowering.source.instead(at, bare) if _PLAIN_PATH.fullmatch(bare) else None
                lowering.report(UnreadTemplate(lowering.span(at), scope.owner, "path", at.value, "path", edit))
            else:
                report_syntax(lowering, at, _as_comparison(problem, at.value), scope.owner)
    meant = adopt_path(lowering, bare, scope)
    return meant or ir.Read(ir.Root.UNKNOWN, (), at.value, 0, len(at.value))


def _as_comparison(problem: nodes.SyntaxFault, path: str) -> nodes.SyntaxFault:
    """The fault of a path that is a whole condition, as other dialects write it, with the condition as its help."""
    from graphwright.dialects.string_conditions import advice, as_condition

    return replace(problem, help=f"write {advice(path, '')}") if as_condition(path) else problem


def _check(lowering: Lowering, op: str, value: ir.Json, comparison: Comparison, scope: Scope) -> str:
    """Report a literal that the operator cannot use (GW406), and return the kind of problem; empty if it is valid."""
    problem, detail = "", ""
    if op == "in" and not isinstance(value, list):
        problem = "list"
    elif op == "exists" and value is not True:
        problem = "false" if value is False else "truth"
    elif op == "regex":
        problem, detail = _pattern_fault(value)
    elif op in ORDERS and (isinstance(value, bool | list | dict) or value is None):
        problem = "order"
    if problem and comparison.value is not None:
        shown, path = json.dumps(value, ensure_ascii=False), comparison.path.value
        span = lowering.span(comparison.value)
        lowering.report(UnfitValue(span, scope.owner, op, problem, detail, shown, value, path))
    return problem


def _pattern_fault(value: ir.Json) -> tuple[str, str]:
    """The kind of problem with a literal as a regular expression, and the details; empty if it is valid."""
    if not isinstance(value, str):
        return "pattern", "it is not a string"
    from graphwright.schema.patterns import flaw

    wrong = flaw(value, "python")
    if wrong is None:
        return "", ""
    return "slow" if wrong.slow else "pattern", wrong.detail
