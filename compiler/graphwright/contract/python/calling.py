"""Whether a run can call the function of a tool: it passes all params as one mapping, and perhaps the path of the
project and the context (runtime.md §2)."""

from __future__ import annotations

import ast
import inspect
from collections.abc import Iterable, Iterator
from inspect import Parameter
from typing import Final

from graphwright.analysis.jsontype import ANY, Type
from graphwright.analysis.type_text import a_value_of
from graphwright.contract.python.annotations import Annotations
from graphwright.contract.python.classes import called_schema, class_schema
from graphwright.contract.python.module import Hint, Module
from graphwright.contract.python.search import Search
from graphwright.schema.types import from_schema
from graphwright.suggest import nearest
from graphwright.toolparameters import Received, is_named_for, received

#: Functions that can define names that no statement binds.
_DEFINING: Final = frozenset({"__getattr__", "exec", "globals", "setattr", "vars"})
_PASSED: Final[dict[Received, str]] = {"project_path": "the path of the project", "context": "the context of the call"}
_KINDS: Final = (Parameter.POSITIONAL_ONLY, Parameter.POSITIONAL_OR_KEYWORD, Parameter.KEYWORD_ONLY)


def missing_function(module: Module) -> str | None:
    """Says that a file has no function `execute`; None if it may have one."""
    names = {name for name in _names(module.tree.body) if name is not None}
    if module.stars or "execute" in names or not names.isdisjoint(_DEFINING):
        return None
    functions = [each.name for each in module.tree.body if isinstance(each, ast.FunctionDef | ast.AsyncFunctionDef)]
    near = nearest("execute", functions)
    return "its file has no function `execute`" + (f", only `{near}`" if near is not None else "")


def _names(nodes: Iterable[ast.AST]) -> Iterator[str | None]:
    """The names in a module: bound or used outside of functions and classes, and global or used inside them."""
    for node in nodes:
        match node:
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
                yield name
                for each in ast.walk(node):
                    if isinstance(each, ast.Global):
                        yield from each.names
                    elif isinstance(each, ast.Name) and each.id in _DEFINING:
                        yield each.id
            case ast.Name(id=name):
                yield name
            case ast.alias(name=name, asname=other):
                yield other or name
            case _:
                yield from _names(ast.iter_child_nodes(node))


def uncallable(function: ast.FunctionDef | ast.AsyncFunctionDef, module: Module, search: Search) -> str | None:
    """Why a call of a tool's function fails, or passes it something else than it says; None if nothing is wrong."""
    parameters = list(_parameters(function))
    if not parameters or parameters[0][0].kind in (Parameter.KEYWORD_ONLY, Parameter.VAR_KEYWORD):
        return f"`{function.name}` takes no positional argument, but a run passes all params as one mapping"
    first, hint = parameters[0]
    if first.name != "context" and (is_named_for(first) or first.name == "self"):
        return f"a run passes all params as the first argument, which `{function.name}` calls `{first.name}`"
    kind = _type(hint, module, search)
    if kind.known and "object" not in kind.kinds and first.kind is not Parameter.VAR_POSITIONAL:
        return f"`{first.name}` is {a_value_of(kind)}, but a run passes all params as one mapping"
    passed = received([parameter for parameter, _ in parameters])
    for parameter, hint in parameters[1:]:
        extra, kind = passed.get(parameter.name), _type(hint, module, search)
        if extra is None:
            is_unclear = hint is not None and not kind.known  # `Context` by another name is passed
            if parameter.kind in _KINDS and parameter.default is Parameter.empty and not is_unclear:
                return f"`{function.name}` requires `{parameter.name}`, but a run passes all params as one mapping"
        elif not is_named_for(parameter) and kind.known and not (extra == "project_path" and "string" in kind.kinds):
            return f"`{parameter.name}` is {a_value_of(kind)}, but a run passes {_PASSED[extra]} there"
    return None


def _type(hint: ast.expr | None, module: Module, search: Search) -> Type:
    """The type of a parameter according to its hint."""
    if hint is None:
        return ANY
    annotations = Annotations(search, class_schema, called_schema)
    plain = hint.value if isinstance(hint, ast.Subscript) else hint
    if annotations.name_of(plain, module) in ("Iterable", "Collection"):
        return ANY  # a mapping is one, too
    return from_schema(annotations.schema(annotations.marks(Hint(hint, module)).hint))


def _parameters(function: ast.FunctionDef | ast.AsyncFunctionDef) -> Iterator[tuple[Parameter, ast.expr | None]]:
    """The parameters of a function, each with its hint."""
    arguments = function.args
    positional = [*arguments.posonlyargs, *arguments.args]
    required = len(positional) - len(arguments.defaults)
    for index, each in enumerate(positional):
        kind = _KINDS[0] if index < len(arguments.posonlyargs) else _KINDS[1]
        yield _parameter(each, kind, has_default=index >= required)
    if arguments.vararg is not None:
        yield _parameter(arguments.vararg, Parameter.VAR_POSITIONAL)
    for each, default in zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True):
        yield _parameter(each, Parameter.KEYWORD_ONLY, has_default=default is not None)
    if arguments.kwarg is not None:
        yield _parameter(arguments.kwarg, Parameter.VAR_KEYWORD)


def _parameter(
    argument: ast.arg, kind: inspect._ParameterKind, *, has_default: bool = False
) -> tuple[Parameter, ast.expr | None]:
    hint = argument.annotation
    written = Parameter.empty if hint is None else ast.unparse(hint)
    default = ... if has_default else Parameter.empty
    return Parameter(argument.arg, kind, default=default, annotation=written), hint
