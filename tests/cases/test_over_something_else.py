"""A loop over something that is not a list is an error, not a loop of no items that reports success."""

from __future__ import annotations

import pytest

from cases.graphs import graph
from checking import check_text, line_of, loud
from running import run_text

LOOP = """\
start: get
nodes:
  get:
    action: {item_id: shop/get}
    assign: {rows: "${result.rows}"}
    next: each
  each:
    type: foreach
    over: "${state.rows}"
    as: x
    action: {item_id: shop/x, params: {v: "${x}"}}
    collect: out
    on_error: bad
    next: done
  bad: {type: return, output: "${state._last_error.error}"}
  done: {type: return, output: "${state.out | length}"}
"""

LITERAL = """\
start: each
state: {from: 7}
nodes:
  each:
    type: foreach
    over:
      - {name: one, from: "${state.from}"}
      - {name: two}
    as: x
    action: {item_id: shop/x, params: {name: "${x.name}", from: "${x.from}"}}
    next: done
  done: {type: return}
"""


@pytest.mark.parametrize(("rows", "count"), [([1, 2], 2), ("[0, 1, 2]\n", 3), (None, 0), ([], 0)])
def test_lists_and_text_of_lists_and_nothing(rows: object, count: int) -> None:
    ran = run_text(graph(LOOP), {}, {"shop/get": {"rows": rows}, "shop/x": {}})
    assert (ran.result.ended_at, ran.result.output) == ("done", count)
    assert len(ran.calls) == 1 + count


@pytest.mark.parametrize(("rows", "said"), [("a\nb\n", "a"), ({"k": 1}, "mapping"), (3, "3"), (True, "true")])
def test_anything_else_names_what_it_found(rows: object, said: str) -> None:
    ran = run_text(graph(LOOP), {}, {"shop/get": {"rows": rows}, "shop/x": {}})
    assert ran.result.ended_at == "bad"
    assert said in str(ran.result.output).lower()
    assert len(ran.calls) == 1


def test_a_literal_list_with_templates_in_it() -> None:
    ran = run_text(graph(LITERAL), {}, {"shop/x": {}})
    assert [call.params for call in ran.calls] == [{"name": "one", "from": 7}, {"name": "two"}]


@pytest.mark.parametrize("over", ["5", "{a: 1}", "true"])
def test_a_type_that_is_known_is_an_error_at_compile_time(over: str) -> None:
    text = graph(LOOP.replace('"${state.rows}"', over))
    assert f"GW412:{line_of(text, f'over: {over}')}" in loud(check_text(text))
