"""Breaks one logical line at brackets, from right to left, and at operators, those with the lowest precedence first.

The rules are those of `ruff format` (which calls them the Black style), restricted to code that the emitter writes. A
bracket or a group of operators stays on a line if it fits together with what follows up to the next possible break;
otherwise it is broken completely, with one item or operand per line.
"""

from __future__ import annotations

from collections.abc import Sequence
from copy import copy
from typing import Final

from graphwright.emit.layout.tree import ADJACENT, LAMBDA, TEXT, Bracket, Part
from graphwright.emit.layout.width import columns

#: Maximum number of columns of a line.
LIMIT: Final = 88
#: Number of columns of one level of indentation.
STEP: Final = 4


class Breaker:
    """Writes the parts of one logical line, from left to right. `lines` are the finished lines."""

    def __init__(self, code: str) -> None:
        self.code = code
        self.lines: list[str] = []
        self._columns = columns(code)
        self._indent = len(code) - len(code.lstrip(" "))
        self._line: list[str] = []
        self._column = 0
        self._widest = 0

    def copy(self) -> Breaker:
        """A copy that continues from here, to test a layout."""
        trial = copy(self)
        trial.lines, trial._line, trial._widest = [], [], 0
        return trial

    @property
    def is_within_limit(self) -> bool:
        """Whether no line so far exceeds the limit."""
        return max(self._widest, self._column) <= LIMIT

    # --- measuring ----------------------------------------------------------------------------------------

    def width(self, start: int, end: int) -> int:
        """The number of columns of a range of the code."""
        return self._columns[end] - self._columns[start]

    def fits(self, width: int) -> bool:
        """Whether this many columns are left on the line."""
        return self._column + width <= LIMIT

    def lead(self, parts: Sequence[Part], rest: int = 0) -> int:
        """The columns up to the first breakable bracket, or of all parts and the `rest` after them."""
        for part in parts:
            if part.bracket is not None and part.bracket.items:
                return self.width(parts[0].start, part.start + 1)
        return rest + (self.width(parts[0].start, parts[-1].end) if parts else 0)

    def opens_well(self, parts: Sequence[Part], rest: int) -> bool:
        """Whether the text outside of brackets fits if all brackets are broken."""
        column, start = self._column, parts[0].start
        for part in parts:
            if part.bracket is not None and part.bracket.items:
                if column + self.width(start, part.start + 1) > LIMIT:
                    return False
                column, start = self._indent, part.end - 1
        return column + self.width(start, parts[-1].end) + rest <= LIMIT

    # --- writing ------------------------------------------------------------------------------------------

    def text(self, start: int, end: int) -> None:
        """Write a range of the code."""
        self._line.append(self.code[start:end])
        self._column += self.width(start, end)

    def sign(self, text: str) -> None:
        """Write text that is not in the code: parentheses, a comma."""
        self._line.append(text)
        self._column += len(text)

    def newline(self, step: int = 0) -> None:
        """Continue on a new line, indented by `step` more columns."""
        self.lines.append("".join(self._line))
        self._widest = max(self._widest, self._column)
        self._indent += step
        self._line = [" " * self._indent]
        self._column = self._indent

    def finish(self) -> list[str]:
        """Return all lines."""
        self.lines.append("".join(self._line))
        return self.lines

    def expression(self, parts: Sequence[Part], rest: int = 0) -> None:
        """Write an expression inside brackets, followed by `rest` columns on its last line."""
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
        """Write one operand per line, after its operator."""
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
        """Write a `lambda` with its body, in parentheses if breaking its brackets is not sufficient."""
        position = next(index for index, part in enumerate(parts) if part.priority == LAMBDA)
        self.text(parts[0].start, parts[position].end)
        body = parts[position + 1 :]
        alone = all(part.priority == TEXT for part in body) and not self.code.startswith("not ", body[0].start)
        if alone and body[-1].bracket is not None and self.fits(self.lead(body)):
            self.chain(body, rest)
        else:
            self.parenthesized(body, rest)

    def parenthesized(self, parts: Sequence[Part], rest: int) -> None:
        """Write an expression, in additional parentheses if it does not fit otherwise."""
        if self.fits(self.width(parts[0].start, parts[-1].end) + rest):
            self.text(parts[0].start, parts[-1].end)
            return
        self.sign("(")
        self.newline(STEP)
        self.expression(parts)
        self.newline(-STEP)
        self.sign(")")

    def chain(self, parts: Sequence[Part], rest: int = 0) -> None:
        """Write consecutive parts: only brackets that do not fit are broken."""
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
        """Write a bracket on several lines; arguments and subscripts on one line if that is sufficient.

        `always`: write one item per line, each with a comma.
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
        """Write one item per line. `comma`: with a comma after the last one."""
        for position, item in enumerate(items):
            if position:
                self.newline()
            follows = comma or position + 1 < len(items)
            self.expression(item, int(follows))
            if follows:
                self.sign(",")
