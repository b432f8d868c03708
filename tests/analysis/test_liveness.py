"""Assignments whose values are never read."""

from __future__ import annotations

from analysis.handmade import (
    assign,
    call,
    compare,
    done,
    exists,
    gate,
    graph,
    loop,
    mapping,
    node,
    risky,
    state,
    template,
    to,
)
from graphwright import ir
from graphwright.analysis.assignment import Assignment
from graphwright.analysis.flow import Flow
from graphwright.analysis.liveness import Liveness
from graphwright.record import replace


def liveness(made: ir.Graph) -> Liveness:
    return Liveness(Assignment(made, Flow(made)))


def unread(made: ir.Graph) -> dict[str, tuple[str, ...]]:
    """`node.key` of each unread assignment, and who overwrites it."""
    return {f"{found.node.name}.{found.key}": found.overwritten_by for found in liveness(made).unread}


def sends(read: ir.Read) -> ir.Action:
    """An action with one parameter."""
    return call({"value": template(read)})


READS_X = done(output=template(state("x")))
READS_Y = done(output=template(state("y")))


def test_read_by_a_return_a_condition_or_an_action_is_read() -> None:
    assert unread(graph(node("a", to("done"), sets=["x"]), READS_X)) == {}
    assert unread(graph(gate("a", to("done", exists("x")), sets=["x"]), done())) == {}
    assert unread(graph(gate("a", to("b"), sets=["x"]), node("b", action=sends(state("x.y"))))) == {}
    assert (
        unread(
            graph(
                gate("a", to("b"), sets=["x"]),
                node("b", action=sends(ir.Read(ir.Root.STATE, (), "state", 0, 5))),
            )
        )
        == {}
    )


def test_never_read() -> None:
    made = graph(node("a", to("done"), sets=["x", "y"]), READS_X)
    assert unread(made) == {"a.y": ()}
    assert not liveness(made).exposed
    assert liveness(graph(node("a", to("done"), sets=["x"]), done())).exposed
    assert liveness(graph(node("a", to("done", exists("x")), sets=["x"]), READS_X)).exposed, "it can fall off its edges"


def test_read_only_before_it_is_assigned() -> None:
    made = graph(node("a", to("b"), action=sends(state("x"))), gate("b", to("done"), sets=["x"]), READS_Y)
    assert unread(made) == {"b.x": ()}


def test_overwritten_on_every_way() -> None:
    made = graph(
        node("a", to("b", compare("y", "eq", 1)), to("c"), sets=["x"]),
        node("b", to("done"), sets=["x"]),
        node("c", to("done"), sets=["x"]),
        READS_X,
    )
    assert unread(made) == {"a.x": ("b", "c")}


def test_an_error_edge_that_reads_keeps_it_alive() -> None:
    rescue = node("rescue", action=sends(state("x")))
    made = graph(node("a", to("b"), sets=["x"]), risky("b", "rescue", to("done"), sets=["x"]), rescue, READS_X)
    assert unread(made) == {}


def test_overwritten_on_one_way_and_dropped_on_another() -> None:
    made = graph(
        node("a", to("b", exists("y")), to("done"), sets=["x"]), node("b", to("c"), sets=["x"]), node("c"), READS_Y
    )
    assert unread(made) == {"a.x": (), "b.x": ()}


def test_a_loop_that_reads_at_its_head() -> None:
    head = gate("a", to("b", compare("x", "lt", 3)), to("done"))
    assert unread(graph(head, node("b", to("a"), sets=["x"]), READS_Y)) == {}


def test_assigns_of_one_node_see_each_other() -> None:
    made = graph(gate("a", to("done"), sets=["x", assign("y", template(state("x")))]), READS_Y)
    assert unread(made) == {}


def test_items_of_a_loop_see_earlier_ones() -> None:
    each = loop("each", to("done"), collect="all", sets=["last"])
    reading = replace(each, action=sends(state("last")))
    assert unread(graph(reading, done(output=template(state("all"))))) == {}
    assert unread(graph(each, done(output=template(state("z"))))) == {"each.last": (), "each.all": ()}


def test_collect_on_the_error_way() -> None:
    each = loop("each", to("done"), collect="all", rescue="rescue")
    rescue = node("rescue", to("done"), action=sends(state("all")))
    assert unread(graph(each, rescue, done(output=template(state("y"))))) == {}


def test_hooks_misspelled_paths_and_unreachable_nodes_count_as_readers() -> None:
    base = graph(node("a", to("done"), sets=["total"]), done(output=template(state("z"))))
    assert unread(base) == {"a.total": ()}
    hook = ir.Hook(
        "error",
        1,
        None,
        sends(ir.Read(ir.Root.EVENT, ("state", "total"), "state.total", 0, 0)),
        mapping(),
        "hook 1",
    )
    assert unread(replace(base, hooks=(hook,))) == {}
    assert unread(graph(node("a", to("done"), sets=["total"]), done(output=template(state("totl"))))) == {}
    bare = ir.Read(ir.Root.UNKNOWN, ("total",), "total", 0, 0)
    assert unread(graph(node("a", to("done"), sets=["total"]), done(output=template(bare)))) == {}
    lost = node("lost", action=sends(state("total")))
    assert unread(graph(node("a", to("done"), sets=["total"]), done(output=template(state("z"))), lost)) == {}


def test_a_way_that_is_not_known_may_lead_to_any_node() -> None:
    assert unread(graph(node("a", to(None), sets=["x"]), READS_X)) == {}
    assert unread(graph(node("a", to(None), sets=["x"]), READS_Y)) == {"a.x": ()}


def test_what_an_item_assigned_stays_when_a_later_one_fails() -> None:
    each = loop("each", to("done"), collect="all", sets=["last"], rescue="rescue")
    rescue = done("rescue", output=template(state("last")))
    assert unread(graph(each, done(output=template(state("all"))), rescue)) == {}


def test_a_limit_can_hand_out_what_would_be_overwritten() -> None:
    """A run that ends at its limit hands out its state, with what the next node would have assigned again."""
    made = graph(node("a", to("b"), sets=["x"]), node("b", to("a", exists("x")), to("done"), sets=["x"]), READS_X)
    assert unread(made) == {"a.x": ("b",)}
    assert unread(replace(made, settings=ir.Settings(on_max_steps="return"))) == {"a.x": ()}
