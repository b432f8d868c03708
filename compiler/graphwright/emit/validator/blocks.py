"""`if` statements as lists of lines, put together without needless nesting."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from graphwright.emit.blocks import INDENT, indented

#: More alternatives than this are asked through `any`.
_MAX_ALTERNATIVES: Final = 8


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
