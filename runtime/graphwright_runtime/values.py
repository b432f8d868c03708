"""The JSON boundary: what comes in is checked and copied, what goes out is copied without its nulls.

State holds nothing but JSON, and nothing of it is shared with a tool: params are copied on the way out, results on
the way in. Most params and results are flat mappings of scalars; they never reach this module (`Cursor.call`).
"""

from __future__ import annotations

from collections.abc import Iterator
from math import isfinite
from typing import TYPE_CHECKING, Final, TypeAlias, TypeVar, cast

from graphwright_runtime.errors import NodeError

#: A JSON value. What reads types at run time, such as pydantic, does not follow it into itself.
if TYPE_CHECKING:
    Json: TypeAlias = bool | int | float | str | list["Json"] | dict[str, "Json"] | None
else:
    Json = bool | int | float | str | list[object] | dict[str, object] | None

#: The parameters of an action, as emitted code writes them.
Params: TypeAlias = dict[str, object]

#: What an action gave: always a mapping (language.md §6.5).
Result: TypeAlias = dict[str, Json]

#: Exact types of scalars that need no further look.
ATOMS: Final = frozenset((str, int, bool, type(None)))

#: Exact types of parameters that go to a tool as they are: no null, which is stripped; floats are finite already.
PLAIN: Final = frozenset((str, int, bool, float))

ValueT = TypeVar("ValueT")

#: Characters of a place that a message shows; places in cycles are long.
_PLACE: Final = 120

#: Nesting that is still read. The compiler refuses deeper YAML; deeper values are refused here, never a crash.
MAX_DEPTH: Final = 200


class NotJsonError(Exception):
    """A value is not JSON; `str()` is the place and what stands there: `rows[3].at: a datetime`."""


def json_copy(value: object) -> Json:
    """A copy of `value` that shares nothing mutable with it; subclasses of JSON's types become those types.

    Raises NotJsonError, naming the first place that is not JSON: keys that are not strings, NaN and infinity, tuples,
    sets, bytes, dates, objects, and nesting of more than 200 levels (so also cycles).
    """
    try:
        return _copy(cast("Json", value), MAX_DEPTH)
    except _ForeignError:
        raise NotJsonError(_place(value)) from None
    except RuntimeError as error:  # also a RecursionError, where the caller left little of the stack
        raise NotJsonError(f"it cannot be read: {error}") from error


def parsed_json(text: str) -> Json:
    """The value that a JSON text stands for. Raises NotJsonError, also on what Python reads beyond JSON (NaN)."""
    import json

    try:
        return json_copy(json.loads(text))
    except (ValueError, RecursionError) as error:
        raise NotJsonError(str(error)) from error


def sent(params: Params) -> dict[str, Json]:
    """A copy of `params` for a tool: `null` entries of mappings are gone at every depth, list items are kept.

    `params` hold JSON already; only their depth is checked (NodeError).
    """
    try:
        return _strip_mapping(cast("dict[str, Json]", params), MAX_DEPTH)
    except _ForeignError:
        raise NodeError(f"params are nested deeper than {MAX_DEPTH} levels") from None


def apart(value: ValueT) -> ValueT:
    """A copy of a JSON value in which no list or mapping occurs twice, and none of which anybody else holds.

    Values of the state may hold one another, to any depth: nothing changes them while a run lasts.
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
    """Something is not JSON. Where is found out by `_place`, which only a failure pays for."""


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
    """The JSON value that an instance of a subclass stands for."""
    kind = type(value)  # not isinstance, and nothing that the subclass defines: it may say and do anything
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
    """Where the first thing that is not JSON stands, depth first; walks without recursion."""
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
    """A key as a message shows it; one of a class that Python does not bring by its class."""
    return repr(key) if type(key) in (int, float, bool, bytes, type(None)) else _a(type(key))


def _a(kind: type[object]) -> str:
    name = kind.__name__
    return f"{'an' if name[:1].lower() in 'aeiou' else 'a'} {name}"
