"""Which assignments nobody reads.

Backwards over the ways of `flow.py`, two questions about each key at each point: can it be read from here before it
is assigned again, and can the run end from here without its being assigned again? An assignment that nobody reads
is *overwritten* where every way assigns the key again, and *unread* where some way ends with it.

Hooks run at times that no path tells, so what they read is read everywhere; so is what a path without a namespace
seems to mean, and what unreachable nodes read: each of those is a complaint of its own.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from functools import cached_property

from graphwright import ir
from graphwright.analysis.assignment import Assignment
from graphwright.analysis.fixpoint import Worklist
from graphwright.analysis.flow import WayKind
from graphwright.analysis.symbols import EVERYTHING, Usage, names_in
from graphwright.ir import visit
from graphwright.record import Record
from graphwright.suggest import Guesses, nearest


class Unread(Record):
    """An assignment whose value nobody reads: of `entry`, or where that is None of the node's `collect`.

    `overwritten_by`: the nodes that assign the key again, where all ways do; else empty.
    """

    node: ir.Node
    key: str
    entry: ir.Assign | None
    overwritten_by: tuple[str, ...]


class _After(Record):
    """What can happen from a point on: keys that can be read, keys that the end can find as they are now."""

    read: int
    kept: int

    def __or__(self, other: object) -> _After:
        if not isinstance(other, _After):
            return NotImplemented
        return _After(self.read | other.read, self.kept | other.kept)

    def before(self, reads: int, sets: int = 0) -> _After:
        """The same, seen from before an access that reads and then sets something."""
        return _After(self.read & ~sets | reads, self.kept & ~sets)


class _Exits(Record):
    """What can happen from the end of a node on."""

    succeeded: _After
    failed: _After


#: Keys in doubt among which a misspelled one is looked for.
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
        """Every assignment in a reachable node that nobody reads, in the order of the file."""
        exits = self._exits
        return tuple(
            found
            for node in self._graph.nodes.values()
            if node.name in exits and node.name in self._flow.ending  # what a run never leaves is GW208
            for found in self._unread_in(node, self._assignment.usage[node.name], exits[node.name])
        )

    @cached_property
    def exposed(self) -> bool:
        """Whether some end of the run hands out the whole state."""
        return self._graph.settings.on_max_steps != "fail" or any(
            self._flow.may_complete(name) and visit.output(self._graph.nodes[name]) is None for name in self._flow.order
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
        """The mask of what is read at times or for reasons that the flow does not tell."""
        mask = self._assignment.hook_reads
        for key in self._mentioned():
            mask |= self._symbols.key(key)
        reached = frozenset(self._flow.order)
        for name, usage in self._assignment.usage.items():
            mask |= usage.read if name not in reached else 0
        return mask | self._meant(mask)

    def _mentioned(self) -> Iterator[str]:
        """The keys that paths without a namespace seem to mean: by name, or as what a loop collects."""
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
        """What can happen on a way of which nobody knows where it leads: whatever some node does."""
        read = 0
        for usage in self._assignment.usage.values():
            read |= usage.read
        return _After(read | self._meant(read), EVERYTHING)

    # --- backwards -------------------------------------------------------------------------------------------

    @cached_property
    def _exits(self) -> dict[str, _Exits]:
        """What can happen from the end of each reachable node on."""
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
        """From the end of a node on, given what can happen from the beginning of its successors on."""
        usage = self._assignment.usage[name]
        routing = usage.routing | self._meant(usage.routing)
        read, kept, failed = 0, 0, _NOTHING
        for way in self._flow.ways(name):
            behind = entry[way.target] if way.target is not None else _END if way.known else self._anywhere
            if way.kind is WayKind.ERROR:
                failed |= behind
            elif way.kind is WayKind.CONTINUE:
                failed |= behind.before(routing)
            else:
                read |= behind.read
                kept |= behind.kept
        return _Exits(_After(read | routing, kept), failed)

    def _through(self, name: str, exits: _Exits) -> _After:
        """From the beginning of a node on."""
        usage = self._assignment.usage[name]
        early = usage.early | self._meant(usage.early)
        if isinstance(self._graph.nodes[name], ir.ForeachNode):  # nothing is assigned where the list is empty
            after = exits.succeeded.before(0, self._known(usage.collect)) | self._items(usage, exits)
        else:
            after = self._assigning(usage, exits.succeeded)[0]
        if exits.failed is not _NOTHING:
            after |= exits.failed.before(0, self._known(usage.kept))
        after = after.before(early)
        return after | _CUT_OFF if name in self._assignment.cut_off else after

    def _items(self, usage: Usage, exits: _Exits) -> _After:
        """From the beginning of an item of a loop on; another item may follow each, and a later one may fail."""
        behind = self._behind_items(usage, exits)
        item = _NOTHING
        for _ in range(2):  # reads and assigns of the second round change nothing any more
            item = self._assigning(usage, behind | item)[0].before(usage.early | self._meant(usage.early))
        return item

    def _behind_items(self, usage: Usage, exits: _Exits) -> _After:
        """From behind the last item of a loop on: what items assigned stays when another one fails."""
        return exits.succeeded.before(0, self._known(usage.collect)) | exits.failed.before(0, self._known(usage.kept))

    def _assigning(self, usage: Usage, after: _After) -> tuple[_After, list[_After]]:
        """From before the assigns of a node on, and from behind each of them, in reverse order."""
        behind = []
        for reads, bit in reversed(usage.assigns):
            behind.append(after)
            after = after.before(reads | self._meant(reads), self._known(bit))
        return after, behind

    def _unread_in(self, node: ir.Node, usage: Usage, exits: _Exits) -> Iterator[Unread]:
        behind = exits.succeeded
        if isinstance(node, ir.ForeachNode):
            behind = self._behind_items(usage, exits) | self._items(usage, exits)
        elif not usage.assigned & ~(behind.read | self.everywhere):
            return
        points = reversed(self._assigning(usage, behind)[1])
        for entry, (_, bit), after in zip(node.assigns, usage.assigns, points, strict=True):
            yield from self._judge(node, entry.key, bit, entry, after)
        if isinstance(node, ir.ForeachNode) and node.collect is not None:
            yield from self._judge(node, node.collect, usage.collect, None, exits.succeeded | exits.failed)

    def _judge(self, node: ir.Node, key: str, bit: int, entry: ir.Assign | None, after: _After) -> Iterator[Unread]:
        if not bit & (self._assignment.unknown_key | after.read | self.everywhere):
            yield Unread(node, key, entry, () if bit & after.kept else self._overwriters(node.name, bit))

    def _overwriters(self, name: str, bit: int) -> tuple[str, ...]:
        """The nodes behind `name` that assign a key next."""
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
        """The keys that are surely set; none where nobody can tell which, for that keeps no other from being read."""
        return 0 if keys & self._assignment.unknown_key else keys

    def _meant(self, reads: int) -> int:
        """The keys that misspelled ones among `reads` seem to mean."""
        misspelt = reads & self._misspelt_mask
        if not misspelt:
            return 0
        mask = 0
        for key in self._symbols.keys_in(misspelt):
            mask |= self._symbols.key(self._assignment.misspelt[key])
        return mask

    @cached_property
    def _misspelt_mask(self) -> int:
        mask = 0
        for key in self._assignment.misspelt:
            mask |= self._symbols.key(key)
        return mask
