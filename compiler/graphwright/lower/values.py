"""Templates and YAML values to IR values."""

from __future__ import annotations

from yaml.nodes import MappingNode, Node, ScalarNode

from graphwright import ir
from graphwright.expr import nodes
from graphwright.expr.parser import parse_template
from graphwright.expr.paths import written_path
from graphwright.lower.context import Lowering, Scope
from graphwright.lower.paths import adopt_path, is_there, lower_path
from graphwright.pattern import pattern
from graphwright.source import scalars

#: How a text begins that may be an expression without its `${…}`.
_NAMESPACES = ("state.", "inputs.", "result.")
_DIRECTIVE_INPUT = pattern(r"\{input:([^{}\s|:?]+)\}")


def lower_value(lowering: Lowering, node: Node, scope: Scope) -> ir.Value:
    """The value of a YAML node whose texts are templates, at any depth; constant parts stay plain JSON."""
    if isinstance(node, ScalarNode):
        if node.tag == scalars.STR:
            return lower_text(lowering, node, scope)
        return ir.Const(lowering.source.value(node))
    constant = True
    if isinstance(node, MappingNode):
        entries: list[tuple[str, ir.Value]] = []
        for key, item in lowering.source.entries(node):
            value = lower_value(lowering, item, scope)
            constant = constant and isinstance(value, ir.Const)
            entries.append((key.value, value))
        if constant:
            return ir.Const({key: value.value for key, value in entries if isinstance(value, ir.Const)})
        return ir.MapOf(tuple(entries))
    items = [lower_value(lowering, item, scope) for item in node.value]
    if all(isinstance(item, ir.Const) for item in items):
        return ir.Const([item.value for item in items if isinstance(item, ir.Const)])
    return ir.ListOf(tuple(items))


def lower_text(lowering: Lowering, node: ScalarNode, scope: Scope) -> ir.Value:
    """A text with its templates; `Const` where it has none."""
    text = node.value
    if "{input:" in text:
        _directive_inputs(lowering, node, scope)
    if "${" not in text:
        if text.startswith(_NAMESPACES) or (scope.variable is not None and text.startswith(f"{scope.variable}.")):
            _bare_expression(lowering, node, scope)
        return lowering.constant(text)
    key = (text, scope.result, scope.variable, scope.event)
    known = lowering.texts.get(key)
    if known is None:
        before = lowering.troubles
        known = _template(lowering, node, scope)
        if lowering.troubles == before:
            lowering.texts[key] = known
    return known if isinstance(known, ir.Const) else ir.Template(node, known)


def _template(lowering: Lowering, node: ScalarNode, scope: Scope) -> ir.Value:
    parsed = parse_template(node.value)
    for fault in parsed.faults:
        lowering.fault_in(fault.code, node, fault.start, fault.end, scope.owner, message=fault.message, help=fault.help)
    template = parsed.template
    constant = template.constant
    if constant is not None:
        return ir.Const(constant)
    whole = template.whole
    if whole is not None:
        return _expression(lowering, whole, node, scope)
    return ir.Text(
        tuple(
            part if isinstance(part, str) else _expression(lowering, part.expression, node, scope)
            for part in template.parts
        )
    )


def _expression(lowering: Lowering, expression: nodes.Expression, at: ScalarNode, scope: Scope) -> ir.Value:
    def lower(part: nodes.Expression) -> ir.Value:
        return _expression(lowering, part, at, scope)

    match expression:
        case nodes.Path():
            return lower_path(lowering, expression, at, scope)
        case nodes.Literal(value):
            return ir.Const(value)
        case nodes.Fallback(operands):
            return ir.FirstOf(tuple(map(lower, operands)))
        case nodes.Pipe(name, operand, arguments, start, end, guessed):
            return ir.Pipe(name, lower(operand), tuple(map(lower, arguments)), start, end, guessed)
        case nodes.Arithmetic(operator, left, right, start, end):
            return ir.Arithmetic(operator, lower(left), lower(right), start, end)
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


def _bare_expression(lowering: Lowering, node: ScalarNode, scope: Scope) -> None:
    """A text that is an expression over what there is, but for the `${…}` around it, is plain text all the same."""
    parsed = parse_template(f"${{{node.value}}}")
    expression = parsed.template.whole
    if parsed.faults or expression is None or scope.event is not None or scope.place == "over":
        return
    reads = [adopt_path(lowering, node.value[path.start - 2 : path.end - 2], scope) for path in nodes.paths(expression)]
    if not reads or not all(read is not None and read.path and is_there(lowering, read) for read in reads):
        return
    written = f"${{{node.value}}}"
    quotable = not node.style and '"' not in written and "\\" not in written
    lowering.fault_in(
        "GW415",
        node,
        0,
        len(node.value),
        scope.owner,
        text=node.value,
        names=tuple((read.root.value, str(read.path[0])) for read in reads if read is not None),
        scalar=node,
        fixable=quotable or node.style in ("'", '"'),
        fix_text=f'"{written}"' if quotable else written,
    )


def _directive_inputs(lowering: Lowering, node: ScalarNode, scope: Scope) -> None:
    """`{input:name}` is the syntax of directives; here it is plain text (GW415, where such an input exists)."""
    for match in _DIRECTIVE_INPUT.finditer(node.value):
        if match[1] in lowering.inputs:
            replacement = f"${{{written_path('inputs', match[1])}}}"
            if node.style == "'":
                replacement = replacement.replace("'", '"')
            lowering.fault_in(
                "GW415",
                node,
                match.start(),
                match.end(),
                scope.owner,
                names=((ir.Root.INPUTS.value, match[1]),),
                text=match[0],
                fixable=True,
                fix_text=replacement,
            )
