"""Reads the params of built-in tools. Raises NodeErrors that name the invalid param."""

from __future__ import annotations

from graphwright_runtime.errors import NodeError
from graphwright_runtime.expressions import described
from graphwright_runtime.values import Json


def text(params: dict[str, Json], name: str, *, default: str | None = None) -> str:
    """A string; required if there is no default."""
    value = params.get(name, default)
    if isinstance(value, str):
        return value
    raise _wrong(params, name, "a string")


def positive_number(params: dict[str, Json], name: str) -> float | None:
    """A number above zero, or None if it is absent."""
    value = params.get(name)
    if value is None:
        return None
    if isinstance(value, (int, float)) and not isinstance(value, bool) and value > 0:
        return value
    raise _wrong(params, name, "a number above zero")


def count(params: dict[str, Json], name: str, *, default: int) -> int:
    """An integer above zero."""
    value = params.get(name, default)
    if isinstance(value, int) and not isinstance(value, bool) and value > 0:
        return value
    raise _wrong(params, name, "an integer above zero")


def flag(params: dict[str, Json], name: str, *, default: bool) -> bool:
    """A boolean."""
    value = params.get(name, default)
    if isinstance(value, bool):
        return value
    raise _wrong(params, name, "true or false")


def _wrong(params: dict[str, Json], name: str, wanted: str) -> NodeError:
    if name not in params:
        return NodeError(f"missing parameter `{name}`", category="permanent")
    return NodeError(f"`{name}` must be {wanted}, not {described(params[name])}", category="permanent")
