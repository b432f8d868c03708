"""The syntax tree of what the author wrote between `${` and `}`.

Nodes have a `start` and an `end`: offsets in code points into the decoded text of the scalar that contains the template
(`Source.span_in` turns them into a `Span`). Trees are immutable and do not depend on their context, so each distinct
string is parsed once.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeAlias

from graphwright.record import Record

#: One step of a path: a name (also all digits: an index of a list or a key of a mapping), or a bracketed index.
Segment: TypeAlias = str | int


class Literal(Record):
    """A number, a string, `true`, `false` or `null`."""

    value: str | int | float | bool | None
    start: int
    end: int


class Path(Record):
    """`state.rows[0].id`: a namespace and the steps below it."""

    name: str
    segments: tuple[Segment, ...]
    start: int
    end: int


class ListOf(Record):
    """`[a, b]`."""

    items: tuple[Expression, ...]
    start: int
    end: int


class Negative(Record):
    """`-a`."""

    operand: Expression
    start: int
    end: int


class Operation(Record):
    """`+ b`: one of `+ - * / %` and its right operand. `start` and `end` are those of the chain that it completes."""

    operator: str
    operand: Expression
    start: int
    end: int


class Arithmetic(Record):
    """`a + b - c`: a chain of one or more operations, each on the result of what precedes it.

    `a * b + c` is one chain and so is `(a + b) * c`; the second operand of `a + b * c` is a chain of its own.
    """

    first: Expression
    operations: tuple[Operation, ...]

    @property
    def start(self) -> int:
        return self.operations[-1].start

    @property
    def end(self) -> int:
        return self.operations[-1].end


class Fallback(Record):
    """`a || b || c`: the first operand that is not null (always two or more)."""

    operands: tuple[Expression, ...]
    start: int
    end: int


class Pipe(Record):
    """`operand | name(arguments)`; `start` and `end` cover only the name, where messages point.

    `guessed`: the name that was written is not a pipe, and `name` is the nearest one.
    """

    name: str
    operand: Expression
    arguments: tuple[Expression, ...]
    start: int
    end: int
    guessed: bool = False


Expression: TypeAlias = Literal | Path | ListOf | Negative | Arithmetic | Fallback | Pipe


def paths(expression: Expression) -> Iterator[Path]:
    """The paths of an expression, from left to right."""
    match expression:
        case Path():
            yield expression
        case ListOf(parts) | Fallback(parts):
            for part in parts:
                yield from paths(part)
        case Negative(operand):
            yield from paths(operand)
        case Arithmetic(first, operations):
            yield from paths(first)
            for operation in operations:
                yield from paths(operation.operand)
        case Pipe(_, operand, arguments):
            for part in (operand, *arguments):
                yield from paths(part)


class Hole(Record):
    """One `${…}` of a template; `start` is at its `$`, `end` after its `}`."""

    expression: Expression
    start: int
    end: int


class Template(Record):
    """A string with holes. `parts` alternates freely; literal parts are unescaped (`$${` is `${` in them)."""

    parts: tuple[str | Hole, ...]

    @property
    def whole(self) -> Expression | None:
        """The expression of a whole-string template, whose value keeps its type; otherwise None."""
        if len(self.parts) == 1 and isinstance(self.parts[0], Hole):
            return self.parts[0].expression
        return None

    @property
    def constant(self) -> str | None:
        """The string, if it has no holes."""
        if not self.parts:
            return ""
        if len(self.parts) == 1 and isinstance(self.parts[0], str):
            return self.parts[0]
        return None


class SyntaxFault(Record):
    """Why a template does not parse: `message` and `help` are ready to be shown.

    `code`: GW401, GW403 for pipes, GW411 for a template instead of a bare path. `unclosed`: its `}` is missing, so what
    follows may be text.
    """

    message: str
    start: int
    end: int
    help: str | None = None
    code: str = "GW401"
    unclosed: bool = False
