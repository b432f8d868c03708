"""A count that came out of a command is text, and text has another order than numbers."""

from __future__ import annotations

import pytest

from cases.graphs import graph
from checking import check_text, line_of, loud, only
from running import run_text

ROUTE = """\
start: count
nodes:
  count:
    action: {{item_id: "{tool}", params: {{command: "wc -l orders"}}}}
    assign: {{rows: "${{result.stdout{pipe}}}"}}
    on_error: stuck
    next:
      - {{to: big, when: {{path: state.rows, op: gt, value: {limit}}}}}
      - {{to: small}}
  big: {{type: return}}
  small: {{type: return}}
  stuck: {{type: return, output: "${{state._last_error.error}}"}}
"""


def test_text_that_looks_like_a_number_is_warned_about() -> None:
    text = graph(ROUTE.format(tool="shop/count", pipe="", limit='"5"'))
    found = only(check_text(text), "GW408")
    assert found.span.line == line_of(text, "op: gt")
    assert "| int" in f"{found.message} {found.help}"


def test_known_text_against_a_number_is_an_error() -> None:
    text = graph(ROUTE.format(tool="rye/bash", pipe="", limit=5))
    assert loud(check_text(text)) == [f"GW407:{line_of(text, 'op: gt')}"]


def test_the_fixed_graph_has_no_findings() -> None:
    assert loud(check_text(graph(ROUTE.format(tool="rye/bash", pipe=" | int", limit=5)))) == []


@pytest.mark.parametrize(("pipe", "limit", "end"), [(" | int", 5, "big"), ("", 5, "stuck"), (" | int", 10, "small")])
def test_a_comparison_that_cannot_be_made_goes_down_the_error_edge(pipe: str, limit: int, end: str) -> None:
    ran = run_text(
        graph(ROUTE.format(tool="shop/count", pipe=pipe, limit=limit)), {}, {"shop/count": {"stdout": "10\n"}}
    )
    assert ran.result.ended_at == end
    assert ran.result.status == "completed"


def test_the_run_time_error_names_what_was_compared() -> None:
    ran = run_text(graph(ROUTE.format(tool="shop/count", pipe="", limit=5)), {}, {"shop/count": {"stdout": "10\n"}})
    assert "10" in str(ran.result.output)
    assert ran.result.state == {"_last_error": {"node": "count", "error": ran.result.output}}
