"""Strings that were meant to be templates, in the syntax of another language (GW415)."""

from __future__ import annotations

from yaml.nodes import MappingNode, ScalarNode

from graphwright import ir
from graphwright.expr import nodes
from graphwright.expr.parser import parse_template
from graphwright.expr.paths import written_path
from graphwright.faults.expressions import OtherSyntax
from graphwright.lower.context import Lowering, Scope
from graphwright.lower.likely_template import LikelyTemplate, likely_template
from graphwright.pattern import pattern
from graphwright.recover.paths import set_by_the_shell
from graphwright.source import scalars

#: How a string begins that may be an expression without its `${…}`.
_NAMESPACES = ("state.", "inputs.", "result.")
_DIRECTIVE_INPUT = pattern(r"\{input:([^{}\s|:?]+)\}")
#: Placeholders in braces: of Jinja and Handlebars, Python, Ruby (`#{…}`), Logstash (`%{…}`), or with a stray blank.
_BRACES = pattern(
    r"(?<![${])(?P<sign>[#%]|\$[ \t]+)?(?:\{\{\{([^{}]+)\}\}\}|\{\{([^{}]+)\}\}|\{([^{}]+)\})",
)
#: Those of make, Azure and ERB, and a path after a bare dollar. To a shell, they mean something else.
_OTHER_SIGNS = pattern(r"(?<![\\$])\$(?:\(([^()]+)\)|\[([^\[\]]+)\])|<%=?([^<>%]+)%>")
_DOLLAR = pattern(r"(?<![\w\\$])\$([^\W\d]\w*(?:\.[\w-]*\w|\[-?\d+\])*)")
#: What precedes a path without braces: `$.result.x` is left alone, because it is a path into the JSON of a tool.
_SIGN = pattern(r"\A\$(?:\.(?=state\.|inputs\.))?")
#: A plain scalar between curly quotes, with nothing but straight ones inside.
_CURLY = pattern(r"([“”„‟])([^“”„‟]*)[“”]\Z|([‘’‚‛])([^‘’‚‛]*)[‘’]\Z")

#: What is not a quote to a shell, although it contains one.
_ESCAPED = pattern(r"\\.")
#: A template and more braces.
_TOO_MANY = pattern(r"\$\{([^{}]+)\}\s*\}+\Z")
#: A template and a number, with an operator between them.
_SUM = pattern(r"\(?\$\{([^{}]+)\}\)? *([+*-]) *([0-9]+(?:\.[0-9]+)?)\Z")

_NOT_A_TEMPLATE = "is not replaced: a template is written `${…}`"


def report_other_syntax(lowering: Lowering, node: ScalarNode, scope: Scope) -> bool:
    """Record every part of a string that is not interpolated, although a value was meant.

    Returns whether the string as a whole is something other than what its author meant.
    """
    text = node.value
    if "{" in text:
        if "{input:" in text:
            _directive_inputs(lowering, node, scope)
        if text.count("{") > text.count("${"):
            _in_braces(lowering, node, scope)
        if text[-1] in "”’“‘" and "${" in text and not node.style and _curly_quotes(lowering, node, scope):
            return True
        if text[-1] in "\"'" and not node.style and _lost_quote(lowering, node, scope):
            return True
    if "${" not in text and _bare_expression(lowering, node, scope):
        return True
    if text[-1:] == "}" and _brace_too_many(lowering, node, scope):
        return True
    if scope.context == "assign" and text[-1:].isdigit() and _sum_outside(lowering, node, scope):
        return True
    if "$" in text or "<%" in text:
        if id(node) not in lowering.commands:
            _after_dollars(lowering, node, scope)
        elif "'" in text:
            _in_single_quotes(lowering, node, scope)
    return False


def report_lost_dollar(lowering: Lowering, node: MappingNode, scope: Scope) -> bool:
    """Record `{state.x}` without quotes, which YAML reads as a mapping with the key `state.x`.

    Returns whether it was probably meant to be a template.
    """
    if not node.flow_style or len(node.value) != 1:
        return False
    key, value = node.value[0]
    if not isinstance(key, ScalarNode) or not scalars.is_null(value) or value.value:
        return False
    meant = likely_template(lowering, key.value.strip(), scope)
    if meant is None:
        return False
    why = "is a mapping without quotes: a template is written `${…}`"
    quote = "'" if '"' in meant.expression else '"'
    replacement = f"{quote}${{{meant.expression}}}{quote}"
    safe = meant.exact and quote not in meant.expression
    text = f"{{{key.value}}}"
    lowering.report(OtherSyntax(lowering.span(node), scope.owner, text, why, meant.names, replacement, safe))
    return True


def _bare_expression(lowering: Lowering, node: ScalarNode, scope: Scope) -> bool:
    """A string that is a valid expression except for the missing `${…}`: `state.x`, also `$state.x`, `$.state.x`."""
    written = _SIGN.sub("", node.value)
    variable = scope.variable
    if not written.startswith(_NAMESPACES) and (variable is None or not written.startswith(f"{variable}.")):
        return False
    meant = likely_template(lowering, written, scope) if scope.context != "over" or written != node.value else None
    if meant is None:
        return False
    template = f"${{{meant.expression}}}"
    quotable = not node.style and '"' not in template and "\\" not in template
    lowering.report(
        OtherSyntax(
            lowering.source.span_in(node, 0, len(node.value)),
            scope.owner,
            node.value,
            "is not replaced: it is not inside `${…}`",
            meant.names,
            replacement=f'"{template}"' if quotable else template,
            fixable=meant.exact and (quotable or node.style in ("'", '"')),
            whole=node,
        )
    )
    return True


def _brace_too_many(lowering: Lowering, node: ScalarNode, scope: Scope) -> bool:
    """`${state.total}}`: the second brace is a part of the string."""
    match = _TOO_MANY.match(node.value)
    if match is None:
        return False
    span = lowering.source.span_in(node, 0, len(node.value))
    why = "ends with a `}` too many, which is part of the string"
    lowering.report(OtherSyntax(span, scope.owner, node.value, why, (), f"${{{match[1].strip()}}}", True, node))
    return True


def _sum_outside(lowering: Lowering, node: ScalarNode, scope: Scope) -> bool:
    """`${state.total} + 1`, assigned to a key: the sum is a string, because it is outside the braces."""
    match = _SUM.match(node.value)
    if match is None:
        return False
    inside, operator, number = match[1].strip(), match[2], match[3]
    inside = f"({inside})" if "|" in inside else inside
    span = lowering.source.span_in(node, 0, len(node.value))
    why = "is a string: nothing is computed outside of `${…}`"
    replacement = f"${{{inside} {operator} {number}}}"
    lowering.report(OtherSyntax(span, scope.owner, node.value, why, (), replacement, True, node))
    return True


def _in_braces(lowering: Lowering, node: ScalarNode, scope: Scope) -> None:
    for match in _BRACES.finditer(node.value):
        meant = likely_template(lowering, (match[2] or match[3] or match[4]).strip(), scope)
        if meant is not None and not _is_in_template(node, match.start()):
            # In `issue #{state.number}`, the `#` may be text before a placeholder of Python.
            ambiguous = match["sign"] == "#" and match.span() != (0, len(node.value))
            _report_part(lowering, node, scope, match.span(), meant, before="#" if ambiguous else "")


def _after_dollars(lowering: Lowering, node: ScalarNode, scope: Scope) -> None:
    """`$(state.x)`, `$[state.x]`, `<%= state.x %>` and `$state.x`, outside the commands of a shell."""
    for match in _OTHER_SIGNS.finditer(node.value):
        meant = likely_template(lowering, (match[1] or match[2] or match[3]).strip(), scope)
        if meant is not None and not _is_in_template(node, match.start()):
            _report_part(lowering, node, scope, match.span(), meant)
    for match in _DOLLAR.finditer(node.value):
        meant = likely_template(lowering, match[1], scope)
        if meant is None or not meant.exact or _is_in_template(node, match.start()):
            continue
        if not set_by_the_shell(nodes.Path(meant.names[0][0], (), 0, 0), node):  # this may be a script after all
            _report_part(lowering, node, scope, match.span(), meant)


def _in_single_quotes(lowering: Lowering, node: ScalarNode, scope: Scope) -> None:
    """`$state.x` in single quotes of a command, which no shell replaces."""
    for match in _DOLLAR.finditer(node.value):
        meant = likely_template(lowering, match[1], scope)
        if meant is not None and meant.exact and "." in match[1] and _is_single_quoted(node.value, match.start()):
            template = f"'${{{meant.expression} | quote}}'"
            span = lowering.source.span_in(node, *match.span())
            why = "is in single quotes, where the shell replaces nothing"
            lowering.report(OtherSyntax(span, scope.owner, match[0], why, meant.names, template, fixable=False))


def _is_single_quoted(command: str, position: int) -> bool:
    """Whether a position in a command without heredocs is between single quotes."""
    quote = ""
    for letter in () if "<<" in command else _ESCAPED.sub("", command[:position]):
        if letter in "'\"" and quote in ("", letter):
            quote = "" if quote else letter
    return quote == "'"


def _curly_quotes(lowering: Lowering, node: ScalarNode, scope: Scope) -> bool:
    """`“${state.x}”` as a plain scalar: a word processor replaced the quotes, which now belong to the string."""
    match = _CURLY.match(node.value)
    inner = match and (match[2] or match[4])
    if not inner or not any(isinstance(part, nodes.Hole) for part in parse_template(inner).template.parts):
        return False
    quote = next((quote for quote in "\"'" if quote not in inner), None)
    span = lowering.source.span_in(node, 0, len(node.value))
    why = "has curly quotes, which are part of the string"
    replacement = f"{quote}{inner}{quote}"
    safe = quote is not None and "\\" not in inner and "\n" not in inner
    lowering.report(OtherSyntax(span, scope.owner, node.value, why, (), replacement, safe, node))
    return True


def _lost_quote(lowering: Lowering, node: ScalarNode, scope: Scope) -> bool:
    """`${state.x}"` as a plain scalar: the quote at the end has lost its partner, and belongs to the string."""
    quote, text = node.value[-1], node.value
    if text.count(quote) != 1 or text[-2:-1] != "}" or "\n" in text:
        return False
    span = lowering.source.span_in(node, 0, len(text))
    why = f"ends with a {quote} that is part of the string: no quote begins it"
    safe = "\\" not in text or quote == "'"
    lowering.report(OtherSyntax(span, scope.owner, text, why, (), f"{quote}{text}", safe, node))
    return True


def _directive_inputs(lowering: Lowering, node: ScalarNode, scope: Scope) -> None:
    """`{input:name}` is the syntax of directives (reported if such an input exists)."""
    for match in _DIRECTIVE_INPUT.finditer(node.value):
        if match[1] in lowering.names.inputs:
            expression = written_path("inputs", match[1])
            if node.style == "'":
                expression = expression.replace("'", '"')
            meant = LikelyTemplate(expression, ((ir.Root.INPUTS.value, match[1]),))
            why = "is not replaced: this is the syntax of directives"
            _report_part(lowering, node, scope, match.span(), meant, why=why)


def _is_in_template(node: ScalarNode, position: int) -> bool:
    """Whether a position in a string is inside one of its templates, which have diagnostics of their own."""
    parts = parse_template(node.value).template.parts
    return any(part.start <= position < part.end for part in parts if isinstance(part, nodes.Hole))


def _report_part(
    lowering: Lowering,
    node: ScalarNode,
    scope: Scope,
    part: tuple[int, int],
    meant: LikelyTemplate,
    *,
    why: str = _NOT_A_TEMPLATE,
    before: str = "",
) -> None:
    """Record a part of a string. `before`: a character at its start that may or may not be text."""
    start, end = part
    span = lowering.source.span_in(node, start, end)
    template = f"${{{meant.expression}}}"
    text = node.value[start:end]
    fixable = meant.exact and not before
    other = f"{before}{template}" if before else None
    whole = node if part == (0, len(node.value)) else None
    lowering.report(OtherSyntax(span, scope.owner, text, why, meant.names, template, fixable, whole, other))
