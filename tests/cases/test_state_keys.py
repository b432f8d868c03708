"""State keys that are never set, and keys that only some paths set."""

from __future__ import annotations

from cases.graphs import graph
from checking import check_text, line_of, loud, only

TYPO = """\
start: a
nodes:
  a:
    action: {item_id: shop/a}
    assign: {greeting: "${result.text}"}
    next:
      - {to: b, when: {path: state.greting, op: exists}}
      - {to: done}
  b:
    action: {item_id: shop/b, params: {t: "${state.greting}"}}
    next: done
  done: {type: return}
"""

SOME_ROUTES = """\
start: get
nodes:
  get:
    action: {item_id: shop/get}
    assign: {url: "${result.url}"}
    on_error: fallback
    next: use
  fallback: {type: gate, assign: {note: offline}, next: use}
  use:
    action: {item_id: shop/use, params: {url: "${state.url}", note: "${state.note || state.url || 'none'}"}}
    next: done
  done: {type: return, output: ok}
"""

SEEDED = """\
state: {attempts: 0, items: []}
start: show
nodes:
  show:
    action: {item_id: shop/show, params: {n: "${state.attempts}", i: "${state.items}", e: "${state._last_error || ''}"}}
    next: done
  done: {type: return}
"""


def test_a_typo_is_found_in_templates_and_in_conditions() -> None:
    text = graph(TYPO)
    found = [one for one in check_text(text) if one.code == "GW301"]
    reads = [line_of(text, "path: state.greting"), line_of(text, "${state.greting}")]
    assert [one.span.line for one in found] == [line_of(text, "assign: {greeting:")]
    assert [label.span.line for label in found[0].related] == reads
    assert "`greeting`" in found[0].message
    assert "greting" in f"{found[0].help}"


def test_a_key_of_some_routes_comes_with_the_route_that_skips_it() -> None:
    text = graph(SOME_ROUTES)
    found = only(check_text(text), "GW302")
    assert found.span.line == line_of(text, "${state.url}")
    said = f"{found.message} {found.help} {[label.message for label in found.related]}"
    assert "get → fallback → use" in said
    assert loud(check_text(text)) == [f"GW302:{found.span.line}"]


def test_seeded_keys_and_those_of_the_runtime_are_set() -> None:
    assert loud(check_text(graph(SEEDED))) == []
