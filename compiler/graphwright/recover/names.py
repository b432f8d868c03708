"""The names that a graph defines, and the names that a path may begin with in each scope."""

from __future__ import annotations

from collections.abc import Mapping

from yaml.nodes import Node, ScalarNode

from graphwright.fault import Owner
from graphwright.language.events import EVENTS, NAMESPACES
from graphwright.language.words import END_WORDS
from graphwright.record import Record
from graphwright.suggest import Guesses, cut_short, edits

#: The number of edits in a name that is used correctly elsewhere.
_SLIPS = 2


class Names:
    """The names that a graph defines.

    `state_keys` are the keys of the state, each with the YAML node that first sets it. `inputs` are the declared inputs
    with their keys. `loops` has the nodes of each foreach variable, `collected` the state key that each of these nodes
    collects into. `nodes` are the nodes, `without_edge` those that no edge leads to, `ends` the return nodes.
    """

    def __init__(
        self,
        state_keys: Mapping[str, Node],
        inputs: Mapping[str, ScalarNode],
        loops: Mapping[str, tuple[str, ...]],
        collected: Mapping[str, str],
        nodes: Mapping[str, Owner],
        without_edge: frozenset[str],
        ends: tuple[str, ...] = (),
    ) -> None:
        self.state_keys = state_keys
        self.inputs = inputs
        self.loops = loops
        self.collected = collected
        self.nodes = nodes
        self.node_names = tuple(nodes)
        self.without_edge = without_edge
        self._ends = ends
        self._guesses = Guesses()

    def under(self, namespace: str) -> Mapping[str, Node]:
        """The names in `state` or `inputs`; none in other namespaces."""
        return self.state_keys if namespace == "state" else self.inputs if namespace == "inputs" else {}

    def nearest_node(self, name: str) -> str | None:
        """The node that a misspelled name means, preferably one that no edge leads to.

        A node to which other edges lead must be very similar: `green_desk` is not a misspelled `red_desk`.
        """
        alone = self._guesses.nearest(name, self.without_edge) or cut_short(name, self.without_edge)
        near = alone or self._guesses.nearest(name, self.node_names)
        if near is None or alone is not None or edits(name.casefold(), near.casefold()) <= _SLIPS:
            return near
        return None

    def end(self, name: str) -> str | None:
        """The only return node, for a word such as `END` with which other languages end a run."""
        return self._ends[0] if name.lower() in END_WORDS and len(self._ends) == 1 else None

    def nearest_state_key(self, name: str) -> str | None:
        """The state key that a misspelled name means."""
        return self._guesses.nearest(name, self.state_keys)

    def nearest_input(self, name: str) -> str | None:
        """The declared input that a misspelled name means."""
        return self._guesses.nearest(name, self.inputs)


class Scope(Record):
    """The scope of a template or condition, which decides what it may read.

    `context`: for messages ("action", "gate", "over", "foreach next", "output", "assign", "condition" …). `result`:
    whether `result` exists; `variable`: the foreach variable, if any; `event`: a hook's event.
    """

    owner: Owner
    context: str
    result: bool = False
    variable: str | None = None
    event: str | None = None

    @property
    def namespaces(self) -> tuple[str, ...]:
        """The names that a path may begin with in this scope."""
        if self.event is not None:
            return (*EVENTS[self.event].shows, "_now", "_timestamp", "_run")
        names = tuple(name for name in NAMESPACES if name != "result" or self.result)
        return names if self.variable is None else (*names, self.variable)
