"""Parses the patterns of the operator `regex`: those that Python's module `re` accepts."""

from __future__ import annotations

import re
import unicodedata
import warnings
from typing import Final

from graphwright_runtime.patterns.charset import ANYTHING, Members, character_set, literal, word_boundary
from graphwright_runtime.patterns.reader import PatternError, Reader
from graphwright_runtime.patterns.tree import Atom, Boundary, Choice, Group, Node, Reference

_UNICODE: Final = {
    "d": r"\p{Nd}",
    "s": r"\s\x1c-\x1f",
    "w": r"\p{L}\p{Numeric_Type=Decimal}\p{Numeric_Type=Digit}\p{Numeric_Type=Numeric}_",
}
_ASCII: Final = {"d": "0-9", "s": r"\t-\r\x20", "w": "A-Za-z0-9_"}
_CONTROLS: Final = {"a": 7, "b": 8, "f": 12, "n": 10, "r": 13, "t": 9, "v": 11}
_LENGTHS: Final = {"x": 2, "u": 4, "U": 8}

_OCTAL: Final = re.compile(r"0[0-7]{0,2}|[0-3][0-7]{2}")
_OCTAL_IN_SET: Final = re.compile(r"[0-7]{1,3}")
_NUMBER: Final = re.compile(r"[1-9][0-9]?")
_NAMED: Final = re.compile(r"\{([^}]*)\}")
_GROUP_NAME: Final = re.compile(r"P<(\w+)>")
_BACK: Final = re.compile(r"P=(\w+)\)")
_COMMENT: Final = re.compile(r"\(\?#[^)]*\)")
_CONDITION: Final = re.compile(r"\((\w+)\)")
_FLAGS: Final = re.compile(r"([aiLmsux]*)(?:-([imsx]+))?([:)])")
_BLANKS: Final = re.compile(r"(?:[ \t\n\r\v\f]|#[^\n]*)+")


class PythonReader(Reader):
    """Parses a pattern that `re` compiles."""

    _braces = re.compile(r"\{(\d*)(?:(,)(\d*))?\}(?<!\{\})", re.ASCII)
    _bracket_first = True

    def __init__(self, text: str) -> None:
        super().__init__(text)
        check(text)
        self._flags = frozenset[str]()

    def skip(self) -> None:
        """Skip comments, and whitespace in a verbose pattern."""
        while self.taken(_COMMENT) or ("x" in self._flags and self.taken(_BLANKS)):
            pass

    def sign(self, character: str) -> Node:
        """`.` depends on the flag `s`. `^` and `$` have the same meaning in the engine, which is told the flag `m`."""
        if character == ".":
            return Atom(ANYTHING if "s" in self._flags else r"[^\n]")
        return Boundary(character)

    def escape(self) -> Node:
        """Parse a set, an assertion, a reference or a character."""
        character = self.text[self.at : self.at + 1]
        if character in "bB":
            self.at += 1
            inside = character == "B"  # `re` does not match `\B` in the empty string
            return Boundary(r"(?!\A\Z)" * inside + word_boundary(self._sets["w"], inside=inside))
        if character in "AZ":
            self.at += 1
            return Boundary(f"\\{character}")
        if found := self.taken(_OCTAL):
            return Atom(literal(int(found[0], 8)))
        if found := self.taken(_NUMBER):
            return Reference(f"(?:\\{found[0]})")
        member = self.set_escape()
        return Atom(literal(member) if isinstance(member, int) else character_set([member]))

    def set_escape(self) -> Members | int:
        """Parse a set or a character."""
        if found := self.taken(_OCTAL_IN_SET):
            return int(found[0], 8)
        character = self.next()
        if character.lower() in self._sets:
            return Members(self._sets[character.lower()], negated=character.isupper())
        if character in _CONTROLS:
            return _CONTROLS[character]
        if character in _LENGTHS:
            start = self.at
            self.at += _LENGTHS[character]
            return int(self.text[start : self.at], 16)
        if character == "N":
            found = self.taken(_NAMED)
            return ord(unicodedata.lookup(found[1] if found else ""))
        return ord(character)

    def special_group(self) -> Node | None:
        """Parse any group of `re` that starts with `(?`."""
        start = self.at - 2
        if found := self.taken(_GROUP_NAME):
            return self._scoped(f"(?P<{found[1]}>", start)
        if found := self.taken(_BACK):
            return Reference(f"(?P={found[1]})")
        if self.take(">"):
            return Group("(?>", self.closed(start), atomic=True)
        if found := self.taken(_CONDITION):
            inner = self.closed(start)
            return Choice(inner.options if isinstance(inner, Choice) else (inner,), f"({found[1]})")
        found = self.taken(_FLAGS)
        if found is None:
            raise PatternError(f"unknown extension at position {start}")
        return self._flagged(found, start)

    def _flagged(self, found: re.Match[str], start: int) -> Node | None:
        """Parse flags of the whole pattern or of a group. Only those that the engine needs become part of the tree."""
        on, off, end = found[1], found[2] or "", found[3]
        before, self._flags = self._flags, (self._flags | set(on)) - set(off) - ({"a"} if "u" in on else set())
        told = "".join(flag for flag in on if flag in "im")
        untold = "".join(flag for flag in off if flag in "im")
        if end == ")":
            return Boundary(f"(?{told})") if told else None
        inner = self.closed(start)
        self._flags = before
        return Group(f"(?{told}{'-' * bool(untold)}{untold}:", inner)

    def _scoped(self, opening: str, start: int) -> Node:
        return Group(opening, self.closed(start))

    def _mode(self) -> str:
        return "?" if self.take("?") else "+" if self.take("+") else ""

    @property
    def _sets(self) -> dict[str, str]:
        return _ASCII if "a" in self._flags else _UNICODE


def check(text: str) -> None:
    """Raise PatternError unless `re` compiles the text."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            re.compile(text)
    except (re.error, OverflowError, RecursionError) as error:
        raise PatternError(str(error) or "it is too large") from error
