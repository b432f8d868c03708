"""Determines which environment variables a graph requires, and whether the graph, a node or a called graph does."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cached_property

import yaml

from graphwright import ir
from graphwright.analysis.capability import Lookup, called_id
from graphwright.ir.visit import Caller, callers, calling_nodes
from graphwright.record import Record


class RequiredVariable(Record):
    """One reason to require a variable.

    `owner` is the description in messages: "the graph", "node `fetch`", "graph `reports/count`, called by node
    `fetch`", "tool `tickets/list`, called by node `fetch`". `at` is the declaration, or the id of the called item.
    `node` is the node of this graph that requires it, None for the graph. `nested`: the called item requires it.
    `is_shared`: a hook of the project calls it, and `at` is in the file of the hooks.
    """

    owner: str
    at: yaml.Node
    node: ir.Node | None
    nested: bool = False
    is_shared: bool = False


class Environment:
    """The required variables of one graph with these callers.

    `lookup` finds nested graphs by id, `of_tool` returns the names of the variables that a tool requires.
    """

    def __init__(
        self, graph: ir.Graph, own: Iterable[Caller], lookup: Lookup, of_tool: Callable[[str], tuple[str, ...]]
    ) -> None:
        self.graph = graph
        self._callers = own
        self._lookup = lookup
        self._of_tool = of_tool

    @cached_property
    def declared(self) -> Mapping[str, tuple[RequiredVariable, ...]]:
        """The variables that this graph and its nodes declare, in file order, with the reasons."""
        needs: dict[str, list[RequiredVariable]] = {}
        for required in self.graph.env:
            needs.setdefault(required.name, []).append(RequiredVariable("the graph", required.at, None))
        for node in calling_nodes(self.graph):
            for required in node.env:
                needs.setdefault(required.name, []).append(RequiredVariable(f"node `{node.name}`", required.at, node))
        return {name: tuple(found) for name, found in needs.items()}

    @cached_property
    def required(self) -> Mapping[str, tuple[RequiredVariable, ...]]:
        """The same, including what called tools and graphs declare, directly or not."""
        needs = {name: list(found) for name, found in self.declared.items()}
        for caller in self._callers:
            place = caller.action.item_id_at
            if place is None:
                continue
            for owner, names in self._below(caller):
                for name in dict.fromkeys(names):
                    need = RequiredVariable(owner, place, caller.node, nested=True, is_shared=caller.is_shared)
                    needs.setdefault(name, []).append(need)
        return {name: tuple(found) for name, found in needs.items()}

    def _below(self, caller: Caller) -> Iterator[tuple[str, Iterable[str]]]:
        """The description of a called item and of everything below it, each with the variables that it requires."""
        yield from self._tools([caller], f"called by {caller.owner}")
        for nested, above in self._called(caller):
            way = "".join(f" through `{graph_id}`" for graph_id in above)
            yield (
                f"graph `{nested.graph_id}`, called by {caller.owner}{way}",
                (required.name for required in _all_declared(nested)),
            )
            yield from self._tools(callers(nested), f"called by {caller.owner}{way} through `{nested.graph_id}`")

    def _tools(self, calling: Iterable[Caller], how: str) -> Iterator[tuple[str, Iterable[str]]]:
        for item_id in dict.fromkeys(called_id(caller.action) for caller in calling):
            if item_id is not None and (names := self._of_tool(item_id)):
                yield f"tool `{item_id}`, {how}", names

    def _called(self, caller: Caller) -> tuple[tuple[ir.Graph, tuple[str, ...]], ...]:
        """The graph that an action calls and all graphs below it, each with the ids of its callers."""
        found: dict[str, tuple[ir.Graph, tuple[str, ...]]] = {}
        waiting: deque[tuple[Caller, tuple[str, ...]]] = deque([(caller, ())])
        while waiting:
            calling, above = waiting.popleft()
            item_id = called_id(calling.action)
            nested = self._lookup(item_id) if item_id is not None and item_id not in found else None
            if nested is not None and nested.graph_id not in found and nested.graph_id != self.graph.graph_id:
                found[nested.graph_id] = (nested, above)
                waiting.extend((below, (*above, nested.graph_id)) for below in callers(nested))
        return tuple(found.values())


def _all_declared(graph: ir.Graph) -> list[ir.EnvName]:
    return [*graph.env, *(required for node in calling_nodes(graph) for required in node.env)]
