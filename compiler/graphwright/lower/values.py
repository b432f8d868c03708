"""From templates and YAML values to IR values."""

from __future__ import annotations

from yaml.nodes import MappingNode, Node, ScalarNode

from graphwright import ir
from graphwright.expr import nodes
from graphwright.expr.parser import parse_template
from graphwright.fault import Owner
from graphwright.faults.expressions import InvalidExpression, InvalidPipe, SwallowedOperand
from graphwright.lower.context import Lowering, Scope
from graphwright.lower.interpolation import report_lost_dollar, report_other_syntax
from graphwright.lower.paths import lower_path
from graphwright.source import scalars


def lower_value(lowering: Lowering, node: Node, scope: Scope) -> ir.Value:
    """The value of a YAML node whose strings are templates, at any depth.

    Constant parts remain plain JSON, unless one of them was probably meant to be a template.
    """
    if isinstance(node, ScalarNode):
        if node.tag == scalars.STR:
            return lower_text(lowering, node, scope)
        return ir.Const(lowering.source.value(node))
    constant, guesses = True, lowering.recovery.guessed
    before = len(guesses)
    if isinstance(node, MappingNode):
        if _is_not_json(node) or report_lost_dollar(lowering, node, scope):
            mapping = ir.Const(lowering.source.value(node))
            guesses.append(mapping)
            return mapping
        entries: list[tuple[str, ir.Value]] = []
        for key, item in lowering.source.entries(node):
            value = lower_value(lowering, item, scope)
            constant = constant and isinstance(value, ir.Const)
            entries.append((key.value, value))
        if constant and len(guesses) == before:
            return ir.Const({key: value.value for key, value in entries if isinstance(value, ir.Const)})
        return ir.MapOf(tuple(entries))
    items = [lower_value(lowering, item, scope) for item in node.value]
    if all(isinstance(item, ir.Const) for item in items) and len(guesses) == before:
        return ir.Const([item.value for item in items if isinstance(item, ir.Const)])
    return ir.ListOf(tuple(items))


def _is_not_json(node: MappingNode) -> bool:
    """Whether a key is not a scalar, as in `{{ state.x }}`, which is reported."""
    return any(not isinstance(key, ScalarNode) for key, _ in node.value)


def lower_text(lowering: Lowering, node: ScalarNode, scope: Scope) -> ir.Value:
    """A string with its templates; `Const` if it has none."""
    text = node.value
    before = lowering.fault_count
    other = report_other_syntax(lowering, node, scope)
    if "${" not in text:
        if lowering.fault_count == before:
            return lowering.constant(text)
        guess = ir.Const(text)  # probably not a constant at all, unlike an equal one elsewhere
        lowering.recovery.guessed.append(guess)
        return guess
    key = (text, scope.result, scope.variable, scope.event)
    known = lowering.strings.get(key)
    if known is None:
        before = lowering.fault_count
        known = _template(lowering, node, scope)
        if lowering.fault_count == before:
            lowering.strings[key] = known
    if other:
        lowering.recovery.guessed.append(known)
    return known if isinstance(known, ir.Const) else ir.Template(node, known)


def _template(lowering: Lowering, node: ScalarNode, scope: Scope) -> ir.Value:
    parsed = parse_template(node.value)
    for problem in parsed.faults:
        report_syntax(lowering, node, problem, scope.owner)
        if problem.code == InvalidExpression.code:
            lowering.recovery.guessed.append(node)
    template = parsed.template
    constant = template.constant
    if constant is not None:
        return ir.Const(constant)
    whole = template.whole
    if whole is not None:
        return _expression(lowering, whole, node, scope)
    text = ir.Text(
        tuple(
            part if isinstance(part, str) else _expression(lowering, part.expression, node, scope)
            for part in template.parts
        )
    )
    if any(problem.code == InvalidExpression.code for problem in parsed.faults):
        lowering.recovery.guessed.append(text)
    return text


def _report_precedence(lowering: Lowering, chain: nodes.Fallback, at: ScalarNode, owner: Owner) -> None:
    """Record `a || 0 + b`: a fallback that adds to nothing was meant to be `(a || 0) + b`."""
    last = chain.operands[-1]
    if not isinstance(last, nodes.Arithmetic):
        return
    first: nodes.Expression = last
    while isinstance(first, nodes.Arithmetic):
        first = first.first
    empty = isinstance(first, nodes.ListOf) and not first.items
    if empty or (isinstance(first, nodes.Literal) and first.value in (0, "")):
        fallback, rest = at.value[chain.start : first.end], at.value[first.end : last.end]
        span = lowering.source.span_in(at, last.start, last.end)
        lowering.report(SwallowedOperand(span, owner, at.value[last.start : last.end], f"({fallback}){rest}"))


def report_syntax(lowering: Lowering, at: ScalarNode, problem: nodes.SyntaxFault, owner: Owner) -> None:
    """Record the faults that the expression parser found in a scalar."""
    span = lowering.source.span_in(at, problem.start, problem.end)
    kind = InvalidPipe if problem.code == InvalidPipe.code else InvalidExpression
    lowering.report(kind(span, owner, problem.message, problem.help))


def _expression(lowering: Lowering, expression: nodes.Expression, at: ScalarNode, scope: Scope) -> ir.Value:
    def lower(part: nodes.Expression) -> ir.Value:
        return _expression(lowering, part, at, scope)

    match expression:
        case nodes.Path():
            return lower_path(lowering, expression, at, scope)
        case nodes.Literal(value):
            return ir.Const(value)
        case nodes.Fallback(operands):
            _report_precedence(lowering, expression, at, scope.owner)
            return ir.FirstOf(tuple(map(lower, operands)))
        case nodes.Pipe(name, operand, arguments, start, end, guessed):
            pipe = ir.Pipe(name, lower(operand), tuple(map(lower, arguments)), start, end)
            if guessed:
                lowering.recovery.guessed.append(pipe)
            return pipe
        case nodes.Arithmetic(first, operations):
            lowered = [ir.Operation(each.operator, lower(each.operand), each.start, each.end) for each in operations]
            return ir.Arithmetic(lower(first), tuple(lowered))
        case nodes.Negative(operand, start, end):
            inner = lower(operand)
            if (
                isinstance(inner, ir.Const)
                and isinstance(inner.value, int | float)
                and not isinstance(inner.value, bool)
            ):
                return ir.Const(-inner.value)
            return ir.Negative(inner, start, end)
        case nodes.ListOf(items):
            values = tuple(map(lower, items))
            if all(isinstance(value, ir.Const) for value in values):
                return ir.Const([value.value for value in values if isinstance(value, ir.Const)])
            return ir.ListOf(values)
