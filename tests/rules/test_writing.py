"""GW609: files that a graph writes where tools are looked for."""

from __future__ import annotations

from pathlib import Path

import pytest

from commands import graphwright
from rules.finding import findings, one

GRAPH = """\
version: "1.0.0"
tool_type: graph
permissions: [{permission}]
config_schema: {{type: object, properties: {{name: {{type: string}}}}}}
config:
  start: save
  nodes:
    save:
      action: {{item_id: "tool:rye/file-system/write", params: {{path: {path}, content: "x"}}}}
      next: done
    done: {{type: return}}
"""
EXACT = "rye.execute.tool.rye.file-system.write"


@pytest.mark.parametrize(
    "path",
    [
        ".ai/tools/x.py",
        '".ai/tools/${inputs.name}.py"',
        "sub/.ai/x",
        ".git/hooks/pre-commit",
        ".AI/x",
        '".git/${inputs.name}"',
    ],
)
def test_a_path_that_will_be_denied(path: str) -> None:
    found = one("GW609", GRAPH.format(permission=EXACT, path=path))
    assert "which a graph may not do" in found.message
    assert found.note == "will be denied"


@pytest.mark.parametrize(
    "path", ["out/x.py", '"${inputs.name}"', '"out/${inputs.name}/.ai"', ".github/x", '".ai${inputs.name}"']
)
def test_paths_that_are_fine_or_unknown(path: str) -> None:
    assert findings("GW609", GRAPH.format(permission=EXACT, path=path)) == []


@pytest.mark.parametrize(
    ("writable", "permission", "reported"),
    [
        (".ai/tools/made", EXACT, True), (".ai", EXACT, True), (".ai/knowledge", "rye.execute.tool.rye.*", True),
        (".ai/tools", "rye.*", True), ("flows/made", EXACT, True), (".", EXACT, True), (".ai/state", EXACT, False),
        ("out", "rye.*", False),
    ],
)  # fmt: skip
def test_what_the_configuration_opens(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, writable: str, permission: str, reported: bool
) -> None:
    """The same graph, the same permission: it depends on what the project lets graphs write to."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "flows").mkdir()
    (tmp_path / "flows" / "save.yaml").write_text(GRAPH.format(permission=permission, path='"${inputs.name}"'))
    (tmp_path / "graphwright.toml").write_text(f'roots = ["flows"]\nwritable = ["{writable}"]\n')
    done = graphwright("check")
    assert done.code == 0
    assert ("GW609" in done.stderr) == reported, done.stderr
    (tmp_path / "graphwright.toml").write_text('roots = ["flows"]\n')
    assert "GW609" not in graphwright("check").stderr, "what is remembered was asked about another configuration"
