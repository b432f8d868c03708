"""Tools that do what no tool should: what they raise, what they return, how they treat cancellation."""

from __future__ import annotations

import asyncio
import datetime
from collections.abc import Callable
from functools import cache
from typing import Any, NoReturn

Tool = Callable[[dict[str, Any]], Any]


class UnprintableError(Exception):
    """Cannot be turned into text."""

    def __str__(self) -> str:
        raise RuntimeError("no text")

    __repr__ = __str__


class LeavingError(Exception):
    """Turning it into text ends the program."""

    def __str__(self) -> str:
        raise SystemExit(3)


class PricklyError(Exception):
    """Every attribute access raises."""

    @property
    def status_code(self) -> int:
        raise RuntimeError("no code")

    @property
    def retry_after(self) -> float:
        raise ZeroDivisionError

    response = property(lambda self: 1 / 0)


def _refuse(*_: object, **__: object) -> NoReturn:
    raise RuntimeError("hands off")


def stubborn(kind: type, *methods: str) -> Callable[..., Any]:
    """A class of its own whose methods raise."""
    return type(f"Stubborn{kind.__name__}", (kind,), {**dict.fromkeys(methods, _refuse), "__hash__": kind.__hash__})


Text = stubborn(str, "__getitem__", "__add__", "__len__", "strip", "encode", "__eq__", "__format__")
Mapping = stubborn(dict, "__iter__", "items", "keys", "values", "get", "__getitem__", "__contains__", "__len__")
Sequence = stubborn(list, "__iter__", "__len__", "__getitem__")


class SaysError(Exception):
    """Its text is of a class of its own."""

    def __str__(self) -> str:
        said: str = Text("said")
        return said


class Liar:
    """An object that says that it is a mapping."""

    @property
    def __class__(self) -> type:
        return dict

    @__class__.setter
    def __class__(self, value: type) -> None: ...


class Key:
    """A key that raises when it is compared, and lies where `status` would."""

    def __hash__(self) -> int:
        return hash("status")

    def __eq__(self, other: object) -> bool:
        raise RuntimeError("no comparison")


class Group(ExceptionGroup[Exception]):
    """A group whose text cannot be had."""

    def __str__(self) -> str:
        raise RuntimeError("no text")


def endless() -> object:
    """A list in itself."""
    found: list[object] = []
    found.append(found)
    return found


@cache
def deep(levels: int) -> object:
    """Lists in lists."""
    found: object = 1
    for _ in range(levels):
        found = [found]
    return found


def nested_group(levels: int) -> Exception:
    """Groups in groups."""
    error: Exception = ValueError("innermost")
    for _ in range(levels):
        error = ExceptionGroup("", [error])
    return error


def caused() -> Exception:
    """Exceptions that are each other's cause, and say nothing."""
    one, other = RuntimeError(), RuntimeError()
    one.__cause__, other.__cause__ = other, one
    return one


def _recurse(params: dict[str, Any]) -> object:
    return _recurse(params)


RAISED: dict[str, Callable[[], BaseException]] = {
    "an exception": lambda: ValueError("boom"),
    "one without text": Exception,
    "no printable text": UnprintableError,
    "text that leaves": LeavingError,
    "text of a class of its own": SaysError,
    "attributes that raise": PricklyError,
    "a huge text": lambda: ValueError("x" * 5_000_000),
    "a lone surrogate": lambda: ValueError("\udc80 \ud800"),
    "SystemExit": lambda: SystemExit(1),
    "KeyboardInterrupt": KeyboardInterrupt,
    "GeneratorExit": GeneratorExit,
    "BaseException": BaseException,
    "CancelledError": asyncio.CancelledError,
    "StopIteration": StopIteration,
    "StopAsyncIteration": StopAsyncIteration,
    "MemoryError": MemoryError,
    "RecursionError": RecursionError,
    "a group": lambda: ExceptionGroup("g", [ValueError("one"), UnprintableError()]),
    "a group that cannot be printed": lambda: Group("g", [ValueError("one")]),
    "a group of what ends programs": lambda: BaseExceptionGroup("g", [SystemExit(1), KeyboardInterrupt()]),
    "a deep group": lambda: nested_group(2_000),
    "causes in a circle": caused,
    "a key": lambda: KeyError(UnprintableError()),
}

RETURNED: dict[str, Callable[[], object]] = {
    "a tuple": lambda: (1, 2),
    "a set": lambda: {"x": {1}},
    "NaN": lambda: {"x": float("nan")},
    "a date": lambda: {"x": datetime.datetime(2026, 1, 1)},
    "bytes": lambda: {"x": b"\xff"},
    "a key that is a number": lambda: {1: 2},
    "a key that cannot be compared": lambda: {Key(): 1},
    "a mapping that cannot be read": lambda: {"x": object(), "y": Mapping(a=1)},
    "a list in itself": endless,
    "deep nesting": lambda: {"x": deep(100_000)},
    "a liar": Liar,
    "a liar inside": lambda: [Liar()],
    "a generator": lambda: (each for each in [1]),
    "a class": lambda: Liar,
    "an error that is huge": lambda: {"status": "error", "error": "x" * 5_000_000},
    "an error that is nothing": lambda: {"success": False},
    "an error with a huge number": lambda: {"success": False, "n": 10**5000, "code": 10**5000},
    "an error that asks for ever": lambda: {"status": "error", "error": "rate limit", "retry_after": 10**400},
}

#: Results that are as good as others, though their classes are their own.
ACCEPTED: dict[str, tuple[Callable[[], object], object]] = {
    "a text of a class of its own": (lambda: {"n": Text("t")}, "t"),
    "a mapping that cannot be read": (lambda: {"n": Mapping(a=Sequence([1, Text("t")]))}, {"a": [1, "t"]}),
    "a huge number": (lambda: {"n": 10**5000}, 10**5000),
    "a lone surrogate": (lambda: {"n": "\udc80"}, "\udc80"),
}


async def cancels_its_own_work(params: dict[str, Any]) -> object:
    """Waits for a task that it has cancelled itself."""
    task = asyncio.create_task(asyncio.sleep(10))
    task.cancel()
    await task
    return {}


async def swallows(params: dict[str, Any]) -> object:
    """Goes on after its cancellation as if there had been none."""
    try:
        await asyncio.sleep(10)
    except asyncio.CancelledError:
        await asyncio.sleep(0)
    return {"n": 1}


async def replaces(params: dict[str, Any]) -> object:
    """Makes another error of its cancellation."""
    try:
        await asyncio.sleep(10)
    except asyncio.CancelledError:
        raise ValueError("interrupted") from None
    return {}


def raising(make: Callable[[], BaseException], *, sync: bool) -> Tool:
    """A tool that raises a fresh exception at each call."""

    def tool(params: dict[str, Any]) -> object:
        raise make()

    async def async_tool(params: dict[str, Any]) -> object:
        raise make()

    return tool if sync else async_tool


def returning(make: Callable[[], object], *, sync: bool) -> Tool:
    """A tool that returns a fresh value at each call."""

    def tool(params: dict[str, Any]) -> object:
        return make()

    async def async_tool(params: dict[str, Any]) -> object:
        return make()

    return tool if sync else async_tool


TOOLS: dict[str, Tool] = {
    **{
        f"{way} raises {name}": raising(make, sync=way == "sync")
        for name, make in RAISED.items()
        for way in ("sync", "async")
    },
    **{
        f"{way} returns {name}": returning(make, sync=way == "sync")
        for name, make in RETURNED.items()
        for way in ("sync", "async")
    },
    "recursion": _recurse,
    "inner cancellation": cancels_its_own_work,
}
