"""`assign` comes first, in the order of the file; then the edge is chosen, over the new state."""

from __future__ import annotations

from cases.graphs import graph
from running import run_text

ORDER = """\
state: {phase: old, copy: none}
start: a
nodes:
  a:
    action: {item_id: shop/a}
    assign: {phase: "${result.phase}", copy: "${state.phase}"}
    next:
      - {to: saw_new, when: {path: state.phase, op: eq, value: new}}
      - {to: saw_old}
  saw_new: {type: return}
  saw_old: {type: return}
"""


def test_later_entries_and_edges_see_what_was_assigned() -> None:
    ran = run_text(graph(ORDER), {}, {"shop/a": {"phase": "new"}})
    assert ran.result.ended_at == "saw_new"
    assert ran.result.state == {"phase": "new", "copy": "new"}


def test_a_suppressed_error_assigns_nothing() -> None:
    ran = run_text(graph("on_error: continue\n" + ORDER), {}, {"shop/a": ValueError("no")})
    assert ran.result.ended_at == "saw_old"
    assert (ran.result.state["phase"], ran.result.state["copy"]) == ("old", "none")
    assert ran.result.status == "completed_with_errors"


def test_a_failing_entry_undoes_the_ones_before_it() -> None:
    text = graph(
        ORDER.replace('copy: "${state.phase}"', 'copy: "${result.count + 1}"').replace(
            "next:", "on_error: saw_old\n    next:"
        )
    )
    ran = run_text(text, {}, {"shop/a": {"phase": "new", "count": "three"}})
    assert ran.result.ended_at == "saw_old"
    assert (ran.result.state["phase"], ran.result.state["copy"]) == ("old", "none")
