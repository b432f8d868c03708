"""A pattern as a tree, and the text that the engine (the library regex, version 0 syntax) compiles."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final, NamedTuple, TypeAlias

#: The engine looks for a run of plain characters as a whole, and does not look at the clock meanwhile: that can take as
#: many steps as the run is long, for each character of the text. What is always true ends a run.
_RUN: Final = 64

#: The same holds for a repeated set, whose members it compares one by one: what is always true makes it look.
_LARGE_SET: Final = 100
_ALWAYS: Final = "(?!(?!))"


class Atom(NamedTuple):
    """One character of a set."""

    text: str


class Boundary(NamedTuple):
    """A condition on a place: `^`, `\\b`; also flags, which hold from a place on."""

    text: str


class Look(NamedTuple):
    """A condition on what follows or precedes a place."""

    opening: str
    inner: Node


class Group(NamedTuple):
    """Parentheses. What was read inside an `atomic` one is not read again in another way."""

    opening: str
    inner: Node
    atomic: bool = False


class Sequence(NamedTuple):
    """One after the other."""

    parts: tuple[Node, ...]


class Choice(NamedTuple):
    """One of several; `condition` is a group whose participation decides which, as `(?(1)a|b)` has it."""

    options: tuple[Node, ...]
    condition: str = ""


class Repeat(NamedTuple):
    """`inner`, from `least` to `most` times (None: without end). `mode` is empty, `?` or `+`.

    `source` is what the author wrote, for messages.
    """

    inner: Node
    least: int
    most: int | None
    mode: str
    source: str


class Reference(NamedTuple):
    """The text that a group matched before."""

    text: str


Node: TypeAlias = Atom | Boundary | Look | Group | Sequence | Choice | Repeat | Reference


def written(node: Node) -> str:
    """The tree as the engine reads it."""
    match node:
        case Atom(text) if len(text) > _LARGE_SET:
            return f"(?:{_ALWAYS}{text})"
        case Atom(text) | Boundary(text) | Reference(text):
            return text
        case Look(opening, inner) | Group(opening, inner):
            return f"{opening}{written(inner)})"
        case Sequence(parts):
            return "".join(_in_runs(parts))
        case Choice(options, condition):
            return f"(?{condition}{'|'.join(map(written, options))})" if condition else f"(?:{_either(options)})"
        case Repeat(inner, least, most, mode):
            return f"(?:{written(inner)}){{{least},{'' if most is None else most}}}{mode}"


def _in_runs(parts: Iterable[Node]) -> Iterator[str]:
    length = 0
    for part in parts:
        if length >= _RUN:
            yield _ALWAYS
            length = 0
        yield written(part)
        length += size(part)


def _either(options: tuple[Node, ...]) -> str:
    return "|".join(map(written, options))


def size(node: Node) -> int:
    """How many characters the pattern asks for when what must be repeated is written out."""
    match node:
        case Atom() | Boundary() | Reference():
            return 1
        case Look(_, inner) | Group(_, inner):
            return 1 + size(inner)
        case Sequence(parts):
            return sum(map(size, parts))
        case Choice(options):
            return 1 + sum(map(size, options))
        case Repeat(inner, least, _, _):
            return size(inner) * max(least, 1)
