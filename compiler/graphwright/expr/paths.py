"""Parses path tokens, and writes paths in source form."""

from __future__ import annotations

from collections.abc import Container
from typing import Final

from graphwright.expr import lexer
from graphwright.expr.lexer import Token
from graphwright.expr.literals import number_value, text_value
from graphwright.expr.nodes import Literal, Path, Segment
from graphwright.pattern import pattern

_PLAIN_STEP = pattern(r"[\w-]+\Z")
#: A minus that is part of a name, before a number or another name.
_MINUS = pattern(r"(?<=\w)-(?=\w)")
_KEYWORDS: Final[dict[str, bool | None]] = {"true": True, "false": False, "null": None}


def named(name: str, steps: tuple[Segment, ...], start: int, end: int) -> Literal | Path:
    """A path as a value: three names are literals."""
    if not steps and name in _KEYWORDS:
        return Literal(_KEYWORDS[name], start, end)
    return Path(name, steps, start, end)


def path_of(token: Token) -> Path:
    """The tree of a path token; raises `BadLiteralError` for an invalid bracketed string or number."""
    name, steps = lexer.path_steps(token.text)
    segments = tuple(_segment(step, token) for step in steps)
    return Path(name, segments, token.start, token.end)


def written_path(root: str, *steps: str) -> str:
    """A path as an author writes it: `state.total`, but `state['unit price']`."""
    return root + "".join(f".{step}" if _PLAIN_STEP.match(step) else f"[{_quoted(step)}]" for step in steps)


def subtraction(written: str, names: Container[str]) -> str | None:
    """A path such as `state.left-1`, written as the subtraction that it means if `left` is one of the names."""
    namespace, dot, rest = written.partition(".")
    for found in _MINUS.finditer(rest):
        if rest[: found.start()] in names:
            return f"{namespace}{dot}{rest[: found.start()]} - {rest[found.end() :]}"
    return None


def _quoted(step: str) -> str:
    escaped = step.replace("\\", "\\\\").replace("'", "\\'").replace("\n", "\\n").replace("\t", "\\t")
    return f"'{escaped}'"


def _segment(step: str, token: Token) -> Segment:
    """A step of a path: `[0]` is a number, everything else a string."""
    if step[0] != "[":
        return step
    inner = step[1:-1]
    if inner[0] in "'\"":
        return text_value(inner, token.start + token.text.find(inner))
    index = number_value(inner.removeprefix("-"), token.start, token.end)
    return -int(index) if inner[0] == "-" else int(index)
