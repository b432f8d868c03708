"""Comments that ignore findings: `# graphwright: ignore[GW301, GW302]`.

At the end of a line, the comment covers that line (and the whole of a multi-line string that begins or ends on it).
On a separate line, it covers the entry below it: a node with everything in it, an edge, a key. At the beginning of the
file, it covers the file. A `#` in a quoted string or a block scalar does not begin a comment.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Collection, Iterable, Iterator, Sequence
from functools import cache
from itertools import accumulate
from typing import TypeAlias

import yaml
from yaml.tokens import (
    BlockEntryToken,
    DirectiveToken,
    DocumentEndToken,
    DocumentStartToken,
    FlowMappingEndToken,
    FlowMappingStartToken,
    FlowSequenceEndToken,
    FlowSequenceStartToken,
    ScalarToken,
    Token,
    ValueToken,
)

from graphwright.checking.levels import is_firm, near_code
from graphwright.diagnostic import Diagnostic, Edit, Span
from graphwright.faults.files import UnusedIgnore
from graphwright.pattern import pattern
from graphwright.record import Record
from graphwright.source.reader import Source

_COMMENT = pattern(r"(?<!\S)#[ \t]*graphwright:[ \t]*ignore\b(?:[ \t]*\[([^\]\r\n]*)\])?")

#: A line and a column, counted from 1.
Position: TypeAlias = tuple[int, int]
_OPENING = (FlowSequenceStartToken, FlowMappingStartToken)
_CLOSING = (FlowSequenceEndToken, FlowMappingEndToken)
_END: Position = (1 << 60, 1)


class Directive(Record):
    """One comment. It covers findings that begin from `first` to `last`; without codes it covers nothing.

    `clear` is the range to delete with the comment: the whitespace before it, or its whole line.
    """

    codes: tuple[str, ...]
    span: Span
    first: Position
    last: Position
    clear: Span


def directives(source: Source) -> tuple[Directive, ...]:
    """All comments of a file; none if it cannot be parsed, because those findings cannot be ignored."""
    text = source.text
    if source.root is None or not _COMMENT.search(text):
        return ()
    tokens = [_token(token, text) for token in yaml.scan(text, Loader=yaml.CSafeLoader) if _is_written(token)]
    entry_at = cache(lambda place: _entry_at(place, tokens))
    found = []
    for match in _COMMENT.finditer(text):
        if _inside_text(match.start(), tokens):
            continue
        line = text.rfind("\n", 0, match.start()) + 1
        alone = not text[line : match.start()].strip()
        below = bisect_left(tokens, match.end(), key=lambda token: token.start)
        first, last = entry_at(below) if alone else _line_around(line, text, tokens)
        codes = tuple(code.strip().upper() for code in (match[1] or "").split(",") if code.strip())
        place = source.place(match.start(), match.end())
        clear = source.place(*_comment_around(match, text, line if alone else None))
        found.append(Directive(codes, place, _position(source, first), _position(source, last), clear))
    return tuple(found)


def _comment_around(match: re.Match[str], text: str, line: int | None) -> tuple[int, int]:
    """The comment with the whitespace before it, up to the next comment; the whole line if it begins at `line`."""
    following = _COMMENT.search(text, match.end(), _line_end(text, match.end(), len(text)))
    if following:
        return match.start(), following.start()
    end = _line_end(text, match.end(), len(text))
    if line is not None:
        return line, min(end + 1, len(text))
    end -= text[end - 1] == "\r"
    begin = text.rfind("\n", 0, match.start()) + 1
    return begin + len(text[begin : match.start()].rstrip(" \t")), end


def _position(source: Source, index: int | None) -> Position:
    if index is None:
        return _END
    place = source.place(index, index)
    return (place.line, place.column)


class _Token(Record):
    """The relevant properties of a token: its range, its indentation, and the start of its text.

    `content` is the start of a scalar or, for a block scalar, the end of the first line, which may contain a comment.
    """

    start: int
    end: int
    column: int
    kind: type[Token]
    content: int


def _is_written(token: Token) -> bool:
    """Whether the token consists of characters of the file, and not only of structure."""
    markers = DocumentStartToken | DocumentEndToken | DirectiveToken
    return token.start_mark.index < token.end_mark.index and not isinstance(token, markers)


def _token(token: Token, text: str) -> _Token:
    start, end = token.start_mark.index, token.end_mark.index
    content = start
    if text[start] in "|>" and isinstance(token, ScalarToken):
        content = _line_end(text, start, end)
    return _Token(start, end, token.start_mark.column, type(token), content)


def _line_end(text: str, start: int, end: int) -> int:
    found = text.find("\n", start, end)
    return found if found >= 0 else end


def _inside_text(index: int, tokens: Sequence[_Token]) -> bool:
    place = bisect_right(tokens, index, key=lambda token: token.start) - 1
    return place >= 0 and tokens[place].kind is ScalarToken and tokens[place].content <= index < tokens[place].end


def _line_around(line: int, text: str, tokens: Sequence[_Token]) -> tuple[int, int | None]:
    """The line that begins at `line`, with the whole of a multi-line string that begins or ends on it."""
    end = _line_end(text, line, len(text))
    first_touching = bisect_right(tokens, line, key=lambda token: token.end)
    after_touching = bisect_right(tokens, end, key=lambda token: token.start)
    touching = tokens[first_touching:after_touching]
    first = touching[0].start if touching else line
    last = touching[-1].end if touching else end
    return min(first, line), max(last, end + 1)


def _entry_at(place: int, tokens: Sequence[_Token]) -> tuple[int | None, int | None]:
    """The entry that begins with a token: the whole file for the first one, None if there is no such token."""
    if place == 0:
        return 0, None
    if place == len(tokens):
        return None, None
    after = _outside_flow(tokens[at] for at in range(place, len(tokens)))
    head = next(after)
    for token in after:
        level = token.column == head.column and token.kind is not ValueToken  # the `:` of a `?` belongs to its key
        sibling = level and (token.kind is not BlockEntryToken or head.kind is BlockEntryToken)
        if token.column < head.column or sibling:
            return head.start, token.start
    return head.start, None


def _outside_flow(tokens: Iterable[_Token]) -> Iterator[_Token]:
    """The tokens outside of brackets, where indentation matters."""
    depth = 0
    for token in tokens:
        if depth == 0:
            yield token
        depth += (token.kind in _OPENING) - (token.kind in _CLOSING)


# --- what the comments do ---------------------------------------------------------------------------------------------


def silence(findings: Iterable[Diagnostic], directives: Sequence[Directive]) -> list[Diagnostic]:
    """The findings that no comment covers; errors that prevent a build are kept."""
    covered = {code: _united(ranges) for code, ranges in _ranges(directives).items()}

    def is_covered(found: Diagnostic) -> bool:
        starts, ends = covered.get(found.code, ((), ()))
        at = bisect_right(starts, _start(found)) - 1
        return at >= 0 and _start(found) < ends[at]

    return [found for found in findings if is_firm(found.code, found.severity) or not is_covered(found)]


def _start(found: Diagnostic) -> Position:
    return (found.span.line, found.span.column)


def _ranges(directives: Iterable[Directive]) -> dict[str, list[tuple[Position, Position]]]:
    """The covered ranges by code, from the first to the last position."""
    ranges: dict[str, list[tuple[Position, Position]]] = {}
    for each in directives:
        for code in each.codes:
            ranges.setdefault(code, []).append((each.first, each.last))
    return ranges


def _united(ranges: Iterable[tuple[Position, Position]]) -> tuple[list[Position], list[Position]]:
    """The starts and the ends of ranges, in order, with overlapping ranges merged."""
    starts: list[Position] = []
    ends: list[Position] = []
    for first, last in sorted(ranges):
        if ends and first <= ends[-1]:
            ends[-1] = max(ends[-1], last)
        else:
            starts.append(first)
            ends.append(last)
    return starts, ends


class _Covered:
    """The number of findings in a range, and the number of those that cannot be ignored."""

    def __init__(self, findings: Sequence[Diagnostic]) -> None:
        ordered = sorted(findings, key=_start)
        self._starts = [_start(found) for found in ordered]
        self._firm = [0, *accumulate(is_firm(found.code, found.severity) for found in ordered)]

    def counts(self, first: Position, last: Position) -> tuple[int, int]:
        begin, end = bisect_left(self._starts, first), bisect_left(self._starts, last)
        return end - begin, self._firm[end] - self._firm[begin]


def stale(
    findings: Sequence[Diagnostic], directives: Iterable[Directive], known: Collection[str], unasked: Collection[str]
) -> Iterator[UnusedIgnore]:
    """GW009: comments, or codes in them, that have no effect.

    `known` are all codes, `unasked` those that this check does not report.
    """
    by_code: dict[str, list[Diagnostic]] = {}
    for found in findings:
        by_code.setdefault(found.code, []).append(found)
    present = sorted(by_code)
    nothing = _Covered(())
    found_of = {code: _Covered(listed) for code, listed in by_code.items()}
    for directive in directives:
        if not directive.codes:
            yield _fault(directive, (), "bare")
        reasons: dict[str, list[str]] = {}
        for code in directive.codes:
            covered, firm = found_of.get(code, nothing).counts(directive.first, directive.last)
            if any(each.startswith(code) for each in known) and code not in known:
                reasons.setdefault("family", []).append(code)
            elif code not in known:
                reasons.setdefault("unknown", []).append(code)
            elif firm:
                reasons.setdefault("firm", []).append(code)
            elif not covered and code not in unasked:
                reasons.setdefault("unused", []).append(code)
        for reason, codes in reasons.items():
            suggestion = near_code(codes[0], known) if reason == "unknown" else None
            if reason == "family":
                suggestion = next((code for code in present if code.startswith(codes[0])), None)
                suggestion = suggestion or min(each for each in known if each.startswith(codes[0]))
            yield _fault(directive, tuple(codes), reason, suggestion)


def _fault(directive: Directive, codes: tuple[str, ...], reason: str, suggestion: str | None = None) -> UnusedIgnore:
    left = len(directive.codes) > len(codes)
    return UnusedIgnore(directive.span, codes, reason, suggestion, _without(directive, codes), left)


def _without(directive: Directive, codes: tuple[str, ...]) -> Edit:
    """The edit that removes `codes` from a comment, or the comment if no code is left."""
    left = [code for code in directive.codes if code not in codes]
    if left:
        return Edit(directive.span, f"# graphwright: ignore[{', '.join(left)}]")
    return Edit(directive.clear, "")
