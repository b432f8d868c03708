"""Breaks one logical line: into brackets from the right, at operators by how loosely they bind.

The rules are those of `ruff format` (its documentation calls them the Black style) for what the emitter writes. A
group of brackets or operators stays on a line together with what follows up to the next place for a break; one that
does not fit is broken as a whole, one item or operand a line.
"""

from __future__ import annotations

from collections.abc import Sequence
from copy import copy
from typing import Final

from graphwright.emit.layout.tree import ADJACENT, LAMBDA, TEXT, Bracket, Part
from graphwright.emit.layout.width import columns

#: Columns of a line.
LIMIT: Final = 88
#: Columns of one level of indentation.
STEP: Final = 4


class Breaker:
    """Writes the pieces of one logical line, from left to right. `lines` are those that are finished."""

    def __init__(self, code: str) -> None:
        self.code = code
        self.lines: list[str] = []
        self._columns = columns(code)
        self._indent = len(code) - len(code.lstrip(" "))
        self._line: list[str] = []
        self._column = 0
        self._widest = 0

    def copy(self) -> Breaker:
        """Another one that goes on from here, to see what would come of it."""
        trial = copy(self)
        trial.lines, trial._line, trial._widest = [], [], 0
        return trial

    @property
    def is_within_limit(self) -> bool:
        """Whether no line so far is longer than lines should be."""
        return max(self._widest, self._column) <= LIMIT

    # --- measuring ----------------------------------------------------------------------------------------

    def width(self, start: int, end: int) -> int:
        """The columns that a stretch of the code takes."""
        return self._columns[end] - self._columns[start]

    def fits(self, width: int) -> bool:
        """Whether so many columns are left on the line."""
        return self._column + width <= LIMIT

    def lead(self, parts: Sequence[Part], rest: int = 0) -> int:
        """The columns up to the first bracket that can be broken, or of all the parts and the `rest` behind them."""
        for part in parts:
            if part.bracket is not None and part.bracket.items:
                return self.width(parts[0].start, part.start + 1)
        return rest + (self.width(parts[0].start, parts[-1].end) if parts else 0)

    def opens_well(self, parts: Sequence[Part], rest: int) -> bool:
        """Whether what stands outside of brackets fits once all the brackets are broken."""
        column, start = self._column, parts[0].start
        for part in parts:
            if part.bracket is not None and part.bracket.items:
                if column + self.width(start, part.start + 1) > LIMIT:
                    return False
                column, start = self._indent, part.end - 1
        return column + self.width(start, parts[-1].end) + rest <= LIMIT

    # --- writing ------------------------------------------------------------------------------------------

    def text(self, start: int, end: int) -> None:
        """Write a stretch of the code as it is."""
        self._line.append(self.code[start:end])
        self._column += self.width(start, end)

    def sign(self, text: str) -> None:
        """Write something that is not in the code: parentheses, a comma."""
        self._line.append(text)
        self._column += len(text)

    def newline(self, step: int = 0) -> None:
        """Go on on the next line, `step` columns deeper than before."""
        self.lines.append("".join(self._line))
        self._widest = max(self._widest, self._column)
        self._indent += step
        self._line = [" " * self._indent]
        self._column = self._indent

    def finish(self) -> list[str]:
        """All lines."""
        self.lines.append("".join(self._line))
        return self.lines

    def expression(self, parts: Sequence[Part], rest: int = 0) -> None:
        """An expression inside of brackets, with `rest` columns behind it on its last line."""
        if self.fits(self.width(parts[0].start, parts[-1].end) + rest):
            self.text(parts[0].start, parts[-1].end)
            return
        loosest = min([part.priority for part in parts])
        if loosest == TEXT:
            self.chain(parts, rest)
        elif loosest == LAMBDA:
            self._lambda(parts, rest)
        else:
            self._operands(parts, loosest, rest)

    def _operands(self, parts: Sequence[Part], priority: int, rest: int) -> None:
        """One operand a line, behind its operator."""
        begin = 0
        for position, part in enumerate(parts):
            if part.priority == priority:
                self.expression(parts[begin:position])
                self.newline()
                if priority != ADJACENT:
                    self.text(part.start + 1, part.end)
                begin = position + 1
        self.expression(parts[begin:], rest)

    def _lambda(self, parts: Sequence[Part], rest: int) -> None:
        """`lambda: ` and its body, in parentheses where breaking its brackets is not enough."""
        position = next(index for index, part in enumerate(parts) if part.priority == LAMBDA)
        self.text(parts[0].start, parts[position].end)
        body = parts[position + 1 :]
        alone = all(part.priority == TEXT for part in body) and not self.code.startswith("not ", body[0].start)
        if alone and body[-1].bracket is not None and self.fits(self.lead(body)):
            self.chain(body, rest)
        else:
            self.parenthesized(body, rest)

    def parenthesized(self, parts: Sequence[Part], rest: int) -> None:
        """An expression in parentheses of its own where it does not fit without them."""
        if self.fits(self.width(parts[0].start, parts[-1].end) + rest):
            self.text(parts[0].start, parts[-1].end)
            return
        self.sign("(")
        self.newline(STEP)
        self.expression(parts)
        self.newline(-STEP)
        self.sign(")")

    def chain(self, parts: Sequence[Part], rest: int = 0) -> None:
        """Parts one behind the other: only brackets are broken, those that do not fit."""
        for position, part in enumerate(parts):
            if part.bracket is None or not part.bracket.items:
                self.text(part.start, part.end)
                continue
            behind = self.lead(parts[position + 1 :], rest)
            if self.fits(self.width(part.start, part.end) + behind):
                self.text(part.start, part.end)
            else:
                self.broken(part.bracket)

    def broken(self, bracket: Bracket, *, always: bool = False) -> None:
        """A bracket over several lines; arguments and subscripts on one line of their own if that is enough.

        `always`: one item a line, and a comma behind each.
        """
        self.text(bracket.start, bracket.start + 1)
        self.newline(STEP)
        if bracket.trailer and not always and self.fits(self.width(bracket.start + 1, bracket.end - 1)):
            self.text(bracket.start + 1, bracket.end - 1)
        else:
            self._items(bracket.items, comma=always or bracket.comma or len(bracket.items) > 1)
        self.newline(-STEP)
        self.text(bracket.end - 1, bracket.end)

    def _items(self, items: Sequence[Sequence[Part]], *, comma: bool) -> None:
        """Items one a line. `comma`: there is one behind the last, too."""
        for position, item in enumerate(items):
            if position:
                self.newline()
            follows = comma or position + 1 < len(items)
            self.expression(item, int(follows))
            if follows:
                self.sign(",")
