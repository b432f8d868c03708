"""Blocks of lines that were indented too far or not far enough: one finding, at the first line, with what to do."""

from __future__ import annotations

import pytest

from checking import check_text, loud, only
from rules.finding import edit

GRAPH = """\
tool_type: graph
permissions: [rye.execute.tool.tickets.*]
config_schema:
  type: object
  properties:
    team:
      type: string
  required: [team]
config:
  start: fetch
  hooks:
    - event: error
      condition: {path: classification.retryable, value: true}
      action: {retry: true}
  nodes:
    fetch:
      action:
        item_id: tool:tickets/list
        params:
          team: "${inputs.team}"
      assign:
        total: "${result.total}"
      on_error: sorry
      next:
        - to: done
          when:
            path: state.total
            op: gt
            value: 3
        - to: sorry
    sorry:
      type: return
      output: {}
    done:
      type: return
      output:
        total: "${state.total}"
"""


def shifted(first: str, last: str, by: int) -> str:
    """The graph with the lines from one to another moved by some columns."""
    lines = GRAPH.split("\n")
    start = next(number for number, line in enumerate(lines) if line.strip() == first)
    end = next(number for number, line in enumerate(lines) if number >= start and line.strip() == last)
    for number in range(start, end + 1):
        lines[number] = " " * by + lines[number] if by > 0 else lines[number][-by:]
    return "\n".join(lines)


@pytest.mark.parametrize(
    ("first", "last", "said", "advice"),
    [
        ("action:", 'team: "${inputs.team}"', "GW101:17",
         "`action` belongs in node `fetch` above it: indent it further"),
        ("assign:", 'total: "${result.total}"', "GW101:21",
         "`assign` belongs in node `fetch` above it: indent it further"),
        ("sorry:", "output: {}", "GW101:31", "`sorry` belongs among the `nodes`: begin it in their column"),
        ("properties:", "type: string", "GW101:5", "`properties` belongs under `config_schema`"),
        ("team:", "type: string", "GW105:6", "describe each value under `properties`: `properties: {team: …}`"),
        ("fetch:", "- to: sorry", "GW101:16", "`fetch` belongs among the `nodes`: begin it in their column"),
    ],
)  # fmt: skip
def test_a_block_that_is_not_indented_far_enough(first: str, last: str, said: str, advice: str) -> None:
    assert loud(check_text(GRAPH)) == []
    found = check_text(shifted(first, last, -2))
    assert loud(found) == [said]
    assert only(found, said[:5]).help == advice


@pytest.mark.parametrize(
    ("first", "last", "by", "advice"),
    [
        ("action:", "action:", -2,
         ("start this line with 8 spaces, below `params` on line 19, or with 4 spaces, below `action` on line 17, "
          "or start `action` on line 17 in this column")),
        ("properties:", "properties:", -2,
         ("start this line with 4 spaces, below `team` on line 6, or with no spaces, below `properties` on line 5, "
          "or start `properties` on line 5 in this column")),
        ("when:", "value: 3", -2, "indent it by two spaces to make it part of the item above"),
        ("on_error: sorry", "on_error: sorry", 1,
         ("start this line with 8 spaces, below `total` on line 22, "
          "or with 6 spaces, below `assign` on line 21")),
    ],
)  # fmt: skip
def test_a_line_in_the_wrong_column(first: str, last: str, by: int, advice: str) -> None:
    found = check_text(shifted(first, last, by))
    assert [each.code for each in found] == ["GW001"]
    assert only(found, "GW001").help == advice


WHEN = "          when:\n            path: state.total\n            op: gt\n            value: 3\n"


@pytest.mark.parametrize(
    ("written", "instead", "said", "advice"),
    [
        (WHEN, "          path: state.total\n          op: gt\n          value: 3\n", "GW101:26",
         "`path` belongs in a condition: `when: {path: …, value: …}`"),
        (WHEN, '          cond: "state.total > 3"\n', "GW102:26",
         "write `when: {path: state.total, op: gt, value: 3}`"),
        (WHEN, '          needs: "state.total"\n', "GW101:26", None),
        ("        - to: done\n" + WHEN, "        - when: {path: state.total, op: gt, value: 3, to: done}\n", "GW101:25",
         "`to` belongs in an edge, next to `when`"),
        ("    - event: error\n      condition: {path: classification.retryable, value: true}",
         "    - condition: {path: classification.retryable, value: true, event: error}", "GW101:12",
         "`event` belongs in a hook, next to `condition`"),
        ("      condition: {path: classification.retryable, value: true}",
         "      path: classification.retryable\n      value: true", "GW101:13",
         "`path` belongs in a condition: `condition: {path: …, value: …}`"),
        (WHEN, "          when: {state.total: 3}\n", "GW101:26", "did you mean `path: state.total, value: …`?"),
        ("        item_id: tool:tickets/list\n        params:\n",
         "        params:\n          item_id: tool:tickets/list\n",
         "GW101:19", "`item_id` belongs in the action, next to `params`"),
        ("      action: {retry: true}", "      item_id: tool:tickets/tell\n      action:\n        params: {}",
         "GW101:14", "`item_id` belongs under `action`"),
        ('      assign:\n        total: "${result.total}"\n', '      assign:\n      total: "${result.total}"\n',
         "GW101:22", "`total` belongs under `assign`: indent it further"),
        ("        item_id: tool:tickets/list", "        name: tickets/list", "GW101:18", "did you mean `item_id`?"),
    ],
)  # fmt: skip
def test_a_part_of_a_condition_or_an_action_elsewhere(
    written: str, instead: str, said: str, advice: str | None
) -> None:
    found = check_text(edit(GRAPH, (written, instead)))
    assert loud(found) == [said]
    assert advice is None or only(found, said[:5]).help == advice


def test_the_name_of_a_node_is_missing() -> None:
    found = check_text(edit(GRAPH, ("    done:\n", "")))
    assert loud(found) == ["GW002:34"]
    assert str(only(found, "GW002").help).startswith("is a line with `- ` or a name missing above?")
