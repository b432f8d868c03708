"""Mistakes in strings: quotes that are never closed or close too early, escapes, block scalars."""

from __future__ import annotations

import re

import yaml

from graphwright.pattern import pattern
from graphwright.source.causes.trouble import REST, Cause, Trouble, indentation, line_end, line_start

#: A line that begins an entry: inside a quoted string, it shows that the quote was never closed.
_ENTRY = pattern(r"\n *(?:- )?[\w-]+:(?: |$)", re.MULTILINE)
#: What a string that continues after the quote of another one has swallowed.
_STRUCTURE = pattern(r"[,:{\[\n]")
#: A line that begins a block scalar.
_HEADER = pattern(r"[^\n#]*(?:[:?-] +|^ *)(?:[&!]\S+ +)*[|>][-+0-9]*[ \t]*(?:#[^\n]*)?\r?\n")
_DIGITS = {"x": 2, "u": 4, "U": 8}


def unclosed(trouble: Trouble) -> Cause | None:
    """A quote that is never closed."""
    if "scanning a quoted scalar" in trouble.context:
        return _open(trouble, trouble.began)
    return None


def _open(trouble: Trouble, start: int) -> Cause:
    """The quote at `start`, which is never closed; its line may end with the other kind of quote instead."""
    quote = trouble.text[start]
    rest = trouble.text[start + 1 : line_end(trouble.text, start)].rstrip(" \t\r,]}")
    mixed = rest[-1:] == ("'" if quote == '"' else '"') and quote not in rest and rest.count(rest[-1]) % 2 == 1
    return trouble.cause("mixed" if mixed else "quote", start, start + 1)


def swallowing(trouble: Trouble) -> Cause | None:
    """A quoted string that ends here and contains what it should not: its own closing quote is missing."""
    line = trouble.text.count("\n", 0, trouble.at)
    found: int | None = None
    for token in trouble.tokens:
        if not isinstance(token, yaml.ScalarToken) or token.style not in ("'", '"'):
            continue
        several = token.start_mark.line < token.end_mark.line == line
        touches = token.end_mark.index == trouble.at and trouble.text[trouble.at : trouble.at + 1].isalnum()
        entries = _ENTRY.search(trouble.text, token.start_mark.index, token.end_mark.index)
        if several or ("flow" in trouble.context and touches and _STRUCTURE.search(token.value.replace("${", ""))):
            found = int(token.start_mark.index)
        elif "flow" in trouble.context and entries:
            return _open(trouble, int(token.start_mark.index))
    return None if found is None else _open(trouble, found)


def escape(trouble: Trouble) -> Cause | None:
    """An invalid escape in double quotes."""
    text, problem = trouble.text, trouble.problem
    if "escape" not in problem and "hexdecimal" not in problem:  # PyYAML's spelling
        return None
    if _ENTRY.search(text, trouble.began, trouble.line):
        return _open(trouble, trouble.began)
    backslash = max(text.rfind("\\", 0, trouble.at + 1), 0)
    if "hexdecimal" in problem:
        return trouble.cause("digits", backslash, backslash + 2, f"{text[backslash : backslash + 2]}")
    if "Unicode" in problem:
        return trouble.cause("half", backslash, backslash + 2 + _DIGITS.get(text[backslash + 1 : backslash + 2], 0))
    return trouble.cause("escape", backslash, backslash + 2)


def block_text(trouble: Trouble) -> Cause | None:
    """Text after the `|` of a block scalar, or lines of one that are not indented far enough."""
    text = trouble.text
    if "block scalar" in trouble.context:
        rest = REST.match(text, trouble.at)
        return trouble.cause("header", trouble.at, max(trouble.at + 1, rest.end() if rest else 0))
    start = line_start(text, trouble.began if "simple key" in trouble.context else trouble.at)
    depth, above, inside = len(indentation(text, start)), start, False
    while above > 0:
        above = line_start(text, above - 1)
        line = text[above : line_end(text, above)]
        if line.strip() and len(indentation(text, above)) <= depth:
            break
        inside = inside or bool(line.strip())
    header = _HEADER.match(text, above) if above < start else None
    if header is None or (inside and len(indentation(text, above)) == depth):
        return None
    rest = REST.match(text, start + depth)
    return trouble.cause("block", start + depth, rest.end() if rest else start + depth + 1)


def quote_inside(trouble: Trouble) -> Cause | None:
    """A quote in the middle of a string in the same quotes, which ends there; between brackets only if a letter touches
    it, because the comma after a string may be missing there."""
    text, at = trouble.text, trouble.at
    flow = "flow" in trouble.context
    if not flow and ("block" not in trouble.context or at <= trouble.line + len(indentation(text, at))):
        return None
    before = text[trouble.line : at] if flow else text[trouble.line : at].rstrip()
    quote = before[-1:]
    if quote not in ("'", '"') or quote not in text[at : line_end(text, at)]:
        return None
    if text[at] in ",]}" or (flow and not text[at].isalnum()):
        return None
    return trouble.cause("inner" if quote == '"' else "single", at, at + len(text[at : at + 20].split(maxsplit=1)[0]))
