"""Differences between dialects: the message lists them, and a migration applies their edits."""

from __future__ import annotations

from yaml.nodes import MappingNode, Node, ScalarNode

from graphwright.diagnostic import Edit, Span
from graphwright.record import Record
from graphwright.source.reader import Source
from graphwright.source.spelling import quoted_like


class Difference(Record):
    """A part of a file that this language writes differently.

    `key` names it, `advice` says what to write. `edits` translate it; without edits, a person has to decide.
    """

    span: Span
    key: str
    advice: str
    edits: tuple[Edit, ...] = ()


class Rewriter:
    """Creates edits of a file in terms of its keys and values."""

    def __init__(self, source: Source) -> None:
        self._source = source
        self._text = source.text

    def replace(self, node: Node, text: str) -> tuple[Edit, ...]:
        """Replace a node by `text`."""
        return (Edit(self._source.span(node), text),)

    def rename(self, scalar: ScalarNode, text: str) -> tuple[Edit, ...]:
        """Replace a scalar by a string with the same style of quotes, as `{"node_type":"gate"}` needs them."""
        return (Edit(self._source.span(scalar), quoted_like(text, scalar.style)),)

    def replace_pair(self, key: Node, value: Node, text: str) -> tuple[Edit, ...]:
        """Replace a key and its value by `text`."""
        start, end = self._source.extent(key)[0], self._source.extent(value)[1]
        return (Edit(self._source.place(start, max(start, end)), text),)

    def insert(self, node: Node, text: str) -> tuple[Edit, ...]:
        """Insert `text` before a node."""
        start = self._source.extent(node)[0]
        return (Edit(self._source.place(start, start), text),)

    def lines(self, key: Node, value: Node) -> tuple[int, int] | None:
        """The start and end offset of the lines of a key and its value; None if they contain anything else."""
        start, end = self._source.extent(key)[0], self._source.extent(value)[1]
        begin = self._text.rfind("\n", 0, start) + 1
        stop = self._text.find("\n", end)
        stop = len(self._text) if stop < 0 else stop + 1
        rest = self._text[end:stop].lstrip()
        return (begin, stop) if not self._text[begin:start].strip() and (not rest or rest[0] == "#") else None

    def remove(self, mapping: MappingNode, key: Node) -> tuple[Edit, ...]:
        """Remove a key and its value from a mapping; no edits if it is the only key."""
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
        """Move the lines of a key before a key one level higher; no edits if the lines contain anything else."""
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
