"""Emits tests of the kinds of values."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Final, TypeGuard

from graphwright.emit.uses import Uses
from graphwright.ir import Json
from graphwright.schema.walk import OF_KIND

_SPOKEN: Final = {
    "null": "null",
    "boolean": "true or false",
    "integer": "an integer",
    "number": "a number",
    "string": "a string",
    "array": "a list",
    "object": "a mapping",
}

#: Keywords of simplified schemas whose checks contain others: of keys, of items, of one case or another.
_NESTING: Final = frozenset({"allOf", "if", "items", "prefixItems", *OF_KIND["object"]}) - {
    "maxProperties", "minProperties",
}  # fmt: skip


def allowed(schema: dict[str, Json]) -> tuple[str, ...] | None:
    """The kinds that `type` allows; None if it is absent."""
    named = schema.get("type")
    names = [named] if isinstance(named, str) else named
    if not isinstance(names, list):
        return None
    found = [kind for kind in _SPOKEN if kind in names]
    return tuple(kind for kind in found if kind != "integer" or "number" not in found)


def possible(kind: str, named: tuple[str, ...] | None) -> bool:
    """Whether `type` allows values of a kind; every integer is a number."""
    return named is None or kind in named or (kind == "number" and "integer" in named)


def guard(named: Iterable[str], variable: str, uses: Uses) -> str:
    """An expression that tests whether a variable has one of the kinds. Can be an operand of `not`."""
    tests = [_test(kind, variable, uses) for kind in named]
    return tests[0] if len(tests) == 1 else f"({' or '.join(tests)})" if tests else "False"


def negated(test: str) -> str:
    """The negation of a test that `guard` returned."""
    if test.endswith(" is None"):
        return f"{test.removesuffix(' is None')} is not None"
    return f"not {test}"


def described(named: Iterable[str]) -> str:
    """The kinds for a message."""
    return " or ".join(_SPOKEN[kind] for kind in named) or "nothing at all"


def shown(value: Json) -> str:
    """A value for a message, truncated if it is long."""
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= 40 else f"{text[:40]}…"


def is_number(value: Json) -> TypeGuard[int | float]:
    """Whether a bound in a schema is a number."""
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def is_nesting(schema: dict[str, Json]) -> bool:
    """Whether the checks of a schema contain others: of keys, of items, of one case or another."""
    return not _NESTING.isdisjoint(schema)


def _test(kind: str, variable: str, uses: Uses) -> str:
    match kind:
        case "null":
            return f"{variable} is None"
        case "boolean":
            return f"isinstance({variable}, bool)"
        case "string":
            return f"isinstance({variable}, str)"
        case "array":
            return f"{uses.runtime('is_list')}({variable})"
        case "object":
            return f"{uses.runtime('is_mapping')}({variable})"
        case _:
            return f"{uses.runtime(f'is_{kind}')}({variable})"


def of(value: Json) -> set[str]:
    """The kinds of a value: an integer is also a number, and a float without a fraction is also an integer."""
    match value:
        case None:
            return {"null"}
        case bool():
            return {"boolean"}
        case int():
            return {"integer", "number"}
        case float():
            return {"integer", "number"} if value.is_integer() else {"number"}
        case str():
            return {"string"}
        case list():
            return {"array"}
        case dict():
            return {"object"}
