"""Formats statements: `if` without unnecessary nesting, and checks that are split into functions.

Type checkers give up on very long functions.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from graphwright.emit.blocks import INDENT, indented
from graphwright.ir import Json

#: Maximum number of alternatives in an expression; more are tested with `any`.
_MAX_ALTERNATIVES: Final = 8

#: Maximum number of schemas whose checks are in one function. pyright gives up at about 250 simple ones.
_MAX_WEIGHT: Final = 80


def when(test: str, body: Sequence[str], other: Sequence[str] = ()) -> list[str]:
    """`if test:` with a body, and `else:` with another one, which may be empty.

    Without an `else`, a body that is a single `if` is merged with the test. Another body that is a chain of `if`
    becomes `elif`.
    """
    if not other and _is_single(body):
        return [f"if {test} and {body[0].removeprefix('if ')}", *body[1:]]
    lines = [f"if {test}:", *indented(body)]
    if not other:
        return lines
    if _is_chain(other):
        return [*lines, f"el{other[0]}", *other[1:]]
    return [*lines, "else:", *indented(other)]


def alternatives(tests: Sequence[str]) -> str:
    """An expression that is true if any of the tests is."""
    if len(tests) == 1:
        return tests[0]
    if len(tests) > _MAX_ALTERNATIVES:
        return f"any(({', '.join(tests)}))"
    return f"({' or '.join(tests)})"


def _is_chain(body: Sequence[str]) -> bool:
    """Whether the lines are a single `if` with its `elif`s and `else`."""
    return body[0].startswith("if ") and all(line.startswith((INDENT, "elif ", "else:")) for line in body[1:])


def _is_single(body: Sequence[str]) -> bool:
    """Whether the lines are a single `if` without `elif` and `else`."""
    return body[0].startswith("if ") and all(line.startswith(INDENT) for line in body[1:])


def is_heavy(schema: Json) -> bool:
    """Whether the checks of a schema should always be a separate function."""
    return _weight(schema) > _MAX_WEIGHT


def portions(keys: Iterable[str], properties: Mapping[str, Json]) -> list[tuple[str, ...]]:
    """The keys of a mapping in groups whose checks fit into one function each."""
    found: list[tuple[str, ...]] = [()]
    held = 0
    for key in keys:
        weight = _weight(properties.get(key, True))
        weight = 1 if weight > _MAX_WEIGHT else weight  # it becomes a call
        if held + weight > _MAX_WEIGHT:
            found.append(())
            held = 0
        found[-1] += (key,)
        held += weight
    return found


def _weight(value: Json) -> int:
    """The number of mappings in a value, itself included; at least 1."""
    count, waiting = 0, [value]
    while waiting:
        each = waiting.pop()
        if isinstance(each, dict):
            count += 1
            waiting.extend(each.values())
        elif isinstance(each, list):
            waiting.extend(each)
    return max(count, 1)
