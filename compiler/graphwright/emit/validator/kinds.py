"""The kinds of value that a schema allows, and the tests that tell them apart."""

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

#: Keywords of simplified schemas whose checks have others inside of them: of keys, of items, of one case or another.
_NESTING: Final = frozenset({"allOf", "if", "items", "prefixItems", *OF_KIND["object"]}) - {
    "maxProperties", "minProperties",
}  # fmt: skip


def allowed(schema: dict[str, Json]) -> tuple[str, ...] | None:
    """The kinds that `type` names, None where it is absent."""
    named = schema.get("type")
    names = [named] if isinstance(named, str) else named
    if not isinstance(names, list):
        return None
    found = [kind for kind in _SPOKEN if kind in names]
    return tuple(kind for kind in found if kind != "integer" or "number" not in found)


def possible(kind: str, named: tuple[str, ...] | None) -> bool:
    """Whether values of a kind get past `type`; every integer is a number."""
    return named is None or kind in named or (kind == "number" and "integer" in named)


def guard(named: Iterable[str], variable: str, uses: Uses) -> str:
    """An expression: whether a variable is of one of the kinds. Binds as tightly as `not` needs."""
    tests = [_test(kind, variable, uses) for kind in named]
    return tests[0] if len(tests) == 1 else f"({' or '.join(tests)})" if tests else "False"


def negated(test: str) -> str:
    """The contrary of a test made here."""
    if test.endswith(" is None"):
        return f"{test.removesuffix(' is None')} is not None"
    return f"not {test}"


def described(named: Iterable[str]) -> str:
    """The kinds for a message."""
    return " or ".join(_SPOKEN[kind] for kind in named) or "nothing at all"


def shown(value: Json) -> str:
    """A value for a message, cut where it is long."""
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= 40 else f"{text[:40]}…"


def is_number(value: Json) -> TypeGuard[int | float]:
    """Whether a bound in a schema is one."""
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def is_nesting(schema: dict[str, Json]) -> bool:
    """Whether the checks of a schema have checks inside of them: of keys, of items, of one case or another."""
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
    """The kinds of a value: an integer is a number, too, and so is a whole float an integer."""
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
