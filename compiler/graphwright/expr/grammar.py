"""Parses one expression, the tokens between `${` and `}`, by precedence climbing."""

from __future__ import annotations

from typing import Final

from graphwright.expr import phrases
from graphwright.expr.lexer import Token
from graphwright.expr.literals import BadLiteralError, number_value, text_value
from graphwright.expr.nodes import (
    Arithmetic,
    Expression,
    Fallback,
    ListOf,
    Literal,
    Negative,
    Operation,
    Pipe,
    SyntaxFault,
)
from graphwright.expr.paths import named, path_of
from graphwright.language.pipes import PIPE_SYNONYMS, PIPES
from graphwright.suggest import nearest

#: Levels of nesting in one expression: brackets, signs, chains within chains. Each pipe is a level, too.
MAX_DEPTH: Final = 64
#: Operands of one chain, `a + b + c` or `a || b || c`.
MAX_OPERANDS: Final = 2_000

_STRENGTH: Final = {"+": 1, "-": 1, "*": 2, "/": 2, "%": 2}


class ExpressionError(Exception):
    """The expression does not parse; `fault` says why."""

    def __init__(self, fault: SyntaxFault) -> None:
        super().__init__(fault.message)
        self.fault = fault


class Parser:
    """Parses the tokens of one hole. Every method returns a tree and its depth."""

    def __init__(self, found: list[Token]) -> None:
        self._tokens = found
        self._at = 0
        self._level = 0
        self.pipe_faults: list[SyntaxFault] = []

    def whole(self, start: int) -> Expression:
        """The expression of the whole hole, which begins with the `${` at `start`."""
        if self._token.kind == "close" and self._at == 0:
            raise ExpressionError(phrases.empty(start, self._token.end))
        try:
            expression, _ = self._expression()
        except BadLiteralError as problem:
            raise ExpressionError(SyntaxFault(problem.message, problem.start, problem.end, problem.help)) from problem
        if self._token.kind != "close":
            following = self._tokens[min(self._at + 1, len(self._tokens) - 1)]
            raise ExpressionError(phrases.left_over(self._token, self._tokens[self._at - 1], following))
        return expression

    @property
    def _token(self) -> Token:
        return self._tokens[self._at]

    @property
    def _end(self) -> int:
        """The end offset of the last token taken."""
        return self._tokens[self._at - 1].end

    def _take(self, *operators: str) -> Token | None:
        """The current token, if it is one of these operators; then advance."""
        token = self._tokens[self._at]
        if token.kind != "operator" or token.text not in operators:
            return None
        self._at += 1
        return token

    def _close(self, bracket: str, opened: Token) -> Token:
        token = self._take(bracket)
        if token is None:
            raise ExpressionError(phrases.not_closed(self._token, bracket, opened))
        return token

    def _expression(self) -> tuple[Expression, int]:
        start = self._token.start
        expression, depth = self._sum(1)
        operands = [expression]
        while self._take("||"):
            operand, level = self._sum(1)
            operands.append(operand)
            depth = max(depth, level)
        if len(operands) > MAX_OPERANDS:
            raise ExpressionError(phrases.too_many(start, self._end, MAX_OPERANDS))
        if len(operands) > 1:
            expression = Fallback(tuple(operands), start, self._end)
            depth = self._deeper(depth, expression)
        while bar := self._take("|"):
            expression, depth = self._pipe(expression, depth, bar)
        return expression, depth

    def _sum(self, weakest: int) -> tuple[Expression, int]:
        """Operands joined by operators of at least the precedence `weakest` (1: `+ -`, 2: `* / %`)."""
        start = self._token.start
        first, depth = self._unary()
        operations: list[Operation] = []
        while self._token.kind == "operator" and (strength := _STRENGTH.get(self._token.text, 0)) >= weakest:
            operator = self._token.text
            self._at += 1
            operand, level = self._sum(strength + 1)
            operations.append(Operation(operator, operand, start, self._end))
            depth = max(depth, level)
        if not operations:
            return first, depth
        if isinstance(first, Arithmetic):
            operations = [*first.operations, *operations]
            first = first.first
        if len(operations) >= MAX_OPERANDS:
            raise ExpressionError(phrases.too_many(start, self._end, MAX_OPERANDS))
        chain = Arithmetic(first, tuple(operations))
        return chain, self._deeper(depth, chain)

    def _unary(self) -> tuple[Expression, int]:
        minus = self._take("-")
        if minus is None:
            return self._primary()
        self._enter(minus)
        operand, depth = self._unary()
        self._level -= 1
        negative = Negative(operand, minus.start, self._end)
        return negative, self._deeper(depth, negative)

    def _primary(self) -> tuple[Expression, int]:
        token = self._token
        if token.kind == "path":
            self._at += 1
            path = path_of(token)
            return named(path.name, path.segments, path.start, path.end), 1
        if token.kind == "string":
            self._at += 1
            return Literal(text_value(token.text, token.start), token.start, token.end), 1
        if token.kind == "number":
            self._at += 1
            return Literal(number_value(token.text, token.start, token.end), token.start, token.end), 1
        if self._take("("):
            self._enter(token)
            inner, depth = self._expression()
            self._level -= 1
            self._close(")", token)
            return inner, depth
        if self._take("["):
            return self._list(token)
        raise ExpressionError(phrases.no_value(token, self._tokens[self._at - 1] if self._at else None))

    def _list(self, opened: Token) -> tuple[Expression, int]:
        self._enter(opened)
        items: list[Expression] = []
        depth = 0
        if not (self._token.kind == "operator" and self._token.text == "]"):
            items, depth = self._expressions()
        self._level -= 1
        closed = self._close("]", opened)
        found = ListOf(tuple(items), opened.start, closed.end)
        return found, self._deeper(depth, found)

    def _expressions(self) -> tuple[list[Expression], int]:
        """One or more expressions with commas between them."""
        first, depth = self._expression()
        found = [first]
        while self._take(","):
            further, level = self._expression()
            found.append(further)
            depth = max(depth, level)
        return found, depth

    def _pipe(self, operand: Expression, depth: int, bar: Token) -> tuple[Expression, int]:
        """What follows the `|` just taken."""
        token = self._token
        if token.kind != "path":
            raise ExpressionError(phrases.no_pipe_name(token, bar))
        self._at += 1
        arguments: list[Expression] = []
        if opened := self._take("("):
            self._enter(opened)
            if not (self._token.kind == "operator" and self._token.text == ")"):
                arguments, level = self._expressions()
                depth = max(depth, level)
            self._level -= 1
            self._close(")", opened)
        name = token.text
        if name not in PIPES:
            suggestion = PIPE_SYNONYMS.get(name.lower()) or nearest(name, PIPES)
            self.pipe_faults.append(phrases.unknown_pipe(token, suggestion))
            name = suggestion or name
        if name in PIPES and len(arguments) != PIPES[name].arguments:
            self.pipe_faults.append(phrases.argument_count(token, name, PIPES[name].arguments, len(arguments)))
            if len(arguments) < PIPES[name].arguments:
                arguments.append(Literal(None, token.end, token.end))
        pipe = Pipe(name, operand, tuple(arguments), token.start, token.end, name != token.text)
        return pipe, self._deeper(depth, pipe)

    def _enter(self, token: Token) -> None:
        """Enter one level, before the recursion that reads it."""
        self._level += 1
        if self._level > MAX_DEPTH:
            raise ExpressionError(phrases.too_deep(token.start, token.end, MAX_DEPTH))

    def _deeper(self, depth: int, tree: Expression) -> int:
        """`depth`, the depth of the deepest child of `tree`, plus one."""
        if depth >= MAX_DEPTH:
            raise ExpressionError(phrases.too_deep(tree.start, tree.end, MAX_DEPTH))
        return depth + 1
