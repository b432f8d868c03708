"""From a line and a column of a half-typed text to the candidates there."""

from __future__ import annotations

from pathlib import Path

import pytest

from contracts.test_completion import FETCH
from graphwright.completion import Completion
from graphwright.cursor import Position, position_at

HEAD = """\
version: "1.0.0"
tool_type: graph
permissions: [rye.execute.tool.*]
config_schema: {type: object, properties: {team: {type: string}, depth: {type: integer}}}
config:
  start: fetch
  hooks:
    - {event: error, action: {item_id: "tool:team/fetch", params: {team: "${state.found}"}}}
  nodes:
"""
TAIL = """
      next: done
    done: {type: return, output: {n: "${state.found | length}"}}
"""
#: A node that is being typed; `|` is the cursor.
FULL = """\
    fetch:
      action: {item_id: "tool:team/fetch", params: {team: "${inputs.team}"}}
      assign: {found: "${result.rows}"%s}"""


@pytest.fixture(autouse=True)
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A tool and the folder of a graph."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / ".ai/tools/team").mkdir(parents=True)
    (tmp_path / ".ai/tools/team/fetch.py").write_text(FETCH, "utf-8")


def typed(node: str) -> Position | None:
    """The position of the cursor in a node that is being typed."""
    before, _, after = f"{HEAD}{node}{TAIL}".partition("|")
    return position_at(before + after, before.count("\n") + 1, len(before.rpartition("\n")[2]) + 1)


def names(node: str) -> list[str]:
    """The candidates there."""
    position = typed(node)
    assert position is not None
    completion = Completion.of_file(".ai/tools/g.yaml", position.text)
    assert completion is not None
    return [each.name for each in completion.at(position)]


CALL = "    fetch:\n      action:\n        item_id: tool:team/fetch\n"


@pytest.mark.parametrize(
    ("node", "expected"),
    [
        ("    fetch:\n      action: {item_id: tool:te|", ["team/fetch"]),
        ('    fetch:\n      action: {item_id: "tool:team/f|"}', ["team/fetch"]),
        ("    fetch:\n      action:\n        item_id: team/|", ["team/fetch"]),
        ("    fetch:\n      action:\n        item_id: rye/file-system/r|\n        params:", ["rye/file-system/read"]),
        (f"{CALL}        params: {{|", ["team", "order"]),
        (f"{CALL}        params: {{or|}}", ["order"]),
        (f"{CALL}        params: {{team: a, o|", ["order"]),
        (f"{CALL}        params:\n          |", ["team", "order"]),
        (f"{CALL}        params:\n          or|", ["order"]),
        (f"{CALL}        params:\n          or|\n          team: a", ["order"]),
        (f"{CALL}        params:\n          team: a\n          or|", ["order"]),
        (f"{CALL}        params:\n          te|am: a", ["team"]),
        (f'{CALL}        params: {{team: "${{inputs.|', ["depth", "team"]),
        (f'{CALL}        params: {{team: "${{inputs.t|eam}}"}}', ["team"]),
        (f"{CALL}        params: {{team: a}}\n      assign:\n        found: ${{result.|", ["first", "rows"]),
        (f'{CALL}        params: {{team: a}}\n      assign: {{found: "${{result.r|}}"}}', ["rows"]),
        (f'{CALL}        params: {{team: a}}\n      assign: {{found: "${{result.rows.0.|', ["id", "title"]),
        (f'{CALL}        params: {{team: a}}\n      assign: {{found: "no. ${{ result[\'first\'].t|', ["title"]),
        (FULL % ', other: "${state.f|', ["found"]),
        (FULL % ', other: "${state.inputs.d|', ["depth"]),
        (FULL % "" + "\n      next: [{to: done, when: {path: result.ro|", ["rows"]),
        (FULL % "" + "\n      next:\n        - to: done\n          when: {any: [{path: state.fo|}]}", ["found"]),
    ],
)  # fmt: skip
def test_candidates_at_a_cursor(node: str, expected: list[str]) -> None:
    assert names(node) == expected


@pytest.mark.parametrize(
    "node",
    [
        "    fe|tch:\n      action: {item_id: tool:team/fetch}",
        f"{CALL}        params: {{team: a|bc}}",
        f"{CALL}        params: {{team: '${{inputs.team}} and |'}}",
        f"{CALL}        params: {{team: '${{st|'}}",
        f"{CALL}        # ${{state.|",
        f"{CALL}        params: {{team: '${{other.state.|'}}",
    ],
)
def test_nothing_is_known_elsewhere(node: str) -> None:
    assert typed(node) is None


def test_the_whole_name_is_for_hovering() -> None:
    position = typed(FULL.replace("result.rows", "result.ro|ws") % "")
    assert position is not None
    assert (position.sort, position.node, position.path) == ("result", "fetch", ())
    assert (position.typed, position.name) == ("ro", "rows")


def test_hooks_read_the_state() -> None:
    text = HEAD + FULL % "" + TAIL
    line = text[: text.index("${state.found}")].count("\n") + 1
    column = text.split("\n")[line - 1].index("state.found") + len("state.fo") + 1
    position = position_at(text, line, column)
    assert position is not None
    assert (position.sort, position.node, position.typed, position.name) == ("state", None, "fo", "found")
    completion = Completion.of_file(".ai/tools/g.yaml", position.text)
    assert completion is not None
    assert [each.name for each in completion.at(position)] == ["found"]


def test_a_place_outside_the_text_or_in_a_broken_one() -> None:
    assert [position_at("a: b", line, column) for line, column in ((0, 1), (2, 1), (1, 0), (1, 6))] == [None] * 4
    assert position_at("a: [\nb: }\nc: ${state.", 3, 12) is None
