"""Parses templates and condition paths to the trees of `nodes.py`.

One hole at a time (`grammar.py`): a hole that does not parse costs one fault and does not affect the others. Trees are
shallow enough to walk recursively: an expression nests at most `MAX_DEPTH` levels, and a chain of operators, which is
one level, has at most `MAX_OPERANDS` operands; more of either is a fault too.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import pairwise
from typing import Final

from graphwright.expr import lexer, phrases
from graphwright.expr.grammar import MAX_DEPTH, MAX_OPERANDS, ExpressionError, Parser
from graphwright.expr.lexer import Token
from graphwright.expr.literals import BadLiteralError
from graphwright.expr.nodes import Expression, Fallback, Hole, Path, SyntaxFault, Template
from graphwright.expr.paths import named, path_of
from graphwright.record import Record, replace

__all__ = ("BROKEN", "MAX_DEPTH", "MAX_OPERANDS", "ParsedTemplate", "parse_path", "parse_template")

#: The name of the path that represents a hole that does not parse; it is not a valid name.
BROKEN: Final = "?"

#: After this many faults, the rest of a string is a single hole that does not parse, because finding the end of each
#: hole searches the whole text.
_MAX_FAULTS: Final = 100


class ParsedTemplate(Record):
    """A template as far as it parses, and its faults.

    A hole with a GW401 fault contains `Path("?")`, or a `Fallback` with the state and input paths found in it between
    two of these, so that its reads are not lost. A misspelled pipe (GW403) is read as the nearest one.
    """

    template: Template
    faults: tuple[SyntaxFault, ...] = ()


def parse_template(text: str) -> ParsedTemplate:
    """Parse a string that may contain `${…}`; never raises. Offsets count code points of `text`."""
    if "${" not in text:
        return ParsedTemplate(Template((text,) if text else ()))
    return _parse_holes(text)


def parse_path(text: str) -> Path | tuple[SyntaxFault, ...]:
    """Parse the `path` of a condition: a bare path, or the faults that say why it is not one; never raises."""
    token = lexer.whole_path(text)
    if isinstance(token, int):
        return (phrases.no_path(text, token),)
    try:
        return path_of(token)
    except BadLiteralError as problem:
        return (SyntaxFault(problem.message, problem.start, problem.end, problem.help),)


@lru_cache(maxsize=4096)
def _parse_holes(text: str) -> ParsedTemplate:
    """The parts of a string with at least one `${` in it."""
    parts: list[str | Hole] = []
    faults: list[SyntaxFault] = []
    literal: list[str] = []
    position = 0
    while True:
        dollar = text.find("$", position)
        if dollar < 0:
            literal.append(text[position:])
            break
        literal.append(text[position:dollar])
        if text.startswith("$${", dollar):
            literal.append("${")
            position = dollar + 3
        elif not text.startswith("${", dollar):
            literal.append("$")
            position = dollar + 1
        else:
            hole = _hole(text, dollar, faults) if len(faults) < _MAX_FAULTS else _broken_rest(text, dollar)
            if before := "".join(literal):
                parts.append(before)
            literal.clear()
            parts.append(hole)
            position = hole.end
    if rest := "".join(literal):
        parts.append(rest)
    return ParsedTemplate(Template(tuple(parts)), tuple(faults))


def _hole(text: str, start: int, faults: list[SyntaxFault]) -> Hole:
    """The `${…}` that begins at `start`; its faults go to `faults`."""
    if simple := lexer.simple_hole(text, start):
        (name, *steps), first, last, end = simple
        return Hole(named(name, tuple(steps), first, last), start, end)
    found = lexer.tokens(text, start + 2)
    ending = found[-1]
    if ending.kind == "end":
        faults.append(phrases.unclosed(start))
        return Hole(_broken(found, start, ending.end), start, ending.end)
    if ending.kind == "open":
        end, fault = _open_inside(text, start, found)
        faults.append(fault)
        return Hole(_broken(found, start, end), start, end)
    parser = Parser(found)
    try:
        expression = parser.whole(start)
    except ExpressionError as refused:
        faults.append(phrases.written_as(refused.fault, text[start : ending.end]))
        expression = _broken(found, start, ending.end)
    else:
        faults += parser.pipe_faults
    return Hole(expression, start, ending.end)


def _broken_rest(text: str, start: int) -> Hole:
    """Everything from `start` on as one hole that does not parse, without a fault of its own."""
    return Hole(_broken([], start, len(text)), start, len(text))


def _open_inside(text: str, start: int, found: list[Token]) -> tuple[int, SyntaxFault]:
    """A `${` before the `}` of another: where to continue, and which of the two mistakes it is."""
    inner = found[-1]
    glued = len(found) > 1 and not inner.blank and found[-2].text[-1] in ".[("
    inner_end = text.find("}", inner.end)
    outer_end = text.find("}", inner_end + 1) if inner_end >= 0 else -1
    if glued and outer_end >= 0:
        return outer_end + 1, phrases.nested(inner)
    return inner.start, phrases.unclosed(start)


def _broken(found: list[Token], start: int, end: int) -> Expression:
    """The expression for a hole that does not parse: any value, and reads of the paths in it."""
    reads: list[Expression] = []
    for token, following in pairwise(found):  # the last one is not a path
        if token.kind == "path" and token.text.startswith(("state.", "inputs.")):
            try:
                path = path_of(token)
            except BadLiteralError:
                continue
            reads.append(replace(path, segments=path.segments[:-1]) if following.text == "(" else path)  # a function
    unknown = Path(BROKEN, (), start, end)
    return Fallback((unknown, *reads[:MAX_OPERANDS], unknown), start, end) if reads else unknown
