"""Control flow: the transitions out of each node, and what follows from them alone (order, reachability, cycles,
distances).

Conditions are not evaluated: every edge up to the first unconditional one can be taken. What a condition proves about
the state is up to `assignment.py`.

Nodes are numbered in file order. The algorithms work on those numbers and never recurse, so a chain of ten thousand
nodes does not overflow the stack.
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


class TransitionKind(Enum):
    """How control leaves a node."""

    EDGE = "edge"  # a conditional edge matched
    DEFAULT = "default"  # the unconditional edge
    ERROR = "error"  # the `on_error` edge
    CONTINUE = "continue"  # failed under the graph's `on_error: continue`: `assign` skipped, edges evaluated
    END = "end"  # a return, or no edge matched
    FAILURE = "failure"  # a return with `status: error`


class Transition(Record):
    """One way out of a node. `target` is None at the end of a run, and if the target is not `known`.

    `edge` is None for error edges and ends. A `guessed` target is the likely meaning of a misspelled one: it makes the
    node reachable, but nothing is reported about what lies on that path. If nothing else leads to the node, the guess
    counts as known; otherwise nothing could be said about the node and all that follows it.
    """

    target: str | None
    kind: TransitionKind
    edge: ir.Edge | None = None
    known: bool = True
    guessed: bool = False

    @property
    def ends(self) -> bool:
        """Whether the run ends here."""
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
        self._transitions = {node.name: tuple(self._transitions_of(node)) for node in self.region.nodes.values()}
        #: Whether the target of some transition is only a guess.
        self.has_guesses = any(each.guessed for transitions in self._transitions.values() for each in transitions)
        self._trust_lone_guesses()

    def transitions(self, name: str) -> tuple[Transition, ...]:
        """Every way out of a node: its edges in order, or the end after them, then what happens when it fails."""
        return self._transitions[name]

    def successors(self, name: str) -> tuple[str, ...]:
        """The nodes that can run right after `name`, in the order of its transitions, each once."""
        return tuple(dict.fromkeys(each.target for each in self._transitions[name] if each.target is not None))

    def predecessors(self, name: str) -> tuple[str, ...]:
        """The nodes that can run right before `name`, in file order."""
        return tuple(self._names[number] for number in self._before[self._number[name]])

    def may_end(self, name: str) -> bool:
        """Whether the run can be over, other than by a failure of the node, after this node."""
        return any(each.ends for each in self._transitions[name])

    def may_complete(self, name: str) -> bool:
        """Whether the run can be over, without an error, after this node."""
        return any(each.ends and each.kind is not TransitionKind.FAILURE for each in self._transitions[name])

    @cached_property
    def uncertain(self) -> bool:
        """Whether the target of some reachable transition, or the start, is unknown (this is reported)."""
        return self.region.start is None or any(
            not each.known for name in self._reached for each in self._transitions[self._names[name]]
        )

    @cached_property
    def reachable(self) -> frozenset[str]:
        """The nodes that a run can reach; all of them if that is unknown."""
        return frozenset(self._names) if self.uncertain else frozenset(self._names[number] for number in self._reached)

    @cached_property
    def ending(self) -> frozenset[str]:
        """The nodes from which a run can reach an end or an unknown target."""
        waiting = [name for name in self._names if any(each.target is None for each in self._transitions[name])]
        found = set(waiting)
        while waiting:
            for name in self.predecessors(waiting.pop()):
                if name not in found:
                    found.add(name)
                    waiting.append(name)
        return frozenset(found)

    @cached_property
    def order(self) -> tuple[str, ...]:
        """What is surely reachable from the start, in reverse postorder."""
        return tuple(self._names[number] for number in reversed(self._postorder))

    @cached_property
    def components(self) -> tuple[tuple[str, ...], ...]:
        """Strongly connected components of the whole graph, successors first; each in file order."""
        return tuple(
            tuple(self._names[number] for number in sorted(component)) for component in strong_components(self._after)
        )

    @cached_property
    def loops(self) -> tuple[tuple[str, ...], ...]:
        """The components that contain a cycle: more than one node, or a node that leads to itself."""
        return tuple(
            component
            for component in self.components
            if len(component) > 1 or component[0] in self.successors(component[0])
        )

    def shortest(self, start: str, goal: str, within: frozenset[str] | None = None) -> tuple[str, ...]:
        """The nodes of a shortest path from `start` to `goal`, both included; empty if there is none.

        From a node to itself it is the shortest cycle. `within` limits the nodes on the path.
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
        """The length of a shortest path from the start to each node."""
        return {name: depth for name, (depth, _) in self._tree.items()}

    def path_to(self, name: str) -> tuple[str, ...]:
        """A shortest path from the start to `name`, both included."""
        return tuple(reversed(tuple(self.back_from(name))))

    def back_from(self, name: str) -> Iterator[str]:
        """The same path backwards, lazily, for callers that need only its last steps."""
        current: str | None = name
        while current is not None:
            yield current
            current = self._tree[current][1]

    # --- how a node is left ---------------------------------------------------------------------------------

    def _transitions_of(self, node: ir.Node) -> Iterator[Transition]:
        if isinstance(node, ir.ReturnNode):
            yield Transition(None, TransitionKind.FAILURE if node.fails else TransitionKind.END)
            return
        open_end = True
        for edge in node.edges:
            kind = TransitionKind.EDGE if edge.when is not None else TransitionKind.DEFAULT
            yield self._along(edge, kind)
            if edge.when is None:
                open_end = False
                break
        if open_end and not (node.edges and self._exhaustive is not None and self._exhaustive(node)):
            yield Transition(None, TransitionKind.END)
        if node.on_error is not None:
            if node_can_fail(node, self.graph):
                yield replace(self._along(node.on_error, TransitionKind.ERROR), edge=None)
        elif self.graph.settings.on_error == "continue" and node_can_fail(node, self.graph):
            yield from self._after_failure(node)

    def _after_failure(self, node: ir.Node) -> Iterator[Transition]:
        """The edges once more, for a node that failed; a condition that fails is not a match."""
        for edge in node.edges:
            yield self._along(edge, TransitionKind.CONTINUE)
            if edge.when is None:
                return
        yield Transition(None, TransitionKind.CONTINUE)

    def _along(self, edge: ir.Edge, kind: TransitionKind) -> Transition:
        guessed = edge.target is not None and not self.graph.doubt.trusts(edge.target_at)
        return Transition(edge.target, kind, edge, edge.target is not None, guessed)

    def _trust_lone_guesses(self) -> None:
        """Take guessed targets for known ones if a run reaches them in no other way."""
        if self.region.start is None or not self.has_guesses:
            return
        reached: set[str] = set()
        waiting = [self.region.start]
        while waiting:
            while waiting:
                name = waiting.pop()
                if name not in reached:
                    reached.add(name)
                    waiting += [
                        each.target for each in self._transitions[name] if each.target is not None and not each.guessed
                    ]
            for name in reached:
                lone = [each.guessed and each.target not in reached for each in self._transitions[name]]
                if any(lone):
                    transitions = zip(self._transitions[name], lone, strict=True)
                    self._transitions[name] = tuple(
                        replace(each, guessed=False) if trusted else each for each, trusted in transitions
                    )
                    waiting += [each.target for each in self._transitions[name] if each.target is not None]

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
        """Depth and predecessor of each node on a shortest path from the start."""
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
