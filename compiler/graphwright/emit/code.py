"""Python expressions that can be combined without changing their meaning."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, NamedTuple

#: Precedence of expressions, lowest first.
CONDITIONAL: Final = 1
OR: Final = 2
AND: Final = 3
NOT: Final = 4
COMPARISON: Final = 5
UNARY: Final = 6
ATOM: Final = 7


class Code(NamedTuple):
    """An expression: its `text`, its precedence `level` (a constant above), and the nesting `depth` of its brackets."""

    text: str
    level: int = ATOM
    depth: int = 0

    def within(self, level: int) -> str:
        """The text as an operand of an operator with precedence `level`, in parentheses if necessary."""
        return self.text if self.level >= level else f"({self.text})"


def call(function: str, arguments: Iterable[Code]) -> Code:
    """`function(a, b)`."""
    texts: list[str] = []
    depth = 0
    for text, _, nesting in arguments:
        texts.append(text)
        depth = max(depth, nesting)
    return Code(f"{function}({', '.join(texts)})", ATOM, depth + 1)


def joined(operator: str, level: int, operands: Iterable[Code]) -> Code:
    """`a or b or c`, for `or` and `and`."""
    given = tuple(operands)
    depth = 1 + max(operand.depth for operand in given)
    return Code(f" {operator} ".join(operand.within(level + 1) for operand in given), level, depth)


def negated(operand: Code) -> Code:
    """`not a`; for `not a`, the expression without the `not`."""
    if operand.level == NOT:
        return Code(operand.text.removeprefix("not "), UNARY, operand.depth)
    return Code(f"not {operand.within(NOT)}", NOT, operand.depth + 1)


def choice(condition: Code, positive: Code, negative: Code) -> Code:
    """`positive if condition else negative`."""
    depth = 1 + max(condition.depth, positive.depth, negative.depth)
    text = f"{positive.within(OR)} if {condition.within(OR)} else {negative.within(CONDITIONAL)}"
    return Code(text, CONDITIONAL, depth)
