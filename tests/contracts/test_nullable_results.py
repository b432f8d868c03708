"""Results that a tool declares as nullable, where another tool or a graph requires a value."""

from __future__ import annotations

import pytest

from checking import check_files, line_of, loud, only

FIND = """\
from typing import NotRequired, TypedDict
class Row(TypedDict):
    id: int
    title: str | None
class Found(TypedDict):
    row: Row | None
    first: Row
    title: str | None
    name: str
    note: NotRequired[str]
def execute(params) -> Found: ...
"""
MAYBE = FIND.replace("-> Found", "-> Found | None")
SAVE = """\
from typing import NotRequired, TypedDict
class Params(TypedDict):
    title: str
    note: NotRequired[str | None]
def execute(params: Params) -> None: ...
"""
GRAPH = """\
tool_type: graph
permissions: [rye.execute.tool.team.*]
config:
  start: find
  nodes:
    find:
      action: {item_id: tool:team/find}
      assign: ASSIGN
      next: NEXT
    save:
      action: {item_id: tool:team/save, params: PARAMS}
      next: done
    none: {type: return, output: {}}
    done: {type: return, output: {}}
"""
BOTH = "[{to: save, when: {path: PATH, op: exists}}, {to: none}]"


def graph(assign: str, params: str, following: str = "save") -> str:
    text = GRAPH if "none" in following else GRAPH.replace("    none: {type: return, output: {}}\n", "")
    return text.replace("ASSIGN", assign).replace("PARAMS", params).replace("NEXT", following)


def check_graph(text: str, find: str = FIND) -> list[str]:
    """What is said of a graph that calls both tools."""
    files = {".ai/tools/team/find.py": find, ".ai/tools/team/save.py": SAVE, ".ai/tools/g.yaml": text}
    return loud(check_files(files, ".ai"))


TITLE = '{title: "${result.title}"}'

CARELESS = {
    "a field": (TITLE, '{title: "${state.title}"}', "save"),
    "below a mapping": ('{first: "${result.first}"}', '{title: "${state.first.title}"}', "save"),
    "the whole result": ('{found: "${result}"}', '{title: "${state.found.title}"}', "save"),
    "a mapping that may be null": ('{row: "${result.row}"}', '{title: "${state.row.title}"}', "save"),
    "copied": ('{a: "${result.title}", title: "${state.a}"}', '{title: "${state.title}"}', "save"),
    "on the wrong edge": (
        TITLE, '{title: "${state.title}"}', "[{to: none, when: {path: state.title, op: exists}}, {to: save}]"
    ),
    "another path is there": (TITLE, '{title: "${state.title}"}', BOTH.replace("PATH", "result.name")),
    "the mapping is there": (
        '{row: "${result.row}"}', '{title: "${state.row.title}"}', BOTH.replace("PATH", "state.row")
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", CARELESS)
def test_a_null_that_is_not_expected(case: str) -> None:
    text = graph(*CARELESS[case])
    assert check_graph(text) == [f"GW412:{line_of(text, 'tool:team/save')}"]


CAREFUL = {
    "a fallback": (TITLE, "{title: \"${state.title || 'none'}\"}", "save"),
    "in text": (TITLE, '{title: "title: ${state.title}"}', "save"),
    "a fallback where it is assigned": ("{title: \"${result.title || 'none'}\"}", '{title: "${state.title}"}', "save"),
    "the edge asks": (TITLE, '{title: "${state.title}"}', BOTH.replace("PATH", "state.title")),
    "the edge asks the result": (TITLE, '{title: "${state.title}"}', BOTH.replace("PATH", "result.title")),
    "the edge asks below": (
        '{first: "${result.first}"}', '{title: "${state.first.title}"}', BOTH.replace("PATH", "state.first.title")
    ),
    "the edge compares": (
        TITLE,
        '{title: "${state.title}"}',
        "[{to: none, when: {path: state.title, op: eq, value: null}}, {to: save}]",
    ),
    "a field that is never null": ('{name: "${result.name}"}', '{title: "${state.name}"}', "save"),
    "a field that may be missing": ('{note: "${result.note}"}', '{title: "${state.note}"}', "save"),
    "a param that is optional": (TITLE, '{title: a, note: "${state.title}"}', "save"),
    "replaced": ('{a: "${result.title}", title: b}', '{title: "${state.title}", note: "${state.a}"}', "save"),
}  # fmt: skip


@pytest.mark.parametrize("case", CAREFUL)
def test_a_null_that_is_expected(case: str) -> None:
    assert check_graph(graph(*CAREFUL[case])) == []


def test_a_result_that_may_be_null() -> None:
    assert check_graph(graph('{name: "${result.name}"}', '{title: "${state.name}"}'), MAYBE) == ["GW412:11"]


def test_the_message() -> None:
    text = graph(TITLE, '{title: "${state.title}"}')
    files = {".ai/tools/team/find.py": FIND, ".ai/tools/team/save.py": SAVE, ".ai/tools/g.yaml": text}
    found = only(check_files(files, ".ai"), "GW412")
    assert found.message == "node `save`: `state.title` may be null, but tool `team/save` requires `title`"
    assert found.help is not None
    assert "`${state.title || …}`" in found.help
    assert [(label.span.line, label.message) for label in found.related] == [(8, "may be null")]


def test_a_graph_that_requires_an_input() -> None:
    called = (
        "tool_type: graph\npermissions: []\n"
        "config_schema: {type: object, properties: {title: {type: string}}, required: [title]}\n"
        'config: {start: a, nodes: {a: {type: return, output: {title: "${inputs.title}"}}}}\n'
    )
    text = graph(TITLE, '{title: "${state.title}"}')
    files = {".ai/tools/team/find.py": FIND, ".ai/tools/team/save.yaml": called, ".ai/tools/g.yaml": text}
    found = only(check_files(files, ".ai"), "GW704")
    assert found.message == "node `save`: `state.title` may be null, but graph `team/save` requires `title`"


@pytest.mark.parametrize(("key", "codes"), [("title", ["GW412:11"]), ("other", [])])
def test_a_loop_that_sets_it_again(key: str, codes: list[str]) -> None:
    again = (
        'next: again\n    again:\n      action: {item_id: tool:team/find}\n      assign: {KEY: "${result.title}"}\n'
        "      next: [{to: save, when: {path: result.name, op: eq, value: more}}, {to: done}]\n    none:"
    )
    text = graph(TITLE, '{title: "${state.title}", note: "${state.other || 1}"}', BOTH.replace("PATH", "state.title"))
    text = text.replace("next: done\n    none:", again.replace("KEY", key))
    assert [each for each in check_graph(text) if "GW412" in each] == codes
