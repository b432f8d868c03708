"""Types of a graph: what is inferred, and that no run ever holds a value outside of it."""

from __future__ import annotations

from typing import cast

import pytest
import yaml
from hypothesis import HealthCheck, Phase, assume, given, settings

from analysis.membership import belongs
from graphwright import ir
from graphwright.analysis.jsontype import ANY, OBJECT, STRING, Field, Type, object_of
from graphwright.analysis.tools import Contract
from graphwright.analysis.type_text import describe
from graphwright.analysis.typing import ProgramPoint, Types
from graphwright.facts import Facts
from graphwright.ir import Json
from graphwright.source.reader import read_text
from property.strategies import ECHO, Plan, plans
from reference.walker import Tool, walk


def facts_of(text: str) -> Facts:
    facts = Facts(read_text(text))
    assert facts.graph is not None
    return facts


def node(assign: str, *, state: str = "{}", extra: str = "") -> Facts:
    """A graph of one action node with these assigns."""
    return facts_of(
        f"""
tool_type: graph
permissions: [rye.execute.tool.a.b]
config_schema:
  type: object
  properties:
    n: {{type: integer}}
    x: {{type: number, default: 1}}
    s: {{type: string}}
    flag: {{type: boolean}}
    rows: {{type: array, items: {{type: string}}}}
    maybe: {{type: string}}
  required: [n, s, flag, rows]
config:
  start: work
  state: {state}
  nodes:
    work:
      action: {{item_id: tool:a/b}}
      assign: {assign}
      next: done
      {extra}
    done: {{type: return}}
"""
    )


@pytest.mark.parametrize(
    ("expression", "kind"),
    [
        ("inputs.n", "integer"),
        ("inputs.maybe", "string or null"),
        ("inputs.maybe || 'x'", "string"),
        ("inputs.maybe || inputs.n", "string or integer"),
        ("inputs.rows", "list of strings"),
        ("inputs.rows.0", "string or null"),
        ("inputs.rows.x", "null"),
        ("inputs.s.x", "null"),
        ("inputs.n + 1", "integer"),
        ("inputs.n + 1.5", "number"),
        ("inputs.n / 1", "number"),
        ("inputs.n + inputs.x", "number"),
        ("inputs.s + 'x'", "string"),
        ("inputs.rows + [1]", "list of (string or integer)"),
        ("result.x + 1", "number"),
        ("-inputs.n", "integer"),
        ("inputs.rows | length", "integer"),
        ("inputs.maybe | length", "integer or null"),
        ("inputs.maybe | length | default(0)", "integer"),
        ("inputs.maybe | default(inputs.n)", "string or integer"),
        ("inputs.rows | first", "string or null"),
        ("inputs.s | lines", "list of strings"),
        ("inputs.s | from_json", "anything"),
        ("result", "object"),
        ("result.anything", "anything"),
        ("[inputs.n, null]", "list of (integer or null)"),
        ("_now", "string"),
        ("_timestamp", "integer"),
        ("_run.step", "integer"),
        ("_run.id", "string"),
        ("state.unknown", "anything"),
    ],
)
def test_expressions(expression: str, kind: str) -> None:
    facts = node(f'{{k: "${{{expression}}}"}}')
    assert describe(facts.types.state["k"]) == kind


def test_mixed_text_and_yaml_values() -> None:
    facts = node('{t: "n=${inputs.n}", m: {a: "${inputs.n}", b: [1]}, c: 5}')
    state = facts.types.state
    assert state["t"] == STRING
    assert {name: describe(field.type) for name, field in state["m"].fields} == {
        "a": "integer",
        "b": "list of integers",
    }
    assert state["c"].values == (5,)


def test_a_key_joins_everything_that_is_assigned_to_it() -> None:
    facts = node('{n: "${state.n + 0.5}", s: "${inputs.s}"}', state="{n: 0, s: null}")
    assert describe(facts.types.state["n"]) == "number"
    assert describe(facts.types.state["s"]) == "string or null"


def test_a_loop_of_assigns_comes_to_an_end() -> None:
    facts = node('{a: ["${state.a}"], b: "${state.b + 1}", c: {d: "${state.c}"}}', state="{a: 0, b: 0, c: x}")
    state = facts.types.state
    assert state["a"].kinds == {"integer", "array"}
    assert describe(state["b"]) == "integer"
    assert state["c"].kinds == {"string", "object"}


def test_what_may_be_unassigned_may_be_null() -> None:
    facts = facts_of(
        """
tool_type: graph
permissions: [rye.execute.tool.a.b]
config:
  start: pick
  nodes:
    pick:
      action: {item_id: tool:a/b}
      assign: {seen: 1}
      on_error: later
      next:
        - {to: set, when: {path: result.x, value: 1}}
        - {to: later}
    set: {type: gate, assign: {key: "text", copy: "${state.key}"}, next: later}
    later: {type: gate, assign: {late: "${state.key}", seen_late: "${state.seen}"}, next: done}
    done: {type: return}
"""
    )
    state = facts.types.state
    assert describe(state["copy"]) == "string"
    assert describe(state["late"]) == "string or null"
    assert describe(state["seen_late"]) == "integer or null"


def test_state_schema_types_the_keys() -> None:
    facts = facts_of(
        """
tool_type: graph
permissions: [rye.execute.tool.a.b]
config:
  start: work
  state_schema: {type: object, properties: {n: {type: integer}, mode: {enum: [fast, slow]}}}
  nodes:
    work: {action: {item_id: tool:a/b}, assign: {n: "${result.n}", mode: "${result.mode}", free: "${result.f}"}}
"""
    )
    assert describe(facts.types.state["n"]) == "integer"
    assert facts.types.state["mode"].values == ("fast", "slow")
    assert facts.types.state["free"] == ANY


FOREACH = """
tool_type: graph
permissions: [rye.execute.tool.rye.bash]
config_schema: {{type: object, properties: {{rows: {{type: array, items: {{type: string}}}}}}, required: [rows]}}
config:
  start: loop
  on_error: {policy}
  nodes:
    loop:
      type: foreach
      over: "${{inputs.rows}}"
      as: row
      action: {{item_id: tool:rye/bash, params: {{command: "${{row}}"}}}}
      assign: {{last: "${{row}}", out: "${{result.stdout}}"}}
      collect: all
      {extra}
      next: done
    done: {{type: return}}
"""


def test_a_foreach_types_its_variable_and_what_it_collects() -> None:
    facts = facts_of(FOREACH.format(policy="fail", extra="retry: {attempts: 2}"))
    state = facts.types.state
    assert describe(state["last"]) == "string"
    assert describe(state["out"]) == "string"
    assert describe(state["all"]) == "list of objects"
    assert state["all"].item.field_map["exit_code"].required


def test_failed_items_are_collected_too() -> None:
    edge = facts_of(FOREACH.format(policy="fail", extra="on_error: done")).types.state["all"]
    going_on = facts_of(FOREACH.format(policy="continue", extra="timeout_s: 5")).types.state["all"]
    assert describe(edge) == "list of (object or null)"
    assert describe(going_on) == "list of objects"
    failure: Json = {"status": "error", "error": "no"}
    assert belongs([failure], going_on)
    assert belongs([failure, None], edge)


@pytest.mark.parametrize(
    ("returned", "path", "kind"),
    [
        (object_of({"x": Field(STRING, True)}), "result.x", "string"),
        (object_of({"x": Field(STRING, True)}), "result.y", "anything"),  # GW703
        (STRING, "result.result", "string"),
        (OBJECT, "result.x", "anything"),
    ],
)
def test_results_come_from_contracts(returned: Type, path: str, kind: str) -> None:
    facts = node(f'{{k: "${{{path}}}"}}')
    assert facts.graph is not None
    types = Types(facts.graph, contracts=lambda _: Contract(OBJECT, returned))
    assert describe(types.state["k"]) == kind


def test_a_suppressed_failure_shows_in_the_conditions_only() -> None:
    facts = facts_of(
        """
tool_type: graph
permissions: [rye.execute.tool.rye.bash]
config:
  start: run
  on_error: continue
  nodes:
    run:
      action: {item_id: tool:rye/bash, params: {command: date}}
      assign: {out: "${result.stdout}"}
      next:
        - {to: done, when: {path: result.stdout, op: exists}}
        - {to: done, when: {path: state.out, op: exists}}
        - {to: done}
    done: {type: return}
"""
    )
    assert facts.graph is not None
    run = facts.graph.nodes["run"]
    (first, second), leaving = [edge.when for edge in run.edges[:2]], facts.types.leaving(run)
    assert describe(facts.types.state["out"]) == "string"
    assert isinstance(first, ir.Compare)
    assert isinstance(second, ir.Compare)
    assert describe(facts.types.of(first.left, leaving)) == "anything"
    assert describe(facts.types.of(second.left, leaving)) == "string or null"
    assert describe(facts.types.of(first.left, ProgramPoint(run))) == "string"


def answers(plan: Plan) -> Tool:
    """The results of a plan, one call of a tool after the other; the last one repeats."""
    left = {tool: list(results) for tool, results in plan.results.items()}

    def answer(item_id: str, params: dict[str, object]) -> object:
        if item_id == ECHO:
            return {"v": params.get("v")}
        results = left[item_id]
        result = results.pop(0) if len(results) > 1 else results[0]
        if isinstance(result, Exception):
            raise result
        return result

    return answer


@settings(
    max_examples=15,
    deadline=None,
    phases=[Phase.explicit, Phase.reuse, Phase.generate],  # graphs this size take minutes to shrink
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much],
)
@given(plans())
def test_no_completed_run_holds_a_value_outside_of_its_type(plan: Plan) -> None:
    facts = facts_of(plan.text)
    assume(not facts.noted() & {"GW310", "GW401", "GW402", "GW411"})
    outcome = walk(yaml.safe_load(plan.text), plan.inputs, answers(plan))
    assume(outcome.status != "error")
    for key, value in outcome.state.items():
        kind = facts.types.state[key]
        assert belongs(cast("Json", value), kind), f"{key}: {value!r} is not {describe(kind)}"


def test_thousands_of_keys_that_hang_on_each_other() -> None:
    count = 1500
    nodes = "\n".join(
        f'    n{i}: {{type: gate, assign: {{k{i}: "${{state.k{i - 1} + 1}}"}}, next: n{i + 1}}}'
        for i in range(1, count)
    )
    head = "tool_type: graph\nconfig:\n  start: n1\n  state: {k0: 0}\n  nodes:\n"
    text = f"{head}{nodes}\n    n{count}: {{type: return}}\n"
    assert describe(facts_of(text).types.state[f"k{count - 1}"]) == "integer"
