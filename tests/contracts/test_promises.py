"""A tool that returns null although its type hints promise a value: the run logs it once, and goes on."""

from __future__ import annotations

import logging
from pathlib import Path

import pytest

from commands import graphwright

TOOL = """\
from typing import TypedDict
class Counted(TypedDict):
    total: int
    name: str
def execute(params, project_path) -> Counted:
    return RESULT
"""
GRAPH = """\
version: "1.0.0"
tool_type: graph
permissions: [rye.execute.tool.team.count]
config:
  start: count
  nodes:
    count:
      action: {item_id: tool:team/count}
      assign: {total: "${result.total}", text: "of ${result.name}", up: "${result.name | upper}"}
      next: again
    again:
      action: {item_id: tool:team/count}
      assign: {last: "${result.total}", kept: "${result.name || 'none'}"}
      next: done
    done: {type: return, output: {total: "${state.total}", last: "${state.last}", text: "${state.text}${state.up}"}}
"""


@pytest.mark.parametrize(
    ("result", "logged"),
    [
        ("{'total': 1, 'name': 'a'}", []),
        ("{'total': None, 'name': 'a'}", ["result.total is null"]),
        ("{'nmae': 'a'}", ["result.total", "result.name", "result.name | upper"]),
    ],
)
def test_a_broken_promise_is_logged_once(
    result: str, logged: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.chdir(tmp_path)
    folder = tmp_path / ".ai/tools/team"
    folder.mkdir(parents=True)
    (folder / "count.py").write_text(TOOL.replace("RESULT", result), "utf-8")
    (folder / "g.yaml").write_text(GRAPH, "utf-8")
    with caplog.at_level(logging.WARNING, "graphwright_runtime"):
        ran = graphwright("run", "team/g", "--durability", "off", "--quiet")
    assert ran.code == 0, ran.stderr
    nulls = [record.message.partition("node count: ")[2] for record in caplog.records if " is null" in record.message]
    assert len(nulls) == len(logged), nulls
    assert all(said.startswith(each) for said, each in zip(nulls, logged, strict=True)), nulls
