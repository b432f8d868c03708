"""Rewrites type aliases and type parameters, which Python 3.11 cannot parse (PEP 695, PEP 696).

Works on tokens: a parser with a grammar of its own, such as that of libcst, crashes on files that are nested deeply.
"""

from __future__ import annotations

import tokenize
from collections.abc import Iterator, Sequence
from io import BytesIO
from keyword import iskeyword
from typing import Final

_LAYOUT: Final = (tokenize.NL, tokenize.COMMENT)
_OPENING: Final = ("[", "(", "{")
_CLOSING: Final = ("]", ")", "}")


def in_older_syntax(data: bytes) -> str | None:
    """A file with type aliases as assignments, and without type parameters; None if it contains neither.

    The names that it defines, its type hints and its constants remain the same. The names of type parameters are
    deleted at the end, so that they do not stand for something else of that name.
    """
    try:
        encoding, *tokens = tokenize.tokenize(BytesIO(data).readline)
        lines = data.decode(encoding.string).split("\n")
    except (tokenize.TokenError, SyntaxError, ValueError):
        return None
    starts = [0]
    for line in lines:
        starts.append(starts[-1] + len(line) + 1)
    kept: list[str] = []
    text, end = "\n".join(lines), 0
    tokens = [token for token in tokens if token.type not in _LAYOUT]
    cuts = list(_cuts(tokens))
    for first, last in cuts:
        begin, after = (starts[line - 1] + column for line, column in (first, last))
        kept += text[end:begin], "\\\n" * (last[0] - first[0])  # so that lines keep their numbers
        end = after
    parameters = list(_parameters(tokens, cuts))
    deleted = f"\ndel {', '.join(parameters)}\n" if parameters else ""
    return "".join([*kept, text[end:], deleted]) if kept else None


def _parameters(
    tokens: Sequence[tokenize.TokenInfo], cuts: Sequence[tuple[tuple[int, int], tuple[int, int]]]
) -> Iterator[str]:
    """The names of the type parameters in the ranges that are left out."""
    for first, last in cuts:
        depth, is_next = 0, False
        for token in (token for token in tokens if first <= token.start < last):
            if is_next and token.type == tokenize.NAME:
                yield token.string
            depth += (token.string in _OPENING) - (token.string in _CLOSING)
            is_next = depth == 1 and token.string in ("[", ",", "*", "**")


def _cuts(tokens: Sequence[tokenize.TokenInfo]) -> Iterator[tuple[tuple[int, int], tuple[int, int]]]:
    """The ranges to leave out, each from one position to another: lines from 1, and columns."""
    position = 0
    while position + 2 < len(tokens):
        word, name, following = tokens[position : position + 3]
        position += 1
        if word.string not in ("class", "def", "type") or name.type != tokenize.NAME or iskeyword(name.string):
            continue
        if word.string == "type" and following.string in ("=", "["):
            yield word.start, name.start
        if following.string == "[":
            position = _closing(tokens, position + 1)
            yield following.start, tokens[position].end


def _closing(tokens: Sequence[tokenize.TokenInfo], opening: int) -> int:
    """The index of the bracket that closes another one."""
    depth = 0
    for index in range(opening, len(tokens)):
        depth += (tokens[index].string in _OPENING) - (tokens[index].string in _CLOSING)
        if not depth:
            return index
    return len(tokens) - 1
