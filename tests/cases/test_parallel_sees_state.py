"""The body of a loop sees the same values whether it runs in parallel or not."""

from __future__ import annotations

import pytest

from cases.graphs import graph
from running import run_text

GRAPH = """\
start: login
nodes:
  login:
    action: {item_id: shop/login}
    assign: {token: "${result.token}", pages: [a, b, c]}
    next: fetch_all
  fetch_all:
    type: foreach
    over: "${state.pages}"
    as: page
    MODE
    action:
      item_id: shop/fetch
      params: {page: "${page}", token: "${state.token}", first: "${state.pages.0}", shop: "${inputs.shop}"}
    collect: bodies
    next: done
  done: {type: return, output: "${state.bodies}"}
"""


@pytest.mark.parametrize("mode", ["max_concurrency: 2", "parallel: true"])
def test_outer_state_is_visible(mode: str) -> None:
    text = graph(GRAPH.replace("MODE", mode), inputs="shop: {type: string}\n")
    ran = run_text(text, {"shop": "north"}, lambda item, params: {"token": "T1"} if item == "shop/login" else params)
    expected = [{"page": page, "token": "T1", "first": "a", "shop": "north"} for page in "abc"]
    assert [call.params for call in ran.calls[1:]] == expected
    assert ran.result.output == expected
