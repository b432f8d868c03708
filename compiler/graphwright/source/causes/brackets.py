"""Mistakes between brackets, and text after the end of a value."""

from __future__ import annotations

import yaml

from graphwright.pattern import pattern
from graphwright.source.causes.trouble import Cause, Trouble, in_quotes, indentation, line_end

#: A key with a value of one word.
_KEY_VALUE = pattern(r":[ \t]+[^\s,\[\]{}]+\Z")
#: The rest of a value between brackets.
_VALUE = pattern(r"[^,\[\]{}\r\n]*")
#: The same or a new item, with its indentation: inside brackets, it shows that they were never closed.
_ENTRY_INSIDE = pattern(r"\n( *)(?:(?:- )?[\w-]+:(?=[ \r\n]|\Z)|- +\S)")
#: A comment that contains a bracket, and the word that it begins with.
_HIDDEN = {"]": pattern(r"[ \t](#[^\s,\]}]*)[^\n]*\]"), "}": pattern(r"[ \t](#[^\s,\]}]*)[^\n]*\}")}
#: A string with a template in curly quotes.
_CURLY = pattern(r"[“‘]([^“”‘’\n]*\$\{[^“”‘’\n]*)[”’]")
#: A template of another language.
_BRACES = pattern(r"\{\{ *([^{}]+?) *\}\}")


def inside(trouble: Trouble) -> Cause | None:
    """Inside brackets: a template without quotes, brackets that do not close, a missing comma."""
    text, at = trouble.text, trouble.at
    if "flow" not in trouble.context:
        return None
    if text[at - 1 : at + 1] == "${":
        end = text.find("}", at, line_end(text, at))
        if curly := _CURLY.search(text, max(trouble.line, text.rfind(": ", 0, at)), line_end(text, at)):
            return trouble.cause("curly", *curly.span(), inner=curly[1])
        return trouble.cause("template", at - 1, end + 1 if end > 0 else at + 1)
    opened = _open_bracket(trouble)
    if opened is None:
        return trouble.cause("comma", at, at + 1)
    closing = "]" if text[opened] == "[" else "}"
    if text[at : at + 1] in ("]", "}") and text[at] != closing:
        return trouble.cause("mismatch", at, at + 1, text[opened])
    if text[at : at + 1] == ":" and "\n" not in text[opened:at]:
        return _second_colon(trouble)
    if at < len(text.rstrip()) and not _runs_on(text, opened, at):
        return trouble.cause("comma", at, at + 1)
    hidden = _HIDDEN[closing].search(text, opened, at)
    if hidden is None:
        return trouble.cause("bracket", opened, opened + 1)
    return trouble.cause("remark" if hidden[1] == "#" else "comment", *hidden.span(1), bracket=text[opened])


def _second_colon(trouble: Trouble) -> Cause:
    """A second `: ` in one entry: quotes are missing, or a comma before the word that was meant to be a key."""
    text, at = trouble.text, trouble.at
    start = text.rfind(": ", trouble.line, at) + 2
    if start < 2 or not text[start:at].strip():  # nothing precedes it
        return trouble.cause("other", at, at + 1)
    value = _VALUE.match(text, start)
    written = value[0].strip() if value is not None else ""
    words = text[start:at].split()
    if not words or _KEY_VALUE.search(text, trouble.line, at):
        return trouble.cause("nested", at, at + 1, written, quoted=in_quotes(written))
    return trouble.cause("second", at, at + 1, words[-1], quoted=in_quotes(written))


def _open_bracket(trouble: Trouble) -> int | None:
    """The innermost open bracket or brace; None if the file is too long to search."""
    opened: list[int] = []
    for token in trouble.tokens:
        if isinstance(token, (yaml.FlowSequenceStartToken, yaml.FlowMappingStartToken)):
            opened.append(int(token.start_mark.index))
        elif isinstance(token, (yaml.FlowSequenceEndToken, yaml.FlowMappingEndToken)) and opened:
            opened.pop()
    return opened[-1] if opened else None


def _runs_on(text: str, opened: int, at: int) -> bool:
    """Whether an item of a list without brackets begins here, or an entry indented no further than the line of the
    bracket, which was never closed."""
    if text.startswith("- ", at) and "\n" in text[opened:at]:
        return True
    depth = len(indentation(text, opened))
    inner = text[opened : line_end(text, at)]
    return any(len(entry[1]) <= depth for entry in _ENTRY_INSIDE.finditer(inner))


def behind(trouble: Trouble) -> Cause | None:
    """Text after a value, or after the whole document."""
    text, at = trouble.text, trouble.at
    outside = "<document start>" in trouble.problem
    if not outside and ("block" not in trouble.context or at <= trouble.line + len(indentation(text, at))):
        return None
    word = text[at : at + 20].split(maxsplit=1)
    end = at + (len(word[0]) if word else 1)
    braces = _BRACES.search(text, trouble.line, at)
    if braces is not None:
        return trouble.cause("braces", braces.start(), end, braces[0], inner=braces[1])
    if text[at : at + 1] in ("]", "}", ","):
        return trouble.cause("separator" if text[at] == "," else "closing", at, at + 1)
    if outside and text.startswith("%"):
        return trouble.cause("start", at, at + 1)
    return trouble.cause("trailing", at, end)
