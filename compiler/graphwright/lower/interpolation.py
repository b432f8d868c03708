"""Strings that were meant to be templates, in the syntax of another language (GW415)."""

from __future__ import annotations

from collections.abc import Iterator

from yaml.nodes import ScalarNode

from graphwright import ir
from graphwright.expr import nodes
from graphwright.expr.parser import parse_template
from graphwright.expr.paths import written_path
from graphwright.faults.expressions import OtherSyntax
from graphwright.lower.context import Lowering, Scope
from graphwright.lower.paths import adopt_path, is_there
from graphwright.pattern import pattern

#: How a string begins that may be an expression without its `${…}`.
_NAMESPACES = ("state.", "inputs.", "result.")
_DIRECTIVE_INPUT = pattern(r"\{input:([^{}\s|:?]+)\}")
#: `{{ state.x }}` and `{state.x}`, the placeholders of Jinja and Python.
_OTHER_BRACES = pattern(r"(?<![$#{])(?:\{\{([^{}]+)\}\}(?!\})|\{([^{}]+)\}(?!\}))")


def report_other_syntax(lowering: Lowering, node: ScalarNode, scope: Scope) -> None:
    """Record every part of a string that is not interpolated, although a value was meant."""
    text = node.value
    if "{" in text:
        if "{input:" in text:
            _directive_inputs(lowering, node, scope)
        if text.count("{") > text.count("${"):
            _other_braces(lowering, node, scope)
    if "${" not in text:
        _bare_expression(lowering, node, scope)


def _bare_expression(lowering: Lowering, node: ScalarNode, scope: Scope) -> None:
    """A string that is a valid expression except for the missing `${…}`: `state.x`, also `$state.x`."""
    written = node.value.removeprefix("$")
    variable = scope.variable
    if not written.startswith(_NAMESPACES) and (variable is None or not written.startswith(f"{variable}.")):
        return
    names = _names_read(lowering, written, scope) if scope.context != "over" else ()
    if not names:
        return
    template = f"${{{written}}}"
    quotable = not node.style and '"' not in template and "\\" not in template
    lowering.report(
        OtherSyntax(
            lowering.source.span_in(node, 0, len(node.value)),
            scope.owner,
            node.value,
            "it is not inside `${…}`",
            names,
            replacement=f'"{template}"' if quotable else template,
            fixable=quotable or node.style in ("'", '"'),
            whole=node,
        )
    )


def _other_braces(lowering: Lowering, node: ScalarNode, scope: Scope) -> None:
    for match in _OTHER_BRACES.finditer(node.value):
        written = (match[1] or match[2]).strip()
        names = _names_read(lowering, written, scope)
        if names:
            _report_part(lowering, node, scope, match.span(), names, f"${{{written}}}", "a template is written `${…}`")


def _directive_inputs(lowering: Lowering, node: ScalarNode, scope: Scope) -> None:
    """`{input:name}` is the syntax of directives (reported if such an input exists)."""
    for match in _DIRECTIVE_INPUT.finditer(node.value):
        if match[1] in lowering.names.inputs:
            names = ((ir.Root.INPUTS.value, match[1]),)
            replacement = f"${{{written_path('inputs', match[1])}}}"
            if node.style == "'":
                replacement = replacement.replace("'", '"')
            _report_part(lowering, node, scope, match.span(), names, replacement, "this is the syntax of directives")


def _report_part(
    lowering: Lowering,
    node: ScalarNode,
    scope: Scope,
    part: tuple[int, int],
    names: tuple[tuple[str, str], ...],
    replacement: str,
    why: str,
) -> None:
    start, end = part
    span = lowering.source.span_in(node, start, end)
    lowering.report(OtherSyntax(span, scope.owner, node.value[start:end], why, names, replacement))


def _names_read(lowering: Lowering, written: str, scope: Scope) -> tuple[tuple[str, str], ...]:
    """What an expression reads, as namespace and first key; empty if it is not one, or reads what does not exist."""
    parsed = parse_template(f"${{{written}}}")
    expression = parsed.template.whole
    if parsed.faults or expression is None or scope.event is not None:
        return ()
    names = tuple(_names(lowering, expression, written, scope))
    return () if None in names else tuple(name for name in names if name is not None)


def _names(
    lowering: Lowering, expression: nodes.Expression, written: str, scope: Scope
) -> Iterator[tuple[str, str] | None]:
    for path in nodes.paths(expression):
        read = adopt_path(lowering, written[path.start - 2 : path.end - 2], scope)
        there = read is not None and bool(read.path) and is_there(lowering, read)
        yield (read.root.value, str(read.path[0])) if read is not None and there else None
