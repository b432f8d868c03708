"""Plain scalars that YAML reads as something else than one would think."""

from __future__ import annotations

from cases.graphs import graph
from checking import check_text, line_of, loud, only
from running import run_text

GRAPH = """\
start: go
nodes:
  go:
    action:
      item_id: shop/schedule
      params:
        at: 12:30:45
        mode: 0755
        limit: 1_000
        color: 5319e7
        python: 3.10
    assign:
      flag: off
    next:
      - {to: done, when: {path: inputs.country, op: eq, value: NO}}
      - {to: done2}
  done: {type: return}
  done2: {type: return}
"""
DATE = """\
start: go
nodes:
  go: {action: {item_id: shop/x, params: {day: 2026-01-02}}, next: done}
  done: {type: return}
"""
INPUTS = "country: {type: [string, boolean], default: SE}\n"


def test_every_doubtful_value_is_warned_about_where_it_stands() -> None:
    text = graph(GRAPH, inputs=INPUTS)
    expected = [
        f"GW004:{line_of(text, part)}"
        for part in ("at: 12", "mode: 0", "limit: 1_", "color: 5", "python: 3", "flag: off")
    ]
    found = loud(check_text(text))
    assert [one for one in found if one.startswith("GW004")] == [*expected, f"GW004:{line_of(text, 'value: NO')}"]


def test_the_values_keep_the_meaning_that_existing_graphs_rely_on() -> None:
    ran = run_text(graph(GRAPH, inputs=INPUTS), {"country": False}, {"shop/schedule": {}})
    assert ran.calls[0].params == {"at": 45045, "mode": 493, "limit": 1000, "color": "5319e7", "python": 3.1}
    assert ran.result.state == {"flag": False}
    assert ran.result.ended_at == "done"


def test_a_date_is_an_error_with_its_fix() -> None:
    text = graph(DATE)
    found = only(check_text(text), "GW003")
    assert found.span.line == line_of(text, "2026-01-02")
    assert '"2026-01-02"' in f"{found.message} {found.help}"


def test_a_version_that_loses_its_zero_is_warned_about() -> None:
    text = graph("start: done\nnodes:\n  done: {type: return}\n").replace('version: "1.0.0"', "version: 1.10")
    found = only(check_text(text), "GW004")
    assert found.severity.value == "warning"
    assert "1.10" in found.message


def test_a_word_that_means_true_is_no_key() -> None:
    text = graph("start: done\nstate: {on: 1}\nnodes:\n  done: {type: return}\n")
    assert only(check_text(text), "GW004").severity.value == "error"
