"""What is claimed of conditions, against every case there is: small values, evaluated by the reference."""

from __future__ import annotations

import itertools

import pytest
import yaml
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from graphwright import ir
from graphwright.facts import Facts
from graphwright.source.reader import read_text
from reference.conditions import holds
from reference.expressions import NodeFaultError

Json = object

#: What `a` (a result's key: anything) and the others (see `SCHEMA`) are tried with.
ANYTHING: list[Json] = [None, True, False, 0, 1, 1.0, 1.5, 2, 3, 4, -1, "", "a", "b", "ab", "1", [], [1], {}, {"a": 1}]
SAMPLES: dict[str, list[Json]] = {
    "result.a": ANYTHING,
    "inputs.n": [-1, 0, 1, 2, 3, 4],
    "inputs.m": [None, 0, 1, 2, 3],
    "inputs.mode": ["a", "b", "c"],
    "inputs.on": [True, False],
}
SCHEMA = {
    "type": "object",
    "properties": {
        "n": {"type": "integer"},
        "m": {"type": "integer"},
        "mode": {"enum": ["a", "b", "c"]},
        "on": {"type": "boolean"},
    },
    "required": ["n", "mode", "on"],
}


def _compares() -> SearchStrategy[dict[str, Json]]:
    constants = st.sampled_from([None, True, False, 0, 1, 1.0, 2, 3, "a", "b", "c", "1", [1]])
    paths = st.sampled_from(sorted(SAMPLES))
    ordered = st.sampled_from([0, 1, 2, 2.5, 3, "a", "b"])
    return st.one_of(
        st.builds(lambda p, o, v: {"path": p, "op": o, "value": v}, paths, st.sampled_from(["eq", "ne"]), constants),
        st.builds(
            lambda p, o, v: {"path": p, "op": o, "value": v},
            paths,
            st.sampled_from(["gt", "gte", "lt", "lte"]),
            ordered,
        ),
        st.builds(lambda p, v: {"path": p, "op": "in", "value": v}, paths, st.lists(constants, max_size=3)),
        st.builds(lambda p: {"path": p, "op": "exists"}, paths),
        st.builds(lambda p, v: {"path": p, "op": "contains", "value": v}, paths, constants),
        st.builds(lambda p, v: {"path": p, "op": "regex", "value": v}, paths, st.sampled_from(["^a", "b$", "1"])),
        st.builds(
            lambda p, o, v: {"path": p, "op": o, "value": f"${{{v}}}"},
            paths,
            st.sampled_from(["gt", "gte", "lt", "lte", "eq", "ne"]),
            st.sampled_from(["inputs.n", "inputs.m"]),
        ),
    )


CONDITIONS: SearchStrategy[dict[str, Json]] = st.recursive(
    _compares(),
    lambda inner: st.one_of(
        st.lists(inner, max_size=3).map(lambda parts: {"any": parts}),
        st.lists(inner, max_size=3).map(lambda parts: {"all": parts}),
        inner.map(lambda part: {"not": part}),
    ),
    max_leaves=4,
)


def node_with(
    conditions: list[dict[str, Json]], *, on_error: str = "fail", default: bool = False
) -> tuple[Facts, ir.Node]:
    """A node `pick` with an edge for each condition."""
    edges: list[dict[str, Json]] = [{"to": "done", "when": condition} for condition in conditions]
    graph = {
        "tool_type": "graph",
        "permissions": ["rye.execute.tool.a.b"],
        "config_schema": SCHEMA,
        "config": {
            "start": "pick",
            "on_error": on_error,
            "nodes": {
                "pick": {"action": {"item_id": "tool:a/b"}, "next": [*edges, *([{"to": "done"}] if default else [])]},
                "done": {"type": "return"},
            },
        },
    }
    facts = Facts(read_text(yaml.safe_dump(graph, sort_keys=False)))
    assert facts.graph is not None
    return facts, facts.graph.nodes["pick"]


def cases(conditions: list[dict[str, Json]]) -> list[dict[str, Json]]:
    """Every combination of the samples of what the conditions mention."""
    text = repr(conditions)
    names = [name for name in SAMPLES if name in text]
    found: list[dict[str, Json]] = []
    for values in itertools.product(*(SAMPLES[name] for name in names)):
        scope: dict[str, dict[str, Json]] = {"inputs": {}, "result": {}}
        for name, value in zip(names, values, strict=True):
            root, key = name.split(".")
            scope[root][key] = value
        found.append({"state": {}, **scope})
    return found


def outcome(condition: dict[str, Json], case: dict[str, Json]) -> bool | None:
    """None for a node error."""
    try:
        return holds(condition, case)
    except NodeFaultError:
        return None


@settings(max_examples=80, deadline=None)
@given(st.lists(CONDITIONS, min_size=1, max_size=3))
def test_exhaustive_nodes_never_fall_off_the_end(conditions: list[dict[str, Json]]) -> None:
    facts, node = node_with(conditions)
    if not facts.coverage.exhaustive(node):
        return
    for case in cases(conditions):
        outcomes = [outcome(condition, case) for condition in conditions]
        first = next((found for found in outcomes if found is not False), False)
        assert first is not False, f"{conditions} all fail to match for {case}"


@settings(max_examples=80, deadline=None)
@given(st.lists(CONDITIONS, min_size=2, max_size=3))
def test_dead_edges_never_match_first(conditions: list[dict[str, Json]]) -> None:
    facts, node = node_with(conditions)
    assume(all(edge.when is not None for edge in node.edges))  # one that holds by its form is GW205
    numbers = {id(edge): number for number, edge in enumerate(node.edges)}
    for dead in facts.conditions.dead_edges(node):
        later, earlier = numbers[id(dead.edge)], numbers[id(dead.by)]
        assert earlier < later
        for case in cases(conditions):
            if outcome(conditions[later], case):
                assert outcome(conditions[earlier], case), f"{conditions[earlier]} does not hold for {case}"


@settings(max_examples=80, deadline=None)
@given(CONDITIONS)
def test_constant_conditions_never_come_out_otherwise(condition: dict[str, Json]) -> None:
    facts, node = node_with([condition], default=True)
    when = node.edges[0].when
    assume(when is not None)  # one that holds by its form is GW205
    assert when is not None
    for constant in facts.conditions.constants(when, node):
        if constant.condition is when:
            outcomes = {outcome(condition, case) for case in cases([condition])}
            assert (not constant.holds) not in outcomes


def comparison(path: str, op: str, value: Json = None) -> dict[str, Json]:
    return {"path": path, "op": op} if op == "exists" else {"path": path, "op": op, "value": value}


A, N, M, MODE, ON = SAMPLES


@pytest.mark.parametrize(
    ("conditions", "exhaustive"),
    [
        ([comparison(A, "exists"), {"not": comparison(A, "exists")}], True),
        ([comparison(A, "exists"), comparison(A, "eq", None)], True),
        ([comparison(A, "eq", 1), comparison(A, "ne", 1)], True),
        ([comparison(A, "contains", "x"), {"not": comparison(A, "contains", "x")}], True),
        ([comparison(A, "gt", 5), comparison(A, "lte", 5)], False),
        ([comparison(N, "gt", 5), comparison(N, "lte", 5)], True),
        ([comparison(N, "gt", 5), comparison(N, "lt", 5)], False),
        ([comparison(N, "gt", 5), comparison(N, "lt", 5), comparison(N, "eq", 5)], True),
        ([comparison(N, "gt", 5), comparison(N, "lt", 6)], True),
        ([comparison(M, "gt", 5), comparison(M, "lte", 5)], False),
        ([comparison(M, "gt", 5), comparison(M, "lte", 5), {"not": comparison(M, "exists")}], True),
        ([comparison(N, "lt", "${inputs.m}"), comparison(N, "gte", "${inputs.m}")], True),
        ([comparison(N, "lt", "${inputs.m}"), comparison(N, "gt", "${inputs.m}")], False),
        ([comparison(M, "lt", "${inputs.n}"), comparison(M, "gte", "${inputs.n}")], False),
        ([comparison(MODE, "eq", "a"), comparison(MODE, "in", ["b", "c"])], True),
        ([comparison(MODE, "eq", "a"), comparison(MODE, "eq", "b")], False),
        ([comparison(ON, "eq", True), comparison(ON, "eq", False)], True),
        ([{"any": [comparison(ON, "eq", True), comparison(N, "gt", 0)]}, comparison(ON, "eq", False)], True),
        ([{"all": []}], True),
        ([{"any": []}], False),
        ([comparison(A, "regex", "x")], False),
    ],
)
def test_exhaustiveness(conditions: list[dict[str, Json]], exhaustive: bool) -> None:
    facts, node = node_with(conditions)
    assert facts.coverage.exhaustive(node) is exhaustive


def test_a_suppressed_failure_has_to_find_an_edge_too() -> None:
    conditions = [comparison(A, "eq", 1), comparison(A, "ne", 1)]
    facts, node = node_with(conditions, on_error="continue")
    assert facts.coverage.exhaustive(node)
    ordered = [comparison("result.status", "gt", "m"), comparison("result.status", "lte", "m")]
    facts, node = node_with(ordered, on_error="continue")
    assert not facts.coverage.exhaustive(node)


@pytest.mark.parametrize(
    ("earlier", "later", "dead"),
    [
        (comparison(A, "gt", 10), comparison(A, "gt", 100), True),
        (comparison(A, "gt", 100), comparison(A, "gt", 10), False),
        (comparison(A, "gt", 10), comparison(A, "eq", 11), True),
        (comparison(A, "gte", 10), comparison(A, "eq", 10.0), True),
        (comparison(A, "gt", "a"), comparison(A, "eq", "b"), True),
        (comparison(A, "gt", 10), comparison(A, "eq", "b"), False),
        (comparison(A, "in", [1, 2, 3]), comparison(A, "eq", 2), True),
        (comparison(A, "exists"), comparison(A, "eq", 2), True),
        (comparison(A, "exists"), comparison(A, "contains", "x"), True),
        (comparison(A, "exists"), comparison(A, "regex", "x"), True),
        (comparison(A, "regex", "x"), comparison(A, "regex", "x"), True),
        (comparison(A, "ne", 1), comparison(A, "eq", 2), True),
        ({"any": [comparison(A, "eq", 1), comparison(N, "eq", 2)]}, comparison(N, "eq", 2), True),
        ({"all": [comparison(A, "eq", 1), comparison(N, "eq", 2)]}, comparison(N, "eq", 2), False),
        (comparison(N, "lt", "${inputs.m}"), comparison(N, "lt", "${inputs.m}"), True),
        (comparison(N, "lte", "${inputs.m}"), comparison(N, "lt", "${inputs.m}"), True),
    ],
)
def test_dead_edges(earlier: dict[str, Json], later: dict[str, Json], dead: bool) -> None:
    facts, node = node_with([earlier, later])
    assert bool(facts.conditions.dead_edges(node)) is dead


@pytest.mark.parametrize(
    ("condition", "found"),
    [
        ({"any": []}, [False]),
        ({"all": [comparison(A, "eq", 1), comparison(A, "eq", 2)]}, [False]),
        ({"all": [comparison(A, "gt", 5), comparison(A, "lt", 3)]}, [False]),
        ({"any": [comparison(A, "eq", 1), comparison(A, "ne", 1)]}, [True]),
        ({"any": [comparison(A, "exists"), comparison(A, "eq", None)]}, [True]),
        ({"any": [comparison(A, "gt", 5), comparison(A, "lte", 5)]}, []),
        (comparison(MODE, "eq", "z"), [False]),
        (comparison(MODE, "ne", "z"), [True]),
        (comparison(MODE, "in", ["a", "b", "c", "d"]), [True]),
        (comparison(MODE, "eq", "a"), []),
        (comparison(N, "eq", "5"), [False]),
        (comparison(N, "exists"), []),
        (comparison(N, "ne", None), []),
        (comparison(N, "gt", 5), []),
        (comparison(A, "eq", "z"), []),
        ({"all": [comparison(A, "eq", 1), {"any": []}]}, [False]),
    ],
)
def test_constant_conditions(condition: dict[str, Json], found: list[bool]) -> None:
    facts, node = node_with([condition], default=True)
    when = node.edges[0].when
    assert when is not None
    assert [constant.holds for constant in facts.conditions.constants(when, node)] == found


def test_many_edges_are_only_compared_for_being_equal() -> None:
    conditions = [comparison(A, "eq", number) for number in range(400)]
    facts, node = node_with([*conditions, comparison(A, "eq", 7)])
    assert not facts.coverage.exhaustive(node)
    (dead,) = facts.conditions.dead_edges(node)
    assert dead.same
    assert dead.by is node.edges[7]
