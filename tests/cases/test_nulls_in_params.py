"""Null entries of params are dropped, so that a tool's own defaults apply."""

from __future__ import annotations

from cases.graphs import graph
from checking import check_text, line_of
from running import run_text

GRAPH = """\
start: a
state: {m: {}}
nodes:
  a:
    action:
      item_id: shop/query
      params:
        limit: "${inputs.limit}"
        literal: null
        tilde: ~
        empty:
        list: [1, null, "${state.m.nope}", {x: null, y: 2}]
        nested: {x: null, y: 1}
        text: "v=${state.m.nope}"
    next: done
  done: {type: return}
"""
INPUTS = 'limit: {type: [integer, "null"], default: null}\n'


def test_they_go_from_mappings_and_stay_in_lists() -> None:
    ran = run_text(graph(GRAPH, inputs=INPUTS), {}, {"shop/query": {}})
    assert ran.calls[0].params == {"list": [1, None, None, {"y": 2}], "nested": {"y": 1}, "text": "v="}


def test_a_written_null_gets_a_note() -> None:
    text = graph(GRAPH, inputs=INPUTS)
    noted = [one.span.line for one in check_text(text) if one.code == "GW416"]
    assert set(noted) >= {
        line_of(text, "literal:"),
        line_of(text, "tilde:"),
        line_of(text, "empty:"),
        line_of(text, "nested:"),
    }
