"""GW301: a single assignment is misspelled, and the many reads of its key are right."""

from __future__ import annotations

import pytest

from checking import check_files
from graphwright.diagnostic import Severity
from rules.finding import edit, one

TEXT = """\
tool_type: graph
permissions: [rye.execute.tool.x.a]
config:
  start: a
  nodes:
    a:
      action: {item_id: tool:x/a}
      assign: {total_function: "${result.n}"}
      next: b
    b:
      action: {item_id: tool:x/a, params: {n: "${state.total_functions}"}}
      next: [{to: c, when: {path: state.total_functions, op: gt, value: 1}}, {to: done}]
    c: {action: {item_id: tool:x/a, params: {n: "${state.total_functions + 1}"}}, next: done}
    done: {type: return, output: {n: "${state.total_functions}"}}
"""

COLLECT = "      collect: total_function\n"


def said(text: str) -> list[str]:
    """Lines and codes of errors and warnings."""
    found = check_files({"graph.yaml": text})
    return [f"{each.span.line} {each.code}" for each in found if each.severity is not Severity.NOTE]


def test_the_assignment_is_the_odd_one_out() -> None:
    assert said(TEXT) == ["8 GW301"]
    found = one("GW301", TEXT)
    assert found.message == (
        "`total_function` is assigned and never read, "
        "but `state.total_functions` is read in 4 places and never assigned"
    )
    assert found.help == "did you mean `total_functions`?"
    assert [each.span.line for each in found.related] == [11, 12, 13, 14]
    assert said(TEXT.replace("total_function:", "total_functions:")) == []


def test_a_collected_key_can_be_the_odd_one_out() -> None:
    loop = "    a:\n      type: foreach\n      over: [1]\n      action: {item_id: tool:x/a}\n"
    text = edit(
        TEXT,
        ('    a:\n      action: {item_id: tool:x/a}\n      assign: {total_function: "${result.n}"}\n', loop + COLLECT),
        ("op: gt, value: 1", "value: []"),
        ("${state.total_functions + 1}", "${state.total_functions}"),
    )
    assert said(text) == ["10 GW301"]


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        (edit(TEXT, ("state.total_functions + 1", "state.total_function + 1")), [11, 12, 14]),
        (edit(TEXT, ("    done: {", "    d: {type: gate, assign: {total_function: 1}, next: c}\n    done: {"),
              ("{to: done}]", "{to: d}]")), [11, 12, 13, 15]),
        (edit(TEXT, ("  start:", "  state: {total_function: 0}\n  start:")), [12, 13, 14, 15]),
        (edit(TEXT, ('"${result.n}"}', '"${result.n}", totalfunctions: 1}')), [11, 12, 13, 14]),
        (edit(TEXT, ('output: {n: "${state.total_functions}"}', 'output: {n: "${state}"}')), [11, 12, 13]),
    ],
    ids=["the name is read", "assigned twice", "begins with a value", "two such keys", "the whole state is read"],
)  # fmt: skip
def test_in_doubt_the_reads_are_reported(text: str, lines: list[int]) -> None:
    found = one("GW301", text)
    assert [found.span.line, *(label.span.line for label in found.related if "read" in label.message)] == lines


def test_a_single_read_is_the_misspelled_one() -> None:
    text = TEXT.replace("${state.total_functions}", "${inputs.n}").replace(
        "path: state.total_functions", "path: inputs.n"
    )
    assert said(text) == ["13 GW301"]


def test_reads_in_hooks_count() -> None:
    hook = '  hooks: [{event: error, action: {item_id: tool:x/a, params: {n: "${state.totals}"}}}]\n'
    text = edit(TEXT, ("  start:", hook + "  start:"), ("total_function:", "total:"))
    text = text.replace("${state.total_functions}", "${state.totals}").replace("state.total_functions", "state.totals")
    assert said(text) == ["9 GW301"]
