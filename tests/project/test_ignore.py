"""Ignore comments: where they count, what they cover, and which are stale."""

from __future__ import annotations

import pytest

from checking import check_text, loud, only
from graphwright.checking.ignore import directives
from graphwright.source.reader import read_text

GRAPH = """\
tool_type: graph
permissions: [rye.execute.tool.shop.*]
config:
  start: list
  nodes:
    list:{node}
      action:
        item_id: tool:shop/list
        params: {{open: yes, closed: no}}{line}
      next: done
    done: {{type: return}}
"""


def covered(text: str) -> list[tuple[str, int, int]]:
    """For each comment its first code, the line of the comment, and how many lines of the text it covers."""
    lines = text.count("\n")
    return [
        (each.codes[0], each.span.line, min(each.last[0] - (each.last[1] == 1), lines) - each.first[0] + 1)
        for each in directives(read_text(text))
    ]


def test_a_comment_covers_its_line() -> None:
    assert covered("a: 1\nb: 2  # graphwright: ignore[GW004]\nc: 3\n") == [("GW004", 2, 1)]


def test_a_comment_on_its_own_line_covers_the_entry_below() -> None:
    text = (
        "nodes:\n  a: 1\n  # graphwright: ignore[GW301]\n  b:\n    x: 1\n    y: {\n z: 2}\n    next:\n"
        "    - c\n    # graphwright: ignore[GW202]\n    - d\n    - e\n  c: 1\n"
    )
    (node, edge) = directives(read_text(text))
    assert (node.first, node.last) == ((4, 3), (13, 3))
    assert (edge.first, edge.last) == ((11, 5), (12, 5))


def test_a_key_with_a_question_mark_is_one_entry_with_its_value() -> None:
    text = "nodes:\n  # graphwright: ignore[GW301]\n  ? a\n  :\n    x: 1\n  ? b\n  : y: 2\n"
    (node,) = directives(read_text(text))
    assert (node.first, node.last) == ((3, 3), (6, 3))


def test_a_comment_above_everything_covers_the_file() -> None:
    (everything,) = directives(read_text("# a title\n# graphwright: ignore[GW110]\n---\na: 1\nb: 2\n"))
    assert everything.first == (1, 1)
    assert everything.last > (1_000_000, 1)


def test_a_comment_below_everything_covers_nothing() -> None:
    (nothing,) = directives(read_text("a: 1\n# graphwright: ignore[GW110]\n"))
    assert nothing.first == nothing.last


@pytest.mark.parametrize(
    "text",
    [
        'a: "# graphwright: ignore[GW301]"\n',
        "a: 'x # graphwright: ignore[GW301]'\n",
        "a: |\n  # graphwright: ignore[GW301]\n  x\n",
        "a: >-\n  x # graphwright: ignore[GW301]\nb: 1\n",
        "a: x# graphwright: ignore[GW301]\n",
        "a: 1 # see `# graphwright: ignore[GW301]`\n",
    ],
)
def test_text_is_no_comment(text: str) -> None:
    assert directives(read_text(text)) == ()


def test_text_over_several_lines_is_covered_from_where_a_comment_can_stand() -> None:
    assert covered("a: |  # graphwright: ignore[GW503]\n  echo $X\n  echo $Y\nb: 1\n") == [("GW503", 1, 3)]
    assert covered('a: "x\n  y\n  z"  # graphwright: ignore[GW301]\nb: 1\n') == [("GW301", 3, 3)]


def test_several_codes_and_several_comments() -> None:
    (first, second) = directives(read_text("a: 1 # graphwright:ignore[gw301, GW302] # graphwright: ignore[GW004]\n"))
    assert (first.codes, second.codes) == (("GW301", "GW302"), ("GW004",))


def test_a_file_that_does_not_parse_has_none() -> None:
    assert directives(read_text('a: "\n# graphwright: ignore[GW001]\n')) == ()


def test_findings_are_silenced_on_the_line_in_the_node_and_in_the_file() -> None:
    plain = GRAPH.format(node="", line="")
    assert loud(check_text(plain)) == ["GW004:9", "GW004:9"]
    assert loud(check_text(GRAPH.format(node="", line="  # graphwright: ignore[GW004]"))) == []
    assert loud(check_text(plain.replace("    list:", "    # graphwright: ignore[GW004]\n    list:"))) == []
    assert loud(check_text(f"# graphwright: ignore[GW004]\n{plain}")) == []


def test_an_error_that_stops_generation_is_not_silenced() -> None:
    text = GRAPH.format(node="", line="").replace("next: done", "nxt: done  # graphwright: ignore[GW101]")
    assert "GW101:10" in loud(check_text(text))
    assert "GW101" in only(check_text(text), "GW009").message


@pytest.mark.parametrize(
    ("comment", "fixed"),
    [
        ("# graphwright: ignore[GW202]", ""),
        ("# graphwright: ignore[GW004, GW202]", "  # graphwright: ignore[GW004]"),
        ("# graphwright: ignore[GW202] because of the shop", ""),
    ],
)
def test_a_stale_comment_is_reported_with_its_fix(comment: str, fixed: str) -> None:
    from graphwright.checking.fix import apply_fixes

    text = GRAPH.format(node="", line=f"  {comment}")
    stale = only(check_text(text), "GW009")
    assert stale.span.column == 42
    assert "GW202" in stale.message
    assert stale.fix is not None
    assert apply_fixes(text, [stale.fix]).text == GRAPH.format(node="", line=fixed)


def test_a_stale_comment_of_its_own_goes_with_its_line() -> None:
    from graphwright.checking.fix import apply_fixes

    text = GRAPH.format(node="\n      # graphwright: ignore[GW202]", line="")
    stale = only(check_text(text), "GW009")
    assert stale.fix is not None
    assert apply_fixes(text, [stale.fix]).text == GRAPH.format(node="", line="")


def test_an_unknown_code_gets_a_suggestion() -> None:
    stale = only(check_text(GRAPH.format(node="", line="  # graphwright: ignore[GW040]")), "GW009")
    assert stale.help is not None
    assert "GW004" in stale.help


def test_a_comment_without_codes_is_reported() -> None:
    assert "GW009:9" in loud(check_text(GRAPH.format(node="", line="  # graphwright: ignore")))


def test_a_question_that_was_not_asked_is_not_stale() -> None:
    assert loud(check_text(GRAPH.format(node="", line="  # graphwright: ignore[GW004, GW504, GW801]"))) == []
