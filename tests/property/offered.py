"""What a module offers: its types at run time, and which values belong to them."""

from __future__ import annotations

import inspect
from collections.abc import Iterator, Mapping
from types import ModuleType, UnionType
from typing import Any, Literal, NotRequired, Union, get_args, get_origin, get_type_hints, is_typeddict


def public(made: ModuleType) -> Iterator[tuple[str, Any]]:
    """What a module offers, and what its protocol consists of."""
    for name in made.__all__:
        offered = getattr(made, name)
        yield name, offered
        if name == "Tools":
            yield from ((each, method) for each, method in vars(offered).items() if inspect.isfunction(method))


def hints(made: ModuleType) -> dict[str, dict[str, Any]]:
    """The hints of all that has some: classes, methods, entry points."""
    return {
        name: get_type_hints(offered, include_extras=True)
        for name, offered in public(made)
        if inspect.isclass(offered) or inspect.isroutine(offered)
    }


def fits(value: object, hint: Any) -> bool:
    """Whether a JSON value belongs to a type. A TypedDict may have further keys."""
    if hint is None:
        return value is None
    origin, arguments = get_origin(hint), get_args(hint)
    if is_typeddict(hint):
        return isinstance(value, dict) and all(
            fits(value[key], each) if key in value else get_origin(each) is NotRequired
            for key, each in get_type_hints(hint, include_extras=True).items()
        )
    if origin in (Union, UnionType):
        return any(fits(value, option) for option in arguments)
    if origin is NotRequired:
        return fits(value, arguments[0])
    if origin is Literal:
        return any(type(value) is type(option) and value == option for option in arguments)
    if origin is list:
        return isinstance(value, list) and all(fits(item, arguments[0]) for item in value)
    if origin in (dict, Mapping):
        return isinstance(value, dict) and all(fits(entry, arguments[1]) for entry in value.values())
    if isinstance(value, bool):
        return hint in (bool, object)
    return isinstance(value, (int, float) if hint is float else hint)
