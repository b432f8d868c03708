"""Finds the uses of values that may be null because a tool declares them as nullable.

A forward may analysis over the steps of `assignment.py`: an `assign` of such a value makes its key nullable; a
condition that proves that it is not null, or any other assignment, ends that. Only nulls in contracts are followed:
other analyses find keys that may be unassigned and fields that may be missing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Final, TypeAlias

from graphwright import ir
from graphwright.analysis.assignment import Assignment
from graphwright.analysis.fixpoint import Worklist
from graphwright.analysis.jsontype import Type
from graphwright.analysis.reads import Use, edge_uses, value_uses
from graphwright.analysis.steps import steps_of
from graphwright.analysis.symbols import Symbols, Usage, resolve
from graphwright.analysis.tools import unwrapped
from graphwright.expr.nodes import Segment
from graphwright.ir import visit

#: A path below `state`; the first segment is the key.
Path: TypeAlias = tuple[Segment, ...]

#: The longest path that is followed through copies of keys.
_LONGEST: Final = 8
_NOTHING: Final = Usage(0, (), 0, 0, 0, 0, 0)


class Nullable:
    """Which of the given paths below `state` may hold a null that the contract of a tool declares.

    `declared` returns the result type of the tool that a node calls, None if it is unknown.
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

    def may_be_null(self, node: ir.Node, path: Path) -> bool:
        """Whether a path may hold such a null when a node begins, or at a later item of its loop."""
        return bool(self._before(node) & self._bits[path])

    def careless(self, node: ir.Node, is_wanted: Callable[[Use], bool]) -> Iterator[Use]:
        """The uses in a node at which such a null may be read, without a test or a fallback before it.

        The paths below `state` of these uses must be among the given ones.
        """
        states = [self._before(node)]
        for entry in node.assigns:
            states.append(self._assigned(node, entry, states[-1]))
        of_result = dict.fromkeys(use.read.path for _, use in uses_in(node) if use.read.root is ir.Root.RESULT)
        bits = {path: 1 << number for number, path in enumerate(of_result, len(self._bits))}
        for path, bit in self._from_result(node).items():
            bits[path] = bits.get(path, 0) | bit
        symbols = _Paths(self._bits, bits)
        for number, use in uses_in(node, symbols):
            if use.provided or use.instead or not is_wanted(use):
                continue
            path = use.read.path
            if use.read.root is ir.Root.RESULT:
                is_null, bit = self._may_return_null(node, path), bits.get(path, 0)
            else:
                bit = self._bits.get(path, 0)
                is_null = use.read.root is ir.Root.STATE and bool(states[number] & bit)
            if is_null and not bit & use.known:
                yield use

    def origins(self, path: Path) -> Iterator[ir.Assign]:
        """The assigns, in file order, that store a value that may be null at the path."""
        for node in self._assignment.writers.get(str(path[0]), ()):
            for entry in node.assigns:
                if entry.key == path[0] and self._is_source(node, entry, path[1:]):
                    yield entry

    def _closed(self, paths: Sequence[Path]) -> list[Path]:
        """The paths, and those that they are copied from."""
        found = list(paths)
        seen: set[Path] = set()
        for path in found:  # # grows during the loop
            if path in seen:
                continue
            seen.add(path)
            for node in self._assignment.writers.get(str(path[0]), ()):
                for entry in node.assigns:
                    copied = _copied(entry.value) if entry.key == path[0] else None
                    if copied is not None and len(copied) + len(path) <= _LONGEST:
                        found.append((*copied, *path[1:]))
        return list(dict.fromkeys(found))

    def _is_source(self, node: ir.Node, entry: ir.Assign, below: Path) -> bool:
        read = _plain(entry.value)
        if read is None or read.root is not ir.Root.RESULT:
            return False
        return self._may_return_null(node, (*read.path, *below))

    def _may_return_null(self, node: ir.Node, path: Path) -> bool:
        returned = self._declared(node)
        return returned is not None and _is_declared_null(returned, path)

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
        read, mask = _copied(entry.value), before
        for path, bit in self._of_key.get(entry.key, ()):
            copies = read is not None and bool(before & self._bits.get((*read, *path[1:]), 0))
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
        symbols = _Paths(self._bits, self._from_result(node))
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
            read = _plain(entry.value)
            if read is not None and read.root is ir.Root.RESULT:
                for path, bit in self._of_key.get(entry.key, ()):
                    source = (*read.path, *path[1:])
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
    """Reading a path proves that it, and every path that leads to it, exists."""

    def __init__(self, state: Mapping[Path, int], result: Mapping[Path, int]) -> None:
        super().__init__()
        self._by_root = {ir.Root.STATE: state, ir.Root.RESULT: result}

    def key(self, _name: str) -> int:
        """Keys have no bit."""
        return 0

    def read(self, read: ir.Read) -> int:
        """The mask of the known paths that are prefixes of the read path."""
        root, path = resolve(read)
        return sum(bit for known, bit in self._by_root.get(root, {}).items() if path[: len(known)] == known)


def has_null(returned: Type) -> bool:
    """Whether a type allows null, or has a part that does."""
    if not returned.known:
        return False
    parts = [field.type for _, field in returned.fields]
    return returned.nullable or any(map(has_null, parts if returned.items is None else [*parts, returned.items]))


def _plain(value: ir.Value) -> ir.Read | None:
    """The path, if the value is just that; otherwise None."""
    inner = value.value if isinstance(value, ir.Template) else value
    return inner if isinstance(inner, ir.Read) else None


def _copied(value: ir.Value) -> Path | None:
    """The path below `state`, if the value is just that; otherwise None."""
    read = _plain(value)
    return read.path if read is not None and read.root is ir.Root.STATE and read.path else None


def _is_declared_null(returned: Type, path: Path) -> bool:
    """Whether a result is declared to allow null at a path, or at one that leads to it."""
    found = returned
    if path and found.known and found.nullable:
        return True
    found = unwrapped(found)
    for segment in path:
        field = found.field(str(segment)) if "object" in found.kinds else None
        if field is not None:
            found = field.type
        elif "array" in found.kinds and str(segment).lstrip("-").isdecimal():
            found = found.item
        else:
            return False
        if not found.known or found.nullable:
            return found.known
    return False
