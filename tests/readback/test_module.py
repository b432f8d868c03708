"""What is read from a module is what its graph says."""

from __future__ import annotations

import pytest

from graphwright import ir
from graphwright.checking.checker import check
from graphwright.emit.python import PYTHON
from graphwright.facts import Facts
from graphwright.ir import visit
from graphwright.readback.module import ModuleOutline, read_module
from readback.test_diff import GRAPHS


@pytest.fixture(params=GRAPHS, ids=lambda graph: graph.stem)
def both(request: pytest.FixtureRequest) -> tuple[Facts, ModuleOutline]:
    """A graph, and what its module says."""
    report = check([request.param], keep=True)
    facts = report.graphs[0].facts()
    return facts, read_module(PYTHON.draft(facts).finish().encode())


def test_nodes_and_edges(both: tuple[Facts, ModuleOutline]) -> None:
    facts, module = both
    graph = facts.graph
    assert graph is not None
    assert list(module.nodes) == list(graph.nodes)
    for name, node in graph.nodes.items():
        found = module.nodes[name]
        assert (found.kind, found.max_visits) == (node.kind, node.max_visits)
        assert found.line == node.name_at.start_mark.line + 1
        targets = {edge.target for edge in node.edges}
        assert {each for each in found.function.successors if each is not None} <= targets
        if all(edge.when is None for edge in node.edges[:1]):
            assert found.function.successors == ((node.edges[0].target,) if node.edges else (None,))
        if node.on_error is not None and not isinstance(node, ir.GateNode):
            assert found.function.on_error == node.on_error.target
        assert set(found.function.assigns) == {key for key, _ in visit.keys_set(node)}


def test_what_is_called(both: tuple[Facts, ModuleOutline]) -> None:
    facts, module = both
    graph = facts.graph
    assert graph is not None
    for node in visit.calling_nodes(graph):
        called = module.nodes[node.name].function.calls
        assert called is not None
        assert node.action is not None
        assert called.primary == node.action.primary
        item_id = node.action.item_id
        assert called.item_id == (item_id.value if isinstance(item_id, ir.Const) else None)
        assert module.nodes[node.name].function.dynamic is not isinstance(item_id, ir.Const)
        assert called.capability == node.action.capability
    assert module.permissions == (None if graph.permissions is None else tuple(e.pattern for e in graph.permissions))
    assert set(module.environment) == set(facts.environment.required)
    assert len(module.hooks) == len(graph.hooks)
    assert (module.initial or {}) == graph.state
    assert module.start == graph.start
