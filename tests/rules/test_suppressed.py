"""What a failure that `on_error: continue` suppresses does to edges and loops: GW209, GW214 and GW216."""

from __future__ import annotations

import pytest

from checking import check_files
from graphwright.diagnostic import Severity
from rules.finding import findings, one, places

GRAPH = """\
tool_type: graph
permissions: [rye.execute.tool.release.check, rye.execute.tool.release.deploy]
config_schema: {{type: object, properties: {{limit: {{type: integer}}}}, required: [limit]}}
config:
  on_error: continue
  state: {{passed: {seed}, rounds: 0}}
  start: check
  nodes:
    check:
      action: {{item_id: tool:release/check, params: {{limit: "${{inputs.limit}}"}}}}
      assign: {{passed: "${{result.passed}}"}}
      next:
{edges}
    deploy: {{action: {{item_id: tool:release/deploy}}, next: done}}
    done: {{type: return, output: {{passed: "${{state.passed}}", rounds: "${{state.rounds}}"}}}}
"""
DEPLOY = "{to: deploy, when: {path: state.passed, value: true}}"
DEFAULT = "{to: done}"


def graph(*edges: str, seed: str = "true") -> str:
    """A check that leads on by these edges, the first on line 13."""
    return GRAPH.format(seed=seed, edges="\n".join(f"        - {edge}" for edge in edges))


def loud(text: str) -> list[str]:
    return [each.code for each in check_files({"graph.yaml": text}) if each.severity is not Severity.NOTE]


# --- a field that the result lacks (GW214) ------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("edge", "place", "taken"),
    [
        ('{to: deploy, when: {path: inputs.limit, op: lt, value: "${result.n}"}}', "13: result.n", "done"),
        ('{to: deploy, when: {path: inputs.limit, op: eq, value: "${result.n}"}}', "13: result.n", "done"),
        ("{to: deploy, when: {path: result.n, op: ne, value: 0}}", "13: result.n", "deploy"),
        ("{to: deploy, when: {not: {path: result.ok, value: true}}}", "13: result.ok", "deploy"),
        ("{to: deploy, when: {not: {path: result.n, op: gt, value: 3}}}", "13: result.n", "deploy"),
        ("{to: deploy, when: {not: {path: result.n, op: in, value: [1, 2]}}}", "13: result.n", "deploy"),
        ("{to: deploy, when: {path: result.n, value: null}}", "13: result.n", "deploy"),
        ("{to: deploy, when: {not: {path: result.n, op: exists}}}", "13: result.n", "deploy"),
        (
            "{to: deploy, when: {any: [{path: result.n, op: ne, value: 0}, {path: inputs.limit}]}}",
            "13: result.n",
            "deploy",
        ),
        ("{to: deploy, when: {path: result.n, op: gt, value: 3}}", "13: result.n", "done"),
    ],
)
def test_every_form_of_condition_that_reads_what_a_failure_lacks(edge: str, place: str, taken: str) -> None:
    text = graph(edge, DEFAULT)
    assert places("GW214", text) == [place]
    assert f"edge to `{taken}` is taken" in one("GW214", text).message
    assert "GW216" not in loud(text)


@pytest.mark.parametrize(
    "first",
    [
        "{to: done, when: {path: result.status, value: error}}",
        "{to: done, when: {path: result.error, op: exists}}",
        "{to: done, when: {path: state._last_error, op: exists}}",
        "{to: done, when: {not: {path: state._last_error, value: null}}}",
    ],
)
def test_an_edge_for_the_failure_settles_it(first: str) -> None:
    ne = "{to: deploy, when: {path: result.n, op: ne, value: 0}}"
    assert findings("GW214", graph(first, ne, DEFAULT)) == []
    assert findings("GW216", graph(first, DEPLOY, DEFAULT)) == []


def test_a_condition_that_a_failure_never_meets_reads_nothing_then() -> None:
    both = "{all: [{path: result.status, op: ne, value: error}, {path: result.n, op: ne, value: 0}]}"
    assert findings("GW214", graph(f"{{to: deploy, when: {both}}}", DEFAULT)) == []


# --- a key that keeps its old value (GW216) -----------------------------------------------------------------------


def test_an_edge_on_the_seed_of_a_key_that_the_failure_skipped() -> None:
    text = graph(DEPLOY, DEFAULT)
    assert loud(text) == ["GW216"]
    assert places("GW216", text) == ["13: state.passed"]
    found = one("GW216", text)
    assert "has its old value, and the edge to `deploy` is taken" in found.message
    assert found.related[0].message == "`passed` begins as true"


def test_the_default_edge_on_the_seed() -> None:
    found = one("GW216", graph(DEPLOY, DEFAULT, seed="false"))
    assert found.message.endswith("and the default edge to `done` is taken")


def test_what_else_the_edge_depends_on_is_said() -> None:
    early = "{to: done, when: {path: inputs.limit, op: gt, value: 3}}"
    missing = "{to: deploy, when: {path: result.n, op: ne, value: 0}}"
    assert one("GW214", graph(missing, DEFAULT)).message.endswith("so the edge to `deploy` is taken")
    late = one("GW214", graph(early, missing, DEFAULT)).message
    assert late.endswith("this condition then holds, so the edge to `deploy` is taken if no earlier edge matches")
    old = one("GW216", graph(early, DEPLOY, DEFAULT)).message
    assert old.endswith("has its old value, and the edge to `deploy` is taken if no earlier edge matches")
    default = one("GW216", graph(early, DEPLOY, DEFAULT, seed="false")).message
    assert default.endswith("and the default edge to `done` is taken if no other condition holds")


@pytest.mark.parametrize(
    "text",
    [
        graph(DEPLOY, DEFAULT).replace("  on_error: continue\n", ""),
        graph(DEPLOY, DEFAULT).replace("      next:\n", "      on_error: done\n      next:\n"),
        graph("{to: deploy, when: {path: state.rounds, op: gt, value: 3}}", DEFAULT),
        graph(DEPLOY, DEFAULT).replace("next: done}\n", 'assign: {passed: "${result.ok}"}, next: done}\n'),
        graph("{to: deploy, when: {path: state.passed, op: exists}}", DEFAULT, seed="null"),
    ],
    ids=["fails", "error edge", "another key", "another writer", "asks whether it was set"],
)
def test_no_old_value(text: str) -> None:
    assert findings("GW216", text) == []


@pytest.mark.parametrize(
    ("value", "can_fail"), [("${state.rounds + 1}", False), ("${inputs.limit | from_json}", False)]
)
def test_a_gate_that_cannot_fail_has_no_old_values(value: str, can_fail: bool) -> None:
    gate = f'      type: gate\n      assign: {{passed: "{value}"}}\n'
    text = graph("{to: deploy, when: {path: state.passed, value: 1}}", DEFAULT)
    start, end = text.index("      action: {item_id: tool:release/check"), text.index("      next:\n")
    assert findings("GW216", text[:start] + gate + text[end:]) == []


def test_a_gate_that_can_fail_has() -> None:
    gate = '      type: gate\n      assign: {passed: "${inputs.limit / state.rounds}"}\n'
    text = graph("{to: deploy, when: {path: state.passed, value: 1}}", DEFAULT)
    start, end = text.index("      action: {item_id: tool:release/check"), text.index("      next:\n")
    found = one("GW216", text[:start] + gate + text[end:])
    assert "{path: state._last_error, op: exists}" in str(found.help)


# --- a loop that a failure keeps going (GW209) --------------------------------------------------------------------

LOOP = """\
tool_type: graph
permissions: [rye.execute.tool.model.ask]
config:
  on_error: continue
  state: {mode: ask, rounds: 0}
  start: route
  nodes:
    route:
      type: gate
      assign: {rounds: "${state.rounds + 1}"}
      next:
        - {to: ask, when: {path: state.mode, value: ask}}
        - {to: done}
    ask:
      action: {item_id: tool:model/ask, params: {round: "${state.rounds}"}}
      assign: {mode: "${result.mode}"}
      next: route
    done: {type: return, output: "${state.mode}"}
"""


def test_a_loop_that_only_a_success_ends() -> None:
    assert loud(LOOP) == ["GW209"]
    found = one("GW209", LOOP)
    assert places("GW209", LOOP) == ["12: state.mode"]
    assert "when `ask` fails, `on_error: continue` skips its `assign`" in found.message
    assert found.help == "add `on_error` to `ask`, or limit the loop with `max_visits`"


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("  on_error: continue\n", ""),
        ("      next: route\n", "      next: route\n      on_error: done\n"),
        ("      next: route\n", "      next: route\n      max_visits: 5\n"),
        ("      next: route\n", "      next: [{to: done, when: {path: result.status, value: error}}, {to: route}]\n"),
        (
            "{path: state.mode, value: ask}",
            "{all: [{path: state.mode, value: ask}, {path: state.rounds, op: lt, value: 9}]}",
        ),
        ("  on_error: continue\n", "  on_error: continue\n  on_max_steps: return\n"),
    ],
    ids=["fails", "error edge", "max_visits", "edge for the failure", "counted", "ends at the limit"],
)
def test_a_loop_that_a_failure_ends_too(old: str, new: str) -> None:
    assert findings("GW209", LOOP.replace(old, new, 1)) == []


def test_a_counter_that_a_failure_skips() -> None:
    counted = LOOP.replace('      assign: {rounds: "${state.rounds + 1}"}\n', "")
    counted = counted.replace('{mode: "${result.mode}"}', '{rounds: "${state.rounds + 1}", mode: "${result.mode}"}')
    counted = counted.replace("{path: state.mode, value: ask}", "{path: state.rounds, op: lt, value: 9}")
    assert "when `ask` fails" in one("GW209", counted).message
