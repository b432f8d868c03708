"""Breaks a statement, depending on what precedes its expression, and adds parentheses if necessary."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from graphwright.emit.layout.breaking import LIMIT, STEP, Breaker
from graphwright.emit.layout.tree import FOR, TEXT, Part, UnparsableError, parse
from graphwright.emit.layout.width import columns

_STATEMENT: Final = re.compile(
    r"""
    [ ]*
    (?: (?P<define>(?:async[ ])?def[ ][^\s(]+)
      | (?P<names>from[ ]\S+[ ]import[ ])
      | (?P<loop>for[ ](?P<targets>[^()\[\]{}"']+?,[ ][^()\[\]{}"']+?)[ ]in[ ])
      | (?P<block>if[ ]|elif[ ]|for[ ]\S+[ ]in[ ])
      | (?P<value>return[ ]|[^\s"'(){}\[\]]+[ ]=[ ])
      | (?P<annotated>(?!(?:else|finally|try):)[^\s"'(){}\[\]:]+:[ ])
      | (?P<other>)
    )
    """,
    re.VERBOSE,
)
#: The body of a method of a protocol, on the line of its `def`.
STUB: Final = ": ..."
#: Separates the parameters of a function from its result type.
_ARROW: Final = " -> "
#: The beginning of a condition that may be in parentheses, which it only needs if it spans several lines.
_ENCLOSED: Final = re.compile(r" *(?:el)?if \(")


def placed(code: str) -> list[str]:
    """The lines of a logical line; a line that cannot be broken is unchanged."""
    fits = len(code) <= LIMIT if code.isascii() else columns(code)[-1] <= LIMIT
    if fits and not ("if (" in code and _ENCLOSED.match(code)):
        return [code]
    match = _STATEMENT.match(code)
    if match is None or code.lstrip(" ").startswith("#"):
        return [code]
    breaker = Breaker(code)
    try:
        _WRITERS[match.lastgroup or "other"](breaker, match)
    except (UnparsableError, RecursionError):  # a template's own layout, or too much nesting
        return [code]
    return breaker.finish()


def _other(breaker: Breaker, match: re.Match[str]) -> None:
    """A call or a class: only brackets are broken."""
    breaker.text(0, match.end())
    breaker.chain(parse(breaker.code, match.end(), len(breaker.code)))


def _value(breaker: Breaker, match: re.Match[str]) -> None:
    """`return`, an assignment."""
    parts = parse(breaker.code, match.end(), len(breaker.code))
    breaker.text(0, match.end())
    if _equals(breaker.code, parts) is None:
        _optional(breaker, parts, 0)
    else:
        breaker.chain(parts)


def _block(breaker: Breaker, match: re.Match[str]) -> None:
    """`if …:`, `for name in …:`"""
    code = breaker.code
    end = len(code) - 1
    if not code.endswith(":"):
        _other(breaker, match)
        return
    parts = parse(code, match.end(), end)
    bracket = parts[0].bracket
    if bracket is not None and len(parts) == len(bracket.items) == 1 and code[bracket.start] == "(":
        inner = bracket.items[0]
        parts = parts if bracket.comma or any(part.priority == FOR for part in inner) else inner
    breaker.text(0, match.end())
    _optional(breaker, parts, 1)
    breaker.text(end, len(code))


def _annotated(breaker: Breaker, match: re.Match[str]) -> None:
    """`name: type`, possibly with a value, which is broken before the type."""
    code = breaker.code
    parts = parse(code, match.end(), len(code))
    breaker.text(0, match.end())
    equals = _equals(code, parts)
    if equals is None:
        _optional(breaker, parts, 0)
        return
    annotation, value = parts[:equals], parts[equals + 1 :]
    width = breaker.width(match.end(), value[0].start)
    plain = _is_plain(code, value)
    ahead = 1 if _has_operator(value) else breaker.lead(value)
    can_open = breaker.fits(width + ahead)
    if can_open or (plain and breaker.fits(width + 1)) or not _can_break(annotation):
        breaker.text(match.end(), value[0].start)
        if plain and not can_open and _can_break(annotation):
            breaker.parenthesized(value, 0)
        else:
            _optional(breaker, value, 0)
        return
    behind = breaker.width(parts[equals].start, parts[equals].end) + ahead
    if _has_operator(annotation):
        breaker.parenthesized(annotation, behind)
    else:
        breaker.chain(annotation, behind)
    breaker.text(parts[equals].start, parts[equals].end)
    _optional(breaker, value, 0)


def _loop(breaker: Breaker, match: re.Match[str]) -> None:
    """`for a, b in …:`"""
    code = breaker.code
    end = len(code) - 1
    if not code.endswith(":"):
        _other(breaker, match)
        return
    parts = parse(code, match.end(), end)
    start = match.start("targets")
    breaker.text(0, start)
    if breaker.fits(breaker.width(start, match.end()) + breaker.lead(parts, 1)):
        breaker.text(start, match.end())
    else:
        _names(breaker, match["targets"].split(", "))
        breaker.text(match.end("targets"), match.end())
    _optional(breaker, parts, 1)
    breaker.text(end, len(code))


def _import(breaker: Breaker, match: re.Match[str]) -> None:
    """`from … import …`"""
    breaker.text(0, match.end())
    _names(breaker, breaker.code[match.end() :].split(", "))


def _names(breaker: Breaker, names: Sequence[str]) -> None:
    """Names in parentheses, one per line."""
    breaker.sign("(")
    for position, name in enumerate(names):
        breaker.newline(0 if position else STEP)
        breaker.sign(f"{name},")
    breaker.newline(-STEP)
    breaker.sign(")")


def _define(breaker: Breaker, match: re.Match[str]) -> None:
    """`def name(…) -> …:`, possibly with the body `...`; parameters are broken before the result type."""
    code = breaker.code
    rest = len(STUB) if code.endswith(STUB) else 1
    end = len(code) - rest
    start = match.end()
    parts = parse(code, start, len(code))
    bracket = parts[0].bracket
    arrow = parts[0].end
    if bracket is None or not code.startswith(_ARROW, arrow) or code[end] != ":":
        _other(breaker, match)
        return
    returns = parse(code, arrow + len(_ARROW), end)
    breaker.text(0, start)
    if bracket.items:
        breaker.broken(bracket, always=len(bracket.items) == 1)
    else:
        breaker.text(start, arrow)
    breaker.text(arrow, arrow + len(_ARROW))
    if _has_operator(returns) or (not bracket.items and not breaker.opens_well(returns, rest)):
        breaker.parenthesized(returns, rest)
    else:
        breaker.chain(returns, rest)
    breaker.text(end, len(code))


_WRITERS: Final = {
    "annotated": _annotated,
    "block": _block,
    "define": _define,
    "loop": _loop,
    "names": _import,
    "other": _other,
    "value": _value,
}


# --- parentheses that the code does not have ------------------------------------------------------------------


def _optional(breaker: Breaker, parts: Sequence[Part], rest: int) -> None:
    """The expression of a statement: on one line, broken at its brackets if that looks good, or in parentheses."""
    if _wants_parentheses(breaker, parts, rest):
        breaker.parenthesized(parts, rest)
    else:
        breaker.chain(parts, rest)


def _wants_parentheses(breaker: Breaker, parts: Sequence[Part], rest: int) -> bool:
    if _has_operator(parts):
        return not (_has_own_brackets(parts) and breaker.opens_well(parts, rest))
    if not _is_plain(breaker.code, parts) or breaker.opens_well(parts, rest):
        return False
    trial = breaker.copy()
    trial.parenthesized(parts, rest)
    return trial.is_within_limit


def _has_own_brackets(parts: Sequence[Part]) -> bool:
    """Whether an expression with operators is best broken at brackets at its start or end.

    That requires that it has only one operator of its lowest precedence, and the brackets are not a subscript.
    """
    priorities = [part.priority for part in parts]
    if priorities.count(min(priorities)) > 1:
        return False
    first, last = parts[0].bracket, parts[-1].bracket
    return (first is not None and bool(first.items)) or (last is not None and bool(last.items) and not last.subscript)


def _is_plain(code: str, parts: Sequence[Part]) -> bool:
    """Whether an expression begins with a name or is a single word, so that parentheses around it may help."""
    return not _has_operator(parts) and parts[0].bracket is None and not code.startswith("not (", parts[0].start)


def _equals(code: str, parts: Sequence[Part]) -> int | None:
    """The position of the first `=` of an assignment."""
    return next((position for position, part in enumerate(parts) if code[part.start : part.end] == " = "), None)


def _has_operator(parts: Sequence[Part]) -> bool:
    return any(part.priority < TEXT for part in parts)


def _can_break(parts: Sequence[Part]) -> bool:
    return any(part.priority < TEXT or (part.bracket is not None and part.bracket.items) for part in parts)
