"""One file while it is being read: its faults, and what had to be assumed so that reading could go on."""

from __future__ import annotations

from yaml.nodes import Node, ScalarNode

from graphwright.fault import FaultLog, Owner
from graphwright.faults.keys import UnknownKey
from graphwright.source.reader import Source


class Recovery:
    """The log that the faults of a file go to, and the record of what nobody can know about it.

    `names`: what seem to be the graph's nodes. `omitted`: keys and values that were reported and then left out.
    `guessed`: nodes, and values made of them, that are read as something else than what is written there.
    `anything`: something is missing that could have read any part of the state.
    """

    def __init__(self, source: Source, log: FaultLog) -> None:
        self.source = source
        self.log = log
        self.names: frozenset[str] = frozenset()
        self.omitted: list[Node] = []
        self.guessed: list[object] = []
        self.anything = False

    def misplaced(self, key: ScalarNode, owner: Owner, place: str, home: str) -> None:
        """Record a key that stands in the wrong place (GW101); `home` says where it belongs."""
        self.log.add(UnknownKey(self.source.span(key), owner, key.value, place, belongs=home))
