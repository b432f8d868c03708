"""Each null value of a template gives one warning, with what was probably meant."""

from __future__ import annotations

import logging

import pytest

from cases.graphs import graph
from running import run_text

NULLS = graph(
    """\
start: fetch
state: {user: {name: Ada}, notes: null}
nodes:
  fetch:
    action: {item_id: shop/fetch, params: {who: "${state.user.nmae || inputs.whom}", n: "${inputs.team | upper}"}}
    assign:
      greeting: "${result.greting}"
      row: "${result.rows.0.nam | trim}"
      chain: "${state.notes || result.greting | upper}"
      text: "${result.greting}, ${state.notes | json}!"
      nested: {list: ["${state.user['nmae']}"]}
      fine: "${result.greting || 'hello'}"
    next: loop
  loop:
    type: foreach
    over: "${state.user.lits}"
    as: each
    action: {item_id: shop/each, params: {id: "${each.idd}"}}
    next: again
  again:
    type: foreach
    over: [{id: 1}, {id: 2}]
    as: each
    action: {item_id: shop/each, params: {id: "${each.idd}"}}
    assign: {seen: "${result.idd}"}
    next: done
  done: {type: return, output: "${state.notes || inputs.team}"}
""",
    inputs="who: {type: string}\nteam: {type: string}\nwhom: {type: string}\n",
)


def test_every_null_is_warned_of(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.WARNING, "graphwright_runtime"):
        results = {"shop/fetch": {"greeting": "hi", "rows": [{"name": 1}]}, "shop/each": {"id": 1}}
        ran = run_text(NULLS, {"who": "me"}, results)
    assert ran.result.status == "completed", ran.result.error
    said = [record.message.partition(": ")[2] for record in caplog.records]
    assert said == [
        "node fetch: state.user.nmae || inputs.whom is null (did you mean state.user.name?)",
        "node fetch: inputs.team | upper is null",
        "node fetch: result.greting is null (did you mean result.greeting?)",
        "node fetch: result.rows.0.nam | trim is null (did you mean result.rows.0.name?)",
        "node fetch: state.notes || result.greting | upper is null (did you mean result.greeting?)",
        "node fetch: state.notes | json is null",
        "node fetch: state.user['nmae'] is null (did you mean state.user.name?)",
        "node loop: state.user.lits is null: there are no items",
        "node again: each.idd is null (did you mean each.id?)",
        "node again: result.idd is null (did you mean result.id?)",
        "node done: state.notes || inputs.team is null",
    ]


def test_what_is_not_null_is_not_warned_of(caplog: pytest.LogCaptureFixture) -> None:
    text = graph("""\
start: fetch
nodes:
  fetch:
    action: {item_id: shop/fetch}
    assign: {a: "${result.a}", b: "${result.b | default(0)}", c: "${result.c || result.a | json}", d: "x ${result.a}"}
    next: done
  done: {type: return, output: {a: "${state.a || state.b}"}}
""")
    with caplog.at_level(logging.WARNING, "graphwright_runtime"):
        assert run_text(text, {}, {"shop/fetch": {"a": False}}).result.output == {"a": False}
    assert not caplog.records
