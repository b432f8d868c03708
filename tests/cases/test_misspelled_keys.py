"""Keys that are almost right must not be ignored."""

from __future__ import annotations

from cases.graphs import graph
from checking import check_text, line_of

MISSPELLED = """\
start: a
max_step: 5
env_requires: [DB_URL]
nodes:
  a:
    description: fine
    comment: fine
    x-team: fine
    cache: true
    action: {item_id: shop/a, parameters: {q: 1}}
    on_eror: oops
    nxt: done
  oops: {type: return}
  done: {type: retrun}
"""

OLD_LOOP = """\
start: f
state: {xs: [1, 2]}
nodes:
  f:
    type: foreach
    over: "${state.xs}"
    as: x
    action: {item_id: shop/a, params: {x: "${x}", async: true}}
    next: done
  done: {type: return}
"""


def test_each_is_one_error_with_what_was_meant() -> None:
    text = graph(MISSPELLED)
    errors = [(one.code, one.span.line, one.help or "") for one in check_text(text) if one.severity.value == "error"]
    wanted = [
        ("GW101", "max_step: 5", "max_steps"),
        ("GW101", "env_requires", ""),
        ("GW101", "parameters", "params"),
        ("GW101", "on_eror", "on_error"),
        ("GW101", "nxt", "next"),
        ("GW106", "retrun", "return"),
    ]
    assert [(code, line) for code, line, _ in errors] == [(code, line_of(text, part)) for code, part, _ in wanted]
    assert all(meant in said for (_, _, said), (_, _, meant) in zip(errors, wanted, strict=True))


def test_a_key_in_the_wrong_place_says_where_it_belongs() -> None:
    text = graph(MISSPELLED)
    found = next(one for one in check_text(text) if one.span.line == line_of(text, "env_requires"))
    assert "top level" in f"{found.message} {found.help}"


def test_an_older_spelling_is_a_note() -> None:
    text = graph(MISSPELLED)
    notes = [one for one in check_text(text) if one.code == "GW111"]
    assert [one.span.line for one in notes] == [line_of(text, "cache: true")]
    assert "cache_result" in f"{notes[0].message} {notes[0].help}"


def test_async_on_a_loop_names_parallel() -> None:
    text = graph(OLD_LOOP)
    found = [one for one in check_text(text) if one.severity.value == "error"]
    assert [one.code for one in found] == ["GW108"]
    assert "parallel: true" in f"{found[0].message} {found[0].help}"
