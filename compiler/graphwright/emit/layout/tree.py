"""Parses a logical line into brackets, operators and the text between them, as needed to break it.

All parts are offsets into the line; nothing is copied.
"""

from __future__ import annotations

import re
from typing import Final, NamedTuple

#: Precedence of what can begin a line, lowest first.
FOR: Final = 1
LAMBDA: Final = 2
CONDITIONAL: Final = 3
BOOLEAN: Final = 4
COMPARISON: Final = 5
UNION: Final = 6
ARITHMETIC: Final = 7
ADJACENT: Final = 8
TEXT: Final = 9

_PRIORITIES: Final = {
    "lambda: ": LAMBDA,
    " if ": CONDITIONAL,
    " else ": CONDITIONAL,
    " or ": BOOLEAN,
    " and ": BOOLEAN,
    **dict.fromkeys((" in ", " not in ", " is ", " is not ", " == ", " != ", " < ", " <= ", " > ", " >= "), COMPARISON),
    " | ": UNION,
    **dict.fromkeys((" + ", " - ", " * ", " / ", " % "), ARITHMETIC),
    " ": ADJACENT,
}

_TOKEN: Final = re.compile(
    r"""
      [()\[\]{}]
    | ,[ ]?
    | lambda:[ ]
    | (?: "(?:[^"\\]|\\.)*" | '(?:[^'\\]|\\.)*' | :[ ]? | [ ]:=[ ] | (?:not|await)[ ] | [^\s"'()\[\]{},:#\\]+ )+
    | [ ]for[ ][^"'(){}\[\]:]+?[ ]in[ ]
    | [ ](?:if|else|or|and|not[ ]in|in|is[ ]not|is|[=!]=|[<>]=?|[-|+*/%])[ ]
    | [ ]=[ ]
    | .
    """,
    re.VERBOSE | re.DOTALL,
)
#: Characters before a bracket that is an expression of its own; after any other character, it is a call or subscript.
_NO_VALUE: Final = " ([{,:=*-"
_CLOSING: Final = {"(": ")", "[": "]", "{": "}"}


class Bracket:
    """A pair of brackets from `start` to `end`, and the parts between its commas.

    `trailer`: it belongs to the expression before it, as in a call or a subscript. `comma`: it ends with a comma.
    """

    __slots__ = ("comma", "end", "items", "start", "subscript", "trailer")

    def __init__(self, start: int, *, trailer: bool, subscript: bool) -> None:
        self.start = start
        self.end = start
        self.items: list[list[Part]] = []
        self.comma = False
        self.trailer = trailer
        self.subscript = subscript


class Part(NamedTuple):
    """Text, an operator with the spaces around it, or a bracket; `priority` is one of the constants above."""

    start: int
    end: int
    priority: int
    bracket: Bracket | None = None


class UnparsableError(ValueError):
    """A line is not a complete logical line, or contains something that the emitter does not write, such as a comment
    at its end or a lambda with arguments. It comes from a template with its own layout.
    """


def parse(code: str, start: int, end: int) -> list[Part]:
    """The parts of `code[start:end]`. Raises `UnparsableError`."""
    parts: list[Part] = []
    enclosing: list[tuple[Bracket, list[Part]]] = []
    for match in _TOKEN.finditer(code, start, end):
        token = match[0]
        position = match.start()
        if token in _CLOSING:
            trailer = position > 0 and code[position - 1] not in _NO_VALUE
            bracket = Bracket(position, trailer=trailer, subscript=trailer and token == "[")
            enclosing.append((bracket, parts))
            parts = []
        elif token in ")]}":
            if not enclosing or _CLOSING[code[enclosing[-1][0].start]] != token:
                raise UnparsableError(code)
            bracket, outside = enclosing.pop()
            if parts:
                bracket.items.append(parts)
            bracket.end = match.end()
            outside.append(Part(bracket.start, bracket.end, TEXT, bracket))
            parts = outside
        elif token[0] == "," and enclosing:
            bracket = enclosing[-1][0]
            bracket.items.append(parts)
            bracket.comma = code.startswith(_CLOSING[code[bracket.start]], match.end())
            parts = []
        elif token in "\"'#\\" or token in ("for", "lambda") or token.endswith("=lambda"):
            raise UnparsableError(code)
        else:
            priority = FOR if token.startswith(" for ") else _PRIORITIES.get(token, TEXT)
            parts.append(Part(position, match.end(), priority))
    if enclosing or not parts:
        raise UnparsableError(code)
    return parts
