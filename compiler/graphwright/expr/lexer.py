"""Splits the text between `${` and `}` into tokens.

A path with its dots and brackets is one token, because spaces matter in it: `order-id` is a name, `order -id` a
difference. Lexing never fails: an unknown character becomes a token of kind `bad`, which the parser rejects, and a
quote that is never closed becomes `quote`, so that the rest of the text can still be read.
"""

from __future__ import annotations

import re

from graphwright.pattern import pattern
from graphwright.record import Record

_NAME = r"[^\W\d][\w-]*"
_QUOTED = r"'(?:[^'\\]|\\.)*'|\"(?:[^\"\\]|\\.)*\""
_STEP = rf"\.[\w-]+|\[\s*(?:-?[0-9]+|{_QUOTED})\s*\]"

_TOKEN = pattern(
    rf"\s*(?:(?P<path>{_NAME}(?:{_STEP})*)"
    r"|(?P<number>[0-9]+(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?)"
    rf"|(?P<string>{_QUOTED})"
    r"|(?P<quote>['\"])"
    r"|(?P<close>\})"
    r"|(?P<open>\$\{)"
    r"|(?P<operator>\|\||[-+*/%|(),\[\]])"
    r"|(?P<bad>&&|\?\?|[=!]==?|[<>]=|\S))",
    re.DOTALL,
)
_SIMPLE_HOLE = pattern(rf"\$\{{\s*({_NAME}(?:\.[\w-]+)*)\s*\}}")
_PATH = pattern(rf"\s*(?P<path>{_NAME}(?:{_STEP})*)\s*")
_STEPS = pattern(_STEP, re.DOTALL)


class Token(Record):
    """`kind`: path, number, string, operator, bad, quote, or an ending: close (`}`), open (a further `${`), end.

    `blank`: whether whitespace precedes it. Offsets refer to the whole text.
    """

    kind: str
    text: str
    start: int
    end: int
    blank: bool


def tokens(text: str, position: int) -> list[Token]:
    """The tokens of the expression that begins at `position`; the last one is its ending."""
    found: list[Token] = []
    while True:
        match = _TOKEN.match(text, position)
        if match is None:
            found.append(Token("end", "", len(text), len(text), True))
            return found
        kind = match.lastgroup or "bad"
        start, end = match.span(kind)
        found.append(Token(kind, match[kind], start, end, start > match.start()))
        if kind in ("close", "open"):
            return found
        position = end


def simple_hole(text: str, start: int) -> tuple[list[str], int, int, int] | None:
    """A fast path for a hole like `${state.x}` at `start`: its names, their offsets, and its end."""
    match = _SIMPLE_HOLE.match(text, start)
    if match is None:
        return None
    first, last = match.span(1)
    return match[1].split("."), first, last, match.end()


def whole_path(text: str) -> Token | int:
    """The path token that `text` consists of, ignoring spaces; otherwise the length of the path at its start."""
    match = _PATH.match(text)
    if match is None:
        return 0
    if match.end() < len(text):
        return match.end("path")
    return Token("path", match["path"], *match.span("path"), False)


def path_steps(text: str) -> tuple[str, list[str]]:
    """A path token split into its name and its steps, bracketed ones with their brackets and without spaces."""
    if "[" not in text:
        name, *steps = text.split(".")
        return name, steps
    name_end = re.search(r"[.\[]", text)
    start = name_end.start() if name_end else len(text)
    found: list[str] = []
    for match in _STEPS.finditer(text, start):
        step = match[0]
        found.append(step[1:] if step[0] == "." else f"[{step[1:-1].strip()}]")
    return text[:start], found


def step_places(text: str) -> list[tuple[int, int]]:
    """Where each step of a path token is written, without dots, brackets and quotes."""
    name_end = re.search(r"[.\[]", text)
    found: list[tuple[int, int]] = []
    for match in _STEPS.finditer(text, name_end.start() if name_end else len(text)):
        step = match[0]
        inner = step[1:] if step[0] == "." else step[1:-1].strip()
        start = match.start() + step.index(inner, 1)
        is_quoted = step[0] == "[" and inner[0] in "'\""
        found.append((start + is_quoted, start + len(inner) - is_quoted))
    return found
