"""What the properties have found, kept as plain tests."""

from __future__ import annotations

import pytest

from checking import check_text, line_of, only
from running import run_text

HEAD = """\
tool_type: graph
permissions: [rye.execute.tool.svc.*]
config_schema: {type: object, properties: {ids: {type: array, items: {type: integer}}}, required: [ids]}
config:
  start: work
"""


def test_a_condition_that_fails_is_an_error_of_its_node_also_where_errors_are_passed_over() -> None:
    text = (
        HEAD
        + """\
  on_error: continue
  nodes:
    work:
      action: {item_id: tool:svc/a, params: {ids: "${inputs.ids}"}}
      assign: {total: "${result.total}"}
      next:
        - {to: small, when: {path: state.total, op: lt, value: 4}}
        - {to: big}
    small: {type: return, output: small}
    big: {type: return, output: big}
"""
    )
    ran = run_text(text, {"ids": []}, {"svc/a": {"total": True}})
    assert ran.result.status == "completed_with_errors"
    assert ran.path == ["work", "big"]
    assert "total" not in ran.result.state, "as it was before the node's assign"


@pytest.mark.parametrize(("policy", "edge"), [("on_error: continue", ""), ("on_error: fail", "on_error: big")])
def test_a_loop_has_collected_when_one_of_its_conditions_fails(policy: str, edge: str) -> None:
    text = (
        HEAD
        + f"""\
  {policy}
  state: {{limit: a}}
  nodes:
    work:
      type: foreach
      over: "${{inputs.ids}}"
      action: {{item_id: tool:svc/a, params: {{id: "${{item}}"}}}}
      assign: {{limit: "${{result.v}}"}}
      collect: found
      {edge}
      next:
        - {{to: small, when: {{path: state.limit, op: lt, value: 4}}}}
        - {{to: big}}
    small: {{type: return, output: "${{state.found}}"}}
    big: {{type: return, output: "${{state.found}}"}}
"""
    )
    ran = run_text(text, {"ids": [1]}, {"svc/a": {"v": "b"}})
    assert (ran.path, ran.result.output) == (["work", "big"], [{"v": "b"}])


def test_a_loop_without_a_list_collects_nothing() -> None:
    text = (
        HEAD
        + """\
  on_error: continue
  nodes:
    work:
      type: foreach
      over: "${inputs.ids.0 | str | from_json}"
      action: {item_id: tool:svc/a, params: {id: "${item}"}}
      collect: found
      next:
        - {to: done, when: {path: state.found, op: exists}}
        - {to: sorry}
    done: {type: return, output: "${state.found}"}
    sorry: {type: return, output: "${state.found}"}
"""
    )
    ran = run_text(text, {"ids": [1]}, {"svc/a": {}})
    assert (ran.path, ran.result.status, ran.result.output) == (["work", "sorry"], "completed_with_errors", None)
    said = only(check_text(text), "GW302")
    assert said.span.line == line_of(text, "sorry: {type")
    assert "`work` collects nothing if its `over` is not a list" in said.message


def test_a_right_side_that_fails_leaves_something_over() -> None:
    text = (
        HEAD
        + """\
  on_error: continue
  nodes:
    work:
      type: gate
      assign: {total: "${inputs.ids | length}"}
      next:
        - {to: small, when: {path: state.total, op: lte, value: "${inputs.ids.0 + 1}"}}
        - {to: big, when: {not: {path: state.total, op: lte, value: "${inputs.ids.0 + 1}"}}}
    small: {type: return, output: small}
    big: {type: return, output: big}
"""
    )
    assert only(check_text(text), "GW207").span.line == line_of(text, "      next:")
    ran = run_text(text, {"ids": []}, {})
    assert (ran.path, ran.result.status) == (["work"], "completed_with_errors")


def test_a_policy_retries_whatever_fails_in_its_node() -> None:
    text = (
        HEAD
        + """\
  nodes:
    work:
      action: {item_id: tool:svc/a, params: {ids: "${inputs.ids}"}}
      retry: {attempts: 2, backoff_ms: 1, categories: [permanent]}
      assign: {total: "${result.total + 1}"}
      next: done
    done: {type: return, output: "${state.total}"}
"""
    )
    totals = iter(["no number", 41])
    ran = run_text(text, {"ids": []}, lambda item_id, params: {"total": next(totals)})
    assert (ran.called, ran.result.output) == (["svc/a", "svc/a"], 42)
