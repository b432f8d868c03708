"""`if` statements as lists of lines, put together without needless nesting."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from graphwright.emit.blocks import INDENT, indented

#: More alternatives than this are asked through `any`.
_MAX_ALTERNATIVES: Final = 8


def when(test: str, body: Sequence[str]) -> list[str]:
    """`if test:` over a body; a body that is one plain `if` joins its test."""
    if _is_single(body):
        return [f"if {test} and {body[0].removeprefix('if ')}", *body[1:]]
    return [f"if {test}:", *indented(body)]


def otherwise(first: Sequence[str], body: Sequence[str]) -> list[str]:
    """`else` behind a plain `if`; a body that is itself one chain of `if` goes on as `elif`."""
    if not body:
        return list(first)
    if _is_chain(body):
        return [*first, f"el{body[0]}", *body[1:]]
    return [*first, "else:", *indented(body)]


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
