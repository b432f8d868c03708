"""Reads the declaration in the file of a tool: constants, and the type hints of `execute`."""

from __future__ import annotations

import ast
from copy import copy
from pathlib import Path
from typing import Final, TypeAlias

from graphwright.contract.manifest import CONSTANTS, Declaration, Manifest
from graphwright.contract.python.annotations import Annotations
from graphwright.contract.python.calling import missing_function, uncallable
from graphwright.contract.python.classes import called_schema, class_schema
from graphwright.contract.python.literals import NotLiteralError, literal
from graphwright.contract.python.module import Hint, Module
from graphwright.contract.python.search import Load, Place, Search
from graphwright.diagnostic import Json

_Function: TypeAlias = ast.FunctionDef | ast.AsyncFunctionDef

#: Decorators that do not change the parameters and the result of a function.
_TRANSPARENT: Final = frozenset(
    {
        *("functools.cache", "functools.lru_cache", "pydantic.validate_call", "typing.final", "typing.override"),
        *("typing_extensions.final", "typing_extensions.override", "typing_extensions.deprecated"),
        "warnings.deprecated",
    }
)
#: Annotated result types of generator functions, which do not return what the hint says.
_GENERATORS: Final = frozenset({"Generator", "Iterator", "AsyncIterator", "AsyncGenerator", "AsyncIterable"})


def read_tool(path: Path, folders: tuple[Path, ...], origin: str, load: Load, function: str = "execute") -> Declaration:
    """The declaration in the Python file of a tool; `load` reads the file and those that it imports.

    `function`: the name of the tool; constants of the module apply only to `execute`.
    """
    try:
        return _read(path, folders, origin, load, function)
    except RecursionError:
        return Declaration(signature=Manifest(origin, problem="it is nested too deeply"))


def _read(path: Path, folders: tuple[Path, ...], origin: str, load: Load, function: str) -> Declaration:
    search = Search(load)
    module = search.module(path, folders)
    if not isinstance(module, Module):
        return Declaration(signature=Manifest(origin, problem=module))
    if function != "execute":
        return Declaration(signature=_signature(module, search, origin, function, ()))
    params, result = (_constant(module, search, CONSTANTS[side]) for side in ("params", "result"))
    constants = Manifest(origin, _schema(params), _schema(result))
    names = [
        name
        for constant in ("ENV_REQUIRES", "__env_requires__")
        for name in _texts(_constant(module, search, constant))
    ]
    signature = _signature(module, search, origin, function, tuple(dict.fromkeys(names)))
    return Declaration(None, None if constants.is_silent else constants, signature)


def _constant(module: Module, search: Search, name: str) -> Json:
    """The value of a constant of the module; None if it does not exist or is not a constant."""
    target = search.named(name, module) if name in module.names or module.stars else None
    if isinstance(target, Place) and isinstance(target.definition, ast.expr):
        try:
            return literal(target.definition, target.module, search)
        except NotLiteralError:
            return None
    return None


def _schema(value: Json) -> Json:
    return value if isinstance(value, dict) else True


def _signature(module: Module, search: Search, origin: str, name: str, env: tuple[str, ...]) -> Manifest:
    target = search.named(name, module) if name in module.names or module.stars else None
    about = module.docstring if name == "execute" else ""
    called = _called(target, search)
    if called is None:
        missing = missing_function(module) if name == "execute" and target is None else None
        return Manifest(origin, env_requires=env, description=_first(about), uncallable=missing)
    function, home = called
    about = ast.get_docstring(function) or about
    if not all(_is_transparent(decorator, home, search) for decorator in function.decorator_list):
        return Manifest(origin, env_requires=env, description=_first(about))
    params, result = _params(function, home, search), _result(function, home, search)
    is_plain = name == "execute" and function in module.tree.body  # not one of several alternatives
    wrong = uncallable(function, home, search) if is_plain else None
    calls = _takes_context(function)
    return Manifest(origin, params, result, env, _first(about), calls_others=calls, uncallable=wrong)


def _called(target: object, search: Search) -> tuple[_Function, Module] | None:
    """The function that is called, and its file: for an instance of a class, `__call__` without `self`."""
    match target:
        case Place(module=module, definition=ast.FunctionDef() | ast.AsyncFunctionDef() as function):
            return function, module
        case Place(module=module, definition=ast.Call(func=made)):
            found = search.target(made, module)
            if isinstance(found, Place) and isinstance(found.definition, ast.ClassDef):
                for each in found.definition.body:
                    if isinstance(each, ast.FunctionDef | ast.AsyncFunctionDef) and each.name == "__call__":
                        return _without_self(each), found.module
        case _:
            pass
    return None


def _without_self(method: _Function) -> _Function:
    function, arguments = copy(method), copy(method.args)
    if arguments.posonlyargs:
        arguments.posonlyargs = arguments.posonlyargs[1:]
    else:
        arguments.args = arguments.args[1:]
    function.args = arguments
    return function


def _takes_context(function: _Function) -> bool:
    """Whether a tool takes the context of its call: by name, by annotation, or as its third argument."""
    arguments = function.args
    positional = [*arguments.posonlyargs, *arguments.args]
    more = [*positional[1:], *arguments.kwonlyargs]
    hints = [ast.unparse(each.annotation) for each in more if each.annotation is not None]
    named = any(each.arg == "context" for each in more) or any("Context" in hint for hint in hints)
    return named or len(positional) > 2 or arguments.vararg is not None


def _params(function: _Function, module: Module, search: Search) -> Json:
    """The schema of the annotation of the first parameter, if that is a mapping."""
    positional = [*function.args.posonlyargs, *function.args.args]
    hint = positional[0].annotation if positional else None
    if hint is None:
        return True
    annotations = Annotations(search, class_schema, called_schema)
    schema = annotations.schema(annotations.marks(Hint(hint, module)).hint)
    return schema if schema.get("type") == "object" or "anyOf" in schema else True


def _result(function: _Function, module: Module, search: Search) -> Json:
    annotations = Annotations(search, class_schema, called_schema, returned=True)
    if function.returns is None or any(isinstance(each, ast.Yield | ast.YieldFrom) for each in ast.walk(function)):
        return True
    hint = annotations.marks(Hint(function.returns, module)).hint
    plain = hint.expression.value if isinstance(hint.expression, ast.Subscript) else hint.expression
    if annotations.name_of(plain, hint.module) in _GENERATORS:
        return True
    return annotations.schema(hint) or True


def _is_transparent(decorator: ast.expr, module: Module, search: Search) -> bool:
    function = decorator.func if isinstance(decorator, ast.Call) else decorator
    return search.target(function, module) in _TRANSPARENT


def _texts(value: Json) -> list[str]:
    """Names in one string or a list of strings."""
    if isinstance(value, str):
        return [value]
    return [each for each in value if isinstance(each, str)] if isinstance(value, list) else []


def _first(docstring: str) -> str:
    """The first paragraph, on one line."""
    return " ".join(docstring.partition("\n\n")[0].split())
