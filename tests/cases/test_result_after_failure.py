"""Under `on_error: continue` a node's edges see what the tool returned, with the error in it."""

from __future__ import annotations

from typing import Any

import pytest

from cases.graphs import graph
from running import run_text

ROUTED = graph("""\
start: fetch
on_error: continue
state: {total: 0}
nodes:
  fetch:
    action: {item_id: shop/fetch}
    assign: {total: "${result.total + 1}"}
    next:
      - {to: later, when: {all: [{path: result.status, value: error}, {path: result.retry_in, op: gt, value: 0}]}}
      - {to: failed, when: {path: result.error, op: exists}}
      - {to: done}
  later: {type: return, output: {said: "${state._last_error.error}", total: "${state.total}"}}
  failed: {type: return, output: "${state._last_error.error}"}
  done: {type: return, output: "${state.total}"}
""")


@pytest.mark.parametrize(
    ("returned", "path", "output"),
    [
        ({"success": False, "error": "busy", "retry_in": 5}, ["fetch", "later"], {"said": "busy", "total": 0}),
        ({"status": "error", "message": "busy", "retry_in": 0}, ["fetch", "failed"], "busy"),
        ({"type": "x", "status": "error", "data": {"error": "in", "retry_in": 1}}, ["fetch", "later"], None),
        ({"total": 1, "retry_in": 9}, ["fetch", "done"], 2),
        ({"total": "many", "retry_in": 9, "status": "fine"}, ["fetch", "later"], None),
        (ValueError("gone"), ["fetch", "failed"], "gone"),
    ],
)
def test_edges_see_what_the_tool_returned_and_the_error(returned: object, path: list[str], output: object) -> None:
    ran = run_text(ROUTED, {}, {"shop/fetch": returned})
    assert ran.path == path
    assert output is None or ran.result.output == output


HOOKED = graph("""\
start: fetch
on_error: continue
hooks: [{event: after_step, action: {item_id: shop/log, params: {seen: "${result}"}}}]
nodes:
  fetch: {action: {item_id: shop/fetch}, assign: {sum: "${result.n + 1}"}, next: again}
  again: {action: {item_id: shop/again}, next: done}
  done: {type: return}
""")


def test_hooks_see_it_too_and_nothing_of_an_earlier_step() -> None:
    def answer(item_id: str, params: dict[str, Any]) -> object:
        if item_id == "shop/again":
            raise ValueError("no")
        return {"n": "x"}

    ran = run_text(HOOKED, {}, answer)
    seen: list[Any] = [call.params["seen"] for call in ran.calls if call.item_id == "shop/log"]
    assert [sorted(each) for each in seen] == [["error", "n", "status"], ["error", "status"]]
    assert seen[1] == {"status": "error", "error": "no"}


def test_what_a_called_tool_says_is_not_the_result_of_its_caller() -> None:
    text = graph("""\
start: fetch
on_error: continue
nodes:
  fetch:
    action: {item_id: shop/fetch}
    next:
      - {to: odd, when: {path: result.inner, op: exists}}
      - {to: done}
  odd: {type: return, output: odd}
  done: {type: return, output: fine}
""")
    from running import compile_text, loaded

    async def fetch(params: dict[str, object], context: Any) -> object:
        return await context.call("shop/inner")

    with loaded(compile_text(text)) as module:
        tools = {"shop/fetch": fetch, "shop/inner": lambda params: {"success": False, "error": "no", "inner": 1}}
        assert module.run_sync({}, tools=tools).output == "fine"
