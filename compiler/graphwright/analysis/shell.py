"""A shell lexer, just good enough to tell which variables a command reads and how its parts are quoted.

It follows quotes, comments, heredocs, `$(…)` and `${…}` as bash does, and finds the names that the command sets itself.
It does not parse commands. If unsure, it treats a name as set rather than as missing.
"""

from __future__ import annotations

import re
from typing import Final

from graphwright.analysis.quoting import INTERPRETER, WORDS, OpenConstruct, ShellContext, keyed, read_again
from graphwright.record import Record

#: Stands for an interpolated value in the text.
HOLE: Final = "\ufffc"


class Variable(Record):
    """`$NAME` or `${NAME}`; `start` is at its `$`. `provided`: it has a default, as in `${NAME:-…}`."""

    name: str
    start: int
    end: int
    provided: bool = False


class Scan(Record):
    """The variables that a command reads, the names that it sets, and the context of each of its holes, in order.

    From `unsure` on, any name may be set: by a sourced file, or by evaluated text.
    """

    variables: tuple[Variable, ...]
    sets: frozenset[str]
    holes: tuple[ShellContext, ...]
    unsure: int

    def needs(self, variable: Variable) -> bool:
        """Whether a variable has to be set outside the command."""
        return not variable.provided and variable.name not in self.sets and variable.start < self.unsure


# Patterns are compiled (and cached by `re`) on first use: most graphs have no shell command.
_NAME: Final = r"[A-Za-z_][A-Za-z0-9_]*"
_BRACED: Final = r"\$\{[#!]?([A-Za-z_][A-Za-z0-9_]*)"
_DEFAULT: Final = r"(\[[^\]]*\])?:?[-+=]"
_HEREDOC: Final = r"<<(-?)[ \t]*(?:'([^'\n]*)'|\"([^\"\n]*)\"|(\\?[^\s;&|<>()'\"]+))"
_RUNS_HEREDOC: Final = rf"(?<![\w.-]){INTERPRETER}\b[^\n;|&]*\Z"
_WORD_END: Final = " \t\n;|&()`<>"

_SETS: Final = (
    r"(?m:^|(?<=[\s;|&(){}`!]))([A-Za-z_]\w*)(?:\[[^\]\n]{0,200}\])?\+?=",
    r"\b(?:for|select)\s+([A-Za-z_]\w*)",
    r"\(\(\s*([A-Za-z_]\w*)\s*(?:[-+*/%]?=|\+\+|--)",
    r"\bprintf\s+-v\s+([A-Za-z_]\w*)",
)
_SETS_ALL: Final = r"\b(?:read|mapfile|readarray|getopts|local|declare|typeset|readonly|unset)\b([^;|&\n<>)]*)"
_WORD: Final = r"(?<![\w$-])[A-Za-z_]\w*"
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
    return Scan(tuple(reader.variables), frozenset(sets | reader.sets), _contexts(text, code, reader.holes), unsure)


def _contexts(text: str, code: str, read: list[ShellContext]) -> tuple[ShellContext, ...]:
    """How each hole is read, given how it is read the first time."""
    places = [place for place, letter in enumerate(text) if letter == HOLE]
    again = read_again(code, places) if places else {}
    return tuple(_again(context, again.get(place)) for place, context in zip(places, read, strict=True))


def _again(first: ShellContext, second: ShellContext | None) -> ShellContext:
    """How a hole is read in the end, given how it is read the first and the second time."""
    if second is None or first not in WORDS:
        return first
    is_quoted = second is ShellContext.REMOTE and first is not ShellContext.BARE
    return ShellContext.REMOTE_QUOTED if is_quoted else second


def _at(pattern: str, text: str, position: int) -> re.Match[str] | None:
    return re.compile(pattern).match(text, position)


class _Reader:
    """One pass over the text. `code` is the text with everything quoted or commented out blanked."""

    def __init__(self, text: str, keyed_names: frozenset[str] | None = None) -> None:
        self.text = text
        self.position = 0
        self.variables: list[Variable] = []
        self.sets: set[str] = set()  # by `${NAME:=…}`; the others are found in the code
        self.holes: list[ShellContext] = []
        self.code: list[str] = []
        self._open = [OpenConstruct()]
        self._keyed = keyed(text) if keyed_names is None else keyed_names
        self._heredocs: list[tuple[str, bool, bool, bool]] = []  # delimiter, tabs stripped, quoted, code

    def read(self) -> None:
        """Read the whole command."""
        while self.position < len(self.text):
            self._step()

    def _step(self) -> None:
        letter = self.text[self.position]
        if letter == HOLE:
            self._skip(1)
        elif letter == "\\":
            context = self._context()
            self._blank(2, ShellContext.ESCAPED if context is ShellContext.BARE else context)
        elif letter == "$":
            self._dollar()
        elif letter == self._here.end:
            self._open.pop()
            self._take()
        elif letter == '"':
            self._enter('"')
            self._skip(1)
        elif letter == "`":
            self._enter("`")
            self._take()
        elif self._here.quoted:
            self._skip(1)
        else:
            self._plain(letter)

    @property
    def _here(self) -> OpenConstruct:
        """The innermost open construct."""
        return self._open[-1]

    def _enter(self, end: str, *, arithmetic: bool = False) -> None:
        """Open a construct."""
        self._open.append(self._here.inner(end, arithmetic=arithmetic))

    def _context(self) -> ShellContext:
        """How a hole at the current position is read."""
        if self._here.backquoted:
            return ShellContext.BACKQUOTES
        if self._here.arithmetic:
            return ShellContext.ARITHMETIC
        return ShellContext.DOUBLE if self._here.quoted else ShellContext.BARE

    def _plain(self, letter: str) -> None:
        """A character outside quotes."""
        if letter == "'" and not self._here.arithmetic:
            self._until("'", ShellContext.SINGLE)
        elif letter == "#" and not self._here.arithmetic and self._at_word_start():
            end = self.text.find("\n", self.position)
            self._blank((end if end >= 0 else len(self.text)) - self.position, ShellContext.COMMENT)
        elif letter == "(":
            self._parenthesis()
        elif letter == "<" and self._is_heredoc() and (found := _at(_HEREDOC, self.text, self.position)):
            dash, single, double, word = found.groups()
            delimiter = single if single is not None else double if double is not None else word.lstrip("\\")
            quoted = word is None or word.startswith("\\")
            line = self.text[self.text.rfind("\n", 0, self.position) + 1 : self.position]
            is_code = re.search(_RUNS_HEREDOC, line) is not None
            self._heredocs.append((delimiter, bool(dash), quoted, is_code))
            self._skip(found.end() - found.start())
        elif letter == "\n":
            self._take()
            while self._heredocs:
                self._heredoc(*self._heredocs.pop(0))
        else:
            self._take()

    def _is_heredoc(self) -> bool:
        """Whether `<<` here is neither `<<<` nor a shift in arithmetic."""
        before = self.text[self.position - 1 : self.position]
        return before != "<" and not self.text.startswith("<<<", self.position) and not self._here.arithmetic

    def _at_word_start(self) -> bool:
        return self.position == 0 or self.text[self.position - 1] in _WORD_END

    def _parenthesis(self, *, dollar: bool = False) -> None:
        """An opening parenthesis: two together begin arithmetic, which contains further ones."""
        if self.text.startswith("((", self.position) and (dollar or self._at_word_start()):
            self._enter(")", arithmetic=True)
            self._enter(")", arithmetic=True)
            self._take()
        else:
            self._enter(")", arithmetic=self._here.arithmetic and not dollar)
        self._take()

    # --- dollars -------------------------------------------------------------------------------------------------

    def _dollar(self) -> None:
        rest = self.text[self.position + 1 : self.position + 2]
        if rest == "{":
            self._braced()
        elif rest == "(":
            self._skip(1)
            self._parenthesis(dollar=True)
        elif rest == "[":
            self._skip(2)
            self._enter("]", arithmetic=True)
        elif rest == "'" and not self._here.quoted:
            self._skip(1)
            self._until("'", ShellContext.ANSI, escapes=True)
        elif found := _at(_NAME, self.text, self.position + 1):
            self.variables.append(Variable(found.group(), self.position, found.end()))
            self._skip(found.end() - self.position)
        else:
            self._skip(2 if rest and rest in "?$!#*@-0123456789" else 1)  # `$?`, `$$`, `$1`…

    def _braced(self) -> None:
        found = _at(_BRACED, self.text, self.position)
        if found is None:
            self._skip(2)
            self._enter("}")
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
        following = self.text[self.position : self.position + 2]
        self._enter("}", arithmetic=following[:1] == ":" and following[1:] not in ("-", "=", "?", "+", ""))
        if following[:1] == "[" and found.group(1) not in self._keyed:
            self._skip(1)
            self._enter("]", arithmetic=True)

    # --- regions -------------------------------------------------------------------------------------------------

    def _until(self, quote: str, context: ShellContext, *, escapes: bool = False) -> None:
        """Everything from the opening quote to the closing one."""
        end = self.position + 1
        while end < len(self.text) and self.text[end] != quote:
            end += 2 if escapes and self.text[end] == "\\" else 1
        self._blank(min(end + 1, len(self.text)) - self.position, context)

    def _heredoc(self, delimiter: str, tabs: bool, quoted: bool, is_code: bool) -> None:
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
            context = ShellContext.CODE_HEREDOC if is_code else ShellContext.QUOTED_HEREDOC
            self._blank(length, context, lines=True)
        else:
            self._expanded(start + length, ShellContext.CODE_HEREDOC if is_code else ShellContext.HEREDOC)

    def _expanded(self, end: int, context: ShellContext) -> None:
        """An unquoted heredoc: quotes are plain text in it, variables and `$(…)` are not."""
        inner = _Reader(self.text[:end], self._keyed)
        inner.position = self.position
        while inner.position < end:
            letter = inner.text[inner.position]
            if letter in "$`" or len(inner._open) > 1:
                inner._step()
            else:
                inner._skip(2 if letter == "\\" else 1)
        self.variables += inner.variables
        self.sets |= inner.sets
        # A line of a value ends the heredoc even from within a `$(…)` and its quotes; a number does not.
        self.holes += [each if each is ShellContext.ARITHMETIC else context for each in inner.holes]
        self._blank(end - self.position, None, lines=True)

    def _take(self) -> None:
        self.code.append(self.text[self.position])
        self.position += 1

    def _skip(self, length: int) -> None:
        """Skip text that is not code, in which the innermost open construct says how holes are read."""
        self._blank(length, self._context())

    def _blank(self, length: int, context: ShellContext | None, *, lines: bool = False) -> None:
        """Skip text that is not code; `context` says how its holes are read, `lines` whether its lines remain lines."""
        passed = self.text[self.position : self.position + length]
        if context is not None:
            self.holes += [context] * passed.count(HOLE)
        self.code.append("".join("\n" if lines and letter == "\n" else "\1" for letter in passed))
        self.position += length
