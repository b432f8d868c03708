"""Reading keys and typed values from YAML nodes, with a fault for whatever does not fit.

Every method returns what can be used (or None) and has then said all there is to say about the rest.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import TypeAlias

from yaml.nodes import MappingNode, Node, ScalarNode, SequenceNode

from graphwright.fault import FaultLog
from graphwright.language.homes import belongs
from graphwright.language.sections import Key, Section
from graphwright.model import UNREADABLE, Name, Owner
from graphwright.parse.guess import guess
from graphwright.parse.touching import as_list, key_and_value, ran_together, touching
from graphwright.source import scalars
from graphwright.source.reader import Pair, Source
from graphwright.source.spelling import ODD_BLANKS, visible
from graphwright.suggest import nearest

#: Keys whose values read state and inputs, where they are what they should be.
_READING = frozenset({"params", "action", "assign", "when", "nodes"})
Entries: TypeAlias = Mapping[str, Pair]


class Reader:
    """A source and the log that its faults go to.

    `names`: what seem to be the graph's nodes. `lost` gathers what was reported and then left out; `blank` is set where
    something is missing that could have read anything.
    """

    def __init__(self, source: Source, log: FaultLog) -> None:
        self.source = source
        self.log = log
        self.names: frozenset[str] = frozenset()
        self.lost: list[Node] = []
        self.blank = False

    def fault(self, code: str, at: Node, owner: Owner, **facts: object) -> None:
        """Record a fault at a whole node."""
        self.log.add(code, self.source.span(at), at=at, owner=owner.phrase, node=owner.node, **facts)

    # --- keys ----------------------------------------------------------------------------------------------

    def section(
        self, pairs: Iterable[Pair], section: Section, owner: Owner, strays: dict[str, Pair] | None = None
    ) -> Entries:
        """The entries of a mapping under their modern names; unknown keys are reported and, where possible, adopted.

        `strays` receives keys that belong in another mapping.
        """
        found: dict[str, Pair] = {}
        unknown: list[Pair] = []
        for pair in pairs:
            name = pair[0].value
            if name in section.aliases:
                modern = section.aliases[name]
                if section[name].deprecated:
                    self.fault("GW111", pair[0], owner, written=name, modern=modern, what="key")
                self._take(found, modern, pair, owner)
            elif name in section.table:
                self._take(found, name, pair, owner)
            elif not name.startswith("x-"):
                unknown.append(pair)
        for pair in unknown:
            self._unknown(found, pair, section, owner, strays)
        return found

    def _take(self, found: dict[str, Pair], name: str, pair: Pair, owner: Owner) -> None:
        if name in found:
            first = found[name][0]
            self.fault(
                "GW002",
                pair[0],
                owner,
                key=pair[0].value,
                merge=False,
                written=first.value,
                first=self.source.span(first),
                first_line=self.source.line(first),
            )
            return
        found[name] = pair

    def _unknown(
        self, found: dict[str, Pair], pair: Pair, section: Section, owner: Owner, strays: dict[str, Pair] | None
    ) -> None:
        absent = [key for key in section.keys if key not in found]
        if self._without_colon(found, pair, section, absent, owner):
            return
        name = pair[0].value.strip(ODD_BLANKS)
        meant = section.synonyms.get(name)
        home = belongs(name, section)
        suggestion = next((one for one in (name, meant) if one in absent), None)
        if suggestion is None and home is None:
            suggestion = nearest(name, absent) or nearest(name, found)
        if suggestion is None and home is None:
            suggestion = guess(self.source, pair[1], absent, self.names)
        self.fault(
            "GW101",
            pair[0],
            owner,
            key=visible(pair[0].value),
            place=section.phrase,
            suggestion=suggestion,
            legal=section.keys,
            belongs=None if suggestion else home,
            taken=suggestion in found,
        )
        if suggestion is not None:
            self.log.settle(self.source.span(pair[0]), "GW004")  # the key is to be another one anyway
            found.setdefault(suggestion, pair)
        elif strays is not None and home is not None:
            strays.setdefault(name, pair)
        else:
            self.lost.extend(pair)

    def _without_colon(
        self, found: dict[str, Pair], pair: Pair, section: Section, absent: list[str], owner: Owner
    ) -> bool:
        """Report a key that ran into its value, as in `{to done}` or `{to:done}`, and read both as they were meant."""
        key = pair[0]
        apart = key_and_value(key.value) if self.absent(pair[1]) else None
        if apart is None or apart[0] not in absent:
            return False
        meant, rest = apart
        suggestion = f"{meant}: {rest}"
        self.fault(
            "GW101",
            key,
            owner,
            key=visible(key.value),
            place=section.phrase,
            suggestion=suggestion,
            belongs=None,
            taken=False,
            edit=self.source.apart(key, pair[1], meant, rest),
        )
        value = ScalarNode(scalars.STR, rest, key.start_mark, key.end_mark, key.style)
        found[meant] = (ScalarNode(scalars.STR, meant, key.start_mark, key.end_mark), value)
        return True

    # --- values --------------------------------------------------------------------------------------------

    def wrong(self, key: str, at: Node, owner: Owner, expected: str, **facts: object) -> None:
        """Record a value of the wrong type (GW102); `expected` reads "a list of names"."""
        if not self.log.has(self.source.tagged(at), "GW003"):  # what is not even JSON is no value of another type
            value = self.source.value(at) if isinstance(at, ScalarNode) else None
            if "mapping" in expected or "list" in expected:
                facts = {**facts, "hint": facts.get("hint") or touching(at)}
            self.fault("GW102", at, owner, key=key, expected=expected, found=self.describe(at), value=value, **facts)
        self.log.settle(self.source.span(at), "GW004")
        self.lost.append(at)
        self.blank = self.blank or (key in _READING and isinstance(at, ScalarNode))

    def describe(self, node: Node) -> str:
        """A value as messages name it."""
        if isinstance(node, MappingNode):
            return "a mapping" if node.value else "an empty mapping"
        if isinstance(node, SequenceNode):
            return "a list" if node.value else "an empty list"
        if node.tag == scalars.STR:
            return f"the text `{_shortened(node.value)}`" if node.value else "an empty text"
        if node.tag == scalars.NULL:
            return "nothing" if not node.value else "null"
        value = self.source.value(node)
        if isinstance(value, bool):
            return str(value).lower()
        return f"`{node.value}`" if isinstance(value, str) else f"the number {value}"

    def text(self, key: str, node: Node, owner: Owner, template: str | None = None) -> Name | None:
        """A text; with `template` (the place's name) one that is not interpolated, so that `${` in it is a fault."""
        if isinstance(node, ScalarNode):
            if node.tag == scalars.STR:
                if template and "${" in node.value:
                    self.fault("GW411", node, owner, place=template, text=node.value, key=key)
                    return None
                if len(node.value) == 1:
                    self.log.settle(self.source.span(node), "GW004")
                return Name(node.value, node)
            if node.tag != scalars.NULL:
                self.wrong(key, node, owner, "a text", quote=True, written=node.value)
                return Name(node.value, node, plain=False)
        self.wrong(key, node, owner, "a text")
        return None

    def label(self, key: str, node: Node, owner: Owner) -> None:
        """A text that only people read: where YAML 1.1 makes something else of it, its warning (GW004) is enough."""
        self.log.know("GW004", self.source.span(node), wanted="label")
        if not self.absent(node) and not self.log.has(self.source.span(node), "GW004"):
            self.text(key, node, owner)

    def texts(self, key: str, node: Node, owner: Owner, *, single: bool = False) -> tuple[Name, ...]:
        """A list of texts; with `single` one text alone is as good as a list of it, else it is only read as one."""
        if isinstance(node, SequenceNode):
            items = (self.text(key, item, owner) for item in node.value)
            return tuple(item for item in items if item is not None)
        if self.absent(node):
            return ()
        if isinstance(node, ScalarNode) and (single or node.tag == scalars.STR):
            if not single:
                self.wrong(key, node, owner, "a list of texts", hint=as_list(node))
                return tuple(Name(word, node) for word in ran_together(node.value))
            item = self.text(key, node, owner)
            return () if item is None else (item,)
        self.wrong(key, node, owner, "a text or a list of texts" if single else "a list of texts")
        return ()

    def choice(
        self, key: Key, node: Node, owner: Owner, synonyms: Mapping[str, str] = MappingProxyType({})
    ) -> str | None:
        """One of the words that a key takes; another one is GW106, read as the nearest."""
        name = self.text(key.name, node, owner, key.name)
        if name is None or name.text in key.words:
            return None if name is None else name.text
        suggestion = synonyms.get(name.text.lower()) or nearest(name.text, key.words)
        if not (isinstance(node, ScalarNode) and node.tag == scalars.STR):
            return suggestion
        self.fault("GW106", node, owner, key=key.name, value=name.text, suggestion=suggestion, legal=key.words)
        return suggestion

    def integer(self, key: Key, node: Node, owner: Owner) -> int | None:
        """A whole number within the limits of a key."""
        value = self.source.value(node) if isinstance(node, ScalarNode) else None
        least, most = key.least, key.most
        if (
            isinstance(value, int)
            and not isinstance(value, bool)
            and value >= least
            and (most is None or value <= most)
        ):
            return value
        limits = f"of at least {least}" if most is None else f"from {least} to {most}"
        self.wrong(key.name, node, owner, f"a whole number {limits}")
        return None

    def number(self, key: Key, node: Node, owner: Owner) -> float | None:
        """A number of at least 0 or, where the key says so, above 0."""
        value = self.source.value(node) if isinstance(node, ScalarNode) else None
        above = key.above
        if isinstance(value, int | float) and not isinstance(value, bool) and (value > 0 or (value == 0 and not above)):
            return value
        self.wrong(key.name, node, owner, "a number above 0" if above else "a number of at least 0")
        return None

    def boolean(self, key: str, node: Node, owner: Owner) -> bool | None:
        """`true` or `false`."""
        value = self.source.value(node) if isinstance(node, ScalarNode) else None
        if isinstance(value, bool):
            return value
        self.wrong(key, node, owner, "`true` or `false`")
        return None

    def mapping(self, key: str, node: Node, owner: Owner) -> MappingNode | None:
        """A mapping; an absent value (`params:`) is None without a fault."""
        if isinstance(node, MappingNode):
            return node
        if not self.absent(node):
            listed = isinstance(node, SequenceNode) and any(isinstance(item, MappingNode) for item in node.value)
            hint = "leave out the `- ` before the entries" if listed else None
            self.wrong(key, node, owner, "a mapping", hint=hint)
        return None

    def assigned(self, key: str, node: Node, owner: Owner) -> tuple[Pair, ...]:
        """The entries of a mapping of state keys, or of a list of mappings, which it is not; what cannot be read at all
        is the value of an unreadable key.
        """
        mapping = self.mapping(key, node, owner)
        unreadable = ((ScalarNode(scalars.STR, UNREADABLE, node.start_mark, node.start_mark, ""), node),)
        if mapping is not None:
            texts = all(isinstance(name, ScalarNode) for name, _ in mapping.value)
            return (*self.source.entries(mapping), *(() if texts else unreadable))
        items = node.value if isinstance(node, SequenceNode) else []
        mappings = [item for item in items if isinstance(item, MappingNode)]
        entries = tuple(pair for item in mappings for pair in self.source.entries(item))
        return entries if mappings or self.absent(node) else unreadable

    def items(self, key: str, node: Node, owner: Owner, expected: str, hint: str | None = None) -> list[Node]:
        """The items of a list; an absent value is an empty one."""
        if isinstance(node, SequenceNode):
            items: list[Node] = node.value
            return items
        if not self.absent(node):
            self.wrong(key, node, owner, expected, hint=hint)
        return []

    @staticmethod
    def absent(node: Node) -> bool:
        """Whether a value is left out or null."""
        return isinstance(node, ScalarNode) and node.tag == scalars.NULL


def _shortened(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= 40 else line[:39] + "…"
