"""A second key of the same name must not win silently; merge keys must keep working."""

from __future__ import annotations

import pytest

from cases.graphs import graph
from checking import check_text, line_of, loud, only
from running import run_text

TWICE = """\
start: load
nodes:
  load: {action: {item_id: shop/load}, next: done}
  save: {action: {item_id: shop/save}, next: done}
  load: {action: {item_id: shop/load-v2}, next: done}  # again
  done: {type: return}
"""

DEEP = """\
start: a
nodes:
  a:
    action:
      item_id: shop/a
      params: {retries: 1, retries: 5}
    assign:
      total: "${result.sum}"
      total: "${result.count}"
    next:
      - to: done
        when: {path: result.x, op: eq, op: ne, value: 1}
      - to: done
  done: {type: return}
"""

MERGED = """\
start: first
nodes:
  first: &call
    action: {item_id: shop/ping, params: {host: one}}
    on_error: done
    next: second
  second:
    <<: *call
    next: done
  done: {type: return}
"""

MERGED_TWICE = """\
start: x
nodes:
  x:
    <<: &a {on_error: done}
    <<: &b {next: done}
    action: {item_id: shop/x}
  done: {type: return}
"""


def test_a_node_twice_names_both_places() -> None:
    text = graph(TWICE)
    found = only(check_text(text), "GW002")
    first = line_of(text, "load: {action: {item_id: shop/load}")
    assert found.span.line == line_of(text, "load: {action: {item_id: shop/load-v2")
    assert "load" in found.message
    assert first in [label.span.line for label in found.related] or str(first) in f"{found.message} {found.help}"


def test_duplicates_at_every_depth() -> None:
    text = graph(DEEP)
    places = ("retries: 1", 'total: "${result.count}"', "op: eq, op: ne")
    assert loud(check_text(text)) == [f"GW002:{line_of(text, place)}" for place in places]


def test_a_merge_is_no_duplicate_and_shares_nothing() -> None:
    assert loud(check_text(graph(MERGED))) == []
    ran = run_text(graph(MERGED), {}, {"shop/ping": {}})
    assert ran.path == ["first", "second", "done"]
    assert [call.params for call in ran.calls] == [{"host": "one"}, {"host": "one"}]


@pytest.mark.parametrize("text", [MERGED_TWICE])
def test_two_merges_in_one_mapping_are_refused(text: str) -> None:
    assert only(check_text(graph(text)), "GW002").span.line == line_of(graph(text), "<<: &b")
