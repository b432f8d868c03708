"""Ways, order, cycles and distances."""

from __future__ import annotations

from analysis.handmade import compare, done, exists, gate, graph, loop, node, risky, to
from graphwright.analysis.components import strong_components
from graphwright.analysis.flow import Flow
from graphwright.record import replace


def kinds(flow: Flow, name: str) -> list[tuple[str | None, str]]:
    return [(way.target, way.kind.value) for way in flow.transitions(name)]


def test_an_edge_behind_the_unconditional_one_does_not_exist() -> None:
    flow = Flow(graph(node("a", to("b", exists("x")), to("c"), to("d")), done("b"), done("c"), done("d")))
    assert kinds(flow, "a") == [("b", "edge"), ("c", "default")]
    assert flow.reachable == {"a", "b", "c"}


def test_conditional_edges_fall_through_to_an_end() -> None:
    flow = Flow(graph(node("a", to("b", exists("x"))), done("b")))
    assert kinds(flow, "a") == [("b", "edge"), (None, "end")]
    assert flow.may_end("a")


def test_exhaustive_conditions_do_not() -> None:
    flow = Flow(graph(node("a", to("b", exists("x"))), node("b")), exhaustive=lambda _: True)
    assert kinds(flow, "a") == [("b", "edge")]
    assert kinds(flow, "b") == [(None, "end")], "without edges there is nothing that could be exhaustive"


def test_error_edges_only_where_something_can_fail() -> None:
    silent = gate("g", to("done", exists("x")), to("done"))
    ordering = gate("g", to("done", compare("x", "gt", 1)), to("done"))
    for made, expected in ((silent, ["edge", "default"]), (ordering, ["edge", "default", "error"])):
        flow = Flow(graph(replace(made, on_error=to("done")), done()))
        assert [way.kind.value for way in flow.transitions("g")] == expected


def test_continue_evaluates_the_edges_once_more() -> None:
    flow = Flow(graph(node("a", to("b", exists("x"))), risky("b", "a", to("c")), done("c"), on_error="continue"))
    assert kinds(flow, "a") == [("b", "edge"), (None, "end"), ("b", "continue"), (None, "continue")]
    assert kinds(flow, "b") == [("c", "default"), ("a", "error")]


def test_unknown_targets_make_everything_reachable() -> None:
    flow = Flow(graph(node("a", to(None)), done("b")))
    assert flow.uncertain
    assert flow.reachable == {"a", "b"}
    assert not flow.transitions("a")[0].ends
    assert Flow(graph(node("a"), done("b"), start=None)).reachable == {"a", "b"}


def test_an_unknown_target_that_no_run_comes_to_changes_nothing() -> None:
    flow = Flow(graph(done("a"), node("b", to(None))))
    assert not flow.uncertain
    assert flow.reachable == {"a"}


def test_order_and_distances() -> None:
    flow = Flow(graph(node("a", to("c", exists("x")), to("b")), node("b", to("c")), loop("c", to("d")), done("d")))
    assert flow.order == ("a", "b", "c", "d")
    assert flow.path_to("d") == ("a", "c", "d")
    assert flow.depth["d"] == 2
    assert flow.shortest("b", "d") == ("b", "c", "d")
    assert flow.shortest("d", "a") == ()


def test_cycles() -> None:
    flow = Flow(graph(node("a", to("b")), node("b", to("c", exists("x")), to("a")), done("c"), node("s", to("s"))))
    assert set(flow.loops) == {("a", "b"), ("s",)}
    assert flow.shortest("a", "a") == ("a", "b", "a")
    assert flow.shortest("s", "s") == ("s", "s")
    assert flow.predecessors("a") == ("b",)


def test_components_of_a_long_chain_need_no_stack() -> None:
    count = 20_000
    ring = [[(number + 1) % count] for number in range(count)]
    assert [len(component) for component in strong_components(ring)] == [count]
    chain = [[number + 1] for number in range(count - 1)] + [[]]
    assert len(strong_components(chain)) == count
    assert strong_components(chain)[0] == [count - 1]
