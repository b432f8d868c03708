"""The syntax tree of a pattern, and its translation for the engine (the library regex, version 0 syntax)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final, NamedTuple, TypeAlias

#: The engine searches for a run of literal characters as a whole without checking the time, which can take as many
#: steps as the run is long for each character of the text. An assertion that always matches ends a run.
_RUN: Final = 64

#: The engine does the same for a repeated set, whose members it compares one by one.
_LARGE_SET: Final = 100
_ALWAYS: Final = "(?!(?!))"


class Atom(NamedTuple):
    """One character of a set."""

    text: str


class Boundary(NamedTuple):
    """An assertion about the position, such as `^` or `\\b`; also flags, which apply from that position on."""

    text: str


class Look(NamedTuple):
    """A lookahead or lookbehind."""

    opening: str
    inner: Node


class Group(NamedTuple):
    """A group. The engine does not backtrack into an `atomic` one."""

    opening: str
    inner: Node
    atomic: bool = False


class Sequence(NamedTuple):
    """Nodes that match one after the other."""

    parts: tuple[Node, ...]


class Choice(NamedTuple):
    """Alternatives; with `condition`, the number or name of a group, as in `(?(1)a|b)`."""

    options: tuple[Node, ...]
    condition: str = ""


class Repeat(NamedTuple):
    """`inner`, repeated from `least` to `most` times (None: unlimited). `mode` is empty, `?` or `+`.

    `source` is what the author wrote, for messages.
    """

    inner: Node
    least: int
    most: int | None
    mode: str
    source: str


class Reference(NamedTuple):
    """A back reference to the text that a group matched."""

    text: str


Node: TypeAlias = Atom | Boundary | Look | Group | Sequence | Choice | Repeat | Reference


def written(node: Node) -> str:
    """The tree in the syntax of the engine."""
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
    """The number of characters that the pattern matches, with repetitions expanded to their lower bound."""
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
