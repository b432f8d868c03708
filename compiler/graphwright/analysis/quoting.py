"""How the shell reads an interpolated value, and which texts it reads a second time."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator
from enum import Enum
from typing import Final, NamedTuple


class ShellContext(Enum):
    """How the shell reads an interpolated value."""

    BARE = "bare"
    SINGLE = "single quotes"
    DOUBLE = "double quotes"
    ANSI = "$'…'"
    ESCAPED = "after a backslash"  # which makes the first of its own quotes an ordinary character
    HEREDOC = "heredoc"
    QUOTED_HEREDOC = "quoted heredoc"  # nothing is expanded in it, but a line of the value can end it
    COMMENT = "comment"  # which a line break ends
    ARITHMETIC = "arithmetic"  # sums, subscripts, `-eq`, `let`: a variable in it may have a subscript with a `$(…)`
    NAME = "name"  # of a variable that a command sets or tests, which may have such a subscript too
    BACKQUOTES = "backquotes"  # a backquote in the value ends them, whatever quotes it is in
    EVALUATED = "evaluated text"  # of `eval` or `sh -c`: a shell reads it again, however it is quoted here
    CODE = "code"  # that the shell passes to another interpreter, such as `python -c`
    CODE_HEREDOC = "code in a heredoc"
    REMOTE = "words for another host"  # of `ssh`: its shell reads them again
    REMOTE_QUOTED = "quoted words for another host"  # the quotes are gone when its shell reads them

    @property
    def ends_with_line(self) -> bool:
        """Whether JSON is safe there, which has no line breaks."""
        return self in (ShellContext.QUOTED_HEREDOC, ShellContext.CODE_HEREDOC, ShellContext.COMMENT)


#: Contexts of words, which a second reading of the word overrides.
WORDS: Final = frozenset((ShellContext.BARE, ShellContext.SINGLE, ShellContext.DOUBLE, ShellContext.ANSI))


class OpenConstruct(NamedTuple):
    """An open construct: what ends it, and how it and the constructs around it affect its text.

    `quoted`: it is in double quotes. `arithmetic`: it is arithmetic. `backquoted`: it is inside backquotes.
    """

    end: str = ""
    quoted: bool = False
    arithmetic: bool = False
    backquoted: bool = False

    def inner(self, end: str, *, arithmetic: bool = False) -> OpenConstruct:
        """A construct inside this one."""
        through = end in ('"', "}")
        quoted = end == '"' or (end == "}" and self.quoted)
        return OpenConstruct(end, quoted, arithmetic or (through and self.arithmetic), end == "`" or self.backquoted)


# Patterns are compiled (and cached by `re`) on first use: most graphs have no shell command.
_FIRST: Final = r"(?m:(?:^|[;|&(){}!`]|\b(?:then|do|else|if|while|until))[ \t]*"
_REST: Final = r"([^;|&()<>\n]*)"
_ONE: Final = r"([^\s;|&()<>]+)"
#: Programs that run code from their arguments or their standard input.
INTERPRETER: Final = r"(?:python[\d.]*|node|perl|ruby|php)"
_DECLARE: Final = r"\b(?:declare|typeset|local)"
_OPTION: Final = r"[ \t]+-\w+"
_TEST: Final = r"\[\[((?=\s)(?:(?!\[\[\s).)*?\s)\]\]"

#: The options of `ssh`, with and without a value, and the host.
_SSH: Final = r"ssh\b)(?:[ \t]+-[BbcDEeFIiJLlmOoPpQRSWw][ \t]*[^\s;|&()<>]+|[ \t]+-\w+)*+[ \t]+[^\s;|&()<>]+"

_PATTERNS: Final = (
    (ShellContext.REMOTE, rf"{_FIRST}{_SSH}{_REST}"),
    (ShellContext.EVALUATED, rf"{_FIRST}eval\b){_REST}"),
    (ShellContext.EVALUATED, rf"{_FIRST}trap\b)(?:[ \t]+--)?[ \t]+{_ONE}"),
    (ShellContext.EVALUATED, rf"(?<![\w.-])(?:ba|da|z|k|a)?sh(?:[ \t]+-[\w-]+)*?[ \t]+-(?=\w*c)\w++[ \t]+{_ONE}"),
    (ShellContext.CODE, rf"(?<![\w.-]){INTERPRETER}(?:[ \t]+-\w+)*?[ \t]+-(?:c|e|r)[ \t]+{_ONE}"),
    (ShellContext.ARITHMETIC, rf"{_FIRST}let\b){_REST}"),
    (ShellContext.ARITHMETIC, rf"{_DECLARE}(?:{_OPTION})*?[ \t]+-(?=\w*i)\w++{_REST}"),
    (ShellContext.ARITHMETIC, r"(?<!\S)([^\s()]+)[ \t]+-(?:eq|ne|lt|le|gt|ge)[ \t]", _TEST),
    (ShellContext.ARITHMETIC, r"[ \t]-(?:eq|ne|lt|le|gt|ge)[ \t]+([^\s()]+)", _TEST),
    (ShellContext.ARITHMETIC, r"(?<![\w$])\w*\[([^\]\n()]{0,200})\]\+?="),
    (
        ShellContext.ARITHMETIC,
        r"\w\[([^\]\n()]{0,200})\]",
        rf"{_DECLARE}\b{_REST}|\b(?:read|printf[ \t]+-v)\b{_REST}|[ \t]-v{_REST}",
    ),
    (ShellContext.NAME, rf"\bprintf[ \t]+-v[ \t]*{_ONE}"),
    (ShellContext.NAME, rf"[ \t]-[vR][ \t]+{_ONE}", r"(?:\[|\btest)([ \t][^;|&()<>\n]*)|" + _TEST),
    (ShellContext.NAME, _REST, rf"\bread\b(?:[ \t]+-(?=\w*[dinNptu][ \t])\w++[ \t]+\S+|{_OPTION})*+{_REST}"),
    (ShellContext.NAME, r"(?<!\S)([^\s=]+)", rf"{_DECLARE}\b(?:{_OPTION})*+{_REST}"),
    (ShellContext.NAME, _REST, rf"{_DECLARE}(?:{_OPTION})*?[ \t]+-(?=\w*n)\w++{_REST}"),
)

_KEYED: Final = rf"{_DECLARE}(?:{_OPTION})*?[ \t]+-(?=\w*A)\w++{_REST}"
_INTEGERS: Final = rf"{_DECLARE}(?:{_OPTION})*?[ \t]+-(?=\w*i)\w++{_REST}"
_NAMES: Final = r"(?<![\w$=])[A-Za-z_]\w*"


def keyed(text: str) -> frozenset[str]:
    """The associative arrays of a command: their subscripts are plain text."""
    return _declared(_KEYED, text)


def read_again(code: str, places: list[int]) -> dict[int, ShellContext]:
    """Those of the positions (in order) that are read again; in `code`, quoted characters are control characters."""
    found: dict[int, ShellContext] = {}
    arrays = keyed(code)
    for context, start, end in _pieces(code):
        at = bisect_left(places, start)
        if at < len(places) and places[at] < end and not (arrays and _is_key(code, start, arrays)):
            for place in places[at : bisect_left(places, end)]:
                found.setdefault(place, context)
    return found


def _pieces(code: str) -> Iterator[tuple[ShellContext, int, int]]:
    for context, pattern, *around in _PATTERNS:
        for within in re.finditer(around[0], code) if around else (None,):
            start, end = (0, len(code)) if within is None else within.span(within.lastindex or 0)
            for found in re.compile(pattern).finditer(code, start, end):
                yield context, *found.span(1)
    integers = _declared(_INTEGERS, code)
    for found in re.finditer(rf"(?<![\w$])([A-Za-z_]\w*)\+?={_ONE}", code) if integers else ():
        if found[1] in integers:
            yield ShellContext.ARITHMETIC, *found.span(2)


def _is_key(code: str, start: int, arrays: frozenset[str]) -> bool:
    """Whether the subscript of an associative array begins here; `([key]=…)` may belong to any."""
    if code[start - 1 : start] != "[":
        return False
    name = re.search(r"\w*\Z", code[max(0, start - 100) : start - 1])
    return name is None or name[0] in arrays or not name[0]


def _declared(pattern: str, code: str) -> frozenset[str]:
    return frozenset(name for words in re.findall(pattern, code) for name in re.findall(_NAMES, words))
