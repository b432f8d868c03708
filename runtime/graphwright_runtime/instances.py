"""Params as instances of the class that a tool is annotated with, and results back to JSON.

The classes are dataclasses, tuples, NamedTuples, enumerations, and pydantic models: whatever has `model_validate_json`
and `model_dump`. A tool that is annotated with mappings, or with a TypedDict in which there is no such class, gets the
params as they are.
"""

from __future__ import annotations

import inspect
import json
from collections.abc import Callable
from dataclasses import fields
from enum import Enum
from itertools import repeat
from types import SimpleNamespace
from typing import Any, Final, NamedTuple, TypeGuard, TypeVar, cast, get_args, get_origin, get_type_hints, is_typeddict

#: A type hint that cannot be resolved.
_UNKNOWN: Final = object()


class Conversion(NamedTuple):
    """The functions through which the params and the result of a tool pass."""

    params: Callable[[object], object]
    result: Callable[[object], object]


def conversion(tool: Callable[..., object]) -> Conversion | None:
    """The conversion that the type hints of a tool ask for; None if it takes and returns mappings."""
    function = tool if inspect.isroutine(tool) else type(tool).__call__
    if not getattr(function, "__annotations__", None):
        return None
    names: dict[str, Any] = getattr(inspect.unwrap(function), "__globals__", {})
    try:
        first = next(iter(inspect.signature(tool).parameters), "")
    except Exception:  # an unusual callable
        return None
    taken, returned = (_hint(function, name, names) for name in (first, "return"))
    takes, returns = (_names_class(hint, names, set()) for hint in (taken, returned))
    returns = returns or returned is _UNKNOWN
    if not takes and not returns:
        return None
    return Conversion(
        (lambda params: _made(taken, params, names)) if takes else lambda params: params,
        _plain if returns else lambda result: result,
    )


def _hint(function: Callable[..., object], name: str, names: dict[str, Any]) -> object:
    """One type hint of a function. Others may have names that exist for type checkers only."""
    written = {key: hint for key, hint in function.__annotations__.items() if key == name}
    try:
        return get_type_hints(SimpleNamespace(__annotations__=written), names).get(name)
    except Exception:  # so does this one
        return _UNKNOWN


def _names_class(hint: object, names: dict[str, Any], seen: set[object]) -> bool:
    """Whether a hint is a class whose instances are made from JSON, or has one in it, as `list[Row]` does.

    `seen` are the TypedDicts that have been looked into.
    """
    if _is_made(hint) or _is_enumeration(hint) or _is_tuple(hint):
        return True
    if not _is_typeddict(hint):
        return any(_names_class(each, names, seen) for each in get_args(hint))
    if hint in seen:
        return False
    seen.add(hint)
    return any(_names_class(each, names, seen) for each in _field_hints(cast("type", hint), names).values())


def _is_enumeration(hint: object) -> TypeGuard[type[Enum]]:
    return isinstance(hint, type) and issubclass(hint, Enum)


def _is_tuple(hint: object) -> bool:
    return hint is tuple or get_origin(hint) is tuple


def _is_made(hint: object) -> bool:
    made = get_origin(hint) or hint  # the class of `Box[Row]`
    return isinstance(made, type) and any(
        hasattr(made, name) for name in ("__dataclass_fields__", "model_validate_json", "_make")
    )


def _is_typeddict(hint: object) -> bool:
    return is_typeddict(get_origin(hint) or hint)


def _made(hint: object, value: object, names: dict[str, Any]) -> object:
    """A value as the hint says. Raises what the constructor of a class does; `names` are those of the tool's module."""
    if _is_enumeration(hint):
        return hint(value)
    if isinstance(value, dict) and (_is_made(hint) or _is_typeddict(hint)):
        made = cast("Any", hint)
        if hasattr(made, "model_validate_json"):  # as JSON: strict models take dates and enumerations from strings
            return made.model_validate_json(json.dumps(value))
        hints = _field_hints(made, names)
        return made(**{key: _made(hints.get(key), each, names) for key, each in value.items()})
    inner = get_args(hint)
    if isinstance(value, list) and _is_tuple(hint):
        kinds = inner[:1] * len(value) if inner[1:] == (...,) else inner
        return tuple(map(_made, kinds, value, repeat(names))) if len(kinds) == len(value) else tuple(value)
    if isinstance(value, list) and len(inner) == 1:
        return [_made(inner[0], each, names) for each in value]
    if isinstance(value, dict) and len(inner) == 2 and inner[0] is str:
        return {key: _made(inner[1], each, names) for key, each in value.items()}
    fitting = [each for each in inner if _fits(each, value, names)]
    return _made(fitting[0], value, names) if len(fitting) == 1 else value


def _fits(option: object, value: object, names: dict[str, Any]) -> bool:
    """Whether a value can be meant to be made into one option of a union."""
    if isinstance(value, dict):
        return _is_made(option) or _is_typeddict(option)
    if isinstance(value, list):
        return _names_class(option, names, set()) and not _is_made(option)
    return _is_enumeration(option) and value in [each.value for each in option]


def _field_hints(made: type, names: dict[str, Any]) -> dict[str, Any]:
    plain = get_origin(made) or made
    arguments = dict(zip(getattr(plain, "__parameters__", ()), get_args(made), strict=False))
    for known in (None, names):
        try:
            hints = get_type_hints(plain, known)
        except Exception:  # names that exist elsewhere: the fields keep the values that they are given
            continue
        return {name: _with_arguments(hint, arguments) for name, hint in hints.items()}
    return {}


def _with_arguments(hint: Any, arguments: dict[object, object]) -> object:
    """The hint of a field of a generic class, such as `list[T]`, with what its type variables stand for."""
    if isinstance(hint, TypeVar):
        return arguments.get(hint, hint)
    inner = getattr(hint, "__parameters__", ()) if arguments else ()
    return hint[tuple(arguments.get(each, each) for each in inner)] if inner else hint


def _plain(value: object) -> object:
    """A result without instances of such classes; anything else is left as it is."""
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, type):
        return value
    if hasattr(value, "model_dump"):
        return value.model_dump(mode="json", by_alias=True)
    if hasattr(value, "__dataclass_fields__"):
        return {field.name: _plain(getattr(value, field.name)) for field in fields(cast("Any", value))}
    if isinstance(value, tuple) and hasattr(value, "_asdict"):
        return {name: _plain(each) for name, each in value._asdict().items()}
    if isinstance(value, list | tuple):
        return [_plain(each) for each in value]
    return {key: _plain(each) for key, each in value.items()} if isinstance(value, dict) else value
