"""Determines which assignments of a state key can reach a read: reaching definitions, a forward problem over the steps
of `assignment.py`.

A definition is an assignment of a key by one node or by `config.state`. Definitions are only distinguished for keys
whose definitions may have different kinds; for other keys, all definitions are one, so most graphs have no extra cost.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Final, TypeAlias

from graphwright import ir
from graphwright.analysis.fixpoint import Worklist
from graphwright.analysis.jsontype import kind_of
from graphwright.analysis.steps import Step
from graphwright.analysis.symbols import Symbols
from graphwright.ir import visit
from graphwright.language.events import RUNTIME_KEYS
from graphwright.model import UNKNOWN_NAME

#: A key, and the node that sets it: None for `config.state`, and for a key whose definitions are not distinguished.
Definition: TypeAlias = tuple[str, str | None]

#: Maximum number of definitions of one key that are distinguished.
_MOST: Final = 64


class Definitions:
    """The definitions of one graph's keys. `steps` are the transitions of each node in order, from the start; without
    them, no definitions are distinguished.
    """

    def __init__(
        self, graph: ir.Graph, symbols: Symbols | None = None, steps: Mapping[str, Sequence[Step]] | None = None
    ) -> None:
        self._graph = graph
        self._symbols = symbols or Symbols()
        self._steps = steps or {}
        self._all = self._told_apart() if steps else {}
        self._number = {each: number for number, each in enumerate(each for key in self._all.values() for each in key)}
        self._masks: dict[str, int] = {key: self._mask(found) for key, found in self._all.items()}

    def is_split(self, key: str) -> bool:
        """Whether the definitions of the key are distinguished, so that its type depends on where it is read."""
        return key in self._all

    def of(self, key: str, node: ir.Node | None) -> Definition:
        """The definition of a key by a node or by `config.state`."""
        return (key, node.name if node is not None and key in self._all else None)

    def every(self, key: str) -> Sequence[Definition]:
        """All definitions of a key."""
        return self._all.get(key) or ((key, None),)

    def reaching(self, key: str, node: ir.Node) -> Sequence[Definition]:
        """The definitions that can reach a read at the beginning of a node; all of them if no run reaches it.

        A foreach starts again with each item, so its own assignments reach it.
        """
        found = self._all.get(key)
        if found is None or node.name not in self._reaching:
            return self.every(key)
        mask = self._reaching[node.name]
        repeated = isinstance(node, ir.ForeachNode) and any(entry.key == key for entry in node.assigns)
        return [each for each in found if mask >> self._number[each] & 1 or (repeated and each[1] == node.name)]

    def _told_apart(self) -> dict[str, tuple[Definition, ...]]:
        """The keys with definitions of several kinds, as far as the kinds are visible."""
        kinds: dict[str, dict[str | None, set[str]]] = {}
        for key, value in self._graph.state.items():
            kinds.setdefault(key, {}).setdefault(None, set()).add(kind_of(value))
        for node in visit.nodes(self._graph.body):
            for entry in node.assigns:
                kinds.setdefault(entry.key, {}).setdefault(node.name, set()).add(_kind(entry.value, node))
            if isinstance(node, ir.ForeachNode) and node.collect is not None:
                kinds.setdefault(node.collect, {}).setdefault(node.name, set()).add("array")
        if UNKNOWN_NAME in kinds:  # it may be any key
            return {}
        return {
            key: tuple((key, name) for name in found)
            for key, found in kinds.items()
            if 1 < len(found) <= _MOST and len(set().union(*found.values())) > 1
            if key not in RUNTIME_KEYS and not self._graph.doubt.mentions(key)
        }

    def _mask(self, definitions: Sequence[Definition]) -> int:
        return sum(1 << self._number[each] for each in definitions)

    @cached_property
    def _reaching(self) -> dict[str, int]:
        """The mask of definitions that reach the entry of each reachable node."""
        order = list(self._steps)
        position = {name: number for number, name in enumerate(order)}
        seeds = [each for found in self._all.values() for each in found if each[1] is None]
        entry = {order[0]: self._mask(seeds)} if order else {}
        changes = {name: self._changes(name) for name in order}
        waiting = Worklist(range(min(1, len(order))))
        while waiting:
            name = order[waiting.take()]
            for step, (gone, new) in zip(self._steps[name], changes[name], strict=True):
                if step.target is None:
                    continue
                known = entry.get(step.target)
                after = (known or 0) | entry[name] & ~gone | new
                if after != known:
                    entry[step.target] = after
                    waiting.add(position[step.target])
        return entry

    def _changes(self, name: str) -> list[tuple[int, int]]:
        """For each step of a node, the definitions that it replaces, and those that it adds."""
        keys = [key for key, _ in visit.keys_set(self._graph.nodes[name]) if key in self._all]
        found = []
        for step in self._steps[name]:
            replaced = [key for key in keys if step.replaced & self._symbols.key(key)]
            touched = [(key, name) for key in dict.fromkeys(keys) if step.touched & self._symbols.key(key)]
            gone = 0
            for key in replaced:
                gone |= self._masks[key]
            found.append((gone, self._mask(touched)))
        return found


def _kind(value: ir.Value, node: ir.Node) -> str:
    """The kind of a value according to its form, otherwise its node, because another node may set another kind."""
    inner = value.value if isinstance(value, ir.Template) else value
    match inner:
        case ir.Const(constant):
            return kind_of(constant)
        case ir.Text():
            return "string"
        case ir.ListOf():
            return "array"
        case ir.MapOf():
            return "object"
        case _:
            return f"of {node.name}"
