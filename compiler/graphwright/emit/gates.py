"""Checks modules before they are written.

A module that fails is an internal error, never the fault of the author of the graph.
"""

from __future__ import annotations
import __future__

import dis
import inspect
import io
import marshal
import subprocess
import sys
import tokenize
from collections.abc import Iterator
from contextlib import suppress
from pathlib import PurePosixPath
from types import CodeType
from typing import Final, NamedTuple

from graphwright.emit.abi import IMPORTABLE
from graphwright.emit.errors import GateError

_IMPORT: Final = dis.opmap["IMPORT_NAME"]


#: Larger modules, in bytes, are compiled in pieces, split between nodes.
_LARGE: Final = 250_000
_BETWEEN: Final = b"\n\n\n# "
_FUTURE: Final = b"from __future__ import annotations\n"
_CHILD: Final = """\
import marshal, sys
code = compile(sys.stdin.buffer.read(), "<module>", "exec", dont_inherit=True)
sys.stdout.buffer.write(marshal.dumps(code))
"""


def check_module(data: bytes, functions: tuple[str, ...], path: PurePosixPath) -> None:
    """Raise `GateError` unless a module compiles, has only allowed imports, and defines every node's function once.

    `data` are its bytes, because Python reads them from a file.
    """
    problem, line = _problem(data, functions)
    if problem is not None:
        raise GateError(problem, path, line)


class _Seen(NamedTuple):
    """Properties of compiled code: its imports, whether an inner function imports something, its async functions."""

    imports: list[tuple[str, tuple[str, ...]]]
    imports_inside: bool
    coroutines: list[str]

    @classmethod
    def of(cls, code: CodeType) -> _Seen:
        """The properties of a piece of a module."""
        inside = any(_IMPORT in each.co_code[::2] for each in _inner(code))
        coroutines = [each.co_name for each in _constants(code) if each.co_flags & inspect.CO_COROUTINE]
        return cls(list(_imports(code)), inside, coroutines)


def _problem(data: bytes, functions: tuple[str, ...]) -> tuple[str | None, int | None]:
    """The problem and its line, if known; None if there is none."""
    try:
        encoding, _ = tokenize.detect_encoding(io.BytesIO(data).readline)
        if encoding != "utf-8":
            return f"Python would read it as {encoding}, not as UTF-8", 1
        pieces = _compiled(data)
    except (SyntaxError, ValueError, RecursionError, MemoryError, OverflowError) as error:
        whole = len(data) < _LARGE  # line numbers in a piece are relative to its start
        return f"it does not compile: {error}", error.lineno if isinstance(error, SyntaxError) and whole else None
    for module, names in (each for piece in pieces for each in piece.imports):
        unknown = set(names) - set(IMPORTABLE.get(module, ()))
        if module not in IMPORTABLE or unknown or not names:
            return f"it imports {', '.join(sorted(unknown)) or module} from {module}", None
    if any(piece.imports_inside for piece in pieces):
        return "it imports something inside a function", None
    found = [name for piece in pieces for name in piece.coroutines]
    return (None if found == list(functions) else "its functions are not those of its nodes"), None


def _compiled(data: bytes) -> list[_Seen]:
    """The properties of the code of a module.

    A large module is compiled in pieces to save memory, and the second half of them in a separate process at the same
    time.
    """
    pieces = list(_pieces(data))
    if len(pieces) == 1:
        return [_Seen.of(_code(data))]
    half = len(pieces) // 2
    second = b"".join(pieces[half:])
    command = [sys.executable, "-I", "-S", "-c", _CHILD]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as child:
        if child.stdin is not None:
            with suppress(BrokenPipeError):
                child.stdin.write(_FUTURE + second)
            child.stdin.close()
        seen = [_Seen.of(_code(piece)) for piece in pieces[:half]]
        data = child.stdout.read() if child.stdout is not None else b""
    if child.returncode or not data:  # compile it here to get the error message
        return [*seen, *(_Seen.of(_code(piece)) for piece in pieces[half:])]
    return [*seen, _Seen.of(marshal.loads(data))]


def _pieces(data: bytes) -> Iterator[bytes]:
    """The module, split between nodes if it is large."""
    start = 0
    while (cut := data.find(_BETWEEN, start + _LARGE)) >= 0:
        yield data[start:cut]
        start = cut
    yield data[start:]


def _code(data: bytes) -> CodeType:
    flags = __future__.annotations.compiler_flag
    code: CodeType = compile(data, "<module>", "exec", flags=flags, dont_inherit=True)
    return code


def _imports(code: CodeType) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Every import at the top level of the module: the module, and the imported names."""
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
    """Every function and class body in a module, at any level."""
    pending = list(_constants(code))
    while pending:
        each = pending.pop()
        yield each
        pending.extend(_constants(each))
