"""Parses the patterns of JSON Schema: ECMAScript regular expressions (ECMA-262, with the flag `u`).

Like most validators, this also accepts a backslash before any ASCII punctuation character.
"""

from __future__ import annotations

import re
from typing import Final

from graphwright_runtime.patterns.charset import ANYTHING, Members, character_set, word_boundary
from graphwright_runtime.patterns.charset import literal as written_literal
from graphwright_runtime.patterns.reader import PatternError, Reader
from graphwright_runtime.patterns.tree import Atom, Boundary, Group, Node, Reference, Sequence

_DIGIT: Final = "0-9"
_WORD: Final = "A-Za-z0-9_"
_BLANK: Final = r"\t-\r\x20\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\ufeff"
_SETS: Final = {"d": _DIGIT, "w": _WORD, "s": _BLANK}
_LINE_ENDS: Final = r"\n\r\u2028\u2029"
_LINE_START: Final = f"(?<![^{_LINE_ENDS}])"
_LINE_END: Final = f"(?![^{_LINE_ENDS}])"
_CONTROLS: Final = {"t": 9, "n": 10, "v": 11, "f": 12, "r": 13}

_PROPERTY: Final = re.compile(r"\{(?:(\w+)=)?(\w+)\}", re.ASCII)
_POINT: Final = re.compile(r"\{0*([0-9A-Fa-f]{1,8})\}")
_PAIR: Final = re.compile(r"([dD][89abAB][0-9A-Fa-f]{2})\\u([dD][c-fC-F][0-9A-Fa-f]{2})")
_FOUR: Final = re.compile(r"[0-9A-Fa-f]{4}")
_TWO: Final = re.compile(r"[0-9A-Fa-f]{2}")
_LETTER: Final = re.compile(r"[A-Za-z]")
_NUMBER: Final = re.compile(r"[1-9][0-9]*")
_NAME: Final = re.compile(r"<([^>]*)>")
_IDENTIFIER: Final = re.compile(r"[^\W\d]\w*\Z")
_MODIFIERS: Final = re.compile(r"([ims]*)(?:-([ims]*))?:")
_GROUPS: Final = re.compile(r"\\.|\[(?:\\.|[^\]\\])*\]|(\((?!\?)|\(\?<([^=!>][^>]*)>)", re.DOTALL)

_FOREIGN: Final = {
    "A": "`\\A` is Python syntax: write `^`",
    "Z": "`\\Z` is Python syntax: write `$`",
    "z": "`\\z` is not ECMAScript: write `$`",
}


class EcmaReader(Reader):
    """Parses a pattern of a schema."""

    _braces = re.compile(r"\{(\d+)(?:(,)(\d*))?\}", re.ASCII)
    _repeats_conditions = False

    def __init__(self, text: str) -> None:
        super().__init__(text)
        groups = [found[2] for found in _GROUPS.finditer(text) if found[1]]
        self._count = len(groups)
        self._names = {name: number for number, name in enumerate(groups, 1) if name is not None}
        if len(self._names) < sum(name is not None for name in groups):
            raise PatternError("two groups have the same name")
        self._begun = 0
        self._open: list[int] = []
        self._flags = frozenset[str]()

    def skip(self) -> None:
        """Do nothing: ECMAScript has neither comments nor a verbose mode."""

    def sign(self, character: str) -> Node:
        """`.` matches line ends only with the flag `s`; `^` and `$` match the ends of the text or, with `m`, lines."""
        if character == ".":
            return Atom(ANYTHING if "s" in self._flags else f"[^{_LINE_ENDS}]")
        if "m" in self._flags:
            return Boundary(_LINE_START if character == "^" else _LINE_END)
        return Boundary(r"\A" if character == "^" else r"\Z")

    def plain(self, character: str) -> Node:
        """A literal character. Closing brackets and braces must be escaped."""
        if character in "{}]":
            raise PatternError(f"`{character}` stands for itself as `\\{character}` only, at position {self.at - 1}")
        return super().plain(character)

    def capturing(self, opening: str, start: int) -> Node:
        """Parse a capturing group. A reference to it from inside matches the empty string."""
        self._begun += 1
        self._open.append(self._begun)
        group = super().capturing(opening, start)
        self._open.pop()
        return group

    def escape(self) -> Node:
        """Parse a set, an assertion, a reference or a character."""
        character = self.next()
        if character in "bB":
            return Boundary(word_boundary(_WORD, inside=character == "B"))
        if character == "k":
            return self._named()
        if character in "123456789":
            self.at -= 1
            found = self.taken(_NUMBER)
            return self._reference(int(found[0][:9]) if found else 0)
        self.at -= 1
        member = self.set_escape()
        return Atom(written_literal(member) if isinstance(member, int) else character_set([member]))

    def set_escape(self) -> Members | int:
        """Parse a set or a character."""
        character = self.next()
        if character.lower() in _SETS:
            return Members(_SETS[character.lower()], negated=character.isupper())
        if character in "pP":
            return self._property(negated=character == "P")
        if character == "b":
            return 8
        if character in _CONTROLS:
            return _CONTROLS[character]
        if character in "ucx":
            return self._numbered(character)
        if character == "0" and not self.text[self.at : self.at + 1].isdecimal():
            return 0
        if character.isascii() and not character.isalnum():
            return ord(character)
        raise PatternError(_FOREIGN.get(character, f"`\\{character}` is not a valid escape in ECMAScript"))

    def special_group(self) -> Node | None:
        """Parse a named group, or a group with flags."""
        start = self.at - 2
        if self.text.startswith("<", self.at):
            found = self.taken(_NAME)
            if found is None or not _IDENTIFIER.match(found[1].replace("$", "_")):
                raise PatternError(f"bad group name at position {start}")
            return self.capturing("(", start)
        found = self.taken(_MODIFIERS)
        if found is None or not _each_once(found[1] + (found[2] or "")):
            if self.text.startswith("P", self.at):
                raise PatternError("`(?P` is Python syntax: write `(?<name>…)`")
            raise PatternError(f"unknown extension at position {start}: write flags as `(?i:…)`")
        on, off = found[1], found[2] or ""
        before, self._flags = self._flags, (self._flags | set(on)) - set(off)
        inner = self.closed(start)
        self._flags = before
        return Group("(?i:" if "i" in on else "(?-i:" if "i" in off else "(?:", inner)

    def _property(self, *, negated: bool) -> Members:
        from graphwright_runtime.patterns.properties import VALUES

        found = self.taken(_PROPERTY)
        if found is None:
            raise PatternError(f"`\\p` needs a property name at position {self.at}: `\\p{{L}}`")
        if found[2] not in VALUES.get(found[1] or "", ()):
            raise PatternError(f"ECMAScript knows no property `\\p{found[0]}`")
        return Members(f"\\p{found[0]}", negated=negated)

    def _numbered(self, character: str) -> int:
        """Parse a character's number or the letter of a control character; returns the code point."""
        if character == "c":
            if found := self.taken(_LETTER):
                return ord(found[0]) % 32
        elif character == "x":
            if found := self.taken(_TWO):
                return int(found[0], 16)
        elif found := self.taken(_POINT):
            if (point := int(found[1], 16)) <= 0x10FFFF:
                return point
        elif found := self.taken(_PAIR):
            return 0x10000 + (int(found[1], 16) - 0xD800) * 0x400 + int(found[2], 16) - 0xDC00
        elif found := self.taken(_FOUR):
            return int(found[0], 16)
        raise PatternError(f"bad escape `\\{character}` at position {self.at}")

    def _named(self) -> Node:
        found = self.taken(_NAME)
        if found is None or found[1] not in self._names:
            raise PatternError(f"`\\k` does not name a group at position {self.at}")
        return self._reference(self._names[found[1]])

    def _reference(self, number: int) -> Node:
        """A back reference. It matches the empty string if the group did not participate or has not ended."""
        if number > self._count:
            raise PatternError(f"there is no group {number}")
        if number in self._open:
            return Sequence(())
        return Reference(f"(?({number})\\{number}|)")


def _each_once(flags: str) -> bool:
    return bool(flags) and len(set(flags)) == len(flags)
