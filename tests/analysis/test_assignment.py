"""Definite and possible assignment, by example and against runs of every possible outcome."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from analysis.handmade import (
    assign,
    compare,
    done,
    every,
    exists,
    graph,
    loop,
    negate,
    node,
    result,
    risky,
    some,
    to,
)
from graphwright import ir
from graphwright.analysis.assignment import Assignment
from graphwright.analysis.fixpoint import Worklist
from graphwright.analysis.flow import Flow, TransitionKind
from graphwright.analysis.liveness import Liveness
from graphwright.analysis.witness import shortened


def analyse(made: ir.Graph) -> Assignment:
    return Assignment(made, Flow(made))


def witness(facts: Assignment, name: str, key: str) -> tuple[str, ...]:
    """The nodes of a path to `name` that never assigns `key`."""
    return tuple(hop.node for hop in facts.route(name, facts.symbols.key(key)))


def test_a_branch_that_skips_the_assignment_is_a_witness() -> None:
    made = graph(
        node("fetch", to("count", compare("tickets", "ne", [])), to("done"), sets=["tickets"]),
        node("count", to("done"), sets=["total"]),
        done(),
    )
    facts = analyse(made)
    assert facts.definite_in("done") == {"tickets"}
    assert facts.possible_in("done") == {"tickets", "total"}
    assert witness(facts, "done", "total") == ("fetch", "done")
    assert witness(facts, "done", "tickets") == ()
    assert facts.definite_at_completion == {"tickets"}


def test_assigned_on_all_branches() -> None:
    made = graph(
        node("pick", to("api", exists("x")), to("file")),
        node("api", to("join"), sets=["rows"]),
        node("file", to("join"), sets=["rows"]),
        done("join"),
    )
    assert analyse(made).is_definite("join", "rows")


def test_the_initial_state_is_definite_everywhere() -> None:
    facts = analyse(graph(node("a", to("done")), done(), state={"n": 0}))
    assert facts.definite_in("a") == {"n"}


def test_the_error_edge_leaves_before_assign() -> None:
    made = graph(risky("a", "rescue", to("done"), sets=["x"]), node("rescue", to("done"), sets=["x"]), done())
    facts = analyse(made)
    assert facts.definite_in("rescue") == {"_last_error"}
    assert facts.definite_in("done") == {"x"}


def test_continue_skips_assign_but_for_unconditional_success() -> None:
    made = graph(node("a", to("done"), sets=["x"]), done(), on_error="continue")
    assert analyse(made).definite_in("done") == set()
    assert witness(analyse(made), "done", "x") == ("a", "done")


def test_continue_knows_what_the_result_of_a_failure_is() -> None:
    failed = compare(result("status"), "eq", "error")
    made = graph(node("a", to("sorry", failed), to("use"), sets=["x"]), done("sorry"), done("use"), on_error="continue")
    facts = analyse(made)
    assert facts.definite_in("use") == {"x"}
    assert facts.definite_in("sorry") == {"_last_error"}
    counted = graph(
        node("a", to("use", compare(result("count"), "gt", 0)), to("none"), sets=["x"]),
        done("use"),
        done("none"),
        on_error="continue",
    )
    assert analyse(counted).definite_in("use") == set()  # a tool can return a count with its error


def test_conditions_prove_what_they_need() -> None:
    some_key = exists("x")
    for condition, then, otherwise in (
        (some_key, True, False),
        (negate(some_key), False, True),
        (compare("x", "ne", None), True, False),
        (compare("x", "eq", None), False, True),
        (compare("x", "eq", 3), True, False),
        (compare("x", "ne", 3), False, True),
        (compare("x", "gt", 3), True, False),
        (compare("x", "in", [1, 2]), True, False),
        (compare("x", "in", [1, None]), False, False),
        (every(some_key, exists("y")), True, False),
        (some(some_key, exists("y")), False, False),
        (some(some_key, compare("x", "eq", 1)), True, False),
        (some(negate(some_key), exists("y")), False, True),
    ):
        made = graph(node("a", to("then", condition), to("else")), done("then"), done("else"))
        facts = analyse(made)
        assert facts.is_definite("then", "x") is then, condition
        assert facts.is_definite("else", "x") is otherwise, condition


def test_an_empty_loop_assigns_nothing_but_collects() -> None:
    facts = analyse(graph(loop("each", to("done"), collect="all", sets=["last"]), done()))
    assert facts.definite_in("done") == {"all"}
    assert facts.possible_in("done") == {"all", "last"}
    assert "last" in facts.possible_in("each"), "an item sees what earlier ones assigned"


def test_unknown_ways_influence_nothing() -> None:
    facts = analyse(graph(node("a", to(None, exists("x")), to("done")), node("b", to("done"), sets=["k"]), done()))
    assert "k" in facts.possible_in("done")
    assert facts.is_definite("b", "k"), "nothing is claimed of a node that may be reached somehow"


def test_limits_that_complete_end_anywhere() -> None:
    circle = (node("a", to("b"), sets=["x"]), node("b", to("a", exists("y")), to("done"), sets=["z"]), done())
    assert analyse(graph(*circle)).definite_at_completion == {"x", "z"}
    assert analyse(graph(*circle, on_max_steps="return")).definite_at_completion == set()
    assert analyse(graph(done(), on_max_steps="flag")).definite_at_completion == set()


def test_a_long_path_is_whole_and_shown_without_its_middle() -> None:
    chain = [node(f"n{i}", to(f"n{i + 1}")) for i in range(30)]
    made = graph(*chain, node("n30", to("n31"), to("n32")), done("n31"))
    path = witness(analyse(made), "n31", "k")
    assert path == tuple(f"n{i}" for i in range(32))
    assert shortened(path, ()) == ("n0", "…", "n26", "n27", "n28", "n29", "n30", "n31")
    assert shortened(path, (4, 5)) == ("n0", "…", "n4", "n5", "…", "n28", "n29", "n30", "n31")
    assert shortened(path, (2, 30)) == ("n0", "n1", "n2", "…", "n27", "n28", "n29", "n30", "n31")
    assert shortened(path[:8], ()) == path[:8]


def test_a_path_with_fewer_failures_is_better_than_a_short_one() -> None:
    made = graph(
        risky("a", "done", to("b"), sets=["x"]),
        node("b", to("c"), to("done")),
        risky("c", "end", to("d"), sets=["k"]),
        node("d", to("end")),
        done("end"),
        done(),
    )
    facts = analyse(made)
    kinds = [hop.kind for hop in facts.route("end", facts.symbols.key("k"))]
    assert witness(facts, "end", "k") == ("a", "b", "c", "end")
    assert kinds == [TransitionKind.DEFAULT, TransitionKind.DEFAULT, TransitionKind.ERROR, None]


def test_a_ladder_of_steps_back_takes_few_rounds(monkeypatch: pytest.MonkeyPatch) -> None:
    visits: list[int] = []
    take = Worklist.take

    def counted(waiting: Worklist) -> int:
        visits.append(take(waiting))
        return visits[-1]

    monkeypatch.setattr(Worklist, "take", counted)
    rungs = [
        risky(f"n{i}", f"n{max(0, i - 1)}", to(f"n{max(0, i - 3)}", exists("x")), to(f"n{i + 1}"), sets=[f"k{i}"])
        for i in range(300)
    ]
    facts = analyse(graph(*rungs, done("n300")))
    assert facts.possible_in("n0") >= {"k298", "k299"}
    assert facts.is_definite("n300", "k299")
    assert Liveness(facts).unread
    assert len(visits) < 8 * 3 * len(rungs), "three fixpoints of a few rounds each"


# --- against every possible run ----------------------------------------------------------------------------------

KEYS = ("x", "y")
World = tuple[str, tuple[tuple[str, int | None], ...]]


def conditions(field: str) -> st.SearchStrategy[ir.Condition]:
    """Conditions over state and over a field of the result that no other edge asks for."""
    return st.recursive(
        st.one_of(
            st.builds(exists, st.sampled_from(KEYS)),
            st.builds(compare, st.sampled_from(KEYS), st.sampled_from(["eq", "ne"]), st.sampled_from([None, 1])),
            st.just(compare(result(field), "eq", 1)),
            st.just(compare(result("status"), "eq", "error")),
        ),
        lambda inner: st.one_of(
            st.builds(negate, inner), st.builds(every, inner, inner), st.builds(some, inner, inner)
        ),
        max_leaves=3,
    )


@st.composite
def graphs(draw: st.DrawFn, *, over_state: bool) -> ir.Graph:
    names = [f"n{number}" for number in range(draw(st.integers(1, 4)))]
    nodes: list[ir.Node] = [done()]
    for name in names:
        edges = [
            to(
                draw(st.sampled_from([*names, "done"])),
                draw(conditions(f"f{number}")) if over_state else compare(result(f"f{number}"), "eq", 1),
            )
            for number in range(draw(st.integers(0, 2)))
        ]
        if draw(st.booleans()):
            edges.append(to(draw(st.sampled_from([*names, "done"]))))
        values: st.SearchStrategy[ir.Value] = st.sampled_from([ir.Const(1), ir.Const(None), result("v")])
        sets = [assign(key, draw(values)) for key in draw(st.lists(st.sampled_from(KEYS), unique=True, max_size=2))]
        rescue = draw(st.one_of(st.none(), st.sampled_from(names)))
        nodes.append(risky(name, rescue, *edges, sets=sets) if rescue else node(name, *edges, sets=sets))
    policy = draw(st.sampled_from(["fail", "continue"]))
    return graph(*reversed(nodes), on_error=policy, state=draw(st.sampled_from([{}, {"x": None}])))


def holds(condition: ir.Condition | None, state: Mapping[str, object], outcome: Mapping[str, object]) -> bool:
    match condition:
        case None:
            return True
        case ir.Not(inner):
            return not holds(inner, state, outcome)
        case ir.AllOf(parts):
            return all(holds(part, state, outcome) for part in parts)
        case ir.AnyOf(parts):
            return any(holds(part, state, outcome) for part in parts)
        case ir.Compare(op=op, left=left, right=ir.Const(value)):
            found = (state if left.root is ir.Root.STATE else outcome).get(str(left.path[0]))
            return {"exists": found is not None, "eq": found == value, "ne": found != value}[op]
        case _:
            raise AssertionError(condition)


def next_node(node: ir.Node, state: Mapping[str, object], outcome: Mapping[str, object]) -> str | None:
    return next((edge.target for edge in node.edges if holds(edge.when, state, outcome)), None)


def successors(made: ir.Graph, world: World) -> Iterator[tuple[str | None, dict[str, int | None]]]:
    here, state = made.nodes[world[0]], dict(world[1])
    if isinstance(here, ir.ReturnNode):
        yield None, state
        return
    for f0, f1, value in product((0, 1), (0, 1), (None, 1)):
        after = dict(state)
        for entry in here.assigns:
            after[entry.key] = 1 if entry.value == ir.Const(1) else None if entry.value == ir.Const(None) else value
        yield next_node(here, after, {"f0": f0, "f1": f1}), after
    if here.on_error is not None:
        yield here.on_error.target, state
    elif made.settings.on_error == "continue":
        for more in product((0, 1, None), (0, 1, None)):  # what the tool returned with its error
            said = {"f0": more[0], "f1": more[1], "status": "error", "error": "sorry"}
            yield next_node(here, state, said), state


def all_worlds(made: ir.Graph) -> tuple[set[World], list[set[str]]]:
    """Every node and state that some run comes to, and the keys that are there at each end."""
    first: World = (str(made.start), tuple((key, None) for key in made.state))
    seen, waiting, ends = {first}, [first], []
    while waiting:
        for target, state in successors(made, waiting.pop()):
            if target is None:
                ends.append(set(state))
                continue
            world: World = (target, tuple(sorted(state.items())))
            if world not in seen:
                seen.add(world)
                waiting.append(world)
    return seen, ends


@settings(max_examples=80, deadline=None)
@given(graphs(over_state=True))
def test_no_run_contradicts_the_analysis(made: ir.Graph) -> None:
    facts = analyse(made)
    worlds, ends = all_worlds(made)
    for name, state in worlds:
        keys = {key for key, _ in state}
        assert facts.definite_in(name) - {"_last_error"} <= keys <= facts.possible_in(name)
        for key in set(KEYS) - keys:
            assert witness(facts, name, key), "a key that some run lacks has a witness"
    for keys in ends:
        assert facts.definite_at_completion - {"_last_error"} <= keys


@settings(max_examples=80, deadline=None)
@given(graphs(over_state=False))
def test_the_analysis_is_exact_where_conditions_decide_nothing(made: ir.Graph) -> None:
    facts = analyse(made)
    worlds, _ = all_worlds(made)
    for name in {name for name, _ in worlds}:
        found = [{key for key, _ in state} for at, state in worlds if at == name]
        assert facts.definite_in(name) - {"_last_error"} == set.intersection(*found)
        assert facts.possible_in(name) - {"_last_error"} == set.union(*found)
