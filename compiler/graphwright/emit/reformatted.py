"""Determines whether two texts of a module are equivalent, so that only a formatter can have changed it."""

from __future__ import annotations

import ast
import inspect
import io
import tokenize


def is_same_program(one: bytes, other: bytes) -> bool:
    """Whether two Python sources differ only in formatting and the order of imports; false if one is invalid.

    They have the same comments. The docstrings may differ in indentation, as formatters change it.
    """
    try:
        return one != other and _program(one) == _program(other) and _comments(one) == _comments(other)
    except (SyntaxError, ValueError, RecursionError, MemoryError, tokenize.TokenError):
        return False


def _program(source: bytes) -> tuple[frozenset[str], str]:
    """The imports at the top of a module, and the rest of it, without positions."""
    tree = ast.parse(source)
    imports: set[str] = set()
    rest: list[ast.stmt] = []
    for statement in tree.body:
        if isinstance(statement, ast.Import | ast.ImportFrom):
            origin = f"{statement.level} {statement.module}" if isinstance(statement, ast.ImportFrom) else ""
            imports.update(f"{origin} {name.name} {name.asname}" for name in statement.names)
        else:
            rest.append(statement)
    tree.body = rest
    for node in ast.walk(tree):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            _unindent_docstring(node)
    return frozenset(imports), ast.dump(tree)


def _unindent_docstring(node: ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef) -> None:
    match node.body[:1]:
        case [ast.Expr(value=ast.Constant(value=str(text)) as docstring)]:
            docstring.value = inspect.cleandoc(text)


def _comments(source: bytes) -> list[str]:
    """The comments of a source, without spaces."""
    tokens = tokenize.tokenize(io.BytesIO(source).readline)
    return ["".join(token.string.split()) for token in tokens if token.type == tokenize.COMMENT]
