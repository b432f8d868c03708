"""Emits the edges of a node as an expression, a chain of `if`, or early returns."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, NamedTuple

from graphwright import ir
from graphwright.analysis.fallible import condition_can_fail
from graphwright.emit.blocks import INDENT, definitions, statement
from graphwright.emit.code import CONDITIONAL, OR, Code
from graphwright.emit.conditions import condition_code, decided
from graphwright.emit.literals import quoted
from graphwright.emit.scope import FunctionScope

#: Maximum number of edges in a chain; more are emitted as a function with early returns.
MAX_CHAIN: Final = 8
#: Maximum length of a line with two targets, without its indentation.
MAX_LINE: Final = 80


class Step(NamedTuple):
    """One edge and its condition (None: always)."""

    target: str | None
    condition: Code | None
    definitions: tuple[str, ...]
    line: int


def steps(edges: Iterable[ir.Edge], scope: FunctionScope, *, forgiving: bool = False) -> list[Step]:
    """The edges that can be taken, up to the first unconditional one.

    `forgiving`: conditions may be evaluated after a suppressed error; a condition that fails is then not a match.
    """
    found: list[Step] = []
    for edge in edges:
        line = edge.at.start_mark.line + 1
        verdict = True if edge.when is None else decided(edge.when)
        if edge.when is None or verdict is True:
            return [*found, Step(edge.target, None, (), line)]
        if verdict is False:
            continue
        code = condition_code(edge.when, scope)
        if forgiving and condition_can_fail(edge.when):
            code = Code(f"{scope.cursor}.holds(lambda: {code.text})", depth=code.depth + 1)
        found.append(Step(edge.target, code, tuple(definitions(scope, line)), line))
    return found


def complete(found: list[Step], node: ir.Node) -> list[Step]:
    """The edges, ending with an unconditional one: without a default edge, the run ends."""
    if found and found[-1].condition is None:
        return found
    return [*found, Step(None, None, (), node.name_at.start_mark.line + 1)]


def targets(found: Iterable[Step]) -> list[str | None]:
    """The targets of edges, without duplicates, in order."""
    return list(dict.fromkeys(step.target for step in found))


def literal_type(names: Iterable[str | None], scope: FunctionScope) -> str:
    """The annotation for a set of targets."""
    distinct = dict.fromkeys(names)
    ends = None in distinct
    named = [quoted(name) for name in distinct if name is not None]
    if not named:
        return "None"
    return f"{scope.uses.typing('Literal')}[{', '.join(named)}]{' | None' if ends else ''}"


def shown(target: str | None) -> str:
    """A target as an expression."""
    return "None" if target is None else quoted(target)


def direct(found: list[Step], scope: FunctionScope) -> list[str]:
    """Statements that return the target, if nothing must be committed before."""
    choice = _choice(found)
    if choice is not None and len(f"return {choice}") <= MAX_LINE:
        return statement(scope, f"return {choice}", found[0].line)
    return early_returns(found, scope)


def assignment(found: list[Step], scope: FunctionScope) -> list[str]:
    """Statements that set `target`, for a few edges."""
    annotation = literal_type(targets(found), scope)
    declared = f"target: {annotation}"
    choice = _choice(found)
    if choice is not None and len(f"{declared} = {choice}") <= MAX_LINE:
        return statement(scope, f"{declared} = {choice}", found[0].line)
    lines = statement(scope, declared, found[0].line)
    for step in found:
        lines += step.definitions
    word = "if"
    for step in found:
        if step.condition is None:
            lines += statement(scope, "else:", step.line)
        else:
            lines += statement(scope, f"{word} {step.condition.within(CONDITIONAL)}:", step.line)
        lines += statement(scope, f"{INDENT}target = {shown(step.target)}", step.line)
        word = "elif"
    return lines


def _choice(found: list[Step]) -> str | None:
    """Two edges as one expression."""
    if len(found) != 2 or found[0].condition is None or found[0].definitions:
        return None
    return f"{shown(found[0].target)} if {found[0].condition.within(OR)} else {shown(found[1].target)}"


def early_returns(found: list[Step], scope: FunctionScope) -> list[str]:
    """The body of a function that returns the target, without nesting for any number of edges."""
    lines: list[str] = []
    for step in found:
        lines += step.definitions
        if step.condition is None:
            lines += statement(scope, f"return {shown(step.target)}", step.line)
        else:
            lines += statement(scope, f"if {step.condition.within(CONDITIONAL)}:", step.line)
            lines += statement(scope, f"{INDENT}return {shown(step.target)}", step.line)
    return lines
