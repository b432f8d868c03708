"""The ways that lead out of each node, and what follows from them alone: order, reachability, cycles, distances.

Conditions are taken as they stand: every edge up to the first unconditional one can be taken. What a condition
proves about the state is the business of `assignment.py`.

Nodes are numbered in the order of the file; the algorithms work on those numbers and never recurse, so that a
chain of ten thousand nodes is no deeper than one of three.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator
from enum import Enum
from functools import cached_property

from graphwright import ir
from graphwright.analysis.components import strong_components
from graphwright.analysis.fallible import node_can_fail
from graphwright.record import Record, replace


class WayKind(Enum):
    """How control leaves a node."""

    EDGE = "edge"  # a conditional edge matched
    DEFAULT = "default"  # the unconditional edge
    ERROR = "error"  # the `on_error` edge
    CONTINUE = "continue"  # it failed under the graph's `on_error: continue`: `assign` skipped, edges evaluated
    END = "end"  # a return, or no edge matched
    FAILURE = "failure"  # a return with `status: error`


class Way(Record):
    """One way out of a node. `target` is None at an end of the run, and where the target is not `known`.

    `edge` is the edge that is taken, None for error edges and ends. A `guessed` target is the likely meaning of a
    misspelled one: good enough to reach a node by, not to complain of what is on the way there. Where nothing else
    leads to the node, the guess counts as known: else nothing could be said of it and of all that is behind it.
    """

    target: str | None
    kind: WayKind
    edge: ir.Edge | None = None
    known: bool = True
    guessed: bool = False

    @property
    def ends(self) -> bool:
        """Whether the run is over here."""
        return self.target is None and self.known


class Flow:
    """Control flow in a region of a graph. `exhaustive`: whether the conditions of a node leave nothing over."""

    def __init__(
        self, graph: ir.Graph, exhaustive: Callable[[ir.Node], bool] | None = None, region: ir.Region | None = None
    ) -> None:
        self.graph = graph
        self.region = region or graph.body
        self._exhaustive = exhaustive
        self._names = tuple(self.region.nodes)
        self._number = {name: number for number, name in enumerate(self._names)}
        self._ways = {node.name: tuple(self._leave(node)) for node in self.region.nodes.values()}
        #: Whether the target of some way is only a guess.
        self.has_guesses = any(way.guessed for ways in self._ways.values() for way in ways)
        self._trust_lone_guesses()

    def ways(self, name: str) -> tuple[Way, ...]:
        """Every way out of a node: its edges in order, or the end behind them, then what happens when it fails."""
        return self._ways[name]

    def successors(self, name: str) -> tuple[str, ...]:
        """The nodes that can run right after `name`, in the order of its ways, each once."""
        return tuple(dict.fromkeys(way.target for way in self._ways[name] if way.target is not None))

    def predecessors(self, name: str) -> tuple[str, ...]:
        """The nodes that can run right before `name`, in the order of the file."""
        return tuple(self._names[number] for number in self._before[self._number[name]])

    def may_end(self, name: str) -> bool:
        """Whether the run can be over, other than by a failure of the node, after this node."""
        return any(way.ends for way in self._ways[name])

    def may_complete(self, name: str) -> bool:
        """Whether the run can be over, without an error, after this node."""
        return any(way.ends and way.kind is not WayKind.FAILURE for way in self._ways[name])

    @cached_property
    def uncertain(self) -> bool:
        """Whether some reachable way, or the start, leads to a place that cannot be known (it is reported)."""
        return self.region.start is None or any(
            not way.known for name in self._reached for way in self._ways[self._names[name]]
        )

    @cached_property
    def reachable(self) -> frozenset[str]:
        """The nodes that a run can come to; all of them where that cannot be known."""
        return frozenset(self._names) if self.uncertain else frozenset(self._names[number] for number in self._reached)

    @cached_property
    def ending(self) -> frozenset[str]:
        """The nodes from which a run can come to an end, or to a place that cannot be known."""
        waiting = [name for name in self._names if any(way.target is None for way in self._ways[name])]
        found = set(waiting)
        while waiting:
            for name in self.predecessors(waiting.pop()):
                if name not in found:
                    found.add(name)
                    waiting.append(name)
        return frozenset(found)

    @cached_property
    def order(self) -> tuple[str, ...]:
        """What is surely reachable from the start, in reverse postorder: before its successors, loops aside."""
        return tuple(self._names[number] for number in reversed(self._postorder))

    @cached_property
    def components(self) -> tuple[tuple[str, ...], ...]:
        """Strongly connected components of the whole graph, successors first; each in the order of the file."""
        return tuple(
            tuple(self._names[number] for number in sorted(component)) for component in strong_components(self._after)
        )

    @cached_property
    def loops(self) -> tuple[tuple[str, ...], ...]:
        """The components that a run can go round in: more than one node, or a node that leads to itself."""
        return tuple(
            component
            for component in self.components
            if len(component) > 1 or component[0] in self.successors(component[0])
        )

    def shortest(self, start: str, goal: str, within: frozenset[str] | None = None) -> tuple[str, ...]:
        """The names on a shortest way from `start` to `goal`, both included; empty where there is none.

        From a node to itself it is the shortest cycle. `within` limits the nodes it may pass.
        """
        came: dict[str, str] = {}
        waiting = deque([start])
        while waiting:
            name = waiting.popleft()
            for target in self.successors(name):
                if within is not None and target not in within:
                    continue
                if target not in came:
                    came[target] = name
                    waiting.append(target)
                if target == goal:
                    return _retrace(came, start, goal)
        return ()

    @cached_property
    def depth(self) -> dict[str, int]:
        """How many nodes run before this one on a shortest way from the start."""
        return {name: depth for name, (depth, _) in self._tree.items()}

    def path_to(self, name: str) -> tuple[str, ...]:
        """A shortest way from the start to `name`, both included."""
        return tuple(reversed(tuple(self.back_from(name))))

    def back_from(self, name: str) -> Iterator[str]:
        """The same way backwards, step by step, for those who need its last steps only."""
        current: str | None = name
        while current is not None:
            yield current
            current = self._tree[current][1]

    # --- how a node is left ---------------------------------------------------------------------------------

    def _leave(self, node: ir.Node) -> Iterator[Way]:
        if isinstance(node, ir.ReturnNode):
            yield Way(None, WayKind.FAILURE if node.fails else WayKind.END)
            return
        open_end = True
        for edge in node.edges:
            kind = WayKind.EDGE if edge.when is not None else WayKind.DEFAULT
            yield self._along(edge, kind)
            if edge.when is None:
                open_end = False
                break
        if open_end and not (node.edges and self._exhaustive is not None and self._exhaustive(node)):
            yield Way(None, WayKind.END)
        if node.on_error is not None:
            if node_can_fail(node, self.graph):
                yield replace(self._along(node.on_error, WayKind.ERROR), edge=None)
        elif self.graph.settings.on_error == "continue" and node_can_fail(node, self.graph):
            yield from self._go_on(node)

    def _go_on(self, node: ir.Node) -> Iterator[Way]:
        """The edges once more, for a node that failed; a condition that fails counts as no match."""
        for edge in node.edges:
            yield self._along(edge, WayKind.CONTINUE)
            if edge.when is None:
                return
        yield Way(None, WayKind.CONTINUE)

    def _along(self, edge: ir.Edge, kind: WayKind) -> Way:
        guessed = edge.target is not None and not self.graph.doubt.trusts(edge.target_at)
        return Way(edge.target, kind, edge, edge.target is not None, guessed)

    def _trust_lone_guesses(self) -> None:
        """Take guessed targets for known ones where a run comes to them on no other way."""
        if self.region.start is None or not self.has_guesses:
            return
        reached: set[str] = set()
        waiting = [self.region.start]
        while waiting:
            while waiting:
                name = waiting.pop()
                if name not in reached:
                    reached.add(name)
                    waiting += [way.target for way in self._ways[name] if way.target is not None and not way.guessed]
            for name in reached:
                lone = [way.guessed and way.target not in reached for way in self._ways[name]]
                if any(lone):
                    ways = zip(self._ways[name], lone, strict=True)
                    self._ways[name] = tuple(replace(way, guessed=False) if trusted else way for way, trusted in ways)
                    waiting += [way.target for way in self._ways[name] if way.target is not None]

    # --- graphs of numbers ----------------------------------------------------------------------------------

    @cached_property
    def _after(self) -> list[list[int]]:
        number = self._number
        return [[number[target] for target in self.successors(name)] for name in self._names]

    @cached_property
    def _before(self) -> list[list[int]]:
        before: list[list[int]] = [[] for _ in self._names]
        for node, targets in enumerate(self._after):
            for target in targets:
                before[target].append(node)
        return before

    @cached_property
    def _postorder(self) -> list[int]:
        if self.region.start is None:
            return []
        first = self._number[self.region.start]
        seen = {first}
        order: list[int] = []
        stack = [(first, iter(self._after[first]))]
        while stack:
            node, rest = stack[-1]
            for target in rest:
                if target not in seen:
                    seen.add(target)
                    stack.append((target, iter(self._after[target])))
                    break
            else:
                order.append(node)
                stack.pop()
        return order

    @cached_property
    def _reached(self) -> frozenset[int]:
        return frozenset(self._postorder)

    @cached_property
    def _tree(self) -> dict[str, tuple[int, str | None]]:
        """Depth and predecessor of each node on a shortest way from the start."""
        start = self.region.start
        if start is None:
            return {}
        tree: dict[str, tuple[int, str | None]] = {start: (0, None)}
        waiting = deque([start])
        while waiting:
            name = waiting.popleft()
            depth = tree[name][0] + 1
            for target in self.successors(name):
                if target not in tree:
                    tree[target] = (depth, name)
                    waiting.append(target)
        return tree


def _retrace(came: dict[str, str], start: str, goal: str) -> tuple[str, ...]:
    path = [goal, came[goal]]
    while path[-1] != start:
        path.append(came[path[-1]])
    return tuple(reversed(path))
