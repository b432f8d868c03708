"""What must hold of a module before it is written anywhere.

A text that does not pass is a fault of the compiler, never of the author of the graph.
"""

from __future__ import annotations

import dis
import inspect
from collections.abc import Iterator
from pathlib import PurePosixPath
from types import CodeType
from typing import Final

from graphwright.emit.abi import IMPORTABLE

_IMPORT: Final = dis.opmap["IMPORT_NAME"]


class GateError(Exception):
    """A module that must not be written; `str()` says why. `path`: which one, where that is known."""

    def __init__(self, message: str, path: PurePosixPath | None = None) -> None:
        super().__init__(message if path is None else f"{path}: {message}")
        self.path = path


def check_module(text: str, functions: tuple[str, ...], path: PurePosixPath) -> None:
    """Raise `GateError` unless the text compiles, imports what it may, and defines every node's function once."""
    problem = _problem(text, functions)
    if problem is not None:
        raise GateError(problem, path)


def _problem(text: str, functions: tuple[str, ...]) -> str | None:
    try:
        code = compile(text, "<module>", "exec", dont_inherit=True)
    except (SyntaxError, ValueError, RecursionError, MemoryError, OverflowError) as error:
        return f"it does not compile: {error}"
    for module, names in _imports(code):
        unknown = set(names) - set(IMPORTABLE.get(module, ()))
        if module not in IMPORTABLE or unknown or not names:
            return f"it imports {', '.join(sorted(unknown)) or module} from {module}"
    inner = list(_inner(code))
    if any(_IMPORT in each.co_code[::2] for each in inner):
        return "it imports something inside a function"
    found = [
        each.co_name for each in _constants(code) if each.co_flags & inspect.CO_COROUTINE and each.co_name != "run"
    ]
    return None if found == list(functions) else "its functions are not those of its nodes"


def _imports(code: CodeType) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Every import of the module itself: the module, and the names that are taken from it."""
    last = 2 * code.co_code[::2].rfind(_IMPORT)
    before: object = None
    for instruction in dis.get_instructions(code):
        if instruction.offset > last:
            return
        if instruction.opcode == _IMPORT:
            yield str(instruction.argval), before if isinstance(before, tuple) else ()
        before = instruction.argval


def _constants(code: CodeType) -> Iterator[CodeType]:
    return (each for each in code.co_consts if isinstance(each, CodeType))


def _inner(code: CodeType) -> Iterator[CodeType]:
    """Every function and class body below a module, at any depth."""
    pending = list(_constants(code))
    while pending:
        each = pending.pop()
        yield each
        pending.extend(_constants(each))
