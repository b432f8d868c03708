"""Finds the uses of values that may be null because a tool declares them as nullable.

A forward may analysis over the steps of `assignment.py`: an `assign` of such a value makes its key nullable; a
condition that proves that it is not null, or any other assignment, ends that. Only nulls in contracts are followed:
other analyses find keys that may be unassigned and fields that may be missing. A result with a flag or a status that a
condition tests is in doubt as a whole: that may tell what is null.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import Final

from graphwright import ir
from graphwright.analysis.assignment import Assignment
from graphwright.analysis.declared_nulls import is_telling, types_along
from graphwright.analysis.fixpoint import Worklist
from graphwright.analysis.jsontype import Type
from graphwright.analysis.narrowing import is_null_check
from graphwright.analysis.reads import Use, edge_uses, value_uses
from graphwright.analysis.steps import steps_of
from graphwright.analysis.stored import Path, counted, part, path_of, plain, state_path
from graphwright.analysis.symbols import Symbols, Usage, resolve
from graphwright.ir import visit

#: The longest path that is followed through copies of keys.
_LONGEST: Final = 8
_NOTHING: Final = Usage(0, (), 0, 0, 0, 0, 0)


class Nullable:
    """Which of the given paths below `state` may hold a null that the contract of a tool declares.

    `declared` returns the result type of the tool that a node calls, None if it is unknown. Each path, and each that
    leads to it, has a bit in masks: it may itself be null, if what leads to it is not.
    """

    def __init__(
        self, assignment: Assignment, paths: Sequence[Path], declared: Callable[[ir.Node], Type | None]
    ) -> None:
        self._assignment = assignment
        self._declared = declared
        self._bits = {path: 1 << number for number, path in enumerate(self._closed(paths))}
        self._of_key: dict[str, list[tuple[Path, int]]] = {}
        for path, bit in self._bits.items():
            self._of_key.setdefault(str(path[0]), []).append((path, bit))
        self._entry: Mapping[str, int] | None = None
        self._doubts: dict[str, bool] = {}

    def may_be_null(self, node: ir.Node, read: ir.Read) -> bool:
        """Whether what is read may be such a null when a node begins, or at a later item of its loop."""
        path = state_path(node, read)
        return path is not None and bool(self._before(node) & self._along(path, read))

    def careless(self, node: ir.Node, is_wanted: Callable[[ir.Node, Use], bool]) -> Iterator[Use]:
        """The uses in a node at which such a null may be read, without a test or a fallback before it.

        The paths below `state` of these uses must be among the given ones.
        """
        states = [self._before(node)]
        for entry in node.assigns:
            states.append(self._assigned(node, entry, states[-1]))
        returned = [path_of(use.read) for _, use in uses_in(node) if use.read.root is ir.Root.RESULT]
        ways = dict.fromkeys(prefix for path in returned for prefix in _prefixes(path))
        of_result = {path: 1 << number for number, path in enumerate(ways, len(self._bits))}
        from_result = self._from_result(node)
        known = {path: bit | from_result.get(path, 0) for path, bit in of_result.items()}
        symbols = _Paths(self._bits, known, self._counts)
        for number, use in uses_in(node, symbols):
            if use.provided or use.instead or not is_wanted(node, use):
                continue
            path, below = path_of(use.read), state_path(node, use.read)
            if use.read.root is ir.Root.RESULT:
                nulls = sum({of_result[null or path[:1]] for null in self._nulls(node, path)})
            else:
                nulls = 0 if below is None else states[number] & self._along(below, use.read)
            if nulls & ~use.known:
                yield use

    def origins(self, path: Path) -> Iterator[ir.Assign]:
        """The assigns, in file order, that store a value that may be null at the path."""
        for node in self._assignment.writers.get(str(path[0]), ()):
            for entry in node.assigns:
                if entry.key == path[0] and any(self._is_source(node, entry, way[1:]) for way in _prefixes(path)):
                    yield entry

    def _along(self, path: Path, read: ir.Read | None = None) -> int:
        """The bits of a path and of those that lead to it; for an item of a loop, only those in the list."""
        start = len(path) - len(read.path) - 1 if read is not None and read.root is ir.Root.ITEM else 0
        return sum(self._bits.get(prefix, 0) for prefix in _prefixes(path)[start:])

    def _closed(self, paths: Sequence[Path]) -> list[Path]:
        """The paths, those that lead to them, and those that they are copied from."""
        found = [prefix for path in paths for prefix in _prefixes(path)]
        seen: set[Path] = set()
        for path in found:  # # grows during the loop
            if path in seen:
                continue
            seen.add(path)
            for node in self._assignment.writers.get(str(path[0]), ()):
                for entry in node.assigns:
                    read, rest = part(entry.value, path[1:]) if entry.key == path[0] else (None, ())
                    if read is not None and read.root is ir.Root.STATE and len(read.path) + len(path) <= _LONGEST:
                        found += _prefixes((*path_of(read), *rest))
        return list(dict.fromkeys(found))

    def _is_source(self, node: ir.Node, entry: ir.Assign, below: Path) -> bool:
        """Whether an assign may store a null of the result at a path below its key, or at the key itself."""
        read, rest = part(entry.value, below)
        if read is None or read.root is not ir.Root.RESULT:
            return False
        path = (*path_of(read), *rest)
        nulls = self._nulls(node, path)
        return path in nulls if rest else bool(nulls)

    def _nulls(self, node: ir.Node, path: Path) -> list[Path]:
        """The declared nulls on the way to a path in the result of a node, from the whole result on."""
        returned = self._declared(node)
        if returned is None or self._is_in_doubt(node, returned):
            return []
        types = types_along(returned, path)
        return [path[:length] for length, found in enumerate(types) if found.known and found.nullable]

    def _is_in_doubt(self, node: ir.Node, returned: Type) -> bool:
        """Whether a condition tests a flag or a status of the result."""
        if node.name not in self._doubts:
            tested = [each.left for each in _tests(node)]
            tested += [read for entry in node.assigns if entry.key in self._compared and (read := plain(entry.value))]
            counts = [counted(entry.value) for entry in node.assigns if entry.key in self._compared]
            self._doubts[node.name] = any(each.root is ir.Root.RESULT for each in counts if each is not None) or any(
                is_telling(returned, path_of(read)) for read in tested if read.root is ir.Root.RESULT
            )
        return self._doubts[node.name]

    @cached_property
    def _counts(self) -> Mapping[str, list[Path]]:
        """The keys that are null if paths below `state` are, such as their lengths, with these paths."""
        found: dict[str, list[Path]] = {}
        for nodes in self._assignment.writers.values():
            for entry in (entry for node in nodes for entry in node.assigns):
                read = counted(entry.value)
                if read is not None and read.root is ir.Root.STATE:
                    found.setdefault(entry.key, []).append(path_of(read))
        return found

    @cached_property
    def _compared(self) -> frozenset[str]:
        """The keys of the state that conditions compare."""
        lefts = (each.left for node in self._assignment.graph.nodes.values() for each in _tests(node))
        return frozenset(str(left.path[0]) for left in lefts if left.root is ir.Root.STATE and left.path)

    def _before(self, node: ir.Node) -> int:
        """The nullable paths when a node begins, or at a later item of its loop."""
        if self._entry is None:
            self._entry = self._solved()
        mask = self._entry.get(node.name, 0)
        return mask | self._after(node, mask) if isinstance(node, ir.ForeachNode) else mask

    def _after(self, node: ir.Node, mask: int) -> int:
        """The nullable paths after the assigns of a node, in order."""
        for entry in node.assigns:
            mask = self._assigned(node, entry, mask)
        return mask

    def _assigned(self, node: ir.Node, entry: ir.Assign, before: int) -> int:
        """The nullable paths after one assign."""
        mask = before
        for path, bit in self._of_key.get(entry.key, ()):
            read, rest = part(entry.value, path[1:])
            if read is None or read.root is not ir.Root.STATE:
                copies = False
            elif rest:
                copies = bool(before & self._bits.get((*path_of(read), *rest), 0))
            else:
                copies = bool(before & self._along(path_of(read)))
            mask = mask | bit if copies or self._is_source(node, entry, path[1:]) else mask & ~bit
        return mask

    def _solved(self) -> dict[str, int]:
        """The nullable paths at the entry of each reachable node."""
        assignment, order = self._assignment, self._assignment.flow.order
        position = {name: number for number, name in enumerate(order)}
        entry = {order[0]: 0} if order else {}
        changes = {name: self._changes(assignment.graph.nodes[name]) for name in order}
        waiting = Worklist(range(min(1, len(order))))
        while waiting:
            name = order[waiting.take()]
            node, mask = assignment.graph.nodes[name], entry[name]
            after = self._after(node, mask)
            for target, replaced, touched, present in changes[name]:
                found = (mask & ~replaced | after & touched) & ~present
                known = entry.get(target)
                if known is None or found & ~known:
                    entry[target] = (known or 0) | found
                    waiting.add(position[target])
        return entry

    def _changes(self, node: ir.Node) -> list[tuple[str, int, int, int]]:
        """For each step to another node: the node, and the paths that it always sets, may set, and proves not null."""
        steps = self._assignment.steps[node.name]
        symbols = _Paths(self._bits, self._from_result(node), self._counts)
        proving = steps_of(node, _NOTHING, self._assignment.taken(node.name), symbols)
        return [
            (step.target, self._below(node, step.replaced), self._below(node, step.touched), proved.surely)
            for step, proved in zip(steps, proving, strict=True)
            if step.target is not None
        ]

    def _below(self, node: ir.Node, keys: int) -> int:
        """The paths below those of the given keys that a node sets."""
        key = self._assignment.symbols.key
        names = {entry.key for entry in node.assigns}
        return sum(bit for name in names if keys & key(name) for _, bit in self._of_key.get(name, ()))

    def _from_result(self, node: ir.Node) -> dict[Path, int]:
        """The paths of the result that a node assigns, each with the paths assigned from it."""
        found: dict[Path, int] = {}
        for entry in node.assigns:
            for path, bit in self._of_key.get(entry.key, ()):
                read, rest = part(entry.value, path[1:])
                if read is not None and read.root is ir.Root.RESULT:
                    origin = path_of(read)
                    nulls = [] if rest else self._nulls(node, origin)
                    source = (nulls[-1] or origin[:1]) if nulls else (*origin, *rest)
                    found[source] = found.get(source, 0) | bit
        return found


def uses_in(node: ir.Node, symbols: Symbols | None = None) -> Iterator[tuple[int, Use]]:
    """The uses in a node if it succeeds, each with the number of assigns before it; `symbols` are for what conditions
    prove."""
    for role, value, _ in visit.operands(node):
        yield from ((0, use) for use in value_uses(value, role))
    for number, entry in enumerate(node.assigns):
        yield from ((number, use) for use in value_uses(entry.value, visit.Role.ASSIGN))
    yield from ((len(node.assigns), use) for use in edge_uses(node, symbols or Symbols(), 0, failed=False))


class _Paths(Symbols):
    """Reading a path proves that it, every path that leads to it, and what it counts (`counts`) exists."""

    def __init__(
        self, state: Mapping[Path, int], result: Mapping[Path, int], counts: Mapping[str, Sequence[Path]]
    ) -> None:
        super().__init__()
        self._by_root = {ir.Root.STATE: state, ir.Root.RESULT: result}
        self._counts = counts

    def key(self, _name: str) -> int:
        """Keys have no bit."""
        return 0

    def read(self, read: ir.Read) -> int:
        """The mask of the known paths that are prefixes of the read path."""
        root, segments = resolve(read)
        path = tuple(map(str, segments))
        paths = [path, *self._counts.get(path[0], ())] if root is ir.Root.STATE and path else [path]
        known = self._by_root.get(root, {})
        return sum(bit for way, bit in known.items() if any(each[: len(way)] == way for each in paths))


def _prefixes(path: Path) -> list[Path]:
    """The paths that lead to a path, and itself."""
    return [path[:length] for length in range(1, len(path) + 1)]


def _tests(node: ir.Node) -> Iterator[ir.Compare]:
    """The comparisons with constants on the edges of a node that do not just ask about null."""
    found = (compare for compare in visit.node_comparisons(node) if isinstance(compare.right, ir.Const))
    return (compare for compare in found if not is_null_check(compare))
