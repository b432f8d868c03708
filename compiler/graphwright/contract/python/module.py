"""Lists the names that a Python file defines at its top level."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from copy import copy
from pathlib import Path
from typing import Final, TypeAlias

from graphwright.contract.python.newer import in_older_syntax
from graphwright.record import Record

#: Larger files, in bytes, are not read, because they are not written by hand.
MAX_BYTES: Final = 2_000_000


class Imported(Record):
    """An imported name: the module, the number of leading dots, and the name in the module."""

    module: str
    level: int
    name: str | None


class Unclear:
    """A name whose binding cannot be determined by reading."""


Definition: TypeAlias = "ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef | ast.expr | Imported | Unclear"


class Module:
    """One file. `folders` are searched for its imports, in this order."""

    def __init__(self, path: Path, folders: tuple[Path, ...], tree: ast.Module) -> None:
        self.path = path
        self.folders = folders
        self.tree = tree
        self.docstring = ast.get_docstring(tree) or ""
        self.names: dict[str, Definition] = {}
        self.stars: list[Imported] = []
        self._bind(tree.body, again=True)
        for statement in tree.body:  # type parameters do not stand for what has the same name in the module
            self.names.update((each.name, Unclear()) for each in getattr(statement, "type_params", ()))

    def within(self, definition: ast.ClassDef) -> Module:
        """The module as the body of a class sees it, with the classes in that body."""
        inner = {each.name: each for each in definition.body if isinstance(each, ast.ClassDef)}
        if not inner:
            return self
        seen = copy(self)
        seen.names = {**self.names, **inner}
        return seen

    def _bind(self, statements: Iterable[ast.stmt], *, again: bool) -> None:
        """Record the names that statements bind; with `again` False, only names that are not bound yet."""
        for statement in statements:
            match statement:
                case ast.If(test=test, body=body, orelse=other):
                    if _is_fixed(test):
                        self._bind(body, again=again)
                        self._bind(other, again=False)
                    else:
                        self._blur((*body, *other))
                case ast.Try(body=body, handlers=handlers, orelse=other, finalbody=final):
                    self._bind((*body, *other, *final), again=again)
                    for handler in handlers:
                        self._bind(handler.body, again=False)
                case ast.ImportFrom(module=source, level=level, names=[ast.alias(name="*")]):
                    self.stars.append(Imported(source or "", level, None))
                case _:
                    for name, definition in _bound(statement):
                        if again or name not in self.names:
                            self.names[name] = definition

    def _blur(self, statements: Iterable[ast.stmt]) -> None:
        """Mark names that are bound conditionally."""
        for statement in statements:
            for node in ast.walk(statement):
                if isinstance(node, ast.stmt):
                    self.names.update((name, Unclear()) for name, _ in _bound(node))


class Hint(Record):
    """An expression, usually a type hint, and the file that contains it."""

    expression: ast.expr
    module: Module


def parse(data: bytes) -> ast.Module | str:
    """The syntax tree of a file, or the reason if it cannot be parsed."""
    if len(data) > MAX_BYTES:
        return f"the file has more than {MAX_BYTES:,} bytes"
    try:
        return _tree(data)
    except SyntaxError as error:
        return f"line {error.lineno}: {error.msg}" if error.lineno else str(error.msg)
    except (ValueError, RecursionError, MemoryError) as error:  # null characters, or too much nesting
        return str(error) or "nested too deeply"


def _tree(data: bytes) -> ast.Module:
    try:
        return ast.parse(data)
    except SyntaxError:
        older = in_older_syntax(data)
        if older is None:
            raise
        return ast.parse(older)


def _is_fixed(test: ast.expr) -> bool:
    """Whether a condition is about type checkers or the version of Python, so that both branches are equivalent."""
    return any(
        isinstance(node, ast.Name | ast.Attribute)
        and (node.id if isinstance(node, ast.Name) else node.attr) in ("TYPE_CHECKING", "version_info")
        for node in ast.walk(test)
    )


def _bound(statement: ast.stmt) -> Iterator[tuple[str, Definition]]:
    """The names that a statement binds, with their definitions."""
    match statement:
        case ast.ClassDef(name=name) | ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name):
            yield name, statement
        case ast.Import(names=aliases):
            for alias in aliases:
                top = alias.name.partition(".")[0]
                yield (alias.asname, Imported(alias.name, 0, None)) if alias.asname else (top, Imported(top, 0, None))
        case ast.ImportFrom(module=source, level=level, names=aliases):
            for alias in aliases:
                yield alias.asname or alias.name, Imported(source or "", level, alias.name)
        case ast.Assign(targets=targets, value=value):
            for target in targets:
                yield from _assigned(target, value)
        case ast.AnnAssign(target=ast.Name(id=name), value=ast.expr() as value):
            yield name, value
        case ast.Expr(value=ast.Call(func=ast.Attribute(value=ast.Name(id=name)))):
            yield name, Unclear()  # a method may change the object
        case ast.AugAssign(target=target) | ast.For(target=target) | ast.AsyncFor(target=target):
            yield from _assigned(target, None)
        case ast.Delete(targets=targets):
            for target in targets:
                yield from _assigned(target, None)
        case _:
            written, stands_for = getattr(statement, "name", None), getattr(statement, "value", None)
            if isinstance(written, ast.Name) and isinstance(stands_for, ast.expr):  # `type X = …` of Python 3.12
                yield written.id, stands_for


def _assigned(target: ast.expr, value: ast.expr | None) -> Iterator[tuple[str, Definition]]:
    match target:
        case ast.Name(id=name):
            yield name, Unclear() if value is None else value
        case ast.Tuple(elts=parts) | ast.List(elts=parts):
            for part in parts:
                yield from _assigned(part, None)
        case ast.Starred(value=inner) | ast.Subscript(value=inner) | ast.Attribute(value=inner):
            yield from _assigned(inner, None)
