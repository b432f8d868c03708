"""The same YAML written in another way: block or between brackets, quoted, folded, with comments, tabs and so on.

A writer remembers where it put each node, and of a text each character; so what a place should be is known without
asking the code under test.
"""

from __future__ import annotations

import random

from yaml.nodes import CollectionNode, MappingNode, Node, ScalarNode, SequenceNode

from graphwright.source.scalars import STR
from property.spelled import MERGE, Path, Place, Spelled
from property.texts import FLOW, FLOW_KEY, KEY, VALUE, TextWriter


def spell(root: Node, features: frozenset[str], seed: int) -> Spelled:
    """Write a tree, making use of some features here and there."""
    return _Writer(features, random.Random(seed)).document(root)


class _Writer(TextWriter):
    """Writes one document."""

    def __init__(self, features: frozenset[str], chance: random.Random) -> None:
        super().__init__(features, chance)
        self._places: dict[Path, Place] = {}
        self._names = 0
        self._repeated: dict[Node, Node] = {}
        self._anchors: dict[Node, tuple[str, Path]] = {}

    def _properties(self, node: Node, path: Path) -> None:
        """An anchor, usually unused, and a redundant tag."""
        anchor = self._anchor(node, path)
        if anchor:
            self._put(anchor)
            self._gap()
        elif self._may("properties", 0.3):
            self._names += 1
            self._put(f"&n{self._names}")
            self._gap()
        if node.tag == STR and self._may("properties", 0.3):
            self._put("!!str")
            self._gap()

    def _anchor(self, node: Node, path: Path) -> str:
        """The anchor of the first of several equal nodes, and nothing for others."""
        first = self._repeated.get(node)
        if first is None or first in self._anchors:
            return ""
        name = f"same{len(self._anchors)}"
        self._anchors[first] = (name, path)
        return f"&{name}"

    def _alias(self, node: Node, path: Path) -> bool:
        """Write an alias to an equal node, where there is one."""
        name, first = self._anchors.get(self._repeated.get(node, node), ("", ()))
        if not name or self._chance.random() < 0.3:
            return False
        self._put(f"*{name}")
        copies = {place: where for place, where in self._places.items() if place[: len(first)] == first}
        self._places.update((path + place[len(first) :], where) for place, where in copies.items())
        return True

    def _base(self, node: Node) -> MappingNode | None:
        """The first entries of a mapping, to be merged into it; None where it is written as it is."""
        if not isinstance(node, MappingNode) or len(node.value) < 2 or not self._may("merges", 0.2):
            return None
        keys = {key.value for key, _ in node.value if key.tag == STR}
        if len(keys) != len(node.value):
            return None
        count = self._chance.randrange(1, len(node.value))
        return MappingNode(node.tag, node.value[:count], flow_style=node.flow_style)

    # --- the document --------------------------------------------------------------------------------------

    def document(self, root: Node) -> Spelled:
        """The whole text; without the byte order mark, which no place counts."""
        if "aliases" in self._features:
            self._repeated = _repeated(root)
        if self._may("comments"):
            self._put(f"# rye:unsigned{self._break}")
        if self._may("document"):
            self._put(f"%YAML 1.1{self._break}---")
            self._end_line()
        elif self._may("document"):
            self._put("---")
            self._end_line()
        if isinstance(root, MappingNode) and root.value and self._may("block", 0.9):
            self._block(root, (), 0)
        else:
            self._flow(root, (), 0)
            self._end_line()
        if self._may("document"):
            self._put("...")
            self._end_line()
        return Spelled("".join(self._out), self._places)

    # --- block style ---------------------------------------------------------------------------------------

    def _block(self, node: Node, path: Path, indent: int) -> None:
        """A mapping or list whose first entry begins here, in the column `indent`, and that ends with its line."""
        start = end = self._at
        base = self._base(node)
        if base is not None:
            merge = self._put("<<")
            self._put(":")
            end = self._below(base, path, indent)
            self._places[*path, MERGE] = Place(merge)
        for number, entry in enumerate(node.value):
            if base is not None and number < len(base.value):
                continue
            if number:
                self._put(" " * indent)
            if isinstance(node, MappingNode):
                end = self._pair(entry, (*path, number), indent)
            else:
                self._put("-")
                end = self._below(entry, (*path, number), indent, compact=True, tab=False)
        self._places[path] = Place((start, end))

    def _pair(self, pair: tuple[Node, Node], path: Path, indent: int) -> int:
        key, value = pair
        if not isinstance(key, ScalarNode) or self._may("explicit keys", 0.3):
            self._put("?")
            self._below(key, (*path, 0), indent, tab=False)
            self._put(" " * indent + ":")
            return self._below(value, (*path, 1), indent, tab=False)
        self._places[*path, 0] = self._scalar(key, KEY, indent)
        if self._may("trailing blanks", 0.2):
            self._gap()
        self._put(":")
        return self._below(value, (*path, 1), indent)

    def _below(self, node: Node, path: Path, indent: int, *, compact: bool = False, tab: bool = True) -> int:
        """A value behind a `:`, `?` or `-` that stands in the column `indent`, with the end of its line."""
        if self._repeated.get(node) in self._anchors:
            self._put(" ")
            if self._alias(node, path):
                self._end_line()
                return self._at
        if not isinstance(node, ScalarNode) and node.value and self._may("block", 0.8):
            mapping = isinstance(node, MappingNode)
            anchor = self._anchor(node, path)
            if compact and not anchor and not self._may("own line", 0.3):
                blanks = self._chance.choice([1, 1, 1, 3])
                self._put(" " * blanks)
                self._block(node, path, indent + 1 + blanks)
            else:
                if anchor:
                    self._put(f" {anchor}")
                    tab = True
                self._end_line(tab=tab)
                inner = indent + self._chance.choice([2, 2, 4, 1] if mapping or compact else [0, 2])
                self._put(" " * inner)
                self._block(node, path, inner)
            return self._places[path].whole[1]
        if isinstance(node, ScalarNode) and not node.value and not node.style:
            self._places[path] = Place((self._at, self._at))
            self._end_line(tab=tab)
            return self._at
        if self._may("own line", 0.2):
            self._end_line(tab=tab)
            self._put(" " * (indent + 2))
        else:
            self._gap(tab=tab)
        self._properties(node, path)
        if isinstance(node, ScalarNode):
            self._places[path] = self._scalar(node, VALUE, indent)
        else:
            self._flow(node, path, indent)
        if not self._out[-1].endswith("\n"):
            self._end_line()
        return self._places[path].whole[1]

    # --- between brackets ----------------------------------------------------------------------------------

    def _space(self, indent: int, *, needed: bool = False) -> None:
        """What may stand between two tokens inside brackets."""
        if self._may("several lines", 0.25):
            self._end_line()
            self._put(" " * (indent + 1 + self._chance.randrange(4)))
        elif needed or not self._may("tight"):
            self._gap()

    def _flow(self, node: Node, path: Path, indent: int) -> None:
        if isinstance(node, ScalarNode):
            self._places[path] = self._scalar(node, FLOW, indent)
            return
        opening, closing = "{}" if isinstance(node, MappingNode) else "[]"
        start, _ = self._put(opening)
        base = self._base(node)
        if base is not None:
            merge = self._put("<<")
            self._put(": ")
            self._flow(base, path, indent)
            self._places[*path, MERGE] = Place(merge)
        for number, entry in enumerate(node.value):
            if base is not None and number < len(base.value):
                continue
            if number:
                self._put(",")
                self._space(indent)
            elif self._may("several lines", 0.3):
                self._space(indent)
            if isinstance(node, MappingNode):
                self._flow_pair(entry, (*path, number), indent)
            elif not self._alias(entry, (*path, number)):
                self._properties(entry, (*path, number))
                self._flow(entry, (*path, number), indent)
        if node.value and self._may("tight", 0.2):
            self._put(",")
        if self._may("several lines", 0.3):
            self._space(indent)
        _, end = self._put(closing)
        self._places[path] = Place((start, end))

    def _flow_pair(self, pair: tuple[Node, Node], path: Path, indent: int) -> None:
        key, value = pair
        explicit = self._may("explicit keys", 0.2) or not (isinstance(key, ScalarNode) or self._features == frozenset())
        if explicit:
            self._put("?")
            self._space(indent, needed=True)
        adjacent = False
        if explicit or not isinstance(key, ScalarNode):
            self._flow(key, (*path, 0), indent)
        else:
            self._places[*path, 0] = self._scalar(key, FLOW_KEY, indent)
            adjacent = self._out[-1][-1:] in ("'", '"')
        if explicit:
            self._space(indent, needed=True)
        self._put(":")
        if isinstance(value, ScalarNode) and not value.value and not value.style:
            self._places[*path, 1] = Place((self._at, self._at))
            if not adjacent:
                self._put(" ")
            return
        self._space(indent, needed=not adjacent)
        if not self._alias(value, (*path, 1)):
            self._properties(value, (*path, 1))
            self._flow(value, (*path, 1), indent)


def _repeated(root: Node) -> dict[Node, Node]:
    """For each value that occurs again, the first one of its kind."""
    alike: dict[object, list[Node]] = {}
    waiting = [root]
    while waiting:
        node = waiting.pop(0)
        if isinstance(node, CollectionNode) or len(node.value) > 1:
            alike.setdefault(repr(content(node)), []).append(node)
        if isinstance(node, MappingNode):
            waiting += [value for _, value in node.value]
        elif isinstance(node, SequenceNode):
            waiting += node.value
    return {node: same[0] for same in alike.values() if len(same) > 1 for node in same}


def content(node: Node) -> object:
    """What a node says, whatever its style."""
    if isinstance(node, MappingNode):
        return node.tag, [(content(key), content(value)) for key, value in node.value]
    return node.tag, [content(item) for item in node.value] if isinstance(node, SequenceNode) else node.value
