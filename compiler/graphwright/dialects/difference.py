"""What another dialect writes differently: the record that the message lists and that a migration applies."""

from __future__ import annotations

from yaml.nodes import MappingNode, Node, ScalarNode

from graphwright.diagnostic import Edit, Span
from graphwright.record import Record
from graphwright.source.reader import Source
from graphwright.source.spelling import quoted_like


class Difference(Record):
    """A part of a file that this language writes differently.

    `key` names it, `advice` says what to write. `edits` translate it; without any, a person has to decide.
    """

    span: Span
    key: str
    advice: str
    edits: tuple[Edit, ...] = ()


class Rewriter:
    """Makes edits to a file, given in terms of its keys and values."""

    def __init__(self, source: Source) -> None:
        self._source = source
        self._text = source.text

    def replace(self, node: Node, text: str) -> tuple[Edit, ...]:
        """Write `text` in the place of a node."""
        return (Edit(self._source.span(node), text),)

    def rename(self, scalar: ScalarNode, text: str) -> tuple[Edit, ...]:
        """Write another word in the place of a scalar, in quotes like its own: `{"node_type":"gate"}` needs them."""
        return (Edit(self._source.span(scalar), quoted_like(text, scalar.style)),)

    def replace_pair(self, key: Node, value: Node, text: str) -> tuple[Edit, ...]:
        """Write `text` in the place of a key and its value."""
        start, end = self._source.extent(key)[0], self._source.extent(value)[1]
        return (Edit(self._source.place(start, max(start, end)), text),)

    def insert(self, node: Node, text: str) -> tuple[Edit, ...]:
        """Write `text` before a node."""
        start = self._source.extent(node)[0]
        return (Edit(self._source.place(start, start), text),)

    def lines(self, key: Node, value: Node) -> tuple[int, int] | None:
        """The offsets of the lines that hold a key and its value and nothing else."""
        start, end = self._source.extent(key)[0], self._source.extent(value)[1]
        begin = self._text.rfind("\n", 0, start) + 1
        stop = self._text.find("\n", end)
        stop = len(self._text) if stop < 0 else stop + 1
        rest = self._text[end:stop].lstrip()
        return (begin, stop) if not self._text[begin:start].strip() and (not rest or rest[0] == "#") else None

    def remove(self, mapping: MappingNode, key: Node) -> tuple[Edit, ...]:
        """Take a key and its value out of a mapping; no edits where it is the only one."""
        pairs = mapping.value
        at = next(index for index, pair in enumerate(pairs) if pair[0] is key)
        value = pairs[at][1]
        lines = None if mapping.flow_style or len(pairs) == 1 else self.lines(key, value)
        if lines is not None:
            start, end = lines
        elif at + 1 < len(pairs):
            start, end = self._source.extent(key)[0], self._source.extent(pairs[at + 1][0])[0]
        elif at:
            start, end = self._source.extent(pairs[at - 1][1])[1], self._source.extent(value)[1]
        else:
            return ()
        return (Edit(self._source.place(start, end), ""),)

    def move_up(self, mapping: MappingNode, key: Node, value: Node, before: Node) -> tuple[Edit, ...]:
        """Move the lines of a key before those of a key one level higher; no edits where it shares its lines."""
        lines = None if mapping.flow_style or len(mapping.value) == 1 else self.lines(key, value)
        if lines is None:
            return ()
        start, end = lines
        deeper = self._source.span(key).column - self._source.span(before).column
        moved = "".join(
            line[deeper:] if not line[:deeper].strip() else line
            for line in self._text[start:end].splitlines(keepends=True)
        )
        return (*self.insert(before, moved), Edit(self._source.place(start, end), ""))


def scalar_of(node: Node | None) -> str | None:
    """The text of a scalar; None for anything else."""
    return node.value if isinstance(node, ScalarNode) else None
