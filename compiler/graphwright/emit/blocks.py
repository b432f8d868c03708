"""Statements: logical lines, each with the functions that its expressions need before it."""

from __future__ import annotations

from collections.abc import Iterable

from graphwright.emit.code import Code
from graphwright.emit.model import marked
from graphwright.emit.scope import Scope

INDENT = "    "


def indented(lines: Iterable[str]) -> list[str]:
    """The lines one level deeper."""
    return [f"{INDENT}{line}" for line in lines]


def definitions(scope: Scope, line: int) -> list[str]:
    """The functions that the expressions written last need."""
    lines: list[str] = []
    for part in scope.taken_parts():
        lines.append(marked(f"def {part.name}() -> {part.returns}:", line))
        lines.append(marked(f"{INDENT}return {part.code.text}", line))
    return lines


def statement(scope: Scope, text: str, line: int) -> list[str]:
    """One statement, behind the functions that its expressions need."""
    return [*definitions(scope, line), marked(text, line)]


def function(name: str, arguments: str, returns: str, body: Iterable[str], line: int) -> list[str]:
    """A function inside a function."""
    return [marked(f"def {name}({arguments}) -> {returns}:", line), *indented(body)]


def call_text(function: str, positional: Iterable[Code], options: Iterable[tuple[str, str]]) -> str:
    """`function(a, b, option=c)`."""
    arguments = [code.text for code in positional] + [f"{name}={value}" for name, value in options]
    return f"{function}({', '.join(arguments)})"
