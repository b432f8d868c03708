"""Which state keys are surely assigned, and which can be, when a run comes to a node.

Both are forward problems over the ways of `flow.py`, solved on masks of keys: "surely" starts from everything and
meets over all ways that lead to a node, "possibly" starts from nothing and joins. What a condition proves about a
key (`narrowing.py`) counts as assigned on the edge that it guards, and inputs that are proved present travel along.

Ways to targets that cannot be known add nothing, and ways to guessed ones take nothing away: a key is never called
unassigned because of a mistake elsewhere.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING

from graphwright import ir
from graphwright.analysis.declared_inputs import declared_inputs
from graphwright.analysis.fallible import value_can_fail
from graphwright.analysis.fixpoint import Worklist
from graphwright.analysis.flow import Flow, Way, WayKind
from graphwright.analysis.steps import steps_of
from graphwright.analysis.symbols import EVERYTHING, RUNTIME_KEYS, Symbols, Usage, hook_reads, usage_of
from graphwright.ir import visit
from graphwright.model import UNKNOWN_NAME
from graphwright.record import replace
from graphwright.suggest import Guesses

if TYPE_CHECKING:
    from graphwright.analysis.witness import Witnesses


class Assignment:
    """Definite and possible assignment of one graph's state keys.

    `collects` tells of a foreach whether it collects even when it fails: what it goes through is surely a list, and
    `state_schema` refuses nothing; `is_dead` of an edge whether one before it always matches (GW206).
    """

    def __init__(
        self,
        graph: ir.Graph,
        flow: Flow,
        symbols: Symbols | None = None,
        collects: Callable[[ir.ForeachNode], bool] | None = None,
        is_dead: Callable[[ir.Node, ir.Edge], bool] | None = None,
    ) -> None:
        self.graph = graph
        self.flow = flow
        self.symbols = symbols or Symbols()
        self._initial = _union(self.symbols.key(key) for key in graph.state)
        self._is_dead = is_dead
        self._collects = collects or (lambda node: not value_can_fail(node.over))
        self.usage = {
            name: usage_of(node, self.symbols, has_list=self._always_collects(node))
            for name, node in graph.nodes.items()
        }
        self.hook_reads = hook_reads(graph, self.symbols)
        #: The bit of the key that nobody can make out, if there is one (it is reported): it may be any.
        self.unknown_key = self.symbols.key(UNKNOWN_NAME) if UNKNOWN_NAME in self.symbols.keys else 0
        if self.unknown_key:
            self._initial = self._with_any(self._initial)
            self.usage = {name: self._setting_any(usage) for name, usage in self.usage.items()}
        self._error = self.symbols.key("_last_error")
        self.symbols.meant = {self.symbols.key(key): self.symbols.key(meant) for key, meant in self.misspelt.items()}
        #: The ways out of each node that can be reached, in reverse postorder from the start.
        self.steps = {
            name: tuple(steps_of(graph.nodes[name], self.usage[name], self._taken(name), self.symbols))
            for name in flow.order
        }

    # --- questions ------------------------------------------------------------------------------------------

    @cached_property
    def all_keys(self) -> frozenset[str]:
        """Every key that `config.state`, an `assign` or a `collect` sets somewhere."""
        return frozenset(self.symbols.keys_in(self.assigned_anywhere))

    @cached_property
    def sorted_keys(self) -> tuple[str, ...]:
        """The same in the order of the alphabet, for messages."""
        return tuple(sorted(self.all_keys))

    @cached_property
    def assigned_anywhere(self) -> int:
        """The mask of `all_keys`."""
        return _union(bit for bit in self._set if not bit & self.unknown_key)

    @cached_property
    def writers(self) -> Mapping[str, tuple[ir.Node, ...]]:
        """The nodes that assign each key, in the order of the file."""
        writers: dict[str, list[ir.Node]] = {}
        for node in visit.nodes(self.graph.body):
            for key in dict.fromkeys(key for key, _ in visit.keys_set(node)):
                writers.setdefault(key, []).append(node)
        return {key: tuple(nodes) for key, nodes in writers.items()}

    @cached_property
    def strangers(self) -> int:
        """The mask of the keys that are read but that nothing assigns, as far as that is known.

        Where nobody can tell what is assigned somewhere (it is reported), that is only those which are spelled nearly
        like a key that something assigns.
        """
        return _union(self.symbols.key(key) for key in (self.misspelt if self.unknown_key else self._unassigned))

    @cached_property
    def undeclared(self) -> int:
        """The mask of the inputs that are read but that `config_schema`, which lists others, does not declare."""
        declared = declared_inputs(self.graph)
        if not declared.closed:
            return 0
        return _union(bit for name, bit in self.symbols.inputs.items() if name not in declared.names)

    @cached_property
    def misspelt(self) -> Mapping[str, str]:
        """Keys that are read but that nothing assigns, with the key that was probably meant.

        That is the nearest one, or one that was written with the namespace before it (`assign: {state.total: …}`).
        """
        legal = self.all_keys | RUNTIME_KEYS
        guesses = Guesses()
        meant = {
            key: full if (full := f"state.{key}") in legal else guesses.nearest(key, legal) for key in self._unassigned
        }
        return {key: name for key, name in meant.items() if name is not None}

    @cached_property
    def _set(self) -> frozenset[int]:
        """The bits of what is assigned somewhere, each once."""
        found = {self.symbols.key(key) for key in self.graph.state}
        for usage in self.usage.values():
            found.add(usage.collect)
            found.update(bit for _, bit in usage.assigns)
        return frozenset(found)

    @cached_property
    def _unassigned(self) -> tuple[str, ...]:
        known = self.all_keys | RUNTIME_KEYS | self.graph.doubt.words | {UNKNOWN_NAME}
        return tuple(key for key in self.symbols.keys if key not in known)

    @cached_property
    def in_doubt(self) -> frozenset[str]:
        """Keys that some node reads where they may be unassigned, fallbacks or not."""
        mask = _union(usage.read & ~self.definite(name) for name, usage in self.usage.items() if usage.read >= 0)
        return frozenset(self.symbols.keys_in(mask & self.assigned_anywhere))

    def definite(self, name: str) -> int:
        """The mask of what is surely assigned, or proved present, when node `name` begins."""
        return self._definite.get(name, EVERYTHING)

    def possible(self, name: str) -> int:
        """The mask of what can be assigned when node `name` begins, by earlier items of its own loop too."""
        if self.flow.uncertain or name not in self._possible:
            return EVERYTHING
        node = self.graph.nodes[name]
        return self._possible[name] | (self.usage[name].assigned if isinstance(node, ir.ForeachNode) else 0)

    def is_definite(self, name: str, key: str) -> bool:
        """Whether `state.<key>` is surely assigned when node `name` begins. Cheap, for many questions."""
        return bool(self.definite(name) & self.symbols.key(key))

    def definite_in(self, name: str) -> frozenset[str]:
        """The keys that are surely assigned when node `name` begins; all of them where no run comes."""
        return frozenset(self.symbols.keys_in(self.definite(name) & self._set_by_someone))

    def possible_in(self, name: str) -> frozenset[str]:
        """The keys that can be assigned when node `name` begins."""
        return frozenset(self.symbols.keys_in(self.possible(name) & self._set_by_someone))

    @cached_property
    def definite_at_completion(self) -> frozenset[str]:
        """The keys that are there whenever a run ends as completed."""
        ends = [
            mask | step.surely
            for name, mask in self._definite.items()
            for step in self.steps[name]
            if step.target is None and self.flow.may_complete(name)
        ]
        ends += [self._definite[name] for name in self.cut_off if name in self._definite]
        common = EVERYTHING if ends else self._initial
        for mask in ends:
            common &= mask
        return frozenset(self.symbols.keys_in(common & self._set_by_someone))

    @cached_property
    def cut_off(self) -> frozenset[str]:
        """The nodes before which a limit can end the run as completed."""
        flow = self.flow
        if self.graph.settings.on_max_steps == "fail" or (
            not flow.loops and self.graph.settings.max_steps >= len(flow.order)
        ):
            return frozenset()
        return frozenset(name for name in flow.order if name != self.graph.start or flow.predecessors(name))

    def witness(self, name: str, key: str) -> tuple[str, ...]:
        """The nodes of a way from the start to `name` that never assigns `key`; empty where there is none.

        Of a long way the middle is given as "…".
        """
        return self.skipping(name, self.symbols.key(key))

    def skipping(self, name: str, mask: int) -> tuple[str, ...]:
        """The same for a whole set: a way that assigns, and proves present, nothing of `mask`."""
        return () if self._initial & mask else self._witnesses.find(name, mask)

    def _with_any(self, mask: int) -> int:
        return mask | self.symbols.every_key if mask & self.unknown_key else mask

    def _setting_any(self, usage: Usage) -> Usage:
        return replace(
            usage,
            assigns=tuple((reads, self._with_any(bit)) for reads, bit in usage.assigns),
            collect=self._with_any(usage.collect),
            kept=self._with_any(usage.kept),
            assigned=self._with_any(usage.assigned),
        )

    def _always_collects(self, node: ir.Node) -> bool:
        """Whether a foreach has collected when it is left, also by a failure; asked of those that this matters to."""
        if not isinstance(node, ir.ForeachNode) or node.collect is None:
            return False
        survives = node.on_error is not None or self.graph.settings.on_error == "continue"
        return not survives or self._collects(node)

    def _taken(self, name: str) -> Sequence[Way]:
        """The ways out of a node that a run can take."""
        ways, node = self.flow.ways(name), self.graph.nodes[name]
        if self._is_dead is None or len(node.edges) < 2:
            return ways
        return [
            way
            for way in ways  # after a failure a condition that fails is skipped, so that a later one can match
            if way.edge is None or way.kind is WayKind.CONTINUE or not self._is_dead(node, way.edge)
        ]

    # --- fixpoints -------------------------------------------------------------------------------------------

    @cached_property
    def _definite(self) -> dict[str, int]:
        return self._solve(surely=True)

    @cached_property
    def _possible(self) -> dict[str, int]:
        return self._solve(surely=False)

    def _solve(self, *, surely: bool) -> dict[str, int]:
        """Masks at the entry of each node that can be reached."""
        order = self.flow.order
        position = {name: number for number, name in enumerate(order)}
        entry = {order[0]: self._initial} if order else {}
        waiting = Worklist(range(min(1, len(order))))
        while waiting:
            name = order[waiting.take()]
            mask = entry[name]
            for step in self.steps[name]:
                if step.target is None:
                    continue
                after = mask | (step.surely if surely else step.possibly)
                known = entry.get(step.target)
                if known is not None:
                    after = known & after if surely else known | after
                if after != known:
                    entry[step.target] = after
                    waiting.add(position[step.target])
        return entry

    @cached_property
    def _witnesses(self) -> Witnesses:
        from graphwright.analysis.witness import Witnesses  # to phrase a finding

        return Witnesses(self.graph.start, self.steps, self._definite, self._possible)

    @cached_property
    def _set_by_someone(self) -> int:
        return self.assigned_anywhere | self._error


def _union(masks: Iterable[int]) -> int:
    union = 0
    for mask in masks:
        union |= mask
    return union
