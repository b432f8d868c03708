"""GW206, GW207, GW209, GW213, GW214: what conditions say together."""

from __future__ import annotations

import pytest

from rules.finding import CLEAN, edit, findings, loud, one, places


def routed(*edges: str, extra: str = "") -> str:
    """The clean graph with these edges of node `count`, the first on line 26; `extra` goes into `config`."""
    listed = "".join(f"        - {edge}\n" for edge in edges)
    text = edit(CLEAN, ("      next: done\n", f"      next:\n{listed}"))
    return edit(text, ("config:\n", f"config:\n{extra}")) if extra else text


def test_an_edge_that_another_beats() -> None:
    graph = routed(
        "{to: done, when: {path: state.total, op: gt, value: 10}}",
        "{to: fetch, when: {path: state.total, op: gt, value: 100}}",
        "{to: done}",
    )
    found = one("GW206", graph)
    assert found.message == (
        "node `count`: the edge to `fetch` is never taken, because the edge to `done` above it matches whenever this "
        "one does"
    )
    assert places("GW206", graph) == ["27: {to: fetch, when: {path: state.total, op: gt, value: 100}}"]
    assert found.related[0].span.line == 26
    assert loud(graph) == {"GW206"}


def test_two_equal_edges() -> None:
    when = "when: {path: state.total, op: regex, value: x}"
    assert (
        "has the same condition"
        in one("GW206", routed(f"{{to: done, {when}}}", f"{{to: fetch, {when}}}", "to: done")).message
    )


def test_the_wider_condition_last_is_fine() -> None:
    graph = routed(
        "{to: fetch, when: {path: state.total, op: gt, value: 100}}",
        "{to: done, when: {path: state.total, op: gt, value: 10}}",
        "{to: done}",
    )
    assert loud(graph) == set()


@pytest.mark.parametrize(
    ("edges", "example"),
    [
        (["{to: done, when: {path: state.total, op: gt, value: 0}}"], "when `state.total` is 0"),
        (["{to: done, when: {path: inputs.team, value: red}}"], "when `inputs.team` is"),
        (["{to: done, when: {path: state.total, op: regex, value: x}}"], ""),
    ],
)
def test_no_default_edge(edges: list[str], example: str) -> None:
    graph = routed(*edges)
    found = one("GW207", graph)
    assert found.message.startswith("node `count` has no default edge, so the run ends here if no condition holds")
    assert example in found.message
    assert places("GW207", graph) == ["25: next"]


def test_a_mistake_in_a_condition_is_one_complaint() -> None:
    assert loud(routed("{to: done, when: {path: state.total, op: equalz, value: 0}}")) == {"GW405"}
    assert loud(routed("{to: done, when: {path: state.total, op: in, value: 0}}", "{to: fetch}")) == {"GW406"}


def test_comparisons_that_never_succeed_hide_nothing() -> None:
    graph = routed(
        "{to: done, when: {path: inputs.team, op: gt, value: 5}}",
        "{to: done, when: {path: inputs.team, op: exists}}",
        "{to: done}",
    )
    assert loud(graph) == {"GW407"}


STATE = "  state: {ready: false}\n"


def test_a_loop_that_its_own_nodes_cannot_end() -> None:
    graph = routed("{to: done, when: {path: state.ready, value: true}}", "{to: fetch}", extra=STATE)
    found = one("GW209", graph)
    assert found.message == (
        "the loop `count → fetch → count` waits for `state.ready` to change, but does not assign it"
    )
    assert [where.partition(": ")[2] for where in places("GW209", graph)] == ["state.ready"]
    assert loud(graph) == {"GW209"}


def test_a_back_edge_that_never_changes() -> None:
    graph = routed("{to: fetch, when: {path: state.ready, value: false}}", "{to: done}", extra=STATE)
    assert loud(graph) == {"GW209"}


MORE = "{to: done, when: {path: state.total, op: gt, value: 0}}"
READY = "{to: fetch, when: {path: state.ready, value: true}}"


@pytest.mark.parametrize(
    "edges",
    [
        [MORE, "{to: fetch}"],
        [MORE, READY, "{to: done}"],
        ["{to: done, when: {path: result.more, value: false}}", "{to: fetch}"],
        ["{to: done, when: {path: state.ready, value: '${result.x}'}}", "{to: fetch}"],
        ["{to: done, when: {any: [{path: state.ready}, {path: state.total, op: exists}]}}", "{to: fetch}"],
        ["{to: done, when: {path: state._retries.count, op: exists}}", "{to: fetch}"],
        ["{to: done}"],
    ],
)
def test_loops_that_can_end(edges: list[str]) -> None:
    assert findings("GW209", routed(*edges, extra=STATE)) == []


@pytest.mark.parametrize(
    ("condition", "place", "said"),
    [
        ("{any: []}", "any", "`any` with an empty list is never true"),
        ("{all: [{all: []}, {path: state.total, value: 1}]}", "all", "`all` with an empty list is always true"),
        (
            "{all: [{path: state.total, value: 1}, {path: state.total, value: 2}]}",
            "all",
            "its parts exclude each other",
        ),
        (
            "{any: [{path: state.total, op: exists}, {not: {path: state.total, op: exists}}]}",
            "any",
            "cover every case",
        ),
        ("{any: [{path: state.total, op: exists}, {any: []}]}", "any", "`any` with an empty list"),
        ("{path: state.total, op: in, value: []}", "path", "`in` with an empty list is never true"),
        ("{path: inputs.team, value: 5}", "path", "`inputs.team` is a string, so `eq` with 5 is never true"),
    ],
)
def test_constant_conditions(condition: str, place: str, said: str) -> None:
    graph = routed(f"{{to: done, when: {condition}}}", "{to: done}")
    assert said in one("GW213", graph).message
    assert [where.partition(": ")[2] for where in places("GW213", graph)] == [place]


def test_values_that_a_schema_excludes() -> None:
    graph = edit(CLEAN, ("team: {type: string}", "team: {enum: [red, blue]}"))
    graph = edit(graph, ("next: done\n", "next: [{to: done, when: {path: inputs.team, value: rde}}, {to: done}]\n"))
    assert one("GW213", graph).message == (
        'node `count`: `inputs.team` is one of "blue", "red", so `eq` with "rde" is never true'
    )


@pytest.mark.parametrize(
    ("schema", "condition", "said"),
    [
        ("{type: integer, minimum: 1}", "op: lt, value: 1", "an integer (at least 1), so `lt` with 1 is never true"),
        ("{type: integer, minimum: 0, maximum: 2}", "op: gt, value: 2", "an integer (from 0 to 2), so `gt` with 2 is"),
        ("{type: number, exclusiveMinimum: 0}", "value: 0", "a number (above 0), so `eq` with 0 is never true"),
        ("{allOf: [{type: integer}, {maximum: 3}]}", "op: gt, value: 3", "(at most 3), so `gt` with 3 is never true"),
        (
            "{anyOf: [{type: integer, minimum: 2}, {const: 1}]}",
            "op: lt, value: 1",
            "(at least 1), so `lt` with 1 is never",
        ),
    ],
)
def test_numbers_that_a_schema_excludes(schema: str, condition: str, said: str) -> None:
    graph = edit(CLEAN, ("team: {type: string}", f"team: {schema}"))
    graph = edit(
        graph, ("next: done\n", f"next: [{{to: done, when: {{path: inputs.team, {condition}}}}}, {{to: done}}]\n")
    )
    assert said in one("GW213", graph).message


def test_bounds_leave_nothing_over() -> None:
    edges = (
        "{to: done, when: {path: inputs.team, value: 1}}",
        "{to: done, when: {path: inputs.team, op: gt, value: 1}}",
    )
    assert loud(edit(routed(*edges), ("team: {type: string}", "team: {type: integer, minimum: 1}"))) == set()
    graph = edit(routed(*edges), ("team: {type: string}", "team: {type: integer, minimum: 0}"))
    assert one("GW207", graph).message.endswith("for example when `inputs.team` is 0")


def test_an_example_is_an_input_that_there_can_be() -> None:
    """A text other than `a` would be one for the types alone."""
    graph = edit(
        routed("{to: done, when: {path: inputs.team, op: gte, value: 0}}", extra="  on_error: continue\n"),
        ("team: {type: string}", "team: {anyOf: [{type: integer, minimum: 0}, {const: a}]}"),
    )
    assert one("GW207", graph).message.endswith("the run ends here if no condition holds")


@pytest.mark.parametrize("right", ["5", "'${inputs.limit}'"])
def test_a_gate_that_cannot_fail_has_assigned(right: str) -> None:
    """Under `continue` a gate that failed has not assigned; numbers compared with numbers do not fail."""
    graph = f"""\
tool_type: graph
permissions: []
config_schema:
  type: object
  properties: {{total: {{type: integer}}, limit: {{type: integer}}}}
  required: [total, limit]
config:
  start: check
  on_error: continue
  nodes:
    check:
      type: gate
      assign: {{total: "${{inputs.total}}", limit: "${{inputs.limit}}"}}
      next:
        - {{to: big, when: {{path: state.total, op: gt, value: {right}}}}}
        - {{to: small, when: {{path: state.total, op: lte, value: {right}}}}}
    big: {{type: return, output: "${{state.limit}}"}}
    small: {{type: return, output: "${{state.limit}}"}}
"""
    assert not findings("GW207", graph)


def test_hooks_have_conditions_too() -> None:
    hook = "  hooks: [{event: error, condition: {any: []}, action: {retry: true}}]\n"
    assert (
        one("GW213", edit(CLEAN, ("config:\n", f"config:\n{hook}"))).message
        == "hook 1: `any` with an empty list is never true"
    )


CONTINUE = "  on_error: continue\n"


def test_a_suppressed_failure_takes_the_default_edge() -> None:
    graph = routed("{to: fetch, when: {path: result.more, value: true}}", "{to: done}", extra=CONTINUE)
    found = one("GW214", graph)
    assert found.message.startswith("when node `count` fails, `result.more` may be missing")
    assert found.message.endswith("the default edge to `done` is taken")
    assert found.related[0].span.line == 28


def test_a_suppressed_failure_takes_the_default_edge_where_no_other_condition_holds() -> None:
    other = "{to: fetch, when: {path: state.tickets, op: exists}}"
    found = one("GW214", routed(other, MISSING, "{to: done}", extra=CONTINUE))
    assert found.message.endswith("the default edge to `done` is taken if no other condition holds")


MISSING = "{to: fetch, when: {path: result.more, value: true}}"


@pytest.mark.parametrize(
    ("edges", "extra"),
    [
        (["{to: fetch, when: {path: result.status, value: error}}", MISSING, "{to: done}"], CONTINUE),
        (["{to: fetch, when: {path: result.error, op: exists}}", MISSING, "{to: done}"], CONTINUE),
        (["{to: fetch, when: {path: state.total, op: gt, value: 1}}", "{to: done}"], CONTINUE),
        ([MISSING, "{to: done}"], ""),
    ],
)
def test_failures_with_a_way_of_their_own(edges: list[str], extra: str) -> None:
    assert findings("GW214", routed(*edges, extra=extra)) == []
