"""State keys and inputs as bits of an integer, so that sets of them are combined in one machine operation, and what
each node reads and assigns, in that order: the common basis of the dataflow analyses.

All analyses of a graph share one `Symbols`. A key gets its bit when it is first read or assigned; a mask is a set of
bits. Reading all of `state` is the mask `EVERYTHING` (the inputs are part of the state), reading all of `inputs` the
bit `ALL_INPUTS`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from graphwright import ir
from graphwright.expr.nodes import Segment
from graphwright.ir import visit
from graphwright.pattern import pattern
from graphwright.record import Record

#: Every bit there will ever be.
EVERYTHING: Final = -1

#: `${inputs}`.
ALL_INPUTS: Final = 1

_NAME: Final = pattern(r"[^\W\d][\w-]*")

#: The namespaces that hooks and nodes have in common.
_IN_EVENTS: Final = {"state": ir.Root.STATE, "inputs": ir.Root.INPUTS}


def resolve(read: ir.Read) -> tuple[ir.Root, tuple[Segment, ...]]:
    """The namespace and the path below it; a hook reads `state` and `inputs` from the event's context."""
    root, path = read.root, read.path
    if root is ir.Root.EVENT and path and path[0] in _IN_EVENTS:
        root, path = _IN_EVENTS[str(path[0])], path[1:]
        if root is ir.Root.STATE and path[:1] == ("inputs",):
            return ir.Root.INPUTS, path[1:]
    return root, path


def names_in(written: str) -> list[str]:
    """The names of a path as written, to guess what a faulty one means."""
    return _NAME.findall(written)


class Symbols:
    """The bits of one graph's state keys and inputs."""

    def __init__(self) -> None:
        self._state: dict[str, int] = {}
        self._inputs: dict[str, int] = {}
        self._key_of: list[str | None] = [None]  # the state key of a bit's number, None for an input
        self.meant: dict[int, int] = {}  # of misspelled keys (GW301): the bit of the key that was probably meant
        self.unknown: list[ir.Read] = []  # paths whose namespace does not exist, in the values visited so far
        self._masks: dict[int, int] = {}  # of shared values, by identity

    def key(self, name: str) -> int:
        """The bit of a state key."""
        bit = self._state.get(name)
        if bit is None:
            bit = self._state[name] = 1 << len(self._key_of)
            self._key_of.append(name)
        return bit

    def input(self, name: str) -> int:
        """The bit of an input."""
        bit = self._inputs.get(name)
        if bit is None:
            bit = self._inputs[name] = 1 << len(self._key_of)
            self._key_of.append(None)
        return bit

    @property
    def keys(self) -> Iterable[str]:
        """Every state key seen so far."""
        return self._state

    @property
    def every_key(self) -> int:
        """The mask of all state keys seen so far."""
        mask = 0
        for bit in self._state.values():
            mask |= bit
        return mask

    @property
    def inputs(self) -> Mapping[str, int]:
        """Every input seen so far, with its bit."""
        return self._inputs

    def keys_in(self, mask: int) -> Iterator[str]:
        """The state keys of a mask, in the order in which they were first seen."""
        mask &= (1 << len(self._key_of)) - 1
        while mask:
            lowest = mask & -mask
            mask ^= lowest
            key = self._key_of[lowest.bit_length() - 1]
            if key is not None:
                yield key

    def read(self, read: ir.Read) -> int:
        """What a path reads: one key or input, a whole namespace, or nothing."""
        root, path = resolve(read)
        if root is ir.Root.STATE:
            return self.key(str(path[0])) if path else EVERYTHING
        if root is ir.Root.INPUTS:
            return self.input(str(path[0])) if path else ALL_INPUTS
        if root is ir.Root.UNKNOWN:
            self.unknown.append(read)
        return 0

    def reads(self, value: ir.Value) -> int:
        """Everything that a value reads. Values of equal templates are shared, and each is visited once."""
        match value:
            case ir.Template(value=inner):
                mask = self._masks.get(id(inner))
                if mask is None:
                    mask = self._masks[id(inner)] = self.reads(inner)
                return mask
            case ir.Const():
                return 0
            case ir.Read():
                return self.read(value)
            case _:
                mask = 0
                for child in visit.children(value):
                    mask |= self.reads(child)
                return mask

    def condition_reads(self, condition: ir.Condition) -> int:
        """Everything that a condition reads."""
        mask = 0
        for compare in visit.comparisons(condition):
            mask |= self.read(compare.left) | self.reads(compare.right)
        return mask


class Usage(Record):
    """One node's accesses as masks.

    `early`: read by the action, by `over` or by a return's output, before anything is assigned. `assigns`: the keys
    that each entry reads and the key that it sets, in order. `collect`: the key that a foreach collects into, `kept`:
    the same if it is set even when the node fails, which requires that `over` is a list. `routing`: read by the
    conditions of its edges. `assigned`: the keys that `assign` sets; `read`: all keys that are read.
    """

    early: int
    assigns: tuple[tuple[int, int], ...]
    collect: int
    kept: int
    routing: int
    assigned: int
    read: int


def usage_of(node: ir.Node, symbols: Symbols, *, has_list: bool) -> Usage:
    """The accesses of one node; `has_list`: the `over` of a foreach is surely a list."""
    early = routing = assigned = collect = 0
    for _, value, _ in visit.operands(node):
        early |= symbols.reads(value)
    if isinstance(node, ir.ForeachNode) and node.collect is not None:
        collect = symbols.key(node.collect)
    assigns = tuple([(symbols.reads(entry.value), symbols.key(entry.key)) for entry in node.assigns])
    for condition in visit.conditions(node):
        routing |= symbols.condition_reads(condition)
    read = early | routing
    for reads, bit in assigns:
        read |= reads
        assigned |= bit
    return Usage(early, assigns, collect, collect if has_list else 0, routing, assigned, read)


def hook_reads(graph: ir.Graph, symbols: Symbols) -> int:
    """The reads of hooks, which can run at any time, and of what remains of faulty parts; both apply everywhere."""
    mask = 0
    for read in graph.doubt.reads:
        mask |= symbols.read(read)
    for hook in graph.all_hooks:
        mask |= symbols.condition_reads(hook.when) if hook.when is not None else 0
        if isinstance(hook.action, ir.Action):
            mask |= symbols.reads(hook.action.item_id) | symbols.reads(hook.action.params)
    return mask
