"""The faults of a file, and the assumptions that were necessary to continue reading it."""

from __future__ import annotations

from yaml.nodes import MappingNode, Node, ScalarNode

from graphwright.diagnostic import Span
from graphwright.fault import FaultLog, Owner
from graphwright.faults.keys import UnknownKey, WrongValue
from graphwright.record import replace
from graphwright.source import scalars
from graphwright.source.reader import Pair, Source


class Recovery:
    """The faults of a file, and the assumptions about it.

    `names` are the probable names of the graph's nodes. `renamed` has the values of misspelled keys, by identity, each
    with the location of its key. `omitted` are keys and values that were reported and then left
    out. `guessed` are YAML nodes, and values based on them, that are not read as they are written. `anything`: a part
    is missing that could read any part of the state. `lacks_node`: such a part is a whole node, to which an edge leads.
    """

    def __init__(self, source: Source, log: FaultLog) -> None:
        self.source = source
        self.log = log
        self.names: frozenset[str] = frozenset()
        self.omitted: list[Node] = []
        self.guessed: list[object] = []
        self.renamed: dict[int, Span] = {}
        self.anything = False
        self.lacks_node = False

    def misplaced(self, key: ScalarNode, owner: Owner, context: str, home: str) -> None:
        """Record a key in the wrong section (GW101); `home` says where it belongs."""
        self.log.add(UnknownKey(self.source.span(key), owner, key.value, context, belongs=home))

    def wrong_value(self, fault: WrongValue, at: Node) -> None:
        """Record a value of the wrong type (GW102); below a misspelled key, it is a part of that fault."""
        unknown = self.log.at(self.renamed[id(at)], UnknownKey) if id(at) in self.renamed else None
        if unknown is None:
            self.log.add(fault)
        else:
            self.log.amend(replace(unknown, value=fault, edit=None))


def mapping_of(pairs: list[Pair], like: Node | None = None) -> MappingNode:
    """A mapping of these entries that replaces another one; without that, at the position of the entries."""
    if isinstance(like, MappingNode):
        return MappingNode(like.tag, pairs, like.start_mark, like.end_mark, like.flow_style)
    return MappingNode(scalars.MAP, pairs, pairs[0][0].start_mark, pairs[-1][1].end_mark)
