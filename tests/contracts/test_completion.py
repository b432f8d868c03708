"""Completion data for positions in a graph."""

from __future__ import annotations

from pathlib import Path

import pytest

from contracts.test_python_tools import graph
from graphwright.completion import Candidate, Completion

FETCH = """\
from typing import Annotated, Literal, NotRequired, TypedDict
class Params(TypedDict):
    team: Annotated[str, "whose rows"]
    order: NotRequired[Literal["new", "old"]]
class Row(TypedDict):
    id: Annotated[int, "of the row"]
    title: str | None
class Rows(TypedDict):
    rows: list[Row]
    first: Row | None
def execute(params: Params) -> Rows:
    "Rows of a team."
"""
GRAPH = graph("{order: new}", "result.rows").replace(
    "next: done", "next: [{to: save, when: {path: state.found, op: exists}}, {to: done}]\n"
    "    save:\n      action: {item_id: tool:rye/bash, params: {command: ls}}\n"
    '      assign: {out: "${result.stdout}"}\n      next: done'
)  # fmt: skip


@pytest.fixture
def tools(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The tools of a project with a graph."""
    monkeypatch.chdir(tmp_path)
    folder = tmp_path / ".ai" / "tools"
    for name, text in {
        "g.yaml": GRAPH,
        "team/fetch.py": FETCH,
        "team/deep/count.yaml": graph("{n: 1}"),
        "team/notes.yaml": "a: 1\n",
        "mail.contract.yaml": "description: Sends\n",
        ".hidden/x.py": "",
    }.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, "utf-8")
    return folder


@pytest.fixture
def completion(tools: Path) -> Completion:
    """What is known of the graph."""
    found = Completion.of_file(tools / "g.yaml")
    assert found is not None
    return found


def names(candidates: tuple[Candidate, ...]) -> list[str]:
    return [each.name for each in candidates]


def test_ids_of_tools(completion: Completion) -> None:
    every = completion.tools()
    assert {each.name: each.kind for each in every if each.kind != "built-in"} == {
        "mail": "tool",
        "team/fetch": "tool",
        "team/deep/count": "graph",
    }
    assert "rye/bash" in names(every)
    assert names(completion.tools("team/")) == ["team/deep/count", "team/fetch"]
    assert names(completion.tools("team/f")) == ["team/fetch"]
    assert names(completion.tools("rye/file-system/r")) == ["rye/file-system/read"]
    assert completion.tools("nowhere/x") == ()


@pytest.mark.parametrize(
    ("item_id", "kind", "origin", "description"),
    [
        ("team/fetch", "tool", ".ai/tools/team/fetch.py", "Rows of a team."),
        ("mail", "unknown", ".ai/tools/mail.contract.yaml", "Sends"),
        ("team/deep/count", "graph", ".ai/tools/team/deep/count.yaml", ""),
        ("rye/bash", "built-in", "built in", ""),
        ("rye/file-system/read", "built-in", "built in", ""),
        ("nobody/knows", "unknown", "not declared", ""),
    ],
)
def test_hovering_over_an_id(completion: Completion, item_id: str, kind: str, origin: str, description: str) -> None:
    tool = completion.tool(item_id)
    assert (tool.item_id, tool.kind, tool.origin, tool.description) == (item_id, kind, origin, description)


def test_params(completion: Completion) -> None:
    assert completion.params("fetch") == (
        Candidate("team", "param", "string", certain=True, documentation="whose rows"),
        Candidate("order", "param", "string", values=("new", "old"), is_given=True),
    )
    assert names(completion.params("save")) == ["timeout", "working_dir", "command"]
    assert completion.params("done") == completion.params("nowhere") == ()


def test_paths_below_result(completion: Completion) -> None:
    assert completion.result("fetch") == (
        Candidate("first", "field", "object or null", certain=True),
        Candidate("rows", "field", "list of objects", certain=True),
    )
    assert names(completion.result("fetch", ["rows"])) == ["0", "-1"]
    row = (
        Candidate("id", "field", "integer", certain=True, documentation="of the row"),
        Candidate("title", "field", "string or null", certain=True),
    )
    assert completion.result("fetch", ["rows", 0]) == completion.result("fetch", ["first"]) == row
    assert completion.result("fetch", ["rows", 0, "id"]) == completion.result("fetch", ["nothing"]) == ()
    assert names(completion.result("save")) == ["exit_code", "stderr", "stdout", "success"]


def test_paths_below_state(completion: Completion) -> None:
    keys = {each.name: each for each in completion.state("save")}
    assert keys["found"] == Candidate("found", "key", "list of objects", certain=True)
    assert not keys["out"].certain
    assert names(completion.state("save", ["found", "0"])) == ["id", "title"]
    assert not {each.name: each for each in completion.state("fetch")}["found"].certain
    assert "found" in names(completion.state())


def test_paths_below_inputs(completion: Completion) -> None:
    assert completion.inputs() == (Candidate("n", "input", "integer", certain=True),)


def test_a_graph_that_is_being_typed(tools: Path) -> None:
    typing = Completion.of_file(tools / "g.yaml", GRAPH.replace('"${result.rows}"', '"${result.}"'))
    assert typing is not None
    assert names(typing.result("fetch")) == ["first", "rows"]
    assert names(typing.params("fetch")) == ["team", "order"]
    new = Completion.of_file(tools / "new.yaml", GRAPH)
    assert new is not None
    assert names(new.tools("g")) == ["g"]
    assert Completion.of_file(tools / "team" / "notes.yaml") is None
