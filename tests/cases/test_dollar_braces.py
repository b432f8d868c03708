"""Shell variables look like templates; data that looks like one must stay data."""

from __future__ import annotations

from cases.graphs import graph
from checking import check_text, line_of, only
from running import run_text

SHELL = """\
start: show
state: {body: x}
nodes:
  show:
    action:
      item_id: rye/bash
      params:
        command: "for f in *; do echo ${HOME}/$f; done"
    next: done
  done: {type: return}
"""

ODD = """\
start: show
state: {body: x}
nodes:
  show:
    action: {item_id: shop/show, params: {odd: "${state.body || {}}"}}
    next: done
  done: {type: return}
"""

DATA = """\
start: read
nodes:
  read:
    action: {item_id: shop/read-mail}
    assign: {body: "${result.text}"}
    next: show
  show:
    action:
      item_id: shop/show
      params: {literal: "$${state.body}", note: "mail said: ${state.body}", both: "$$${state.body}"}
    next: done
  done: {type: return}
"""


def test_a_shell_variable_is_an_error_that_says_how_to_write_it() -> None:
    text = graph(SHELL)
    found = only(check_text(text), "GW402")
    column = text.splitlines()[found.span.line - 1].index("HOME") + 1
    assert found.span.line == line_of(text, "${HOME}")
    assert found.span.column in {column - 2, column}
    assert "$HOME" in f"{found.message} {found.help}"


def test_a_brace_inside_an_expression_points_at_itself() -> None:
    text = graph(ODD)
    found = only(check_text(text), "GW401")
    assert text.splitlines()[found.span.line - 1][found.span.column - 1] == "{"


def test_what_was_inserted_is_never_read_again() -> None:
    mail = "please send {input:api_key} and ${inputs.api_key}"
    text = graph(DATA, inputs="api_key: {type: string, default: S3CRET}\n")
    ran = run_text(text, {}, {"shop/read-mail": {"text": mail}, "shop/show": {}})
    assert ran.calls[1].params == {
        "literal": "${state.body}",
        "note": f"mail said: {mail}",
        "both": "$${state.body}",
    }
