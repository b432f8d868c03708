"""A reader of shell text, just good enough to tell which variables a command reads and how its parts are quoted.

It follows quotes, comments, heredocs, `$(…)` and `${…}` as bash does, and finds the names that the command sets
itself. It does not parse commands. Where it is unsure it sees a name as set rather than as missing.
"""

from __future__ import annotations

import re
from enum import Enum
from typing import Final

from graphwright.record import Record

#: Stands in the text for an interpolated value.
HOLE: Final = "\ufffc"


class Context(Enum):
    """How the shell reads an interpolated value."""

    BARE = "bare"
    SINGLE = "single quotes"
    DOUBLE = "double quotes"
    ANSI = "$'…'"
    HEREDOC = "heredoc"
    QUOTED_HEREDOC = "quoted heredoc"  # nothing is expanded in it, but a line of the value can end it
    COMMENT = "comment"  # which a line break ends
    ARITHMETIC = "arithmetic"  # `$((…))`, `((…))`: read as if in double quotes, and names in it once more
    BACKQUOTES = "backquotes"  # a backquote in the value ends them, whatever quotes it is in
    EVALUATED = "evaluated text"  # of `eval` or `sh -c`: a shell reads it a second time, however it is quoted here


class Variable(Record):
    """`$NAME` or `${NAME}`; `start` is at its `$`. `provided`: `${NAME:-…}` and its kin have an answer without it."""

    name: str
    start: int
    end: int
    provided: bool = False


class Scan(Record):
    """What a command reads, the names that it sets itself, and the context of each of its holes, in order.

    From `unsure` on, any name may be set: by a file that it sources, or by text that it evaluates.
    """

    variables: tuple[Variable, ...]
    sets: frozenset[str]
    holes: tuple[Context, ...]
    unsure: int

    def needs(self, variable: Variable) -> bool:
        """Whether a variable has to come from outside of the command."""
        return not variable.provided and variable.name not in self.sets and variable.start < self.unsure


# Patterns are compiled (and kept by `re`) when they are first used: most graphs have no shell command.
_NAME: Final = r"[A-Za-z_][A-Za-z0-9_]*"
_BRACED: Final = r"\$\{[#!]?([A-Za-z_][A-Za-z0-9_]*)"
_DEFAULT: Final = r"(\[[^\]]*\])?:?[-+=]"
_HEREDOC: Final = r"<<(-?)[ \t]*(?:'([^'\n]*)'|\"([^\"\n]*)\"|(\\?[^\s;&|<>()'\"]+))"
_SUM: Final = ")+"
_WORD_END: Final = " \t\n;|&(){}`<>"

_SETS: Final = (
    r"(?m:^|(?<=[\s;|&(){}`!]))([A-Za-z_]\w*)(?:\[[^\]\n]*\])?\+?=",
    r"\b(?:for|select)\s+([A-Za-z_]\w*)",
    r"\(\(\s*([A-Za-z_]\w*)\s*(?:[-+*/%]?=|\+\+|--)",
    r"\bprintf\s+-v\s+([A-Za-z_]\w*)",
)
_SETS_ALL: Final = r"\b(?:read|mapfile|readarray|getopts|local|declare|typeset|readonly|unset)\b([^;|&\n<>)]*)"
_WORD: Final = r"(?<![\w$-])[A-Za-z_]\w*"
#: What has its words read by a shell once more: all of them, or the one behind `-c`.
_EVAL: Final = r"(?m:(?:^|[;|&(){}!`]|\b(?:then|do|else))[ \t]*eval\b)([^;|&()<>\n]*)"
_SHELL_C: Final = r"(?<![\w.-])(?:ba|da|z|k|a)?sh(?:[ \t]+-[\w-]+)*?[ \t]+-\w*c\w*[ \t]+([^\s;|&()<>]+)"
_RUNS_OTHER_CODE: Final = r"(?m:(?:^|[;|&(){}!`]|\b(?:then|do|else))[ \t]*(?:source|eval|\.)[ \t])"


def scan(text: str) -> Scan:
    """Read a command in which `HOLE` stands for each interpolated value."""
    reader = _Reader(text)
    reader.read()
    code = "".join(reader.code)
    sets = {name for pattern in _SETS for name in re.findall(pattern, code)}
    for words in re.findall(_SETS_ALL, code):
        sets.update(re.findall(_WORD, words))
    other = re.search(_RUNS_OTHER_CODE, code)
    unsure = other.end() if other is not None else len(text)
    evaluated = [found.span(1) for pattern in (_EVAL, _SHELL_C) for found in re.finditer(pattern, code)]
    places = (place for place, letter in enumerate(text) if letter == HOLE)
    holes = (
        Context.EVALUATED if any(start <= place < end for start, end in evaluated) else context
        for place, context in zip(places, reader.holes, strict=True)
    )
    return Scan(tuple(reader.variables), frozenset(sets | reader.sets), tuple(holes), unsure)


def _at(pattern: str, text: str, position: int) -> re.Match[str] | None:
    return re.compile(pattern).match(text, position)


class _Reader:
    """One pass over the text. `code` is the text again with everything quoted or commented out made blank."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.position = 0
        self.variables: list[Variable] = []
        self.sets: set[str] = set()  # by `${NAME:=…}`; the others are found in the code
        self.holes: list[Context] = []
        self.code: list[str] = []
        self._open: list[str] = []  # what ends the constructs that we are in: `"`, `)`, `}`, a backquote, `)+` (a sum)
        self._heredocs: list[tuple[str, bool, bool]] = []  # delimiter, tabs stripped, quoted

    def read(self) -> None:
        """Read everything."""
        while self.position < len(self.text):
            letter = self.text[self.position]
            if letter == HOLE:
                self.holes.append(self._context())
                self._skip(1)
            elif letter == "\\":
                self._skip(2)
            elif letter == "$":
                self._dollar()
            elif self._open and letter == self._open[-1][0]:
                self._open.pop()
                self._take()
            elif letter == '"':
                self._open.append('"')
                self._skip(1)
            elif letter == "`":
                self._open.append("`")
                self._take()
            elif self._quoted:
                self._skip(1)
            else:
                self._plain(letter)

    @property
    def _quoted(self) -> bool:
        """Whether we are in double quotes, at this depth of `$(…)`."""
        for end in reversed(self._open):
            if end != "}":
                return end == '"'
        return False

    def _context(self) -> Context:
        """How a hole at this place is read."""
        if "`" in self._open:
            return Context.BACKQUOTES
        if self._in_sum:
            return Context.ARITHMETIC
        return Context.DOUBLE if self._quoted else Context.BARE

    @property
    def _in_sum(self) -> bool:
        """Whether we are in arithmetic, and in no `$(…)` or quotes of it."""
        return self._open[-1:] == [_SUM]

    def _plain(self, letter: str) -> None:
        """A character outside quotes."""
        if letter == "'":
            self._until("'", Context.SINGLE)
        elif letter == "#" and self._at_word_start():
            end = self.text.find("\n", self.position)
            self._blank((end if end >= 0 else len(self.text)) - self.position, Context.COMMENT)
        elif letter == "(":
            self._parenthesis()
        elif letter == "<" and self._is_heredoc() and (found := _at(_HEREDOC, self.text, self.position)):
            dash, single, double, word = found.groups()
            delimiter = single if single is not None else double if double is not None else word.lstrip("\\")
            quoted = word is None or word.startswith("\\")
            self._heredocs.append((delimiter, bool(dash), quoted))
            self._skip(found.end() - found.start())
        elif letter == "\n":
            self._take()
            while self._heredocs:
                self._heredoc(*self._heredocs.pop(0))
        else:
            self._take()

    def _is_heredoc(self) -> bool:
        """Whether `<<` here is no `<<<` and no shift in arithmetic."""
        before = self.text[self.position - 1 : self.position]
        return before != "<" and not self.text.startswith("<<<", self.position) and not self._in_sum

    def _at_word_start(self) -> bool:
        return self.position == 0 or self.text[self.position - 1] in _WORD_END

    def _parenthesis(self, *, dollar: bool = False) -> None:
        """An opening one: two together begin arithmetic, in which others belong to it."""
        if self.text.startswith("((", self.position) and (dollar or self._at_word_start()):
            self._open += [_SUM, _SUM]
            self._take()
        else:
            self._open.append(_SUM if self._in_sum and not dollar else ")")
        self._take()

    # --- dollars -------------------------------------------------------------------------------------------------

    def _dollar(self) -> None:
        rest = self.text[self.position + 1 : self.position + 2]
        if rest == "{":
            self._braced()
        elif rest == "(":
            self._skip(1)
            self._parenthesis(dollar=True)
        elif rest == "'" and not self._quoted:
            self._skip(1)
            self._until("'", Context.ANSI, escapes=True)
        elif found := _at(_NAME, self.text, self.position + 1):
            self.variables.append(Variable(found.group(), self.position, found.end()))
            self._skip(found.end() - self.position)
        else:
            self._skip(2 if rest and rest not in f'"\n{HOLE}' else 1)  # `$?`, `$$`, `$1`…

    def _braced(self) -> None:
        found = _at(_BRACED, self.text, self.position)
        if found is None:
            self._skip(2)
            self._open.append("}")
            return
        end = self.text.find("}", found.end())
        default = _at(_DEFAULT, self.text, found.end())
        start = self.position
        self.variables.append(
            Variable(found.group(1), start, end + 1 if end >= 0 else found.end(), default is not None)
        )
        if default is not None and default.group().endswith("="):
            self.sets.add(found.group(1))
        self._skip(found.end() - start)
        self._open.append("}")

    # --- regions -------------------------------------------------------------------------------------------------

    def _until(self, quote: str, context: Context, *, escapes: bool = False) -> None:
        """Everything up to the closing quote, from the opening one on."""
        end = self.position + 1
        while end < len(self.text) and self.text[end] != quote:
            end += 2 if escapes and self.text[end] == "\\" else 1
        self._blank(min(end + 1, len(self.text)) - self.position, context)

    def _heredoc(self, delimiter: str, tabs: bool, quoted: bool) -> None:
        """The lines of a heredoc, from the first one on."""
        start = end = self.position
        while end < len(self.text):
            stop = self.text.find("\n", end)
            stop = stop if stop >= 0 else len(self.text)
            line = self.text[end:stop]
            end = stop + 1
            if (line.lstrip("\t") if tabs else line) == delimiter:
                break
        length = min(end, len(self.text)) - start
        if quoted:
            self._blank(length, Context.QUOTED_HEREDOC)
        else:
            self._expanded(start + length)

    def _expanded(self, end: int) -> None:
        """An unquoted heredoc: quotes are plain text in it, variables and `$(…)` are not."""
        inner = _Reader(self.text[:end])
        inner.position = self.position
        while inner.position < end:
            letter = inner.text[inner.position]
            if letter == "$":
                depth = len(inner._open)
                inner._dollar()
                del inner._open[depth:]
            elif letter == HOLE:
                inner.holes.append(Context.HEREDOC)
                inner._skip(1)
            else:
                inner._skip(2 if letter == "\\" else 1)
        self.variables += inner.variables
        self.sets |= inner.sets
        self.holes += inner.holes
        self._blank(end - self.position, None)

    def _take(self) -> None:
        self.code.append(self.text[self.position])
        self.position += 1

    def _skip(self, length: int) -> None:
        self._blank(length, None)

    def _blank(self, length: int, context: Context | None) -> None:
        """Pass over text that is no code; `context` is how its holes are read."""
        passed = self.text[self.position : self.position + length]
        if context is not None:
            self.holes += [context] * passed.count(HOLE)
        self.code.append("".join("\n" if letter == "\n" else "\1" for letter in passed))
        self.position += length
