"""What PyYAML says about a text that is no YAML, turned into where the author went wrong and the usual cause."""

from __future__ import annotations

import json
import re
from collections.abc import Callable

import yaml

from graphwright.pattern import pattern

#: How deeply mappings and lists may nest, aliases followed.
MAX_DEPTH = 200

_BLANKS = pattern(r"[ \t]*")
#: How far a file is scanned again to find the quote.
_SCANNED = 1_000_000
_WORD = pattern(r"[\w-]*")
#: A plain text up to where a list or mapping between brackets would go on.
_PLAIN = pattern(r"[^\s,\[\]{}]+")
#: The rest of a line, without a comment.
_REST = pattern(r"[^\n]*?(?=\s*(?:\n|\s#|\Z))")
#: A key whose `:` was forgotten, as its value shows.
_NO_COLON = pattern(r" *(?:- )?([\w-]+) +[{\[\"']")
#: The last line that says something, and what that is, its comment aside.
_ABOVE = pattern(
    r"^ *(?:- +)?([^\s#][^\r\n]*?)(?:[ \t]+#[^\r\n]*)?[ \t]*\r?\n(?:[ \t]*(?:#[^\r\n]*)?\r?\n)*\Z", re.MULTILINE
)
#: A key that ran into the sign of a block of text, which is none then.
_NO_BLOCK = pattern(r"^( *)(?:- +)?([\w-]+:[|>][-+0-9]*)[ \t]*(?:#[^\r\n]*)?$", re.MULTILINE)
#: A key without its `:`, with its value or what is meant to stand below it.
_KEY_ALONE = pattern(r"([\w-]+)(?: +\S*[^\s:])?")
#: A line that begins an entry of its own: inside a quoted text it tells that the quote was never closed.
_ENTRY = pattern(r"\n *(?:- )?[\w-]+:(?: |$)", re.MULTILINE)


#: The same, with the blanks in front of it.
_ENTRY_INSIDE = pattern(r"\n( *)(?:- )?[\w-]+:(?=[ \n]|\Z)")


#: The line above a text of several lines whose `|` was forgotten.
_KEY_BEFORE = pattern(r"^ *(?:- +)?([\w-]+):[ \t]*\r?\n(?:[ \t]*\r?\n)*\Z", re.MULTILINE)
#: What version control leaves in a file that it could not merge.
_CONFLICT = pattern(r"^<{7}(?: [^\n]*)?$", re.MULTILINE)
#: The value behind the first `: ` of a line, and one between brackets.
_VALUE = pattern(r": +([^\n]*?)[ \t]*(?= #|\r?$)", re.MULTILINE)
_VALUE_INSIDE = pattern(r"[^,\[\]{}\n]*")
#: A `#` that begins a comment behind a bracket, with the word that it was meant to begin.
_COMMENT_INSIDE = pattern(r"\s(#[^\s,\]}]*)[^\n]*[\]}]")
#: Templates of other languages.
_BRACES = pattern(r"\{\{ *([^{}]+?) *\}\}")
#: The longest value that a message repeats.
_REPEATED = 80


class UnreadableError(Exception):
    """Why there is no tree: the code that reports it, a place in the text (code points) and the facts of the fault."""

    def __init__(self, code: str, start: int, end: int, facts: dict[str, object]) -> None:
        super().__init__(code)
        self.code = code
        self.start = start
        self.end = end
        self.facts = facts


def bad_character(text: str) -> UnreadableError:
    """The first character that YAML does not allow."""
    for index, character in enumerate(text):
        printable = "\x20" <= character <= "\x7e" or character in "\t\r\n\x85" or "\xa0" <= character <= "\ufffd"
        if not printable and character < "\U00010000":
            facts: dict[str, object] = {"cause": "control", "found": f"U+{ord(character):04X}"}
            return UnreadableError("GW001", index, index + 1, facts)
    return UnreadableError("GW001", 0, 0, {"cause": "control", "found": "of this file's first"})


def explain(text: str, error: yaml.MarkedYAMLError) -> UnreadableError:
    """Turn PyYAML's complaint into ours: the place where the author went wrong, and the usual cause."""
    context, problem = error.context or "", error.problem or ""
    at = _index(text, error.problem_mark or error.context_mark)
    began = _index(text, error.context_mark or error.problem_mark)

    def found(cause: str, start: int, end: int, shown: str | None = None, **more: object) -> UnreadableError:
        shown = text[start:end] if shown is None else shown
        return UnreadableError("GW001", start, end, {"cause": cause, "found": shown, "problem": problem, **more})

    if "expected a single document" in context:
        return UnreadableError("GW005", at, at + 3, {"limit": "documents"})
    conflict = _CONFLICT.search(text, 0, _line_end(text, at))
    if conflict is not None:
        return found("conflict", *conflict.span())
    if "nesting depth" in problem:
        return UnreadableError("GW005", at, at + 1, {"limit": "depth", "maximum": MAX_DEPTH})
    if "alphabetic" in problem and text[began : began + 1] in ("*", "&"):
        plain = _PLAIN.match(text, began)
        return found("sign", began, plain.end() if plain else began + 1)
    if "alias" in problem or "anchor" in context:
        name = _word(text, at + 1)
        return found("alias" if "alias" in problem else "anchor", at, at + 1 + len(name), name)
    if "scanning a quoted scalar" in context:
        return found("quote", began, began + 1)
    if _indentation(text, at).count("\t") or text[at : at + 1] == "\t":
        tab = text.rfind("\t", 0, at + 1)
        return found("tab", tab, tab + 1)
    quote = _swallowing_quote(text, at)
    if quote is not None:
        return found("quote", quote, quote + 1)
    if "escape" in problem and _ENTRY.search(text, began, _line_start(text, at)):
        return found("quote", began, began + 1)
    if "escape" in problem:
        backslash = max(text.rfind("\\", 0, at + 1), 0)
        return (
            found("half", backslash, backslash + 6)
            if "Unicode" in problem
            else found("escape", backslash, backslash + 2)
        )
    glued = _glued_block(text, at)
    if glued is not None:
        return found("glued", *glued)
    if "mapping values are not allowed" in problem:
        line = _line_start(text, at)
        bare = _NO_COLON.match(text, line)
        if bare is not None:
            return found("bare", bare.start(1), bare.end(1))
        above = None if ": " in text[line:at] else _ABOVE.search(text[:line])
        if above is None:
            value = _VALUE.search(text, line, at)
            start = value.start(1) if value is not None else at
            whole = _VALUE.match(text, start - 2) if value is not None else None
            return found("colon", at, at + 1, quoted=_in_quotes(whole[1] if whole is not None else ""))
        if ": " in above[1]:
            return found("deeper", line + len(_indentation(text, at)), at)
        return _stray(found, text, *above.span(1))
    if "simple key" in context and "':'" in problem:
        rest = _REST.match(text, began)
        return _stray(found, text, began, rest.end() if rest else began + 1)
    if "cannot start any token" in problem:
        return found("character", at, at + 1)
    if "flow" in context and text[at - 1 : at + 1] == "${":
        line_end = text.find("\n", at)
        end = text.find("}", at, line_end if line_end > 0 else len(text))
        return found("template", at - 1, end + 1 if end > 0 else at + 1)
    if "flow" in context:
        opened = _open_bracket(text, at)
        if text[at : at + 1] == ":" and (opened is None or text.count("\n", opened, at) == 0):
            return _second_colon(found, text, at)
        item = opened is not None and "\n" in text[opened:at] and text[at : at + 2] == "- "
        unclosed = opened is not None and (at >= len(text.rstrip()) or item or _runs_on(text, opened, at))
        comment = _COMMENT_INSIDE.search(text, opened, _line_end(text, opened)) if opened is not None else None
        if unclosed and comment is not None and opened is not None:
            return found("comment", *comment.span(1), bracket=text[opened])
        return found("comma", at, at + 1) if opened is None or not unclosed else found("bracket", opened, opened + 1)
    if "block" in context and at > _line_start(text, at) + len(_indentation(text, at)):
        return _trailing(found, text, at)
    if "block" not in context:
        return found("other", at, at + 1)
    above = _ABOVE.search(text[: _line_start(text, at)])
    beside = above is not None and above[0].startswith(_indentation(text, at) + above[1])
    if above is not None and beside and _KEY_ALONE.fullmatch(above[1]):
        return _stray(found, text, *above.span(1))
    return found("indent", at, at + 1, None, **_column(text, at))


def _in_quotes(value: str) -> str:
    """A value in the quotes that it needs; nothing where it is too long to be repeated."""
    if not value or len(value) > _REPEATED:
        return ""
    return f"'{value}'" if '"' in value and "'" not in value else json.dumps(value, ensure_ascii=False)


def _second_colon(found: Callable[..., UnreadableError], text: str, at: int) -> UnreadableError:
    """A second `: ` in one entry between brackets: a comma is missing, or quotes."""
    start = text.rfind(": ", _line_start(text, at), at) + 2
    word = text[:at].split()[-1]
    value = _VALUE_INSIDE.match(text, start)
    return found("second", at, at + 1, word, quoted=_in_quotes(value[0].strip() if value is not None else ""))


def _trailing(found: Callable[..., UnreadableError], text: str, at: int) -> UnreadableError:
    """Something behind a value that has ended: a quote ended it too early, or braces that are no quotes."""
    word = text[at : at + 20].split(maxsplit=1)[0]
    end = at + max(1, len(word))
    braces = _BRACES.search(text, _line_start(text, at), at)
    if braces is not None:
        return found("braces", braces.start(), end, braces[0], inner=braces[1])
    quote = text[:at].rstrip()[-1:]
    if quote in ("'", '"') and quote in text[at : _line_end(text, at)]:
        return found("inner" if quote == '"' else "single", at, end)
    return found("trailing", at, end)


def _column(text: str, at: int) -> dict[str, object]:
    """For a line whose indentation fits no line above it: how many blanks the nearest one has, and which it is."""
    here = len(_indentation(text, at))
    deepest: int | None = None
    open_lines: dict[int, int] = {}
    for number, line in reversed(list(enumerate(text[: _line_start(text, at)].split("\n")[:-1], 1))):
        blanks = len(line) - len(line.lstrip())
        if line.strip() and not line.lstrip().startswith("#") and (deepest is None or blanks < deepest):
            open_lines[blanks] = number
            deepest = blanks
    if here in open_lines or not open_lines:
        return {}
    near = min(open_lines, key=lambda blanks: (abs(blanks - here), -blanks))
    return {"here": here, "blanks": near, "line": open_lines[near]}


def _glued_block(text: str, at: int) -> tuple[int, int] | None:
    """The `key:|` above a place, without the blank that would make what stands below it a text."""
    line = _line_start(text, at)
    last = None
    for match in _NO_BLOCK.finditer(text, 0, line):
        last = match
    if last is None:
        return None
    below = (each for each in text[last.end() : line].split("\n") if each.strip())
    deeper = all(len(each) - len(each.lstrip(" ")) > len(last[1]) for each in below)
    return last.span(2) if deeper and len(_indentation(text, at)) > len(last[1]) else None


def _stray(found: Callable[..., UnreadableError], text: str, start: int, end: int) -> UnreadableError:
    """A line where a key was expected: a key without its `:`, or a text that does not belong there."""
    key = _KEY_ALONE.fullmatch(text, start, end)
    if key is not None:
        return found("bare", key.start(1), key.end(1))
    above = _KEY_BEFORE.search(text[: _line_start(text, start)])
    return found("stray", start, end) if above is None else found("block", start, end, key=above[1])


def _index(text: str, mark: yaml.Mark | None) -> int:
    return 0 if mark is None else min(int(mark.index), len(text))


def _word(text: str, start: int) -> str:
    match = _WORD.match(text, start)
    return match[0] if match else ""


def _line_start(text: str, index: int) -> int:
    return text.rfind("\n", 0, index) + 1


def _line_end(text: str, index: int) -> int:
    end = text.find("\n", index)
    return end if end >= 0 else len(text)


def _indentation(text: str, index: int) -> str:
    """The blanks and tabs that the line of a place begins with."""
    match = _BLANKS.match(text, _line_start(text, index))
    return match[0] if match else ""


def _open_bracket(text: str, at: int) -> int | None:
    """The innermost bracket or brace that is open at a place; None where the file is too long to look."""
    if at > _SCANNED:
        return None
    opened: list[int] = []
    try:
        for token in yaml.scan(text, Loader=yaml.CSafeLoader):
            if token.start_mark.index > at:
                break
            if isinstance(token, (yaml.FlowSequenceStartToken, yaml.FlowMappingStartToken)):
                opened.append(int(token.start_mark.index))
            elif isinstance(token, (yaml.FlowSequenceEndToken, yaml.FlowMappingEndToken)) and opened:
                opened.pop()
    except yaml.YAMLError:
        pass
    return opened[-1] if opened else None


def _runs_on(text: str, opened: int, at: int) -> bool:
    """Whether an entry begins behind a bracket, no deeper than the bracket's own line: it was never closed."""
    depth = len(_indentation(text, opened))
    line_end = text.find("\n", at)
    inside = text[opened : line_end if line_end > 0 else len(text)]
    return any(len(entry[1]) <= depth for entry in _ENTRY_INSIDE.finditer(inside))


def _swallowing_quote(text: str, at: int) -> int | None:
    """Where a quoted scalar begins that runs over several lines up to the line of `at`: its own end was forgotten."""
    if at > _SCANNED:
        return None
    line = text.count("\n", 0, at)
    found: int | None = None
    try:
        for token in yaml.scan(text, Loader=yaml.CSafeLoader):
            if token.start_mark.index > at:
                break
            if not isinstance(token, yaml.ScalarToken) or token.style not in ("'", '"'):
                continue
            if token.start_mark.line < token.end_mark.line == line:
                found = int(token.start_mark.index)
    except yaml.YAMLError:
        return found
    return found
