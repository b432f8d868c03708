"""Statements as lists of lines: `if` without needless nesting, and checks split where one function would be too long.

Type checkers give up on very long functions.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from graphwright.emit.blocks import INDENT, indented
from graphwright.ir import Json

#: More alternatives than this are asked through `any`.
_MAX_ALTERNATIVES: Final = 8

#: The number of schemas whose checks stand in one function. pyright gives up at some 250 simple ones.
_MAX_WEIGHT: Final = 80


def when(test: str, body: Sequence[str], other: Sequence[str] = ()) -> list[str]:
    """`if test:` over a body, and `else:` over another one, which may be empty.

    Without an `else`, a body that is one plain `if` joins its test. Another one that is itself a chain of `if` goes on
    as `elif`.
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
    """An expression that is true when one of the tests is."""
    if len(tests) == 1:
        return tests[0]
    if len(tests) > _MAX_ALTERNATIVES:
        return f"any(({', '.join(tests)}))"
    return f"({' or '.join(tests)})"


def _is_chain(body: Sequence[str]) -> bool:
    """Whether the lines are one `if` with its `elif`s and `else`."""
    return body[0].startswith("if ") and all(line.startswith((INDENT, "elif ", "else:")) for line in body[1:])


def _is_single(body: Sequence[str]) -> bool:
    """Whether the lines are one `if` and nothing else."""
    return body[0].startswith("if ") and all(line.startswith(INDENT) for line in body[1:])


def is_heavy(schema: Json) -> bool:
    """Whether the checks of a schema should be a function of their own, wherever they stand."""
    return _weight(schema) > _MAX_WEIGHT


def portions(keys: Iterable[str], properties: Mapping[str, Json]) -> list[tuple[str, ...]]:
    """The keys of a mapping in groups whose checks fit in one function each."""
    found: list[tuple[str, ...]] = [()]
    held = 0
    for key in keys:
        weight = _weight(properties.get(key, True))
        weight = 1 if weight > _MAX_WEIGHT else weight  # such a one is a call
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
