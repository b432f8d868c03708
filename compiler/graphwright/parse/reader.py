"""Reads keys and typed values from YAML nodes, and records a fault for every invalid part.

Methods return the usable part of a value, or None.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from types import MappingProxyType

from yaml.nodes import MappingNode, Node, ScalarNode, SequenceNode

from graphwright.fault import Owner
from graphwright.faults.expressions import UnreadTemplate
from graphwright.faults.keys import UnknownWord, WrongValue
from graphwright.faults.yaml import AmbiguousScalar, NotJson
from graphwright.language.sections import Key, Section
from graphwright.model import UNKNOWN_NAME, Name
from graphwright.pattern import pattern
from graphwright.record import replace
from graphwright.recover.glued import items_run_together, list_hint, missing_space
from graphwright.recover.keys import Entries, entries_of
from graphwright.recover.recovery import Recovery
from graphwright.recover.units import in_unit_of
from graphwright.source import scalars
from graphwright.source.reader import Pair
from graphwright.source.scalars import is_null, scalars_in
from graphwright.suggest import nearest

#: Keys whose value is the name of a node.
_NODES = frozenset({"start", "next", "to", "on_error"})
_NUMBER = pattern(r"-?[0-9]+(?:\.[0-9]+)?\Z")
_FLAG = pattern(r"(?:true|false)\Z")
#: Keys whose values usually read state and inputs.
_READING = frozenset({"params", "action", "assign", "when", "nodes"})


class Reader:
    """Reads a source; keeps its faults and the assumptions that were necessary."""

    def __init__(self, recovery: Recovery) -> None:
        self.recovery = recovery
        self.source = recovery.source
        self.log = recovery.log
        self.report = recovery.log.add
        self.span = recovery.source.span

    def section(
        self, pairs: Iterable[Pair], section: Section, owner: Owner, strays: dict[str, Pair] | None = None
    ) -> Entries:
        """The entries of a section by their modern names; `strays` receives keys that belong in another section."""
        return entries_of(self.recovery, pairs, section, owner, strays)

    def wrong(
        self, key: str, at: Node, owner: Owner, expected: str, hint: str | None = None, *, quote: bool = False
    ) -> None:
        """Record a value of the wrong type (GW102); `expected` reads "a list of names"."""
        span = self.span(at)
        if not self.log.at(self.source.tagged(at), NotJson):  # already reported as GW003
            value = self.source.value(at) if isinstance(at, ScalarNode) else None
            if "mapping" in expected or "list" in expected:
                hint = hint or missing_space(at)
            written = edit = None
            if quote and isinstance(at, ScalarNode):
                written, edit = at.value, self.source.instead(at, at.value, quotes=True)
            fault = WrongValue(span, owner, key, expected, self.describe(at), value, hint, written, edit)
            self.recovery.wrong_value(fault, at)
        for scalar in scalars_in(at):
            self.log.retract(self.span(scalar), AmbiguousScalar)
        self.recovery.omitted.append(at)
        if key in _READING and isinstance(at, ScalarNode):
            self.recovery.anything = True

    def describe(self, node: Node) -> str:
        """A value as messages name it."""
        if isinstance(node, MappingNode):
            return "a mapping" if node.value else "an empty mapping"
        if isinstance(node, SequenceNode):
            return "a list" if node.value else "an empty list"
        if node.tag == scalars.STR:
            return f"the string `{_shortened(node.value)}`" if node.value else "an empty string"
        if node.tag == scalars.NULL:
            return "nothing" if not node.value else "null"
        value = self.source.value(node)
        if isinstance(value, bool):
            return str(value).lower()
        return f"`{node.value}`" if isinstance(value, str) else f"the number {value}"

    def text(self, key: str, node: Node, owner: Owner, template: str | None = None) -> Name | None:
        """A string; with `template` (the name of the value) it is not interpolated, so `${` is a fault."""
        if isinstance(node, ScalarNode):
            if node.tag == scalars.STR:
                if template and "${" in node.value:
                    bare = node.value.strip().removeprefix("${").removesuffix("}").strip()
                    is_node = key in _NODES and bare in self.recovery.names
                    edit = self.source.instead(node, bare) if is_node else None
                    self.report(UnreadTemplate(self.span(node), owner, template, node.value, key, edit))
                    return Name(bare, node) if is_node else None
                if len(node.value) == 1:
                    self.log.retract(self.span(node), AmbiguousScalar)
                return Name(node.value, node)
            if node.tag != scalars.NULL:
                self.wrong(key, node, owner, "a string", quote=True)
                return Name(node.value, node, plain=False)
        self.wrong(key, node, owner, "the name of a node" if key in _NODES else "a string")
        return None

    def label(self, key: str, node: Node, owner: Owner) -> None:
        """A string that only people read: if YAML 1.1 reads another type, the warning GW004 is sufficient."""
        ambiguous = self.log.at(self.span(node), AmbiguousScalar)
        if ambiguous is not None:
            self.log.amend(replace(ambiguous, wanted="label"))
        elif not is_null(node):
            self.text(key, node, owner)

    def texts(self, key: str, node: Node, owner: Owner, *, single: bool = False) -> tuple[Name, ...]:
        """A list of strings; with `single`, a lone string is valid and means a list of one."""
        if isinstance(node, SequenceNode):
            items = (self.text(key, item, owner) for item in node.value)
            return tuple(item for item in items if item is not None)
        if is_null(node):
            return ()
        if isinstance(node, ScalarNode) and (single or node.tag == scalars.STR):
            if not single:
                self.wrong(key, node, owner, "a list of strings", hint=list_hint(node))
                return tuple(Name(word, node) for word in items_run_together(node.value))
            item = self.text(key, node, owner)
            return () if item is None else (item,)
        self.wrong(key, node, owner, "a string or a list of strings" if single else "a list of strings")
        return ()

    def choice(
        self, key: Key, node: Node, owner: Owner, synonyms: Mapping[str, str] = MappingProxyType({})
    ) -> str | None:
        """One of the words that a key takes; another one is GW106, read as the nearest."""
        if not (isinstance(node, ScalarNode) and node.tag == scalars.STR):
            words = " or ".join(f"`{key.name}: {word}`" for word in key.words)
            inside = node.value[0] if isinstance(node, SequenceNode) and len(node.value) == 1 else None
            meant = inside.value if isinstance(inside, ScalarNode) and inside.value in key.words else None
            expected = " or ".join(f"`{word}`" for word in key.words)
            self.wrong(key.name, node, owner, expected, f"write {f'`{key.name}: {meant}`' if meant else words}")
            return meant
        name = self.text(key.name, node, owner, key.name)
        if name is None or name.text in key.words:
            return None if name is None else name.text
        suggestion = synonyms.get(name.text.lower()) or nearest(name.text, key.words)
        self.unknown_word(key.name, node, owner, suggestion, key.words)
        return suggestion

    def unknown_word(
        self,
        key: str,
        node: ScalarNode,
        owner: Owner,
        suggestion: str | None,
        legal: tuple[str, ...],
        planned: str | None = None,
    ) -> None:
        """Record a word that a key does not take (GW106)."""
        edit = None if suggestion is None else self.source.instead(node, suggestion)
        fault = UnknownWord(self.span(node), owner, key, node.value, suggestion, legal, planned, edit=edit)
        self.report(fault)

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
        self.wrong(key.name, node, owner, f"an integer {limits}", _unquoted(key.name, value, _NUMBER))
        return None

    def number(self, key: Key, node: Node, owner: Owner) -> float | None:
        """A number of at least 0 or, if the key says so, above 0."""
        value = self.source.value(node) if isinstance(node, ScalarNode) else None
        above = key.above
        if isinstance(value, int | float) and not isinstance(value, bool) and (value > 0 or (value == 0 and not above)):
            self.wants_number(node)
            return value
        expected = "a number above 0" if above else "a number of at least 0"
        number = in_unit_of(key.name, node)
        hint = None if number is None else f"write the number alone: `{key.name}: {number}`"
        self.wrong(key.name, node, owner, expected, hint or _unquoted(key.name, value, _NUMBER))
        return None

    def wants_number(self, node: Node) -> None:
        """Retract the warning about a trailing zero: as a number, `0.50` is the same as `0.5`."""
        ambiguous = self.log.at(self.span(node), AmbiguousScalar)
        if ambiguous is not None and ambiguous.reason == "zero":
            self.log.retract(self.span(node), AmbiguousScalar)

    def boolean(self, key: str, node: Node, owner: Owner) -> bool | None:
        """`true` or `false`."""
        value = self.source.value(node) if isinstance(node, ScalarNode) else None
        if isinstance(value, bool):
            return value
        self.wrong(key, node, owner, "`true` or `false`", _unquoted(key, value, _FLAG))
        return None

    def mapping(self, key: str, node: Node, owner: Owner) -> MappingNode | None:
        """A mapping; an absent value (`params:`) is None without a fault."""
        if isinstance(node, MappingNode):
            return node
        if not is_null(node):
            listed = isinstance(node, SequenceNode) and any(isinstance(item, MappingNode) for item in node.value)
            hint = "remove the `- ` before the entries" if listed else None
            self.wrong(key, node, owner, "a mapping", hint=hint)
        return None

    def assigned(self, key: str, node: Node, owner: Owner) -> tuple[Pair, ...]:
        """The entries of a mapping of state keys, or of an invalid list of mappings. A value that cannot be read is
        assigned to an unknown key."""
        mapping = self.mapping(key, node, owner)
        unreadable = ((ScalarNode(scalars.STR, UNKNOWN_NAME, node.start_mark, node.start_mark, ""), node),)
        if mapping is not None:
            texts = all(isinstance(name, ScalarNode) for name, _ in mapping.value)
            return (*self.source.entries(mapping), *(() if texts else unreadable))
        items = node.value if isinstance(node, SequenceNode) else []
        mappings = [item for item in items if isinstance(item, MappingNode)]
        entries = tuple(pair for item in mappings for pair in self.source.entries(item))
        return entries if mappings or is_null(node) else unreadable

    def items(self, key: str, node: Node, owner: Owner, expected: str, hint: str | None = None) -> list[Node]:
        """The items of a list; a missing value is an empty list."""
        if isinstance(node, SequenceNode):
            items: list[Node] = node.value
            return items
        if not is_null(node):
            self.wrong(key, node, owner, expected, hint=hint)
        return []


class Fields:
    """Reads the entries of a section by name; None if a key is missing or (after a fault) unusable."""

    def __init__(self, reader: Reader, section: Section, entries: Entries, owner: Owner) -> None:
        self.reader = reader
        self.section = section
        self.entries = entries
        self.owner = owner

    def node(self, name: str) -> Node | None:
        """The value as written."""
        return self.entries[name][1] if name in self.entries else None

    def text(self, name: str, template: str | None = None) -> Name | None:
        """A string; with `template`, one that is not interpolated (see `Reader.text`)."""
        node = self.node(name)
        return None if node is None else self.reader.text(name, node, self.owner, template)

    def prose(self, name: str) -> str:
        """A string for people; empty if the key is missing or null."""
        node = self.node(name)
        found = None if node is None or is_null(node) else self.reader.text(name, node, self.owner)
        return "" if found is None else found.text

    def names(self, name: str) -> tuple[Name, ...]:
        """A name or a list of names."""
        node = self.node(name)
        return () if node is None else self.reader.texts(name, node, self.owner, single=True)

    def integer(self, name: str) -> int | None:
        """A whole number."""
        node = self.node(name)
        return None if node is None else self.reader.integer(self.section[name], node, self.owner)

    def number(self, name: str) -> float | None:
        """A number."""
        node = self.node(name)
        return None if node is None else self.reader.number(self.section[name], node, self.owner)

    def flag(self, name: str) -> bool | None:
        """`true` or `false`."""
        node = self.node(name)
        return None if node is None else self.reader.boolean(name, node, self.owner)

    def choice(self, name: str, synonyms: Mapping[str, str] = MappingProxyType({})) -> str | None:
        """One of the words that the key takes."""
        node = self.node(name)
        return None if node is None else self.reader.choice(self.section[name], node, self.owner, synonyms)


def _unquoted(key: str, value: object, valid: re.Pattern[str]) -> str | None:
    """The hint for a string that would be valid without its quotes."""
    return f"write it without quotes: `{key}: {value}`" if isinstance(value, str) and valid.match(value) else None


def _shortened(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= 40 else line[:39] + "…"
