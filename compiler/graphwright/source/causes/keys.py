"""A wrong or missing `:`, and keys in the wrong position."""

from __future__ import annotations

import re

from graphwright.pattern import pattern
from graphwright.source.causes.trouble import REST, Cause, Trouble, in_quotes, indentation, line_above, line_start

#: A key without its `:`, recognized by its value.
_NO_COLON = pattern(r" *(?:- )?([\w-]+) +[{\[\"']")
#: The content of a line without its comment.
_SAID = pattern(r" *(?:- +)?([^\s#][^\r\n]*?)(?:[ \t]+#[^\r\n]*)?[ \t]*\r?$", re.MULTILINE)
#: A key without its `:`, with its value or a nested block.
_KEY_ALONE = pattern(r"([\w-]+)(?: +\S*[^\s:])?")
#: A key with nothing after it.
_KEY_OPEN = pattern(r"([\w-]+):")
#: A key with its value right after the `:`.
_TIGHT = pattern(r"([\"']?[\w-]+[\"']?):(?!//)([^\s:#][^\n]*)")
#: A key with a comment right after the `:`.
_TIGHT_COMMENT = pattern(r"[\"']?[\w-]+[\"']?:(#)")
#: A key glued to the sign of a block scalar, which is then not one.
_TIGHT_BLOCK = pattern(r"^( *)(?:- +)?([\w-]+)(:)([|>][-+0-9]*)[ \t]*(?:#[^\r\n]*)?\r?$", re.MULTILINE)
#: Characters that look like a colon.
_COLON_ALIKE = pattern("[\\w-]+ *([\uff1a\ufe55\u2236\ua789])")
#: The value after the first `: ` of a line.
_VALUE = pattern(r": +([^\r\n]*?)[ \t]*(?= #|\r?$)", re.MULTILINE)


def block_sign(trouble: Trouble) -> Cause | None:
    """The `key:|` above a position: without a space, the lines below are not a block scalar."""
    text, line = trouble.text, trouble.line
    every = list(_TIGHT_BLOCK.finditer(text, 0, line))
    if not every:
        return None
    glued = every[-1]
    depth = len(glued[1])
    below = (each for each in text[glued.end() : line].split("\n") if each.strip())
    deeper = all(len(each) - len(each.lstrip(" ")) > depth for each in below)
    if not deeper or len(indentation(text, trouble.at)) <= depth:
        return None
    return trouble.cause("tight", *glued.span(3), f"{glued[2]}: {glued[4]}")


def second_colon(trouble: Trouble) -> Cause | None:
    """A `:` where a key is not possible."""
    text, at, line = trouble.text, trouble.at, trouble.line
    if "mapping values are not allowed" not in trouble.problem:
        return None
    bare = _NO_COLON.match(text, line)
    if bare is not None:
        return trouble.cause("bare", bare.start(1), bare.end(1))
    said = None if ": " in text[line:at] else _said_above(text, line)
    if said is None:
        value = _VALUE.search(text, line)
        whole = value[1] if value is not None and value.start() < at else ""
        return trouble.cause("colon", at, at + 1, quoted=in_quotes(whole))
    if said[1][:1] == "-" and said[1][1:2].isalnum():
        return trouble.cause("dash", said.start(1), said.start(1) + 1, said[1][1:])
    if ": " in said[1]:
        return trouble.cause("deeper", line + len(indentation(text, at)), at)
    return _stray(trouble, *said.span(1))


def no_key(trouble: Trouble) -> Cause | None:
    """A line without a `:` where a key should be."""
    if "simple key" not in trouble.context or "':'" not in trouble.problem:
        return None
    rest = REST.match(trouble.text, trouble.began)
    return _stray(trouble, trouble.began, rest.end() if rest else trouble.began + 1)


def above(trouble: Trouble) -> Cause | None:
    """A key without its `:` on the line above, in the same column."""
    said = _said_above(trouble.text, trouble.line) if "block" in trouble.context else None
    if said is None or trouble.text[said.start() : said.start(1)] != indentation(trouble.text, trouble.at):
        return None
    return _stray(trouble, *said.span(1)) if _KEY_ALONE.fullmatch(said[1]) else None


def _said_above(text: str, line: int) -> re.Match[str] | None:
    """The content of the last line above that is neither blank nor a comment."""
    return _SAID.match(text, line_above(text, line), line) if line else None


def _stray(trouble: Trouble, start: int, end: int) -> Cause:
    """A line where a key was expected: something is wrong with its `:`, or it does not belong there."""
    text = trouble.text
    comment = _TIGHT_COMMENT.match(text, start, end)
    if comment is not None:
        return trouble.cause("hash", comment.start(1), comment.end(1))
    tight = _TIGHT.fullmatch(text, start, end)
    if tight is not None:
        return trouble.cause("tight", tight.end(1), tight.end(1) + 1, f"{tight[1]}: {tight[2]}")
    alike = _COLON_ALIKE.match(text, start, end)
    if alike is not None:
        return trouble.cause("alike", alike.start(1), alike.end(1), f"U+{ord(alike[1]):04X}")
    key = _KEY_ALONE.fullmatch(text, start, end)
    if key is not None:
        return trouble.cause("bare", key.start(1), key.end(1))
    said = _said_above(text, line_start(text, start))
    parent = _KEY_OPEN.fullmatch(said[1]) if said is not None else None
    return trouble.cause("stray", start, end) if parent is None else trouble.cause("text", start, end, key=parent[1])
