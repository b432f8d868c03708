"""A file as text and YAML nodes, and the spans of its parts.

Reading never raises for invalid contents: faults are in `Source.faults`, and `root` is None if the file cannot be
parsed.
"""

from __future__ import annotations

import hashlib
from bisect import bisect_right
from pathlib import Path
from typing import TypeAlias

from yaml.nodes import CollectionNode, MappingNode, Node, ScalarNode, SequenceNode

from graphwright.content import content_of
from graphwright.diagnostic import Edit, Json, Span
from graphwright.fault import Fault
from graphwright.faults.yaml import BeyondLimit, NotUtf8
from graphwright.presence import is_folder
from graphwright.source import positions, scalars
from graphwright.source.compose import compose
from graphwright.source.spelling import quoted_like
from graphwright.source.survey import AliasError, survey
from graphwright.source.syntax import UnreadableError

#: The maximum size of a graph file in bytes.
MAX_BYTES = 32 * 1024 * 1024

Pair: TypeAlias = tuple[ScalarNode, Node]


#: Scalars from this length on cache their position tables: many messages may point into them.
_LONG = 500


class Source:
    """One file. `path` is how diagnostics show it; `digest` the sha256 (hex) of its bytes.

    `root` is the document's node, None if it is unreadable or empty. The tree is PyYAML's own and is never changed.
    `irregular` are the ids of mappings with duplicate keys, `<<` or keys that are not strings. `rivals` collects
    entries with duplicate keys, including those that apply.
    """

    def __init__(self, path: str, text: str, digest: str) -> None:
        self.path = path
        self.text = text
        self.digest = digest
        self.root: Node | None = None
        self.faults: list[Fault] = []
        self.irregular: frozenset[int] = frozenset()
        self._lines: list[int] = []
        self._tables: dict[int, list[positions.Stretch]] = {}
        self._values: dict[int, Json] = {}
        self._entries: dict[int, list[Pair]] = {}
        self.rivals: list[Pair] = []

    # --- locations -----------------------------------------------------------------------------------------

    def place(self, start: int, end: int) -> Span:
        """The span of a range of `text`, given in code points."""
        if self.root is None:  # a refused file has a single fault: counting is faster than a table of lines
            line, end_line = self.text.count("\n", 0, start) + 1, self.text.count("\n", 0, end) + 1
            begin, end_begin = self.text.rfind("\n", 0, start) + 1, self.text.rfind("\n", 0, end) + 1
            return Span(self.path, line, start - begin + 1, end_line, end - end_begin + 1)
        if not self._lines:
            self._lines = [0]
            position = self.text.find("\n")
            while position >= 0:
                self._lines.append(position + 1)
                position = self.text.find("\n", position + 1)
        line = bisect_right(self._lines, start)
        end_line = bisect_right(self._lines, end)
        return Span(self.path, line, start - self._lines[line - 1] + 1, end_line, end - self._lines[end_line - 1] + 1)

    def span(self, node: Node) -> Span:
        """The span of a node, a scalar with its quotes; without anchor and tag."""
        start, end = self.extent(node)
        return self.place(start, end)

    def tagged(self, node: Node) -> Span:
        """The span of a node, starting at its explicit tag."""
        start, end = self.extent(node)
        tag = self.text.find("!", int(node.start_mark.index), start)
        return self.place(tag if tag >= 0 else start, end)

    def span_in(self, scalar: ScalarNode, start: int, end: int) -> Span:
        """The span of a part of a scalar; `start` and `end` are offsets in its decoded text."""
        table = self._tables.get(id(scalar))
        if table is None:
            table = positions.position_table(self.text, *self.extent(scalar), scalar.style, scalar.value)
            if len(table) > _LONG:
                self._tables[id(scalar)] = table
        top = len(scalar.value)
        begin = table[min(start, top)][0]
        return self.place(begin, table[min(end, top) - 1][1] if end > start else begin)

    def first_token(self, node: Node) -> Span:
        """The start of a node: a bracketed collection as a whole, otherwise its first key or item."""
        while isinstance(node, MappingNode | SequenceNode) and node.value and not node.flow_style:
            node = node.value[0][0] if isinstance(node, MappingNode) else node.value[0]
        return self.span(node)

    def first_key(self, mapping: MappingNode) -> Span:
        """The first key of a mapping, after its bracket if it has one."""
        return self.span(mapping.value[0][0] if mapping.value else mapping)

    def line(self, node: Node) -> int:
        """The line that a node begins on."""
        return self.place(*self.extent(node)).line

    def written(self, node: Node) -> str:
        """The source text of a node."""
        start, end = self.extent(node)
        return self.text[start:end]

    def instead(self, scalar: ScalarNode, text: str, *, quotes: bool = False) -> Edit | None:
        """An edit that replaces a scalar, keeping its style of quotes; None if aliases repeat the scalar."""
        start, _ = self.extent(scalar)
        anchor = positions.anchor(self.text[int(scalar.start_mark.index) : start])
        if anchor is not None and f"*{anchor}" in self.text:
            return None
        place = self.span(scalar) if scalar.tag == scalars.STR else self.tagged(scalar)
        return Edit(place, quoted_like(text, scalar.style or ('"' if quotes else None)))

    def apart(self, key: ScalarNode, value: Node, name: str, rest: str, *, plain: bool = False) -> Edit | None:
        """An edit that replaces a key and its null or scalar by `name: rest`; None if something is between them.

        `plain`: `rest` is a number or a flag, and not a string.
        """
        (start, end), (begin, stop) = self.extent(key), self.extent(value)
        if begin < end or {"#", "&"} & {*self.text[end:begin]} or self.text[:start].rstrip().endswith("?"):
            return None
        written = rest if plain else quoted_like(rest, key.style)
        return Edit(self.place(start, stop), f"{quoted_like(name, key.style)}: {written}")

    def extent(self, node: Node) -> tuple[int, int]:
        """The offsets in `text` where a node begins and ends, a scalar with its quotes, without anchor and tag."""
        start, end = int(node.start_mark.index), int(node.end_mark.index)
        start = min(positions.content_start(self.text, start), end)
        if isinstance(node, CollectionNode):
            return start, end if node.flow_style else self._end(node, start, end)
        quoted = isinstance(node, ScalarNode) and node.style in ("'", '"')
        return start, end if quoted else start + len(self.text[start:end].rstrip(positions.BLANK))

    def _end(self, node: Node, start: int, end: int) -> int:
        """The end of a mapping or list without brackets: PyYAML includes the comments below it."""
        while isinstance(node, CollectionNode) and not node.flow_style and node.value:
            last = node.value[-1]
            above = [last[0]] if isinstance(last, tuple) else node.value[:-1]
            node = last[1] if isinstance(last, tuple) else last
            if node.start_mark.index <= max((each.start_mark.index for each in above), default=start - 1):
                return positions.alias_end(self.text, start, end)
        return max(start, self.extent(node)[1])

    @property
    def top(self) -> Span:
        """The location of messages about the file as a whole: line 1, column 1."""
        return Span(self.path, 1, 1, 1, 1)

    # --- values --------------------------------------------------------------------------------------------

    def entries(self, mapping: MappingNode) -> list[Pair]:
        """The keys and values of a mapping, with merges (`<<`) applied; of duplicate keys, the first with a value
        applies.

        Keys that are not strings are read as they are spelled. The list is shared: do not change it.
        """
        if id(mapping) not in self.irregular:
            pairs: list[Pair] = mapping.value
            return pairs
        found = self._entries.get(id(mapping))
        if found is None:
            found = self._entries[id(mapping)] = self._merged(mapping)
        return found

    def _merged(self, mapping: MappingNode) -> list[Pair]:
        """Merged entries first; an explicit one takes the position of the merged one that it overrides, like PyYAML."""
        merged: dict[str, Pair] = {}
        own: dict[str, Pair] = {}
        for key, value in mapping.value:
            if not isinstance(key, ScalarNode):
                continue
            if key.tag != scalars.MERGE:
                self._own(own, (key, value))
                continue
            bases = value.value if isinstance(value, SequenceNode) else [value]
            for base in bases:
                if isinstance(base, MappingNode):
                    for pair in self.entries(base):
                        merged.setdefault(pair[0].value, pair)
        return list({**merged, **own}.values())

    def _own(self, own: dict[str, Pair], pair: Pair) -> None:
        name = pair[0].value
        first = own.setdefault(name, pair)
        if first is not pair:
            self.rivals += (first, pair)
            if first[1].tag == scalars.NULL:
                own[name] = pair

    def value(self, node: Node) -> Json:
        """The plain JSON value of a node, as PyYAML's safe loader reads it, merges applied.

        What JSON cannot represent (reported as GW003) becomes its text. Values are shared: do not change them.
        """
        if isinstance(node, ScalarNode):
            if node.tag == scalars.STR:
                return str(node.value)
            try:
                return scalars.read_scalar(node.tag, node.value)
            except scalars.NotJsonError:
                return str(node.value)
        key = id(node)
        if key not in self._values:
            if isinstance(node, MappingNode):
                self._values[key] = {name.value: self.value(value) for name, value in self.entries(node)}
            else:
                self._values[key] = [self.value(item) for item in node.value]
        return self._values[key]

    def get(self, node: Node | None, *names: str) -> Node | None:
        """The node below `node` at a path of keys, or None."""
        for name in names:
            if not isinstance(node, MappingNode):
                return None
            node = next((value for key, value in self.entries(node) if key.value == name), None)
        return node


def read_file(path: Path, shown: str) -> Source:
    """Read a file. One that cannot be read has the fault GW008, one that is not text GW005."""
    try:
        if is_folder(path):
            return _unreadable(shown, "directory")
        size = path.stat().st_size
        if size > MAX_BYTES:
            source = _empty(shown)
            source.faults.append(BeyondLimit(source.top, "size", MAX_BYTES, size))
            return source
        return read_bytes(content_of(path), shown)
    except FileNotFoundError:
        return _unreadable(shown, "missing")
    except PermissionError:
        return _unreadable(shown, "permission")
    except (OSError, ValueError) as error:
        return _unreadable(shown, "other", getattr(error, "strerror", None) or str(error))


def read_bytes(data: bytes, shown: str) -> Source:
    """Read the bytes of a file: UTF-8, with or without a byte order mark."""
    digest = hashlib.sha256(data).hexdigest()
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        source = Source(shown, data[: error.start].decode("utf-8", "replace"), digest)
        wide = data[:2] in (b"\xff\xfe", b"\xfe\xff")
        byte, binary, place = f"0x{data[error.start]:02X}", b"\0" in data, len(source.text)
        source.faults.append(NotUtf8(source.place(place, place + 1), byte, binary, wide))
        return source
    if "\0" in text:
        source, place = Source(shown, text, digest), text.index("\0")
        source.faults.append(NotUtf8(source.place(place, place + 1), "0x00", binary=True, wide=False))
        return source
    return _read(text, shown, digest)


def read_text(text: str, shown: str = "<text>") -> Source:
    """Read a graph from a string."""
    return read_bytes(text.encode("utf-8", "surrogatepass"), shown)


def _read(text: str, shown: str, digest: str) -> Source:
    source = Source(shown, text, digest)
    try:
        composed = compose(text)
    except UnreadableError as problem:
        source.faults.append(problem.fault(source.place(problem.start, problem.end)))
        return source
    source.root = composed.root
    try:
        source.irregular = survey(composed, source, source.faults)
    except AliasError as refused:
        source.root = None
        source.faults.append(refused.fault(source.span(refused.node)))
    return source


def _empty(shown: str) -> Source:
    return Source(shown, "", hashlib.sha256(b"").hexdigest())


def _unreadable(shown: str, reason: str, detail: str = "") -> Source:
    from graphwright.faults.files import UnreadableFile

    source = _empty(shown)
    source.faults.append(UnreadableFile(source.top, shown, reason, detail))
    return source
