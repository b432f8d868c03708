"""The common part of the pattern parsers: alternatives, repetition, sets and nesting."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from typing import Final

from graphwright_runtime.patterns.charset import Members, character_set, literal
from graphwright_runtime.patterns.tree import Atom, Boundary, Choice, Group, Look, Node, Repeat, Sequence

#: Maximum nesting of groups.
_MAX_DEPTH: Final = 60

#: The largest bound of a repetition that the engine accepts in reasonable time; a larger upper bound becomes unlimited.
_MOST: Final = 65_535

_LOOKS: Final = ("(?=", "(?!", "(?<=", "(?<!")


class PatternError(ValueError):
    """A string is not a pattern of its dialect, or is too large; the message is a clause that gives the reason."""


class Reader(ABC):
    """Parses one pattern. Subclasses define the escapes, groups and the meaning of `.`, `^` and `$`."""

    #: Matches a repetition in braces.
    _braces: re.Pattern[str]

    #: Whether assertions can be repeated.
    _repeats_conditions = True

    #: Whether a `]` at the start of a set is a member of it.
    _bracket_first = False

    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0
        self._depth = 0

    def read(self) -> Node:
        """Parse the whole pattern. Raises PatternError."""
        tree = self.choice()
        if self.at < len(self.text):
            raise PatternError(f"unbalanced parenthesis at position {self.at}")
        return tree

    @abstractmethod
    def escape(self) -> Node:
        """Parse an escape outside of a set, after the backslash."""

    @abstractmethod
    def set_escape(self) -> Members | int:
        """Parse an escape in a set, after the backslash: a code point, or several characters."""

    @abstractmethod
    def special_group(self) -> Node | None:
        """Parse a group after `(?`, except lookarounds and `(?:`. Returns None for flags that produce no node."""

    @abstractmethod
    def sign(self, character: str) -> Node:
        """The node for `.`, `^` or `$`."""

    @abstractmethod
    def skip(self) -> None:
        """Skip characters without a meaning."""

    def take(self, wanted: str) -> bool:
        """Skip `wanted` if it is next, and return whether it was."""
        found = self.text.startswith(wanted, self.at)
        self.at += len(wanted) * found
        return found

    def taken(self, wanted: re.Pattern[str]) -> re.Match[str] | None:
        """Match an expression at the current position, and skip the match."""
        found = wanted.match(self.text, self.at)
        if found is not None:
            self.at = found.end()
        return found

    def next(self) -> str:
        """Return the next character, and skip it."""
        if self.at >= len(self.text):
            raise PatternError("it ends inside an escape or a set")
        self.at += 1
        return self.text[self.at - 1]

    def choice(self) -> Node:
        """Parse alternatives up to the end of the group."""
        options = [self._sequence()]
        while self.take("|"):
            options.append(self._sequence())
        return options[0] if len(options) == 1 else Choice(tuple(options))

    def closed(self, opening: int) -> Node:
        """Parse the inside of a group that began at `opening`, and its closing parenthesis."""
        self._depth += 1
        if self._depth > _MAX_DEPTH:
            raise PatternError(f"its groups are nested more than {_MAX_DEPTH} deep")
        inner = self.choice()
        if not self.take(")"):
            raise PatternError(f"missing ), unterminated subpattern at position {opening}")
        self._depth -= 1
        return inner

    def _sequence(self) -> Node:
        parts: list[Node] = []
        while True:
            self.skip()
            if self.at >= len(self.text) or self.text[self.at] in "|)":
                return parts[0] if len(parts) == 1 else Sequence(tuple(parts))
            start = self.at
            part = self._piece()
            if part is not None:
                parts.append(self._repeated(part, start))

    def _repeated(self, part: Node, start: int) -> Node:
        self.skip()
        bounds = self._bounds()
        if bounds is None:
            return part
        least, most = bounds
        if isinstance(part, Boundary | Look) and not self._repeats_conditions:
            raise PatternError(f"nothing to repeat at position {start}: `{self.text[start : self.at]}` reads no text")
        if most is not None and most < least:
            raise PatternError(f"min repeat greater than max repeat at position {start}")
        if least > _MOST:
            raise PatternError(f"it repeats something more than {_MOST} times")
        mode = self._mode()
        if self._bounds() is not None:
            raise PatternError(f"multiple repeat at position {self.at - 1}")
        return Repeat(part, least, None if most is None or most > _MOST else most, mode, self.text[start : self.at])

    def _mode(self) -> str:
        return "?" if self.take("?") else ""

    def _bounds(self) -> tuple[int, int | None] | None:
        for sign, bounds in (("*", (0, None)), ("+", (1, None)), ("?", (0, 1))):
            if self.take(sign):
                return bounds
        found = self.taken(self._braces)
        if found is None:
            return None
        low, comma, high = found.groups()
        least = _count(low)
        return least, (_count(high) if high else None) if comma else least

    def _piece(self) -> Node | None:
        start, character = self.at, self.next()
        if character in "*+?":
            raise PatternError(f"nothing to repeat at position {start}")
        if character == "\\":
            return self.escape()
        if character in ".^$":
            return self.sign(character)
        if character == "[":
            return self._set(start)
        if character == "(":
            return self._group(start)
        return self.plain(character)

    def plain(self, character: str) -> Node:
        """A literal character."""
        return Atom(literal(ord(character)))

    def _group(self, start: int) -> Node | None:
        for opening in _LOOKS:
            if self.text.startswith(opening, start):
                self.at = start + len(opening)
                return Look(opening, self.closed(start))
        if self.take("?:"):
            return Group("(?:", self.closed(start))
        if self.take("?"):
            return self.special_group()
        return self.capturing("(", start)

    def capturing(self, opening: str, start: int) -> Node:
        """Parse a capturing group after its opening parenthesis."""
        return Group(opening, self.closed(start))

    def _set(self, start: int) -> Node:
        negated = self.take("^")
        parts: list[Members] = []
        while not self.text.startswith("]", self.at) or (self._bracket_first and not parts):
            if self.at >= len(self.text):
                raise PatternError(f"unterminated character set at position {start}")
            member = self._member()
            if self.text.startswith("-", self.at) and not self.text.startswith("-]", self.at):
                parts.append(self._range(member))
            else:
                parts.append(Members(literal(member)) if isinstance(member, int) else member)
        self.at += 1
        return Atom(character_set(parts, negated=negated))

    def _member(self) -> Members | int:
        character = self.next()
        return self.set_escape() if character == "\\" else ord(character)

    def _range(self, low: Members | int) -> Members:
        start = self.at
        self.at += 1
        high = self._member()
        if not isinstance(low, int) or not isinstance(high, int) or high < low:
            raise PatternError(f"bad character range at position {start}")
        return Members(f"{literal(low)}-{literal(high)}")


def _count(digits: str) -> int:
    """A bound of a repetition. Only nine digits are used, because a bound of that size is rejected anyway."""
    return int(digits.lstrip("0")[:9] or 0)
