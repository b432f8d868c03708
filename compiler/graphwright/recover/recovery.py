"""The record of one file while it is read: its faults, and what had to be assumed to continue."""

from __future__ import annotations

from yaml.nodes import Node, ScalarNode

from graphwright.fault import FaultLog, Owner
from graphwright.faults.keys import UnknownKey
from graphwright.source.reader import Source


class Recovery:
    """The log for the faults of a file, and the record of what is unknown about it.

    `names`: the probable names of the graph's nodes. `omitted`: keys and values that were reported and then left out.
    `guessed`: nodes, and values made of them, that are read as something other than what is written. `anything`:
    something is missing that could have read any part of the state.
    """

    def __init__(self, source: Source, log: FaultLog) -> None:
        self.source = source
        self.log = log
        self.names: frozenset[str] = frozenset()
        self.omitted: list[Node] = []
        self.guessed: list[object] = []
        self.anything = False

    def misplaced(self, key: ScalarNode, owner: Owner, context: str, home: str) -> None:
        """Record a key in the wrong section (GW101); `home` says where it belongs."""
        self.log.add(UnknownKey(self.source.span(key), owner, key.value, context, belongs=home))
