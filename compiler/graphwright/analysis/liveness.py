"""Which assignments are never read.

A backward analysis over the transitions of `flow.py` with two questions about each key at each point: can it be read
from here before it is assigned again, and can the run end from here without assigning it again? An assignment that is
never read is *overwritten* if every path assigns the key again, and *unread* if some path ends with it.

Hooks run at any time, so what they read is read everywhere. The same goes for what a path without a namespace probably
means and for what unreachable nodes read: each of those is reported separately.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from functools import cached_property

from graphwright import ir
from graphwright.analysis.assignment import Assignment
from graphwright.analysis.fixpoint import Worklist
from graphwright.analysis.flow import TransitionKind
from graphwright.analysis.symbols import EVERYTHING, Usage, names_in
from graphwright.ir import visit
from graphwright.record import Record
from graphwright.suggest import Guesses, nearest


class Unread(Record):
    """An assignment whose value is never read: of `entry`, or the node's `collect` if that is None.

    `overwritten_by`: the nodes that assign the key again, if all paths do; otherwise empty.
    """

    node: ir.Node
    key: str
    entry: ir.Assign | None
    overwritten_by: tuple[str, ...]


class _After(Record):
    """What can happen after a point: keys that may be read, keys that may keep their values until the end."""

    read: int
    kept: int

    def __or__(self, other: object) -> _After:
        if not isinstance(other, _After):
            return NotImplemented
        return _After(self.read | other.read, self.kept | other.kept)

    def before(self, reads: int, sets: int = 0) -> _After:
        """The state before an access that reads and then sets something."""
        return _After(self.read & ~sets | reads, self.kept & ~sets)


class _Exits(Record):
    """What can happen after a node."""

    succeeded: _After
    failed: _After


#: Maximum number of keys among which the correct spelling of an unread one is searched.
_FEW = 50
_NOTHING = _After(0, 0)
_END = _CUT_OFF = _After(0, EVERYTHING)


class Liveness:
    """Liveness of one graph's state keys."""

    def __init__(self, assignment: Assignment) -> None:
        self._assignment = assignment
        self._flow = assignment.flow
        self._symbols = assignment.symbols
        self._graph = assignment.graph

    @cached_property
    def unread(self) -> tuple[Unread, ...]:
        """Every assignment in a reachable node whose value is never read, in the order of the file."""
        exits = self._exits
        return tuple(
            found
            for node in self._graph.nodes.values()
            if node.name in exits and node.name in self._flow.ending  # a run that never ends is GW208
            for found in self._unread_in(node, self._assignment.usage[node.name], exits[node.name])
        )

    @cached_property
    def exposed(self) -> bool:
        """Whether some end of the run returns the whole state."""
        return self._graph.settings.on_max_steps != "fail" or any(
            self._flow.may_complete(name) and visit.output(self._graph.nodes[name]) is None
            for name in self._flow.reachable
        )

    def meant(self, key: str) -> str | None:
        """A key of nearly the same name that was probably meant by an unread one: the other half of a misspelling.

        It is read where it may be unassigned, or it begins in `config.state` and no node ever assigns it.
        """
        never_set = (name for name in self._graph.state if name not in self._assignment.writers)
        doubtful = {*self._assignment.in_doubt, *never_set} - {key}
        return nearest(key, doubtful) if len(doubtful) <= _FEW else None

    @cached_property
    def everywhere(self) -> int:
        """The mask of what is read at unknown times or for unknown reasons."""
        mask = self._assignment.hook_reads
        for key in self._mentioned():
            mask |= self._symbols.key(key)
        reached = frozenset(self._flow.order)
        for name, usage in self._assignment.usage.items():
            mask |= usage.read if name not in reached else 0
        return mask | self._meant(mask)

    def _mentioned(self) -> Iterator[str]:
        """The keys that paths without a namespace probably mean: by name, or as what a loop collects."""
        keys = self._assignment.all_keys
        collected = {
            node.variable: node.collect for node in visit.nodes(self._graph.body) if isinstance(node, ir.ForeachNode)
        }
        guesses = Guesses()
        for name in dict.fromkeys(name for read in self._symbols.unknown for name in names_in(read.written)):
            meant = name if name in keys else collected.get(name) or guesses.nearest(name, keys)
            if meant is not None:
                yield meant

    @cached_property
    def _anywhere(self) -> _After:
        """What can happen after a transition with an unknown target: whatever some node does."""
        read = 0
        for usage in self._assignment.usage.values():
            read |= usage.read
        return _After(read | self._meant(read), EVERYTHING)

    # --- backwards -------------------------------------------------------------------------------------------

    @cached_property
    def _exits(self) -> dict[str, _Exits]:
        """What can happen after each reachable node."""
        order = self._flow.order[::-1]
        position = {name: number for number, name in enumerate(order)}
        entry = dict.fromkeys(order, _NOTHING)
        exits: dict[str, _Exits] = {}
        waiting = Worklist(range(len(order)))
        while waiting:
            name = order[waiting.take()]
            exits[name] = self._leave(name, entry)
            after = self._through(name, exits[name])
            if after != entry[name]:
                entry[name] = after
                for before in self._flow.predecessors(name):
                    if before in position:
                        waiting.add(position[before])
        return exits

    def _leave(self, name: str, entry: dict[str, _After]) -> _Exits:
        """The state at the end of a node, given the states at the beginning of its successors."""
        usage = self._assignment.usage[name]
        routing = usage.routing | self._meant(usage.routing)
        read, kept, failed = 0, 0, _NOTHING
        for each in self._flow.transitions(name):
            after = entry[each.target] if each.target is not None else _END if each.known else self._anywhere
            if each.kind is TransitionKind.ERROR:
                failed |= after
            elif each.kind is TransitionKind.CONTINUE:
                failed |= after.before(routing)
            else:
                read |= after.read
                kept |= after.kept
        return _Exits(_After(read | routing, kept), failed)

    def _through(self, name: str, exits: _Exits) -> _After:
        """The state at the beginning of a node."""
        usage = self._assignment.usage[name]
        early = usage.early | self._meant(usage.early)
        if isinstance(self._graph.nodes[name], ir.ForeachNode):  # nothing is assigned if the list is empty
            after = exits.succeeded.before(0, self._known(usage.collect)) | self._items(usage, exits)
        else:
            after = self._assigning(usage, exits.succeeded)[0]
        if exits.failed is not _NOTHING:
            after |= exits.failed.before(0, self._known(usage.kept))
        after = after.before(early)
        return after | _CUT_OFF if name in self._assignment.cut_off else after

    def _items(self, usage: Usage, exits: _Exits) -> _After:
        """The state at the beginning of an item of a loop; another item may follow each, and a later one may fail."""
        after = self._after_items(usage, exits)
        item = _NOTHING
        for _ in range(2):  # the second pass changes nothing any more
            item = self._assigning(usage, after | item)[0].before(usage.early | self._meant(usage.early))
        return item

    def _after_items(self, usage: Usage, exits: _Exits) -> _After:
        """The state after the last item of a loop: what items assigned is kept when another one fails."""
        return exits.succeeded.before(0, self._known(usage.collect)) | exits.failed.before(0, self._known(usage.kept))

    def _assigning(self, usage: Usage, after: _After) -> tuple[_After, list[_After]]:
        """The states before the assigns of a node, and after each of them, in reverse order."""
        later = []
        for reads, bit in reversed(usage.assigns):
            later.append(after)
            after = after.before(reads | self._meant(reads), self._known(bit))
        return after, later

    def _unread_in(self, node: ir.Node, usage: Usage, exits: _Exits) -> Iterator[Unread]:
        after = exits.succeeded
        if isinstance(node, ir.ForeachNode):
            after = self._after_items(usage, exits) | self._items(usage, exits)
        elif not usage.assigned & ~(after.read | self.everywhere):
            return
        points = reversed(self._assigning(usage, after)[1])
        for entry, (_, bit), after in zip(node.assigns, usage.assigns, points, strict=True):
            yield from self._judge(node, entry.key, bit, entry, after)
        if isinstance(node, ir.ForeachNode) and node.collect is not None:
            yield from self._judge(node, node.collect, usage.collect, None, exits.succeeded | exits.failed)

    def _judge(self, node: ir.Node, key: str, bit: int, entry: ir.Assign | None, after: _After) -> Iterator[Unread]:
        if not bit & (self._assignment.unknown_key | after.read | self.everywhere):
            yield Unread(node, key, entry, () if bit & after.kept else self._overwriters(node.name, bit))

    def _overwriters(self, name: str, bit: int) -> tuple[str, ...]:
        """The nodes after `name` that assign a key next."""
        found: list[str] = []
        seen: set[str] = set()
        waiting = deque(self._flow.successors(name))
        while waiting:
            current = waiting.popleft()
            if current in seen:
                continue
            seen.add(current)
            usage = self._assignment.usage[current]
            if bit & (self._known(usage.assigned) | self._known(usage.collect)):
                found.append(current)
            else:
                waiting.extend(self._flow.successors(current))
        return tuple(found)

    def _known(self, keys: int) -> int:
        """The keys that are surely set; none if that is unknown."""
        return 0 if keys & self._assignment.unknown_key else keys

    def _meant(self, reads: int) -> int:
        """The keys that misspelled ones among `reads` probably mean."""
        misspelled = reads & self._misspelled_mask
        if not misspelled:
            return 0
        mask = 0
        for key in self._symbols.keys_in(misspelled):
            mask |= self._symbols.key(self._assignment.misspelled[key])
        return mask

    @cached_property
    def _misspelled_mask(self) -> int:
        mask = 0
        for key in self._assignment.misspelled:
            mask |= self._symbols.key(key)
        return mask
