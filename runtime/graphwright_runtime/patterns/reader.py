"""What the dialects of regular expressions have in common: alternatives, repetition, sets and nesting."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from typing import Final

from graphwright_runtime.patterns.charset import Members, character_set, literal
from graphwright_runtime.patterns.tree import Atom, Boundary, Choice, Group, Look, Node, Repeat, Sequence

#: Groups inside of groups.
_MAX_DEPTH: Final = 60

#: A bound of a repetition; what is beyond is as good as no bound, and too long for the engine.
_MOST: Final = 65_535

_LOOKS: Final = ("(?=", "(?!", "(?<=", "(?<!")


class PatternError(ValueError):
    """A string is not a pattern of its dialect, or is too large; the message is a clause that says why."""


class Reader(ABC):
    """Reads one pattern. A dialect says what escapes, groups and the signs `.`, `^` and `$` mean."""

    #: The braces of a repetition.
    _braces: re.Pattern[str]

    #: Whether a condition on a place can be repeated.
    _repeats_conditions = True

    #: Whether a `]` that begins a set is one of its characters.
    _bracket_first = False

    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0
        self._depth = 0

    def read(self) -> Node:
        """The whole pattern; raises PatternError."""
        tree = self.choice()
        if self.at < len(self.text):
            raise PatternError(f"unbalanced parenthesis at position {self.at}")
        return tree

    @abstractmethod
    def escape(self) -> Node:
        """What a backslash begins outside of a set; the place is behind the backslash."""

    @abstractmethod
    def set_escape(self) -> Members | int:
        """What a backslash begins in a set: a code point, or several characters at once."""

    @abstractmethod
    def special_group(self) -> Node | None:
        """What `(?` begins, other than looking around and `(?:`; None for flags that stand for nothing."""

    @abstractmethod
    def sign(self, character: str) -> Node:
        """What `.`, `^` or `$` means here."""

    @abstractmethod
    def skip(self) -> None:
        """Go past what means nothing."""

    def take(self, wanted: str) -> bool:
        """Go past `wanted`, if it stands here."""
        found = self.text.startswith(wanted, self.at)
        self.at += len(wanted) * found
        return found

    def taken(self, wanted: re.Pattern[str]) -> re.Match[str] | None:
        """Go past what an expression matches here."""
        found = wanted.match(self.text, self.at)
        if found is not None:
            self.at = found.end()
        return found

    def next(self) -> str:
        """The character that stands here, and go past it."""
        if self.at >= len(self.text):
            raise PatternError("it ends inside an escape or a set")
        self.at += 1
        return self.text[self.at - 1]

    def choice(self) -> Node:
        """Alternatives, as far as the group goes."""
        options = [self._sequence()]
        while self.take("|"):
            options.append(self._sequence())
        return options[0] if len(options) == 1 else Choice(tuple(options))

    def closed(self, opening: int) -> Node:
        """The inside of a group that began at `opening`, and go past its end."""
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
        """A character that stands for itself."""
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
        """A group that can be referred to; the place is behind its opening."""
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
    """A bound of a repetition: one of very many digits is cut short, and still larger than any that counts."""
    return int(digits.lstrip("0")[:9] or 0)
