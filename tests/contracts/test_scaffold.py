"""`graphwright contracts scaffold`: the Python file of a tool that graphs call, and what becomes of one that exists."""

from __future__ import annotations

import subprocess
import sys
from codecs import BOM_UTF8
from pathlib import Path

import pytest

from commands import graphwright
from graphwright.analysis.jsontype import ANY, INTEGER, STRING, Field, list_of, object_of
from graphwright.refactor.scaffold import NotScaffoldedError, scaffold

GRAPH = """\
tool_type: graph
permissions: [rye.execute.tool.team.*]
config_schema:
  type: object
  properties: {team: {type: string}, size: {type: integer}, note: {type: string}}
  required: [team, size]
config:
  start: rows
  nodes:
    rows:
      action:
        item_id: tool:team/rows
        params: {team: "${inputs.team}", size: "${inputs.size}", note: "${inputs.note}", order: newest}
      assign:
        rows: "${result.rows}"
        total: "${result.page.total}"
        first: "${result.rows.0.id}"
        more: "${result.items.0.id}"
      next: [{to: each, when: {path: result.count, op: gt, value: 3}}, {to: done}]
    each:
      type: foreach
      over: "${state.rows}"
      as: row
      action: {item_id: tool:team/rows, params: {team: "${row.team}", size: 4}}
      next: done
    done: {type: return, output: {total: "${state.total}", first: "${state.first}", more: "${state.more}"}}
"""
WRITTEN = """\
from typing import Any, NotRequired, TypedDict


class Params(TypedDict):
    note: NotRequired[str]
    order: NotRequired[str]
    size: int
    team: Any


class ResultItems(TypedDict):
    id: Any


class ResultPage(TypedDict):
    total: Any


class Result(TypedDict):
    count: int
    items: list[ResultItems]
    page: ResultPage
    rows: list[Any]


def execute(params: Params) -> Result:
    raise NotImplementedError("team/rows has no code yet")
"""
TOOL = ".ai/tools/team/rows.py"


@pytest.fixture(autouse=True)
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project whose graph calls a tool that does not exist."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / ".ai" / "tools").mkdir(parents=True)
    (tmp_path / ".ai" / "tools" / "g.yaml").write_text(GRAPH, "utf-8")
    return tmp_path


def test_a_file_that_does_not_exist(project: Path) -> None:
    shown = graphwright("contracts", "scaffold", "team/rows", "--diff")
    assert (shown.code, (project / TOOL).exists()) == (0, False)
    assert "+def execute(params: Params) -> Result:" in shown.stdout
    done = graphwright("contracts", "scaffold", "team/rows")
    assert (done.code, done.stdout, done.stderr) == (0, "", f"{TOOL}: written\n")
    assert (project / TOOL).read_text("utf-8") == WRITTEN
    assert "GW" not in graphwright("check", ".ai/tools/g.yaml").stderr
    again = graphwright("contracts", "scaffold", "tool:team/rows")
    assert (again.code, "`execute` has all the type hints" in again.stderr) == (0, True)
    assert (project / TOOL).read_text("utf-8") == WRITTEN


def test_what_a_manifest_declares_is_written(project: Path) -> None:
    manifest = project / "contracts" / "team" / "rows.yaml"
    manifest.parent.mkdir(parents=True)
    manifest.write_text(
        "params:\n  type: object\n  required: [team, size]\n"
        "  properties: {team: {enum: [a, b]}, size: {type: number}, order: {}, note: {type: [string, 'null']}}\n",
        "utf-8",
    )
    assert graphwright("contracts", "scaffold", "team/rows").code == 0
    text = (project / TOOL).read_text("utf-8")
    assert 'team: Literal["a", "b"]\n' in text
    assert "size: float\n" in text
    assert "note: NotRequired[str | None]\n" in text
    assert "GW" not in graphwright("check", ".ai/tools/g.yaml").stderr


def test_what_is_written_runs_and_passes_mypy(project: Path) -> None:
    graphwright("contracts", "scaffold", "team/rows")
    checked = subprocess.run(
        [sys.executable, "-m", "mypy", "--strict", TOOL], cwd=project, capture_output=True, text=True, check=False
    )
    assert (checked.returncode, checked.stdout.startswith("Success")) == (0, True)
    done = graphwright("run", ".ai/tools/g.yaml", "-i", "team=a", "-i", "size=1")
    assert (done.code, "team/rows has no code yet" in done.stdout) == (1, True)


def test_ids_that_need_no_file(project: Path) -> None:
    tools = project / ".ai" / "tools"
    bash = GRAPH.replace("team/rows", "rye/bash").replace("team.*", "rye.*")
    (tools / "h.yaml").write_text(bash, "utf-8")
    (tools / "i.yaml").write_text(GRAPH.replace("team/rows", "h"), "utf-8")
    (tools / "j.yaml").write_text(GRAPH.replace("team/rows", "team/program"), "utf-8")
    program = tools / "team" / "program.sh"
    program.parent.mkdir()
    program.write_text("#!/bin/sh\n", "utf-8")
    program.chmod(0o755)
    for item_id, why in {
        "rye/bash": "comes with the runtime",
        "h": "is a graph",
        "team/rosw": "did you mean `team/rows`?",
        "team/program": "is not written in Python",
    }.items():
        done = graphwright("contracts", "scaffold", item_id)
        assert (done.code, why in done.stderr) == (2, True), done.stderr


PARAMS = object_of({"team": Field(STRING, True)})
RESULT = object_of({"ids": Field(list_of(INTEGER), True)})

EXISTING = {
    "a docstring": (b'"""Rows."""\n', b'"""Rows."""\n'),
    "comments": (b"#!/usr/bin/env python3\n# -*- coding: utf-8 -*-\n# kept\n", b"# kept\n"),
    "imports": (b"import os\nfrom typing import TypedDict\n\nX = os.name\n", b"\n\nX = os.name\n"),
    "no line break at the end": (b"x = 1", b"x = 1"),
    "untyped": (b"def execute(params, project_path):\n\n    return {}  # kept\n", b":\n\n    return {}  # kept\n"),
    "typed in part": (
        b"def execute(params: dict[str, str]):\n    return {}\n",
        b"(params: dict[str, str]) -> Result:\n"
    ),
    "positional only": (
        b"async def execute(params, /, *, context): ...\n",
        b"(params: Params, /, *, context) -> Result: ...\n"
    ),
    "decorated": (
        b"import functools\n@functools.cache  # why\ndef execute(params): ...\n",
        b"@functools.cache  # why\n"
    ),
    "names in use": (
        b"class Params: pass\nResult = TypedDict = 1\ndef execute(p={}): ...\n",
        b"execute(p: Params2={}) -> Result2: ...\n"
    ),
    "tabs": (b"def f():\n\treturn 1\n", b"def f():\n\treturn 1\n"),
    "line breaks of Windows": (b"import os\r\n\r\n\r\ndef f():\r\n    return os\r\n", b"\r\n    return os\r\n"),
    "another encoding": ("# coding: latin-1\nname = 'é'\n".encode("latin-1"), "name = 'é'\n".encode("latin-1")),
    "a byte order mark": (b"\xef\xbb\xbfx = 1\n", b"x = 1\n"),
    "no definitions at all": (b"", b""),
}  # fmt: skip


@pytest.mark.parametrize("case", EXISTING)
def test_what_a_file_has_stays_as_it_is(case: str) -> None:
    before, kept = EXISTING[case]
    after = scaffold(before, "team/rows", PARAMS, RESULT)
    assert kept in after
    namespace: dict[str, object] = {}
    exec(compile(after, "rows.py", "exec"), namespace)
    assert "execute" in namespace
    left = iter(after.splitlines(keepends=True))
    assert after.startswith(BOM_UTF8) is before.startswith(BOM_UTF8)
    for line in before.removeprefix(BOM_UTF8).splitlines(keepends=True):  # every line that was there, in the same order
        if b"execute" not in line:
            assert any(each.strip() == line.strip() for each in left), line
    assert scaffold(after, "team/rows", PARAMS, RESULT) == after
    assert b"\n" not in after.replace(b"\r\n", b"") or b"\r\n" not in before


@pytest.mark.parametrize(
    ("before", "why"),
    [
        (b"def execute(params:\n", "is not valid Python"),
        (b"x = '\xff'\n", "is not valid Python"),
        (b"execute = print\n", "in another way"),
        (b"from other import execute\n", "in another way"),
        (b"if 1:\n    def execute(params): ...\n", "in another way"),
        (b"def execute(params): ...\ndef execute(params): ...\n", "in another way"),
    ],
)
def test_files_that_are_left_alone(before: bytes, why: str) -> None:
    with pytest.raises(NotScaffoldedError, match=why):
        scaffold(before, "team/rows", PARAMS, RESULT)


def test_nothing_is_known() -> None:
    assert scaffold(b"", "team/rows", object_of({}), ANY).decode() == (
        "from typing import Any\n\n\ndef execute(params: dict[str, Any]) -> dict[str, Any]:\n"
        '    raise NotImplementedError("team/rows has no code yet")\n'
    )
    assert scaffold(b"def execute(params): ...\n", "team/rows", object_of({}), ANY) == b"def execute(params): ...\n"
