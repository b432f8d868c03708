"""Which state keys are definitely assigned, and which may be, when a run reaches a node.

Both are forward dataflow problems over the transitions of `flow.py`, solved on bit masks of keys: "definite" is a must
analysis (it starts from everything and intersects at joins), "possible" is a may analysis (it starts from nothing and
unites). What a condition proves about a key (`narrowing.py`) counts as assigned on the edge that it guards.

Transitions to unknown targets add nothing, and transitions to guessed ones take nothing away, so a key is never called
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
from graphwright.analysis.flow import Flow, Transition, TransitionKind
from graphwright.analysis.steps import steps_of
from graphwright.analysis.symbols import EVERYTHING, Symbols, Usage, hook_reads, usage_of
from graphwright.ir import visit
from graphwright.language.events import RUNTIME_KEYS
from graphwright.model import UNKNOWN_NAME
from graphwright.record import replace
from graphwright.suggest import Guesses, cut_short

if TYPE_CHECKING:
    from graphwright.analysis.witness import Hop, Witnesses


class Assignment:
    """Definite and possible assignment of one graph's state keys.

    `collects(node)`: whether a foreach collects even when it fails, because it surely iterates over a list and
    `state_schema` rejects nothing. `is_dead(node, edge)`: whether the edges before always match (GW206, GW213).
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
        #: The bit of a key whose name is unknown (this is reported); it may be any key.
        self.unknown_key = self.symbols.key(UNKNOWN_NAME) if UNKNOWN_NAME in self.symbols.keys else 0
        if self.unknown_key:
            self._initial = self._with_any(self._initial)
            self.usage = {name: self._setting_any(usage) for name, usage in self.usage.items()}
        self._error = self.symbols.key("_last_error")
        self.symbols.meant = {self.symbols.key(key): self.symbols.key(meant) for key, meant in self.misspelled.items()}
        #: The transitions out of each node that can be reached, in reverse postorder from the start.
        self.steps = {
            name: tuple(steps_of(graph.nodes[name], self.usage[name], self.taken(name), self.symbols))
            for name in flow.order
        }

    # --- questions ------------------------------------------------------------------------------------------

    @cached_property
    def all_keys(self) -> frozenset[str]:
        """Every key that `config.state`, an `assign` or a `collect` sets."""
        return frozenset(self.symbols.keys_in(self.assigned_anywhere))

    @cached_property
    def sorted_keys(self) -> tuple[str, ...]:
        """The same keys in alphabetical order, for messages."""
        return tuple(sorted(self.all_keys))

    @cached_property
    def assigned_anywhere(self) -> int:
        """The mask of `all_keys`."""
        return _union(bit for bit in self._set if not bit & self.unknown_key)

    @cached_property
    def writers(self) -> Mapping[str, tuple[ir.Node, ...]]:
        """The nodes that assign each key, in file order."""
        writers: dict[str, list[ir.Node]] = {}
        for node in visit.nodes(self.graph.body):
            for key in dict.fromkeys(key for key, _ in visit.keys_set(node)):
                writers.setdefault(key, []).append(node)
        return {key: tuple(nodes) for key, nodes in writers.items()}

    @cached_property
    def never_assigned(self) -> int:
        """The mask of the keys that are read but never assigned.

        If an assigned name is unknown or a node is missing (this is reported), only keys whose names are similar to an
        assigned one.
        """
        certain = not self.unknown_key and not self.graph.doubt.lacks_node
        return _union(self.symbols.key(key) for key in (self._unassigned if certain else self.misspelled))

    @cached_property
    def undeclared(self) -> int:
        """The mask of the inputs that are read but not declared, if `config_schema` lists the inputs."""
        declared = declared_inputs(self.graph)
        if not declared.closed:
            return 0
        return _union(bit for name, bit in self.symbols.inputs.items() if name not in declared.names)

    @cached_property
    def misspelled(self) -> Mapping[str, str]:
        """Keys that are read but never assigned, each with the key that was probably meant.

        That is the nearest name, or one that was written with its namespace (`assign: {state.total: …}`).
        """
        legal = self.all_keys | RUNTIME_KEYS
        guesses = Guesses()
        meant = {
            key: full
            if (full := f"state.{key}") in legal
            else guesses.nearest(key, legal) or cut_short(key, self._unread_keys)
            for key in self._unassigned
        }
        return {key: name for key, name in meant.items() if name is not None}

    @cached_property
    def _unread_keys(self) -> tuple[str, ...]:
        """The keys that nodes assign, and that nothing reads under their own names."""
        read = self.hook_reads
        for usage in self.usage.values():
            read |= usage.read
        return tuple(key for key in self.writers if not self.symbols.key(key) & read)

    @cached_property
    def _set(self) -> frozenset[int]:
        """The bits of all assigned keys, each once."""
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
        """Keys that some node reads while they may be unassigned, with or without a fallback."""
        mask = _union(usage.read & ~self.definite(name) for name, usage in self.usage.items() if usage.read >= 0)
        return frozenset(self.symbols.keys_in(mask & self.assigned_anywhere))

    def definite(self, name: str) -> int:
        """The mask of what is definitely assigned, or proved present, when node `name` begins."""
        return self._definite.get(name, EVERYTHING)

    def possible(self, name: str) -> int:
        """The mask of what may be assigned when node `name` begins, including by earlier items of its own loop."""
        if self.flow.uncertain or name not in self._possible:
            return EVERYTHING
        node = self.graph.nodes[name]
        return self._possible[name] | (self.usage[name].assigned if isinstance(node, ir.ForeachNode) else 0)

    def is_definite(self, name: str, key: str) -> bool:
        """Whether `state.<key>` is definitely assigned when node `name` begins. Cheap enough to ask often."""
        return bool(self.definite(name) & self.symbols.key(key))

    def definite_in(self, name: str) -> frozenset[str]:
        """The keys that are definitely assigned when node `name` begins; all of them if no run reaches it."""
        return frozenset(self.symbols.keys_in(self.definite(name) & self._assignable))

    def possible_in(self, name: str) -> frozenset[str]:
        """The keys that may be assigned when node `name` begins."""
        return frozenset(self.symbols.keys_in(self.possible(name) & self._assignable))

    @cached_property
    def definite_at_completion(self) -> frozenset[str]:
        """The keys that exist whenever a run ends as completed."""
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
        return frozenset(self.symbols.keys_in(common & self._assignable))

    @cached_property
    def cut_off(self) -> frozenset[str]:
        """The nodes before which a limit can end the run as completed."""
        flow = self.flow
        if self.graph.settings.on_max_steps == "fail" or (
            not flow.loops and self.graph.settings.max_steps >= len(flow.order)
        ):
            return frozenset()
        return frozenset(name for name in flow.order if name != self.graph.start or flow.predecessors(name))

    def route(self, name: str, mask: int, handled: frozenset[str] = frozenset()) -> tuple[Hop, ...]:
        """A path from the start to `name` that neither assigns nor proves present anything in `mask`; empty if there
        is none.

        Of all such paths it is one with the fewest failures, and of those a shortest one. On it, no node in `handled`
        fails under `on_error: continue`.
        """
        return () if self._initial & mask else self._witnesses.find(name, mask, handled)

    def leading_to(self, key: str) -> frozenset[str]:
        """The nodes that assign `key`, and those from which a run can reach one."""
        return self._witnesses.leading_to([node.name for node in self.writers.get(key, ())])

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
        """Whether a foreach has collected whenever it is left, even by a failure."""
        if not isinstance(node, ir.ForeachNode) or node.collect is None:
            return False
        survives = node.on_error is not None or self.graph.settings.on_error == "continue"
        return not survives or self._collects(node)

    def taken(self, name: str) -> Sequence[Transition]:
        """The transitions that a run can take out of a node."""
        transitions, node = self.flow.transitions(name), self.graph.nodes[name]
        if self._is_dead is None or len(node.edges) < 2:
            return transitions
        return [
            each
            for each in transitions  # after a failure, a failing condition is skipped, so a later edge can match
            if each.edge is None or each.kind is TransitionKind.CONTINUE or not self._is_dead(node, each.edge)
        ]

    # --- fixpoints -------------------------------------------------------------------------------------------

    @cached_property
    def _definite(self) -> dict[str, int]:
        return self._solve(surely=True)

    @cached_property
    def _possible(self) -> dict[str, int]:
        return self._solve(surely=False)

    def _solve(self, *, surely: bool) -> dict[str, int]:
        """The masks at the entry of each reachable node."""
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
        from graphwright.analysis.witness import Witnesses  # only needed to phrase a finding

        return Witnesses(self.graph.start, self.steps, self._definite, self._possible)

    @cached_property
    def _assignable(self) -> int:
        return self.assigned_anywhere | self._error


def _union(masks: Iterable[int]) -> int:
    union = 0
    for mask in masks:
        union |= mask
    return union
