"""Copies JSON values between the state and tools: results are checked, and params lose their nulls.

The state contains only JSON, and shares nothing with tools: params and results are copied. Most of them are flat
mappings of scalars, for which this module is not used (`Cursor.call`).
"""

from __future__ import annotations

from collections.abc import Iterator
from math import isfinite
from typing import TYPE_CHECKING, Final, TypeAlias, TypeVar, cast

from graphwright_runtime.errors import NodeError

#: A JSON value. At run time it is not recursive, because pydantic and similar libraries cannot resolve that.
if TYPE_CHECKING:
    Json: TypeAlias = bool | int | float | str | list["Json"] | dict[str, "Json"] | None
else:
    Json = bool | int | float | str | list[object] | dict[str, object] | None

#: The params of an action in emitted code.
Params: TypeAlias = dict[str, object]

#: The result of an action: always a mapping (language.md §6.5).
Result: TypeAlias = dict[str, Json]

#: The exact types of scalars that need no further checks.
ATOMS: Final = frozenset((str, int, bool, type(None)))

#: The exact types of params that are passed unchanged: not null, which is removed; floats are already finite.
PLAIN: Final = frozenset((str, int, bool, float))

ValueT = TypeVar("ValueT")

#: The maximum length of a path in a message; paths in cycles are long.
_PLACE: Final = 120

#: The maximum nesting of values. The compiler has the same limit for YAML.
MAX_DEPTH: Final = 200


class NotJsonError(Exception):
    """A value is not JSON; `str()` is the path and what is there: `rows[3].at: a datetime`."""


def json_copy(value: object) -> Json:
    """A deep copy of `value`; instances of subclasses of JSON types become those types.

    Raises NotJsonError with the path of the first part that is not JSON: keys that are not strings, NaN and infinity,
    tuples, sets, bytes, dates, objects, and nesting of more than 200 levels (including cycles).
    """
    try:
        return _copy(cast("Json", value), MAX_DEPTH)
    except _ForeignError:
        raise NotJsonError(_place(value)) from None
    except RuntimeError as error:  # including RecursionError, if the caller has used most of the stack
        raise NotJsonError(f"it cannot be read: {error}") from error


def parsed_json(text: str) -> Json:
    """Parse a JSON text. Raises NotJsonError, also for extensions that Python accepts (NaN)."""
    import json

    try:
        return json_copy(json.loads(text))
    except (ValueError, RecursionError) as error:
        raise NotJsonError(str(error)) from error


def sent(params: Params) -> dict[str, Json]:
    """A copy of `params` without null entries of mappings, at every level; nulls in lists are kept.

    `params` must be JSON. Raises NodeError if they are nested too deeply.
    """
    try:
        return _strip_mapping(cast("dict[str, Json]", params), MAX_DEPTH)
    except _ForeignError:
        raise NodeError(f"params are nested deeper than {MAX_DEPTH} levels") from None


def apart(value: ValueT) -> ValueT:
    """A deep copy of a JSON value in which no list or mapping occurs twice.

    Values of the state may share parts with each other, because nothing changes them during a run.
    """
    if not isinstance(value, (dict, list)):
        return value
    copy = value.copy()
    pending: list[dict[str, Json] | list[Json]] = [copy]
    while pending:
        box = pending.pop()
        if isinstance(box, dict):
            for key, item in box.items():
                if isinstance(item, (dict, list)):
                    box[key] = fresh = item.copy()
                    pending.append(fresh)
        else:
            for index, item in enumerate(box):
                if isinstance(item, (dict, list)):
                    box[index] = fresh = item.copy()
                    pending.append(fresh)
    return cast("ValueT", copy)


class _ForeignError(Exception):
    """A part is not JSON. `_place` finds its path, which is only computed after a failure."""


def _copy(value: Json, depth: int) -> Json:
    kind = type(value)
    if kind in ATOMS:
        return value
    if kind is list or kind is dict:
        if depth == 0:
            raise _ForeignError
        if kind is list:
            return _copy_items(cast("list[Json]", value), depth - 1)
        return _copy_mapping(cast("dict[str, Json]", value), depth - 1)
    if kind is float:
        if isfinite(cast("float", value)):
            return value
        raise _ForeignError
    return _copy(_narrowed(value), depth)


def _copy_mapping(value: dict[str, Json], depth: int) -> dict[str, Json]:
    copy: dict[str, Json] = {}
    for key, item in value.items():
        if type(key) is not str:
            if not issubclass(type(key), str):
                raise _ForeignError
            key = str.__str__(key)
        copy[key] = item if type(item) in ATOMS else _copy(item, depth)
    return copy


def _copy_items(value: list[Json], depth: int) -> list[Json]:
    if ATOMS.issuperset(map(type, value)):
        return value.copy()
    return [item if type(item) in ATOMS else _copy(item, depth) for item in value]


def _narrowed(value: object) -> Json:
    """The JSON value of an instance of a subclass."""
    kind = type(value)  # not isinstance or methods of the subclass, which may run foreign code
    if issubclass(kind, str):
        return str.__str__(cast("str", value))
    if issubclass(kind, int):
        return int.__int__(cast("int", value))
    if issubclass(kind, float):
        return float.__float__(cast("float", value))
    if issubclass(kind, dict):
        return dict(dict.items(cast("dict[str, Json]", value)))
    if issubclass(kind, list):
        return [*list.__iter__(cast("list[Json]", value))]
    raise _ForeignError


def _strip(value: Json, depth: int) -> Json:
    kind = type(value)
    if kind is dict:
        return _strip_mapping(cast("dict[str, Json]", value), depth)
    if kind is list:
        if depth == 0:
            raise _ForeignError
        return [item if type(item) in ATOMS else _strip(item, depth - 1) for item in cast("list[Json]", value)]
    return value


def _strip_mapping(value: dict[str, Json], depth: int) -> dict[str, Json]:
    if depth == 0:
        raise _ForeignError
    return {
        key: item if type(item) in PLAIN else _strip(item, depth - 1) for key, item in value.items() if item is not None
    }


def _place(value: object) -> str:
    """The path and kind of the first part that is not JSON, depth first; does not use recursion."""
    stack: list[tuple[str, object, int]] = [("", value, 0)]
    while stack:
        where, item, depth = stack.pop()
        fault = _fault(item, depth)
        if fault is not None:
            shown = where if len(where) <= _PLACE else f"{where[:_PLACE]}…"
            return f"{shown}: {fault}" if where else fault
        stack.extend(reversed([(where + step, child, depth + 1) for step, child in _children(item, where)]))
    raise AssertionError("a value that is JSON was rejected")


def _children(item: object, where: str) -> Iterator[tuple[str, object]]:
    if issubclass(type(item), dict):
        for key, child in dict.items(cast("dict[str, object]", item)):
            name = str.__str__(key)
            yield (f".{name}" if where else name), child
    elif issubclass(type(item), list):
        for index, child in enumerate(list.__iter__(cast("list[object]", item))):
            yield f"[{index}]", child


def _fault(item: object, depth: int) -> str | None:
    kind = type(item)
    if issubclass(kind, (dict, list)):
        if depth >= MAX_DEPTH:
            return f"nested deeper than {MAX_DEPTH} levels"
        if issubclass(kind, dict):
            for key in dict.keys(cast("dict[object, object]", item)):
                if not issubclass(type(key), str):
                    return f"a key that is not a string ({_shown(key)})"
        return None
    if issubclass(kind, float):
        number = float.__float__(cast("float", item))
        return None if isfinite(number) else f"{number!r}, which JSON cannot represent"
    return None if item is None or issubclass(kind, (str, int)) else _a(kind)


def _shown(key: object) -> str:
    """A key for messages; for a key that is not of a built-in type, its type."""
    return repr(key) if type(key) in (int, float, bool, bytes, type(None)) else _a(type(key))


def _a(kind: type[object]) -> str:
    name = kind.__name__
    return f"{'an' if name[:1].lower() in 'aeiou' else 'a'} {name}"
